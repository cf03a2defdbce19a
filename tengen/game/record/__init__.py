"""Recorded games: what a game is, the files it is written to and read from, and openings."""
