"""A place in a game, with its comment, its marks and what comes after it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from tengen.game.arguments import several
from tengen.game.arguments import text as argument
from tengen.game.position import (
    COLOURS,
    AnyPoint,
    Colour,
    Point,
    Position,
    give_turn,
    position_of,
)
from tengen.game.record.main_line import is_pass
from tengen.game.record.tree import (
    SIGNS,
    escaped,
    flat,
    letters,
    move_properties,
    point_of,
    signs_in,
    stone_in,
    unescaped,
    unflat,
)
from tengen.game.record.tree import Node as RecordNode
from tengen.game.referee import BLACK, WHITE, Stone, opponent_of

LATE_SETUP = "stones are set up after the first move"
_PLAYERS = {"B": BLACK, "W": WHITE}
_SETUP = {"AB", "AW", "AE"}


class Start(NamedTuple):
    """What a game begins with: the board, the rule, stones that were set up, and whose turn it
    is."""

    size: tuple[int, int]
    rule: int
    setup: tuple[Stone, ...]
    side: int

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.size[1]

    def after(self, stones: Iterable[Stone]) -> Position:
        """The position after these moves. ValueError, naming the move, for an impossible one."""
        return position_of(self.size, self.rule, self.setup, self.side, stones)


class Node:
    """A place in a game: the move that leads to it, its comment, and what comes after it.

    Two nodes are equal if they are the same place of the same game.
    """

    def __init__(self, start: Start, record: RecordNode, parent: Node | None) -> None:
        self.parent = parent
        self._start = start
        self._record = record

    @property
    def move(self) -> Point | None:
        """The move; None for the beginning of a game, a pass, and a node with a comment alone."""
        stone = self.stone
        return None if stone is None else Point(stone[0], stone[1], self._start.height)

    @property
    def colour(self) -> Colour | None:
        """Who plays the move; None without one."""
        stone = self.stone
        return None if stone is None else COLOURS[stone[2]]

    @property
    def children(self) -> list[Node]:
        """The nodes after this one, that of the main line first."""
        return [Node(self._start, each, self) for each in self._record.children]

    @property
    def comment(self) -> str:
        """What is said about the move; an empty text removes it."""
        return self._record.text("C") or ""

    @comment.setter
    def comment(self, text: str) -> None:
        self._record.put("C", [escaped(text)] if argument("comment", text) else [])

    @property
    def marks(self) -> dict[Point, str]:
        """The marked points, each with the text that stands there; empty for a sign."""
        labels = [value.partition(":") for value in self._record.properties.get("LB", ())]
        height = self._start.height
        found = {point_of(place, height): unescaped(text) for place, _, text in labels}
        found |= dict.fromkeys(signs_in(self._record, height), "")
        return {Point(*cell, height): text for cell, text in found.items() if cell is not None}

    @marks.setter
    def marks(self, marks: Mapping[str, str] | Iterable[str]) -> None:
        marks = several("marks", marks)
        texts = marks if isinstance(marks, Mapping) else dict.fromkeys(marks, "")
        board = self._start.after(())
        places = {board.point(point): argument("marks", text) for point, text in texts.items()}
        for name in SIGNS:
            self._record.put(name, [])
        self._record.put("MA", [letters(p.x, p.y) for p, text in places.items() if not text])
        self._record.put(
            "LB", [f"{letters(p.x, p.y)}:{escaped(text)}" for p, text in places.items() if text]
        )

    @property
    def number(self) -> int:
        """How many moves lead here, this one included."""
        return sum(node.move is not None for node in self.line())

    def line(self) -> list[Node]:
        """The nodes from the beginning to this one."""
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        return nodes[::-1]

    def position(self) -> Position:
        """The position after the move. ValueError, naming the move, if one on the way is
        impossible."""
        stones: list[Stone] = []
        passed = None
        for node in self.line():
            if stones and node.sets_up:
                raise ValueError(LATE_SETUP)
            played = _PLAYERS.keys() & node._record.properties.keys()
            if stone := node.stone:
                stones.append(stone)
                passed = None
            elif played:
                passed = _PLAYERS[min(played)]
        position = self._start.after(stones)
        if passed is not None and not position.is_over:
            give_turn(position, opponent_of(passed))
        return position

    def add(self, move: AnyPoint, comment: str = "") -> Node:
        """The node after this one that plays `move`; a new one, behind the others, if there is
        none. ValueError if the move is impossible."""
        position = self.position()
        argument("comment", comment)
        side = BLACK if position.turn == "black" else WHITE
        position.play(move)
        played = position.moves[-1]
        for node in self.children:
            if node.move == played and node.colour == COLOURS[side]:
                break
        else:
            record = self._record.add(move_properties(played.x, played.y, side))
            node = Node(self._start, record, self)
        if comment:
            node.comment = comment
        return node

    def remove(self) -> None:
        """Takes this node, and all after it, out of the game. ValueError for the first node."""
        self._siblings.remove(self._record)

    def promote(self) -> None:
        """Makes this node the main line of the one before it. ValueError for the first node."""
        siblings = self._siblings
        siblings.remove(self._record)
        siblings.insert(0, self._record)

    @property
    def _siblings(self) -> list[RecordNode]:
        if self.parent is None:
            raise ValueError("the first node of a game stays where it is")
        return self.parent._record.children

    @property
    def stone(self) -> Stone | None:
        """The move as (x, y, colour), for other files of the library."""
        values = [*map(self._record.properties.get, ("B", "W"))]
        if any(value and is_pass(value[0], *self._start.size) for value in values):
            return None
        return stone_in(self._record, self._start.height)

    @property
    def sets_up(self) -> bool:
        """Are stones set up here or taken away?"""
        return not _SETUP.isdisjoint(self._record.properties)

    def _repr_svg_(self) -> str:
        return self.position().svg(marks=self.marks)

    def __repr__(self) -> str:
        return f"<Node {self.number} {self.move or ''}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._record is other._record

    def __hash__(self) -> int:
        return id(self._record)

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy has the whole game. Not by way of nested nodes, which may be too deep.
        line = self.line()
        path = [before.children.index(node) for before, node in pairwise(line)]
        return _again, (self._start, flat(line[0]._record), path)


def _again(
    start: Start, rows: Sequence[tuple[Mapping[str, Sequence[str]], int]], path: Iterable[int]
) -> Node:
    node = Node(start, unflat(rows), None)
    for number in path:
        node = node.children[number]
    return node
