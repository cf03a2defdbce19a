"""The files that hold games and positions, read and written."""
