"""The tree of a game: all lines that were on the board since it began, or are in its file, with
their comments and marks, and Black's chance in each position.

A node that the page knows is a position: the root, number 0, is the one before the first move, any
other one comes after a move. A number stays that of its node for as long as the tree lives. Nodes
of a large file get theirs when somebody goes there.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from tengen.common.translation import tr
from tengen.game.node import Node, escaped, letters, point_of, unescaped
from tengen.game.referee import Cell, opponent_of
from tengen.game.values import Json, Record
from tengen.people.session.game import Game

# Nodes of a file that get a number at once.
_MOST_OF_FILE = 20_000
# The marks on points, by the property that sgf has for them; SL is a colour.
MARKS = {"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA", "colour": "SL"}
_LABEL = "LB"
# A comment that is written here is not longer. Of one that is, in a file with its escapes, the
# beginning is shown, and it cannot be changed here.
MOST_WRITTEN = 100_000
_MOST_SHOWN = 2 * MOST_WRITTEN
# Characters of a comment that the list of moves shows.
_MOST_LISTED = 60
# What sgf says of a move, as players write it.
_SIGNS = {("BM", "1"): "?", ("BM", "2"): "??", ("TE", "1"): "!", ("TE", "2"): "!!",
          ("DO", ""): "?!", ("IT", ""): "!?"}  # fmt: skip
_SIGN_OF_FINDING = {"inaccuracy": ("DO", ""), "mistake": ("BM", "1"), "missed win": ("BM", "2"),
                    "foul": ("BM", "2")}  # fmt: skip


class Tree:
    """The numbers of a game's nodes, and what is written in them."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._nodes: list[Node] = []  # by number
        self._before: list[int] = []  # the number of the position before each
        self._numbers: dict[Node, int] = {}
        self._chances: dict[int, float] = {}
        self._changed: set[int] = set()
        self._gone: set[int] = set()
        self._add(game.base, 0)
        self._number_file()

    # -- lines

    def number(self, node: Node) -> int:
        """The number of a node with a move, or of that where the game begins."""
        new: list[Node] = []
        here: Node | None = node
        while here is not None and here not in self._numbers:
            if here.stone is not None:
                new.append(here)
            here = here.parent
        number = 0 if here is None else self._numbers[here]
        for each in reversed(new):
            number = self._add(each, number)
        return number

    def cut(self, node: Node) -> None:
        """Takes a node out of the tree, with all that comes after it."""
        number = self.number(node)
        node.remove()
        self._gone.add(number)
        for other in range(number + 1, len(self._nodes)):
            if self._before[other] in self._gone:
                self._gone.add(other)
        for gone in self._gone:
            self._numbers.pop(self._nodes[gone], None)
        self._touch()

    def promote(self, node: Node) -> None:
        """Makes the line up to a node the first one of the game. Every node gets a new number."""
        for here in node.line()[1:]:
            here.promote()
        chances = {self._nodes[number]: chance for number, chance in self._chances.items()}
        self.__init__(self._game)  # type: ignore[misc]
        self._chances = {self._numbers[n]: c for n, c in chances.items() if n in self._numbers}
        self._touch()

    def _add(self, node: Node, before: int) -> int:
        number = self._numbers[node] = len(self._nodes)
        self._nodes.append(node)
        self._before.append(before)
        self._changed.add(number)
        return number

    def _number_file(self) -> None:
        game = self._game
        setup = {stone[:2] for stone in game.setup}
        waiting = [(0, game.first)]  # with the colour that is to move
        while waiting and len(self._nodes) < _MOST_OF_FILE:
            before, colour = waiting.pop()
            found: dict[Cell, int] = {}
            for child in self._nodes[before].next_moves():
                stone = child.stone
                if stone is None or stone[2] != colour:
                    continue
                cell = stone[:2]
                is_inside = cell[0] < game.width and 0 <= cell[1] < game.height
                if is_inside and cell not in {*setup, *found} and not self._is_taken(before, cell):
                    found[cell] = self._add(child, before)
            waiting += [(number, opponent_of(colour)) for number in reversed(found.values())]

    def _is_taken(self, number: int, cell: Cell) -> bool:
        """By a stone on the way to a node."""
        while number:
            if self._cell(number) == cell:
                return True
            number = self._before[number]
        return False

    def _cell(self, number: int) -> Cell:
        stone = self._nodes[number].stone
        assert stone is not None
        return stone[:2]

    # -- what is written in it

    def set_chance(self, node: Node, chance: float) -> None:
        """Black's chance to win in a position, from 0 to 1, as it is known now."""
        number = self.number(node)
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
        there; the same one again takes it away. Without a text a letter is the one there, or the
        first that is free. ValueError for another kind, and if there is no position of that
        number."""
        if kind not in (*MARKS, "letter"):
            known = ", ".join((*MARKS, "letter"))
            raise ValueError(f"there is no mark {kind[:20]!r}; there are {known}")
        node = self._node(number)
        marks = list(self._marks(node))
        there = [each for each in marks if tuple(each[:2]) == point]
        if kind == "letter" and not text:
            taken = {each[3] for each in marks}
            free = (letter for letter in ascii_uppercase if letter not in taken)
            text = next((str(each[3]) for each in there if each[3]), None) or next(free, "?")
        for name in (*MARKS.values(), _LABEL):
            if values := node.properties.get(name):
                node.put(name, [v for v in values if self._place(v) != point])
        if [kind, text] not in [each[2:] for each in there]:
            name = _LABEL if kind == "letter" else MARKS[kind]
            place = letters(*point) + (f":{escaped(text)}" if kind == "letter" else "")
            node.put(name, (*node.properties.get(name, ()), place))
        self._touch(number)

    def add_finding(self, node: Node, kind: str, text: str) -> None:
        """Writes what a review found out about a move."""
        name, value = _SIGN_OF_FINDING[kind]
        node.put(name, (value,))
        said = node.text("C") or ""
        if text not in said and not _is_long(node):
            node.put("C", (escaped(f"{said}\n{text}".strip()),))
        self._touch(self.number(node))

    def _node(self, number: int) -> Node:
        if not 0 <= number < len(self._nodes) or number in self._gone:
            raise ValueError(tr("this position is no longer in the game"))
        return self._nodes[number]

    def remarks(self, number: int) -> Record:
        """What is written at a node: its `comment`, and `marks` as [column, row, kind, text]."""
        node = self._nodes[number]
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
        self._game.changes += 1

    # -- what the page is told

    def whole(self) -> Record:
        """All nodes, as `news` has them, which are none any more."""
        self._changed = {number for number in range(len(self._nodes)) if number not in self._gone}
        return self.news()

    def news(self) -> Record:
        """The `nodes` but the root that are new or have changed since the last call, and Black's
        chance at the `root`; empty where nothing has changed. Each node has its number, the number
        of the node before it, the move's column and row, Black's chance to win after it or None, a
        sign such as "?", and the beginning of what is said there. The first move after a node that
        was made is its main line."""
        changed = sorted(self._changed - self._gone)
        self._changed.clear()
        if not changed:
            return {}
        return {"nodes": [self._told(n) for n in changed if n], "root": self._chances.get(0)}

    def _told(self, number: int) -> list[Json]:
        node = self._nodes[number]
        signs = (sign for (name, value), sign in _SIGNS.items() if node.text(name) == value)
        (comment,) = node.properties.get("C", ("",))[:1]
        said = " ".join(unescaped(comment[: 2 * _MOST_LISTED]).split())
        return [
            number,
            self._before[number],
            *self._cell(number),
            self._chances.get(number),
            next(signs, ""),
            said if len(said) <= _MOST_LISTED else f"{said[:_MOST_LISTED]}\N{HORIZONTAL ELLIPSIS}",
        ]


def _is_long(node: Node) -> bool:
    return any(len(value) > _MOST_SHOWN for value in node.properties.get("C", ()))
