"""Checks of the engine's C code for arm64: it compiles, and the net's inner loops compute the same
integers there as on x86-64."""
