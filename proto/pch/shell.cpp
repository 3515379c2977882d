// Holds the precompiled header of this name.
