"""The chance to win that a value of the engine stands for."""

from engine.model import win_chance as win_chance
