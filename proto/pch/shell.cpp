// Compiles the precompiled header of the same name.
