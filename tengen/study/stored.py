"""What the base of games (games.py) holds and answers: games, what was played in a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.text import RULE_NAMES
from tengen.game.game import RESULTS, Game
from tengen.game.keys import keys_for
from tengen.game.node import first_properties
from tengen.game.position import BoardSize, Point
from tengen.game.referee import WHITE, Stone, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.game.values import counted

# How games end, by the number in the base; the first is unknown.
ENDS = ("", *RESULTS)


@dataclass(frozen=True)
class PlayedMove:
    """A move that was played in a position; of moves that a symmetry exchanges only one is there.

    count                how often; black, white, drawn: how many of these games ended so.
    chance               of the side to move to win, 0 to 1: as an analysis of the board or a review
                         has found, else the mean of what programs reported; None if unknown.
    """

    move: Point
    count: int
    black: int
    white: int
    drawn: int
    chance: float | None


@dataclass(frozen=True)
class KnownGame:
    """A game of the base.

    id      by which `Games.game` gives it.
    result  "black", "white", "draw"; "" if unknown.
    moves   how many its main line has.
    path    the file that it was read from, and `number` its place there, from one.
    """

    id: int
    black: str
    white: str
    event: str
    date: str
    rule: str
    size: BoardSize
    result: str
    moves: int
    path: str
    number: int

    def __str__(self) -> str:
        names = f"{self.black or '?'} - {self.white or '?'}"
        about = (names, self.event, self.date, self.result, counted(self.moves, "move"))
        return f"{self.id}: {', '.join(filter(None, about))}"


@dataclass(frozen=True)
class Explored:
    """What was played in a position.

    count  how many games have reached it; it may be the last position of some.
    moves  that were played, the most frequent one first.
    games  the newest of these games.
    """

    count: int
    moves: tuple[PlayedMove, ...]
    games: tuple[KnownGame, ...]

    def __str__(self) -> str:
        lines = [counted(self.count, "game")]
        for each in self.moves:
            chance = "" if each.chance is None else f"  value {each.chance:4.0%}"
            ends = "  ".join(
                f"{name} {count / each.count:4.0%}"
                for name, count in (("black", each.black), ("white", each.white),
                                    ("drawn", each.drawn))
            )  # fmt: skip
            lines.append(f"{each.move:3} {each.count:8,}  {ends}{chance}")
        return "\n".join(lines)


# A game with the path of a file that has it.
SELECT_GAME = (
    "SELECT g.id, g.run, g.width, g.height, g.rule, g.side, g.setup, g.moves, g.black,"
    " g.white, g.event, g.date, g.result, g.number,"
    " (SELECT min(path) FROM files WHERE content = g.content) AS path FROM games g"
)


class Stored(NamedTuple):
    """A row that `SELECT_GAME` selects."""

    id: int
    run: int
    width: int
    height: int
    rule: int
    side: int
    setup: bytes
    moves: bytes
    black: str
    white: str
    event: str
    date: str
    result: int
    number: int
    path: str | None

    def known(self) -> KnownGame:
        """The game as callers get it."""
        return KnownGame(
            self.id, self.black, self.white, self.event, self.date, RULE_NAMES[self.rule],
            (self.width, self.height), ENDS[self.result], len(self.moves) // 2,
            self.path or "", self.number + 1,
        )  # fmt: skip

    def game(self) -> Game:
        """The game with its moves alone."""
        info = {
            "PB": self.black, "PW": self.white, "EV": self.event, "DT": self.date,
            "RU": RULE_TITLES[self.rule], "RE": RESULTS.get(ENDS[self.result], ""),
            "PL": "W" if self.side == WHITE else "B",
        }  # fmt: skip
        first = first_properties(info, (self.width, self.height), unpacked(self.setup))
        return Game.of("", first, unpacked(self.moves))

    def keys(self) -> Iterator[tuple[int, int]]:
        """The keys of its positions with the moves."""
        moves = unpacked(self.moves)
        last = opponent_of(moves[-1][2]) if moves else self.side
        keys = keys_for(self.width, self.height, self.rule)
        return keys.along(unpacked(self.setup), moves, last)


def packed(stones: Iterable[Stone]) -> bytes:
    """Stones as bytes, two for each."""
    return bytes(part for x, y, colour in stones for part in (x + 32 * colour, y))


def unpacked(data: bytes) -> list[Stone]:
    """The stones that `packed` has packed."""
    return [(x % 32, y, x // 32) for x, y in zip(data[::2], data[1::2], strict=True)]
