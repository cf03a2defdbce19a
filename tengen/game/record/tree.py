"""A game with its variations, as sgf has it: nodes with properties, one tree for every format.

The values of properties are those between the brackets of an sgf file, with their escapes, so that
nothing is lost between reading and writing. What a format says otherwise (a mark in a RenLib file,
a tournament in a RenjuNet file) becomes the property that sgf has for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tengen.game.referee import BLACK, WHITE, Cell, Stone, in_turns

COLOURS = {"B": BLACK, "W": WHITE}
_SETUP = {"AB": BLACK, "AW": WHITE}
# What programs draw at a point without a text.
SIGNS = ("MA", "TR", "CR", "SQ")


@dataclass(eq=False, slots=True)
class Node:
    """A node: its properties by name, which must not be changed in place because nodes may share
    them, and the nodes after it, the main line first."""

    properties: Mapping[str, Sequence[str]] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    def text(self, name: str) -> str | None:
        """The first value of a property as the text that it stands for; None if it has none."""
        values = self.properties.get(name)
        return unescaped(values[0]) if values else None

    def set(self, name: str, text: str) -> None:
        """Gives a property one value, by the text that it stands for."""
        self.properties = {**self.properties, name: (escaped(text),)}

    def put(self, name: str, values: Sequence[str]) -> None:
        """Gives a property these values; without any the node has it no more."""
        rest = {key: value for key, value in self.properties.items() if key != name}
        self.properties = rest | {name: tuple(values)} if values else rest

    def add(self, properties: Mapping[str, Sequence[str]]) -> Node:
        """A new node after this one, behind those it has."""
        child = Node(properties)
        self.children.append(child)
        return child

    def main_line(self) -> Iterator[Node]:
        """This node, the first one after it, and so on to the end."""
        node = self
        yield node
        while node.children:
            node = node.children[0]
            yield node


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game that was read.

    form       of the file, as errors name it.
    root       its first node.
    elapsed_s  the time taken for each move of the main line, where the file has times.
    people     the colours that people played; None = the file tells by their names.
    fault      why the main line ends before that of the file; empty where it does not.
    notes      what was not read as it stands there, each in one line.
    """

    form: str
    root: Node
    elapsed_s: tuple[float | None, ...] = ()
    people: frozenset[int] | None = None
    fault: str = ""
    notes: tuple[str, ...] = ()


def new_root(info: Mapping[str, str], size: tuple[int, int], setup: Sequence[Stone] = ()) -> Node:
    """A first node.

    info   properties with their texts, such as PB and RU; empty ones are left out.
    size   width and height of the board.
    setup  stones on the board before the first move.
    """
    width, height = size
    shape = str(width) if width == height else f"{width}:{height}"
    properties: dict[str, Sequence[str]] = {
        "FF": ("4",), "GM": ("4",), "CA": ("UTF-8",), "SZ": (shape,)
    }  # fmt: skip
    properties |= {name: (escaped(text),) for name, text in info.items() if text}
    for name, colour in _SETUP.items():
        if points := tuple(letters(x, y) for x, y, own in setup if own == colour):
            properties[name] = points
    return Node(properties)


def tree_of_cells(
    form: str,
    info: Mapping[str, str],
    size: tuple[int, int],
    cells: Sequence[Cell],
    lines: Sequence[int],
    elapsed_s: Sequence[float | None] = (),
    people: frozenset[int] | None = None,
) -> GameTree:
    """The game of a list of moves, Black's first, up to the first one that is impossible.

    info   as for `new_root`.
    lines  of the file, where the moves are, for the fault.
    """
    (width, height), fault, taken = size, "", dict[Cell, None]()
    for (x, y), line in zip(cells, lines, strict=True):
        if not (0 <= x < width and 0 <= y < height):
            fault = f"{form}, line {line}: the move is outside the {width}x{height} board"
        elif (x, y) in taken:
            fault = f"{form}, line {line}: the move is played on a stone"
        if fault:
            break
        taken[x, y] = None
    root = new_root(info, size)
    add_line(root, in_turns(taken))
    return GameTree(form, root, tuple(elapsed_s[: len(taken)]), people, fault)


def add_line(node: Node, stones: Sequence[Stone]) -> None:
    """Adds moves after a node, as its last variation."""
    for x, y, colour in stones:
        node = node.add(move_properties(x, y, colour))


def move_properties(x: int, y: int, colour: int) -> dict[str, Sequence[str]]:
    """The properties of a move."""
    return {"B" if colour == BLACK else "W": (letters(x, y),)}


def copied(root: Node) -> Node:
    """A tree that can be changed while this one stays what it is."""
    return unflat(flat(root))


def flat(root: Node) -> list[tuple[Mapping[str, Sequence[str]], int]]:
    """The nodes of a tree, which may be deep, without nesting: the properties of each, and the
    place of the node before it in the list."""
    rows: list[tuple[Mapping[str, Sequence[str]], int]] = []
    waiting = [(root, -1)]
    while waiting:
        node, before = waiting.pop()
        waiting += [(child, len(rows)) for child in reversed(node.children)]
        rows.append((node.properties, before))
    return rows


def unflat(rows: Sequence[tuple[Mapping[str, Sequence[str]], int]]) -> Node:
    """The tree of what `flat` has made."""
    nodes = [Node(rows[0][0])]
    for properties, before in rows[1:]:
        nodes.append(nodes[before].add(properties))
    return nodes[0]


def lead(root: Node, stones: Sequence[Stone], height: int) -> None:
    """Makes these moves the main line from the first node on: the variation that has them comes to
    the front, and what no variation has is added. `height` of the board."""
    node = root
    for stone in stones:
        node = fork(node, height)
        child = child_with(node, stone, height)
        if child is None:
            child = Node(move_properties(*stone))
        else:
            node.children.remove(child)
        node.children.insert(0, child)
        node = child


def fork(node: Node, height: int) -> Node:
    """The node whose children are the next moves: nodes without a stone, such as a comment alone or
    a pass, stand before them."""
    while node.children and stone_in(node.children[0], height) is None:
        node = node.children[0]
    return node


def moves_after(node: Node, height: int) -> Iterator[tuple[Node, Node]]:
    """The nodes that play the next stones, each after the node that it belongs to: nodes without a
    stone may stand in between."""
    waiting = [(node, child) for child in reversed(node.children)]
    while waiting:
        parent, child = waiting.pop()
        if stone_in(child, height) is not None:
            yield parent, child
        else:
            waiting += [(child, other) for other in reversed(child.children)]


def child_with(node: Node, stone: Stone, height: int) -> Node | None:
    """The first of the nodes right after this one that plays the stone; None if there is none."""
    for child in node.children:
        if stone_in(child, height) == stone:
            return child
    return None


def stone_in(node: Node, height: int) -> Stone | None:
    """The stone that a node plays; None for a pass and for a node without a move."""
    for name, colour in COLOURS.items():
        for value in node.properties.get(name, ())[:1]:
            if (point := point_of(value, height)) is not None:
                return (*point, colour)
    return None


def stones_of(root: Node, height: int) -> list[Stone]:
    """The stones that the main line plays."""
    return [stone for node in root.main_line() if (stone := stone_in(node, height)) is not None]


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


def signs_in(node: Node, height: int) -> Iterator[Cell]:
    """The cells with a sign: a value is one point, or a rectangle written as two corners."""
    for value in (value for name in SIGNS for value in node.properties.get(name, ())):
        corners = [point_of(corner, height) for corner in value.split(":", 1)]
        if corners[0] is not None and corners[-1] is not None:
            yield from cells_between(corners[0], corners[-1])


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
