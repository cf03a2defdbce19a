"""What the base of games (games.py) holds and answers: games, what was played in a position."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.text import RULE_NAMES
from tengen.game.game import RESULTS, Game
from tengen.game.keys import LEAF, SIBLING, Step, keys_for
from tengen.game.node import Node, first_properties
from tengen.game.position import BoardSize, Point
from tengen.game.referee import WHITE, Cell, Stone
from tengen.game.rules import RULE_TITLES
from tengen.game.values import counted

# How games end, by the number in the base: the first is unknown, the last is no game.
LIBRARY = "library"
ENDS = ("", *RESULTS, LIBRARY)


@dataclass(frozen=True)
class PlayedMove:
    """A move that was played in a position; of moves that a symmetry exchanges only one is there.

    count                how often; black, white, drawn: how many of these games ended so.
    chance               of the side to move to win, 0 to 1: as an analysis of the board or a review
                         has found, else the mean of what programs reported; None if unknown.
    libraries            how many libraries have it, which are not counted otherwise.
    """

    move: Point
    count: int
    black: int
    white: int
    drawn: int
    chance: float | None
    libraries: int


@dataclass(frozen=True)
class KnownGame:
    """A game of the base, or a library: the tree of a .lib file.

    id      by which `Games.game` gives it.
    result  "black", "white", "draw", "library"; "" if unknown.
    moves   how many its main line has, or the tree.
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
        names = "" if self.result == LIBRARY else f"{self.black or '?'} - {self.white or '?'}"
        about = (names, self.event, self.date, self.result, counted(self.moves, "move"))
        return f"{self.id}: {', '.join(filter(None, about))}"


@dataclass(frozen=True)
class Explored:
    """What was played in a position.

    count      how many games have reached it; it may be the last position of some.
    moves      that were played, the most frequent one first.
    games      the newest of these games, and libraries.
    libraries  how many libraries have the position.
    """

    count: int
    moves: tuple[PlayedMove, ...]
    games: tuple[KnownGame, ...]
    libraries: int

    def __str__(self) -> str:
        lines = [in_base(self.count, self.libraries)]
        for each in self.moves:
            ends = "  ".join(
                f"{name} {count / max(each.count, 1):4.0%}"
                for name, count in (("black", each.black), ("white", each.white),
                                    ("drawn", each.drawn))
            )  # fmt: skip
            chance = "" if each.chance is None else f"  value {each.chance:4.0%}"
            held = f"  {_libraries(each.libraries)}" if each.libraries else ""
            lines.append(f"{each.move:3} {each.count:8,}  {ends}{chance}{held}")
        return "\n".join(lines)


def in_base(games: int, libraries: int) -> str:
    """So many games, and libraries if there are any."""
    return counted(games, "game") + (f" and {_libraries(libraries)}" if libraries else "")


def _libraries(count: int) -> str:
    return "1 library" if count == 1 else f"{count:,} libraries"


class Stored(NamedTuple):
    """A game, or a library, as the base keeps it: `setup` and `moves` are packed, `number` is its
    place in the file from zero, `result` one of ENDS by its number."""

    number: int
    width: int
    height: int
    rule: int
    side: int
    setup: bytes
    black: str
    white: str
    event: str
    date: str
    result: int
    moves: bytes

    def game(self) -> Game:
        """The game with its moves alone."""
        info = {
            "PB": self.black, "PW": self.white, "EV": self.event, "DT": self.date,
            "RU": RULE_TITLES[self.rule], "RE": RESULTS.get(ENDS[self.result], ""),
            "PL": "W" if self.side == WHITE else "B",
        }  # fmt: skip
        setup = [stone[:3] for stone in unpacked(self.setup)]
        game = Game.of("", first_properties(info, (self.width, self.height), setup))
        node, branches = game.root, list[Node]()
        for x, y, colour, flags in unpacked(self.moves):
            if flags & SIBLING:
                branches.append(node)
            node = node.append_line([(x, y, colour)])
            if flags & LEAF and branches:
                node = branches.pop()
        return game

    def keys(self) -> Iterator[tuple[int, int]]:
        """The keys of its positions with the moves."""
        keys = keys_for(self.width, self.height, self.rule)
        return keys.along(
            (stone[:3] for stone in unpacked(self.setup)), unpacked(self.moves), self.side
        )


# The columns of a Stored, and rows for `known`.
_NAMED = "(SELECT text FROM names WHERE id = g.{0}) AS {0}"
STORED = ", ".join(
    _NAMED.format(name) if name in ("black", "white", "event", "date") else name
    for name in Stored._fields
)
SELECT_KNOWN = (
    f"SELECT id, {', '.join(map(_NAMED.format, ('black', 'white', 'event', 'date')))},"
    " rule, width, height, result, length(moves) / 2,"
    " (SELECT min(path) FROM files WHERE content = g.content), number + 1 FROM games g"
)


def known(number: int, *row: Any) -> KnownGame:
    """The game of a row that `SELECT_KNOWN` selects."""
    black, white, event, date, rule, width, height, result, moves, path, place = row
    return KnownGame(
        number, black, white, event, date, RULE_NAMES[rule], (width, height), ENDS[result], moves,
        os.fsdecode(path or ""), place,
    )  # fmt: skip


def packed(steps: Iterable[Step]) -> bytes:
    """Steps as bytes, two for each."""
    return bytes(part for x, y, colour, flags in steps for part in (x + 32 * colour, y + flags))


def unpacked(data: bytes) -> Iterator[Step]:
    """The steps that `packed` has packed."""
    for x, y in zip(data[::2], data[1::2], strict=True):
        yield x % 32, y % 32, x // 32, y & (SIBLING | LEAF)


def steps_in(game: Game, setup: Iterable[Stone]) -> Iterator[Step]:
    """All moves of a tree that are on an empty point, in its order."""
    width, height = game.size
    taken: set[Cell] = {stone[:2] for stone in setup}
    line: list[Cell] = []
    waiting: list[tuple[int, Node, Stone, int]] = []

    def wait_behind(node: Node) -> bool:
        found = [(child, stone) for child in node.next_moves() if (stone := child.stone)]
        found = [
            (child, stone)
            for child, stone in found
            if stone[0] < width and stone[1] < height and stone[:2] not in taken
        ]
        flags = 0
        for child, stone in reversed(found):
            waiting.append((len(line), child, stone, flags))
            flags = SIBLING
        return bool(found)

    wait_behind(game.root)
    while waiting:
        depth, node, stone, flags = waiting.pop()
        taken.difference_update(line[depth:])
        line[depth:] = [stone[:2]]
        taken.add(stone[:2])
        yield *stone, flags | (0 if wait_behind(node) else LEAF)
