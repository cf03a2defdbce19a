"""The statistics of matches: pentanomial counts, Elo, SPRT, ratings."""
