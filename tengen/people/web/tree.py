"""The tree of a game: all lines that were on the board since it began, or are in its file, with
their comments and marks, and Black's chance in each position.

A node that the page knows is a position: the root, number 0, is the one before the first move, any
other one comes after a move. A number stays that of its node for as long as the tree lives. Nodes
of a large file get theirs when somebody goes there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tengen.common.translation import tr
from tengen.game.game import Game as FileGame
from tengen.game.game import first_properties
from tengen.game.json_text import Json, Record
from tengen.game.node import Node, escaped, letters, move_properties, point_of, unescaped
from tengen.game.referee import COLOUR_NAMES, Cell, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.people.session.game import Game, Origin

# Nodes of a file that get a number at once.
_MOST_OF_FILE = 20_000
# The marks on points, by the property that sgf has for them; SL is a colour.
MARKS = {"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA", "colour": "SL"}
_LABEL = "LB"
# A comment that is written here is not longer. Of one that is, in a file with its escapes, the
# beginning is shown, and it cannot be changed here.
MOST_WRITTEN = 100_000
_MOST_SHOWN = 2 * MOST_WRITTEN
# What sgf says of a move, as players write it.
_SIGNS = {("BM", "1"): "?", ("BM", "2"): "??", ("TE", "1"): "!", ("TE", "2"): "!!",
          ("DO", ""): "?!", ("IT", ""): "!?"}  # fmt: skip
_SIGN_OF_FINDING = {"inaccuracy": ("DO", ""), "mistake": ("BM", "1"), "missed win": ("BM", "2"),
                    "foul": ("BM", "2")}  # fmt: skip


class Tree:
    """The tree of one game; it becomes that of the game's file when it has more than one line, or
    something is written in it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        origin = game.origin
        before = () if origin is None else origin.before
        if origin is not None and origin.root is not None:
            self._root = origin.root
        else:
            info = {"RU": RULE_TITLES[game.rule], "PL": COLOUR_NAMES[game.first][0]}
            first = first_properties(info, (game.width, game.height), game.setup)
            self._root = FileGame.of("", first).root
        node = self._root
        for stone in before:
            node = next((each for each in node.next_moves() if each.stone == stone), node)
        # By number: the number of the node before it, the move, and the node.
        self._nodes: list[tuple[int, Cell, Node]] = [(0, (-1, -1), node)]
        self._numbers: dict[tuple[int, Cell], int] = {}
        self._chances: dict[int, float] = {}
        self._changed: set[int] = set()
        self._gone: set[int] = set()
        self._number_file()

    # -- lines

    def add(self, cells: Sequence[Cell]) -> int:
        """The number of the position after these moves, which from now on belong to the tree."""
        number, colour = 0, self._game.first
        for x, y in cells:
            number = self._numbers.get((number, (x, y))) or self._add(number, (x, y), colour)
            colour = opponent_of(colour)
        return number

    def cut(self, cells: Sequence[Cell]) -> None:
        """Takes the last of these moves out of the tree, with all that comes after it."""
        number = self.add(cells)
        before, cell, node = self._nodes[number]
        node.remove()
        del self._numbers[before, cell]
        self._gone.add(number)
        for other in range(number + 1, len(self._nodes)):
            if self._nodes[other][0] in self._gone:
                self._gone.add(other)
                self._numbers.pop(self._nodes[other][:2], None)
        self._touch()

    def _add(self, before: int, cell: Cell, colour: int) -> int:
        stone, here = (*cell, colour), self._nodes[before][2]
        node = next((each for each in here.next_moves() if each.stone == stone), None)
        if node is None:
            parent = here
            while parent.children and parent.children[0].stone is None:
                parent = parent.children[0]  # a comment alone or a pass, before the next move
            divides = bool(parent.children)
            node = parent.append(move_properties(*stone))
            if divides:
                self._touch()
        return self._number(before, cell, node)

    def _number(self, before: int, cell: Cell, node: Node) -> int:
        number = len(self._nodes)
        self._nodes.append((before, cell, node))
        self._numbers[before, cell] = number
        self._changed.add(number)
        return number

    def _number_file(self) -> None:
        game = self._game
        setup = {stone[:2] for stone in game.setup}
        waiting = [(0, game.first)]  # with the colour that is to move
        while waiting and len(self._nodes) < _MOST_OF_FILE:
            before, colour = waiting.pop()
            found = []
            for child in self._nodes[before][2].next_moves():
                stone = child.stone
                if stone is None or stone[2] != colour:
                    continue
                cell = stone[:2]
                is_inside = cell[0] < game.width and 0 <= cell[1] < game.height
                if is_inside and cell not in setup and not self._is_taken(before, cell):
                    found.append((self._number(before, cell, child), opponent_of(colour)))
            waiting += reversed(found)

    def _is_taken(self, number: int, cell: Cell) -> bool:
        """By a stone on the way to a node, or a node right after it."""
        if (number, cell) in self._numbers:
            return True
        while number:
            number, own, _ = self._nodes[number]
            if own == cell:
                return True
        return False

    # -- what is written in it

    def set_chance(self, cells: Sequence[Cell], chance: float) -> None:
        """Black's chance to win after these moves, from 0 to 1, as it is known now."""
        number = self.add(cells)
        if self._chances.get(number) != round(chance, 4):
            self._chances[number] = round(chance, 4)
            self._changed.add(number)

    def comment(self, number: int, text: str) -> None:
        """Writes what is said of the position of that number; "" = nothing. ValueError if there is
        none."""
        node = self._node(number)
        if _is_long(node) or len(text) > MOST_WRITTEN:
            raise ValueError(f"a comment of more than {MOST_WRITTEN:,} characters stays as it is")
        if (node.text("C") or "") != text:
            node.put("C", (escaped(text),) if text else ())
            self._touch(number)

    def mark(self, number: int, point: Cell, kind: str, text: str = "") -> None:
        """Puts a mark of MARKS on a point, or a text of the kind "letter", in place of the one
        there; the same one again takes it away. ValueError for another kind, and if there is no
        position of that number."""
        if kind not in (*MARKS, "letter"):
            known = ", ".join((*MARKS, "letter"))
            raise ValueError(f"there is no mark {kind[:20]!r}; there are {known}")
        node = self._node(number)
        there = [each for each in self._marks(node) if tuple(each[:2]) == point]
        for name in (*MARKS.values(), _LABEL):
            if values := node.properties.get(name):
                node.put(name, [v for v in values if self._place(v) != point])
        if [kind, text] not in [each[2:] for each in there]:
            name = _LABEL if kind == "letter" else MARKS[kind]
            place = letters(*point) + (f":{escaped(text)}" if kind == "letter" else "")
            node.put(name, (*node.properties.get(name, ()), place))
        self._touch(number)

    def add_finding(self, cells: Sequence[Cell], kind: str, text: str) -> None:
        """Writes what a review found out about the last of these moves."""
        number = self.add(cells)
        node = self._nodes[number][2]
        name, value = _SIGN_OF_FINDING[kind]
        node.put(name, (value,))
        said = node.text("C") or ""
        if text not in said and not _is_long(node):
            node.put("C", (escaped(f"{said}\n{text}".strip()),))
        self._touch(number)

    def _node(self, number: int) -> Node:
        if not 0 <= number < len(self._nodes) or number in self._gone:
            raise ValueError(tr("this position is no longer in the game"))
        return self._nodes[number][2]

    def remarks(self, number: int) -> Record:
        """What is written at a node: its `comment`, and `marks` as [column, row, kind, text]."""
        node = self._nodes[number][2]
        (comment,) = node.properties.get("C", ("",))[:1]
        text = unescaped(comment[:_MOST_SHOWN])
        return {
            "node": number,
            "comment": text,
            "is_cut": _is_long(node),
            "marks": list(self._marks(node)),
        }

    def _marks(self, node: Node) -> Iterator[list[Json]]:
        for kind, name in (*MARKS.items(), ("letter", _LABEL)):
            for value in node.properties.get(name, ()):
                place = self._place(value)
                if place is not None:
                    text = unescaped(value.partition(":")[2]) if kind == "letter" else ""
                    yield [*place, kind, text]

    def _place(self, value: str) -> Cell | None:
        return point_of(value.partition(":")[0], self._game.height)

    def _touch(self, number: int | None = None) -> None:
        """The game is another one to save."""
        if number is not None:
            self._changed.add(number)
        origin = self._game.origin
        before = () if origin is None else origin.before
        self._game.origin = Origin(self._root, before, {} if origin is None else origin.names)

    # -- what the page is told

    def nodes(self) -> list[list[Json]]:
        """All nodes but the root, as `news` has them."""
        return [self._told(n) for n in range(1, len(self._nodes)) if n not in self._gone]

    def news(self) -> list[list[Json]]:
        """The nodes that are new or have changed since the last call: number, the number of the
        node before it, the move's column and row, Black's chance to win after it or None, a sign
        such as "?", and whether something is said there. The first move after a node that was made
        is its main line."""
        told = [self._told(number) for number in sorted(self._changed) if number]
        self._changed.clear()
        return told

    def _told(self, number: int) -> list[Json]:
        before, cell, node = self._nodes[number]
        signs = (
            sign
            for (name, value), sign in _SIGNS.items()
            if (node.text(name) or "") == value and name in node.properties
        )
        is_said = "C" in node.properties
        return [number, before, *cell, self._chances.get(number), next(signs, ""), is_said]

    @property
    def root_chance(self) -> float | None:
        """Black's chance before the first move; None where it is not known."""
        return self._chances.get(0)


def _is_long(node: Node) -> bool:
    return any(len(value) > _MOST_SHOWN for value in node.properties.get("C", ()))
