"""Tuning: parameters of the search, moved by SPSA with the results of games."""
