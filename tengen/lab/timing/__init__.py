"""`tengen lab time`: how the engine would use its time in recorded games."""
