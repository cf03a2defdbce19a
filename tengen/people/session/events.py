"""What a program has come to at the board: a move, a hint, an opening, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Info
from tengen.game.played import Move
from tengen.game.referee import Cell
from tengen.people.session.agreeing import Agreed


@dataclass(frozen=True)
class Moved:
    """A program has played. info: its search."""

    name: str
    move: Move
    info: Info


@dataclass(frozen=True)
class Hint:
    """A hint is ready.

    cell  where Tengen would play.
    text  the point, what a stone does there, and the value of the position, in a sentence.
    """

    cell: Cell
    text: str
    info: Info


@dataclass(frozen=True)
class Failed:
    """A program gave no move, or no hint; `text` says why, in one line."""

    text: str
    is_hint: bool


Event = Moved | Hint | Failed | Agreed
