"""Matches and tournaments: programs play each other, and their games are judged and counted."""
