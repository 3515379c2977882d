// Only the precompiled header lives here.
