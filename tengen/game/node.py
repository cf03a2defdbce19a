"""A place in a game: the move that leads to it, what is said of it, and what comes after it.

A node keeps what it knows by the properties of sgf, with the values between the brackets of such a
file, so that nothing is lost between reading and writing. What another format says (a mark in a
RenLib file, a tournament in a RenjuNet file) becomes the property that sgf has for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Protocol

from engine.text import ParsedPosition
from tengen.game.arguments import several
from tengen.game.arguments import text as argument
from tengen.game.played import Report
from tengen.game.position import COLOURS, AnyPoint, Colour, Point, Position
from tengen.game.referee import BLACK, WHITE, Cell, Stone, opponent_of
from tengen.game.rules import RULE_TITLES

Properties = Mapping[str, Sequence[str]]
# The properties that play a move.
PLAYERS = {"B": BLACK, "W": WHITE}
_SETUP = {"AB", "AW", "AE"}
# What programs draw at a point without a text.
SIGNS = ("MA", "TR", "CR", "SQ")
# The largest board on which `tt` is a pass and not a point.
_MAX_SIZE_TT = 19
_NO_PROPERTIES: Properties = MappingProxyType({})


class Tree(Protocol):
    """What a node needs of the game that it belongs to."""

    @property
    def root(self) -> Node: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def height(self) -> int: ...
    def start(self) -> Position: ...
    def changed(self, node: Node) -> None: ...
    def copy(self) -> Tree: ...


class Node:
    """A place in a game: the move that leads to it, its comment, and what comes after it.

    game        that it belongs to, and `parent`, the node before it; None for the first one.
    children    the nodes after it, that of the main line first; `add`, `remove` and `promote`
                change them.
    properties  as sgf has them, by name. Nodes may share them, so they are not changed in place.
    time_s      how long the player has thought, in seconds; None if unknown.
    report      what the program said of its move; None if it said nothing.
    """

    __slots__ = ("children", "game", "parent", "properties", "report", "time_s")

    def __init__(
        self, game: Tree, parent: Node | None, properties: Properties = _NO_PROPERTIES
    ) -> None:
        self.game = game
        self.parent = parent
        self.properties = properties
        self.children: list[Node] = []
        self.time_s: float | None = None
        self.report: Report | None = None

    # -- the move

    @property
    def stone(self) -> Stone | None:
        """The move as (x, y, colour), perhaps outside the board; None for a pass and for a node
        without a move."""
        for name, colour in PLAYERS.items():
            if values := self.properties.get(name):
                size = self.game.size
                cell = point_of(values[0], size[1])
                if cell is not None and not is_pass(values[0], *size):
                    return (*cell, colour)
        return None

    @property
    def move(self) -> Point | None:
        """The move; None for the beginning of a game, a pass, a node with a comment alone, and a
        move outside the board, which a file may have."""
        stone = self.stone
        return None if stone is None else self._point(stone[:2])

    def _point(self, cell: Cell) -> Point | None:
        width, height = self.game.size
        x, y = cell
        return Point(x, y, height) if 0 <= x < width and 0 <= y < height else None

    @property
    def colour(self) -> Colour | None:
        """Who plays the move; None without one."""
        stone = self.stone
        return None if stone is None else COLOURS[stone[2]]

    @property
    def passes(self) -> int:
        """The colour that passes its turn here; 0 if none does."""
        for name, colour in PLAYERS.items():
            if (values := self.properties.get(name)) and is_pass(values[0], *self.game.size):
                return colour
        return 0

    @property
    def sets_up(self) -> bool:
        """Are stones set up here or taken away?"""
        return not _SETUP.isdisjoint(self.properties)

    # -- what is said of it

    @property
    def comment(self) -> str:
        """What is said about the move; an empty text removes it."""
        return self.text("C") or ""

    @comment.setter
    def comment(self, text: str) -> None:
        self.put("C", [escaped(text)] if argument("comment", text) else [])

    @property
    def marks(self) -> dict[Point, str]:
        """The marked points, each with the text that stands there; empty for a sign."""
        labels = [value.partition(":") for value in self.properties.get("LB", ())]
        height = self.game.height
        found = {point_of(place, height): unescaped(text) for place, _, text in labels}
        found |= dict.fromkeys(self.signs(), "")
        points = ((self._point(cell), text) for cell, text in found.items() if cell is not None)
        return {point: text for point, text in points if point is not None}

    @marks.setter
    def marks(self, marks: Mapping[str, str] | Iterable[str]) -> None:
        marks = several("marks", marks)
        texts = marks if isinstance(marks, Mapping) else dict.fromkeys(marks, "")
        board = self.game.start()
        places = {board.point(point): argument("marks", text) for point, text in texts.items()}
        for name in SIGNS:
            self.put(name, [])
        self.put("MA", [letters(p.x, p.y) for p, text in places.items() if not text])
        self.put(
            "LB", [f"{letters(p.x, p.y)}:{escaped(text)}" for p, text in places.items() if text]
        )

    def signs(self) -> Iterator[Cell]:
        """The cells with a sign: a value is one point, or a rectangle written as two corners."""
        for value in (value for name in SIGNS for value in self.properties.get(name, ())):
            corners = [point_of(corner, self.game.height) for corner in value.split(":", 1)]
            if corners[0] is not None and corners[-1] is not None:
                yield from cells_between(corners[0], corners[-1])

    def text(self, name: str) -> str | None:
        """The first value of a property as the text that it stands for; None if it has none."""
        values = self.properties.get(name)
        return unescaped(values[0]) if values else None

    def set(self, name: str, text: str) -> None:
        """Gives a property one value, by the text that it stands for."""
        self.put(name, (escaped(text),))

    def put(self, name: str, values: Sequence[str]) -> None:
        """Gives a property these values; without any the node has it no more."""
        if values:
            self.properties = {**self.properties, name: tuple(values)}
        elif name in self.properties:
            rest = self.properties.items()
            self.properties = {key: value for key, value in rest if key != name}
        self.game.changed(self)

    # -- where it is

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

    def main_line(self) -> Iterator[Node]:
        """This node, the first one after it, and so on to the end."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node

    def position(self) -> Position:
        """The position after the move. ValueError, naming the move, if one on the way is
        impossible."""
        position = self.game.start()
        for node in self.line():
            if position.moves and node.sets_up:
                raise ValueError("stones are set up after the first move")
            if stone := node.stone:
                position.play_stones([stone])
            elif (side := node.passes) and not position.is_over:
                position.give_turn(opponent_of(side))
        return position

    def next_moves(self) -> Iterator[Node]:
        """The nodes that play the next stones, each before its own variations: nodes without a
        stone, such as a pass or a comment alone, may stand in between."""
        waiting = self.children[::-1]
        while waiting:
            node = waiting.pop()
            if node.stone is not None:
                yield node
            else:
                waiting += node.children[::-1]

    # -- changing the tree

    def add(self, move: AnyPoint, comment: str = "") -> Node:
        """The node after this one that plays `move`; a new one, behind the others, if there is
        none. ValueError if the move is impossible."""
        position = self.position()
        argument("comment", comment)
        side = position.side
        position.play(move)
        point = position.moves[-1]
        node = self.add_stone((point.x, point.y, side))
        if comment:
            node.comment = comment
        return node

    def add_stone(self, stone: Stone) -> Node:
        """As `add`, for a move that need not be possible."""
        for node in self.children:
            if node.stone == stone:
                return node
        return self.append(move_properties(*stone))

    def append(self, properties: Properties = _NO_PROPERTIES) -> Node:
        """A new node after this one, behind those it has."""
        child = Node(self.game, self, properties)
        self.children.append(child)
        self.game.changed(self)
        return child

    def append_line(self, stones: Iterable[Stone]) -> Node:
        """Adds moves after this node, as its last variation; returns the last one."""
        node = self
        for stone in stones:
            node = node.append(move_properties(*stone))
        return node

    def remove(self) -> None:
        """Takes this node, and all after it, out of the game. ValueError for the first node."""
        self._siblings.remove(self)
        self.game.changed(self)

    def promote(self) -> None:
        """Makes this node the main line of the one before it. ValueError for the first node."""
        siblings = self._siblings
        siblings.remove(self)
        siblings.insert(0, self)
        self.game.changed(self)

    @property
    def _siblings(self) -> list[Node]:
        if self.parent is None:
            raise ValueError("the first node of a game stays where it is")
        return self.parent.children

    def _repr_svg_(self) -> str:
        return self.position().svg(marks=self.marks)

    def __repr__(self) -> str:
        return f"<Node {self.number} {self.move or ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy has the whole game. Not by way of nested nodes, which may be too deep.
        path = [before.children.index(node) for before, node in pairwise(self.line())]
        return _node_of, (self.game, path)


def _node_of(game: Tree, path: Iterable[int]) -> Node:
    node = game.copy().root
    for number in path:
        node = node.children[number]
    return node


# A node without its game: properties, the place of the node before it, time and report.
Row = tuple[Properties, int, float | None, Report | None]


def rows_of(root: Node) -> list[Row]:
    """All nodes of a tree in a flat list, for copies: it may be too deep for nested ones."""
    rows: list[Row] = []
    waiting = [(root, -1)]
    while waiting:
        node, before = waiting.pop()
        waiting += [(child, len(rows)) for child in reversed(node.children)]
        rows.append((node.properties, before, node.time_s, node.report))
    return rows


# -- the values of properties


def first_properties(
    info: Mapping[str, str], size: tuple[int, int], setup: Sequence[Stone] = ()
) -> Properties:
    """The properties of a first node.

    info   properties with their texts, such as PB and RU; empty ones are left out.
    size   columns and rows of the board.
    setup  stones on the board before the first move.
    """
    width, height = size
    shape = str(width) if width == height else f"{width}:{height}"
    properties: dict[str, Sequence[str]] = {
        "FF": ("4",), "GM": ("4",), "CA": ("UTF-8",), "SZ": (shape,)
    }  # fmt: skip
    properties |= {name: (escaped(text),) for name, text in info.items() if text}
    for name, colour in (("AB", BLACK), ("AW", WHITE)):
        if points := tuple(letters(x, y) for x, y, own in setup if own == colour):
            properties[name] = points
    return properties


# What sgf calls that which the header of a text says.
_SAID = {"black": "PB", "white": "PW", "event": "EV", "site": "PC", "date": "DT", "round": "RO"}


def said_in(parsed: ParsedPosition) -> dict[str, str]:
    """What a text that was read says of a game, as `first_properties` takes it."""
    info = {name: parsed.header.get(key, "") for key, name in _SAID.items()}
    info = {name: text for name, text in info.items() if text.strip("?.-")}
    if parsed.rule is not None:
        info["RU"] = RULE_TITLES[parsed.rule]
    if parsed.is_picture:
        info["PL"] = "B" if parsed.side == BLACK else "W"
    return info


@lru_cache(maxsize=4096)
def move_properties(x: int, y: int, colour: int) -> Properties:
    """The properties of a move."""
    return {"B" if colour == BLACK else "W": (letters(x, y),)}


@lru_cache(maxsize=4096)
def is_pass(value: str, width: int, height: int) -> bool:
    """Is the value of B or W a pass? `tt` is one where it is no point."""
    word = value.strip().lower()
    return word in ("", "pass") or (word == "tt" and max(width, height) <= _MAX_SIZE_TT)


@lru_cache(maxsize=4096)
def point_of(value: str, height: int) -> Cell | None:
    """The cell that a value of B or W names, perhaps outside the board; None if it is no point."""
    point = re.fullmatch(r"([A-Za-z])(?:([A-Za-z])|(\d{1,2}))", value.strip(), re.ASCII)
    if point is None:
        return None
    if point[2]:
        return _number(point[1]), _number(point[2])
    return ord(point[1].lower()) - ord("a"), height - int(point[3])


def cells_between(corner: Cell, other: Cell) -> Iterator[Cell]:
    """All cells of the rectangle with these corners, row by row."""
    (left, right), (top, bottom) = map(sorted, zip(corner, other, strict=True))
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            yield x, y


def letters(x: int, y: int) -> str:
    """A cell as sgf writes it; columns and rows from 26 on are capitals."""
    return _letter(x) + _letter(y)


def _letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else chr(ord("A") + number - 26)


def _number(letter: str) -> int:
    return ord(letter) - (ord("a") if letter.islower() else ord("A") - 26)


def escaped(text: str) -> str:
    """A text as the value of a property; its lines are kept."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


def unescaped(value: str) -> str:
    """The text that a value stands for: an escaped line end is removed."""
    return re.sub(r"\\(\r\n|\n\r|[\r\n])|\\(.)", lambda m: m[2] or "", value, flags=re.DOTALL)


def shown(value: str) -> str:
    """The beginning of a text of a file as one line that can be printed, for an error."""
    line = " ".join(value.split())[:20]
    return "".join(char if char.isprintable() else "?" for char in line)
