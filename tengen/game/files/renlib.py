"""RenLib's files (.lib): all lines of a library of renju as one tree.

The format, as RenLib's own source reads it: 20 bytes of header, then the nodes in the order of the
tree, first child before next sibling, each of two bytes. The first byte is the point, 16 * row +
column + 1 from the top left, 0 for the root and for a pass; the second has the flags below. Two
more bytes, a comment and a text on the board may follow, each as its flag says.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tengen.game.encodings import decoded
from tengen.game.files.sgf import MOST_NODES
from tengen.game.game import Game
from tengen.game.node import (
    PLAYERS,
    Node,
    escaped,
    first_properties,
    is_pass,
    letters,
    point_of,
    shown,
    unescaped,
)
from tengen.game.referee import BLACK, Cell, opponent_of

# How the text of such a file begins: it has the bytes of the file as characters.
MAGIC = "\xffRenLib\xff"
_HEADER_BYTES = 20
_NEWEST = (3, 4)
_SIZE = 15
# Flags of a node. "Sibling" and "leaf" are all that there is of the tree's form.
_SIBLING, _LEAF, _OLD_COMMENT, _MARK = 0x80, 0x40, 0x20, 0x10
_COMMENT, _START, _NO_MOVE, _EXTENSION = 0x08, 0x04, 0x02, 0x01
_COMMENTS = _COMMENT | _OLD_COMMENT
_BOARD_TEXT = 0x01  # in the second of the two further bytes
# Between the line that is always shown of a comment, and the rest.
_NEXT = "\x08"


# ---- reading


def renlib_text(data: bytes) -> str:
    """The bytes of a .lib file as the text that `read_renlib` reads. ValueError if it is none."""
    if data.startswith(b"\x78"):  # files of the first versions begin with the node h8
        data = MAGIC.encode("latin-1") + bytes([3, 0]) + bytes(10) + data
    if not data.startswith(MAGIC.encode("latin-1")):
        raise ValueError("is not a file of RenLib")
    return data.decode("latin-1")


def read_renlib(text: str) -> list[Game]:
    """The one tree of a library, from the empty board. ValueError in one line for a file of a later
    version, and for one that is damaged before its main line ends."""
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:  # as where the file was opened as text
        raise ValueError("renlib: is not the text of its bytes") from None
    reading = _Reading(data)
    try:
        reading.read()
    except ValueError as error:
        if not reading.is_whole:
            reading.game.damage = f"renlib: {error}"
    reading.place_texts()
    return [reading.game]


class _Reading:
    """A file being read. A line is as deep as the board is large, and libraries have millions of
    nodes, so there is no recursion, and moves alike share their properties."""

    def __init__(self, data: bytes) -> None:
        version = (data[8], data[9]) if len(data) >= _HEADER_BYTES else (0, 0)
        if not (0, 0) < version <= _NEWEST:
            raise ValueError(
                f"renlib: is of version {version[0]}.{version[1]}; expected one up to 3.4"
                if version > _NEWEST
                else "renlib: ends within its header"
            )
        self._data = data
        self._at = _HEADER_BYTES
        first = first_properties({"RU": "renju"}, (_SIZE, _SIZE))
        self.game = Game.of("renlib", first, people=frozenset())
        self.is_whole = False  # the main line has been read to its end
        # Comments, and texts on the board with their points, by the node that shows them.
        self._comments: list[tuple[Node, bytes]] = []
        self._labels: dict[int, tuple[Node, list[tuple[str, bytes]]]] = {}

    def read(self) -> None:
        """Reads all nodes; ValueError where one cannot be."""
        # The nodes that get another child later, each with the colour of that move.
        waiting: list[tuple[Node, int]] = []
        node, colour, count = self.game.root, BLACK, 0
        while self._at < len(self._data):
            count += 1
            if count > MOST_NODES:
                raise ValueError(f"holds more than {MOST_NODES:,} nodes")
            point, flags = self._pair()
            has_text = flags & _EXTENSION and self._pair()[1] & _BOARD_TEXT
            parent, is_root = node, count == 1 and point == 0
            if not is_root:
                place = _place(point)
                # A leaf without a move and a comment is there for its text on the board alone.
                is_label = flags & _NO_MOVE and flags & _LEAF and not flags & _COMMENTS
                if not is_label:
                    marks = {"MA": (place,)} if flags & _MARK and place else {}
                    start = {"HO": ("1",)} if flags & _START else {}
                    move = {} if flags & _NO_MOVE else _move(place, colour)
                    node = parent.append({**move, **marks, **start} if marks or start else move)
                    self.is_whole |= bool(flags & _LEAF)
            if flags & _COMMENTS:
                self._comments.append((node, self._bytes(is_old=not flags & _COMMENT)))
            if has_text:
                shown = self._labels.setdefault(id(parent), (parent, []))[1]
                shown.append((_place(point), self._bytes()))
            if is_root:
                continue
            if flags & _SIBLING:
                waiting.append((parent, colour))
            if flags & _LEAF:
                if waiting:
                    node, colour = waiting.pop()
            elif not flags & _NO_MOVE:
                colour = opponent_of(colour)
        self.is_whole = True

    def place_texts(self) -> None:
        """Gives the nodes their comments and the texts on the board."""
        # More text shows its encoding more surely; `A` and a zero at its start would be UTF-16.
        labels = [(node, place, text) for node, own in self._labels.values() for place, text in own]
        parts = [text for _, text in self._comments] + [text for *_, text in labels]
        texts = decoded(b"\0".join([b"  ", *parts])).split("\0")[1:]
        for (node, _), text in zip(self._comments, texts, strict=False):
            comment = escaped(text.replace(_NEXT, "\n"))
            node.properties = {**node.properties, "C": (comment,)}
        written = zip(labels, texts[len(self._comments) :], strict=False)
        shown: dict[int, list[str]] = {}
        for (node, place, _), text in written:
            if id(node) not in shown and place:
                shown[id(node)] = []
                node.properties = {**node.properties, "LB": shown[id(node)]}
            if place:
                shown[id(node)].append(f"{place}:{escaped(text)}")

    def _pair(self) -> tuple[int, int]:
        if self._at + 2 > len(self._data):
            raise ValueError("ends too early")
        self._at += 2
        return self._data[self._at - 2], self._data[self._at - 1]

    def _bytes(self, is_old: bool = False) -> bytes:
        """A text, which takes an even number of bytes: up to a zero, or in old files up to a byte
        with the high bit."""
        end = self._at
        if is_old:
            while end < len(self._data) and self._data[end] < 0x80:
                end += 1
        else:
            end = self._data.find(0, self._at)
        if not 0 <= end < len(self._data):
            raise ValueError("ends within a text")
        text = self._data[self._at : end]
        if is_old:
            text += bytes([self._data[end] & 0x7F])
        self._at = min(len(self._data), end + 1 + (end + 1 - self._at) % 2)
        return text


def _place(point: int) -> str:
    """The letters of a point, empty for a pass."""
    return letters(*_cell_of(point)) if point else ""


def _cell_of(point: int) -> Cell:
    column, row = point % 16 - 1, point // 16
    if column < 0 or row >= _SIZE:
        raise ValueError(f"{point} is not a point")
    return column, row


@cache
def _move(place: str, colour: int) -> dict[str, tuple[str]]:
    return {"B" if colour == BLACK else "W": (place,)}


# ---- writing


def write_renlib(game: Game) -> bytes:
    """The tree as a library: moves, passes, comments, marks of moves and texts on the board,
    without what is said of the game as a whole. Texts are in UTF-8. ValueError for other boards
    than 15x15, stones that were set up, moves that are not in turns, and signs at other points than
    a node's own move."""
    if game.size != (_SIZE, _SIZE) or game.setup:
        raise ValueError("a .lib file holds games on the empty 15x15 board; write it as sgf")
    _refuse_signs(game)
    top = game.root
    if not PLAYERS.keys().isdisjoint(top.properties):
        # The first node of a library has no move.
        top = Node(game, None)
        top.children = [game.root]
    written = bytearray(MAGIC.encode("latin-1") + bytes(_NEWEST) + bytes(10))
    written += _node_bytes(0, 0, top.text("C"))
    # What is still to be written, the next one last.
    waiting = _behind(top, BLACK)
    while waiting:
        step = waiting.pop()
        written += step.data
        waiting += _behind(step.node, step.colour)
    return bytes(written)


def _refuse_signs(game: Game) -> None:
    for node in game.nodes():
        for point, text in node.marks.items():
            if not text and point != node.move:
                raise ValueError(
                    f"after move {node.number}, {point} has a mark without a text; a .lib file"
                    " holds one on the move itself only; write it as sgf"
                )


class _Step(NamedTuple):
    """A node to be written: its bytes, and the colour to move after it."""

    data: bytes
    node: Node
    colour: int


def _behind(node: Node, colour: int) -> list[_Step]:
    """What comes after a node, the first one last: its children, then a leaf for each text on the
    board at a point that none of them plays."""
    labels = [value.partition(":") for value in node.properties.get("LB", ())]
    texts = {_point_of(place): unescaped(text) for place, _, text in labels}
    found = [(child, _point_of(_move_of(child) or ""), 0) for child in node.children]
    taken = {point for _, point, _ in found}
    found += [
        (Node(node.game, node), point, _LEAF | _NO_MOVE) for point in texts if point not in taken
    ]
    steps = []
    for number, (child, point, flags) in enumerate(found, 1):
        move = _move_of(child)
        if move is None:
            flags |= _NO_MOVE
        elif ("B" if colour == BLACK else "W") not in child.properties:
            raise ValueError("renlib: holds only moves in turns, Black's first")
        if not child.children and "LB" not in child.properties:
            flags |= _LEAF
        if number < len(found):
            flags |= _SIBLING
        if point and _cell_of(point) in child.signs():
            flags |= _MARK
        if "HO" in child.properties:
            flags |= _START
        data = _node_bytes(point, flags, child.text("C"), texts.pop(point, None))
        after = colour if move is None else opponent_of(colour)
        steps.append(_Step(data, child, after))
    return steps[::-1]


def _move_of(node: Node) -> str | None:
    """The value of a node's move, perhaps a pass; None without one."""
    return next((node.properties[name][0] for name in "BW" if name in node.properties), None)


def _point_of(place: str) -> int:
    """The number of a point, 0 for a pass; ValueError off the board."""
    cell = point_of(place, _SIZE)
    if cell is None or is_pass(place, _SIZE, _SIZE):
        return 0
    if not (0 <= cell[0] < _SIZE and 0 <= cell[1] < _SIZE):
        raise ValueError(f"renlib: [{shown(place)}] is not on a board of {_SIZE}x{_SIZE}")
    return 16 * cell[1] + cell[0] + 1


def _node_bytes(point: int, flags: int, comment: str | None, label: str | None = None) -> bytes:
    flags |= (_COMMENT if comment else 0) | (_EXTENSION if label else 0)
    written = bytes([point, flags]) + (bytes([0, _BOARD_TEXT]) if label else b"")
    for text in (comment and comment.replace("\n", _NEXT, 1), label):
        if text:
            data = text.replace("\0", "").encode() + b"\0"
            written += data + b"\0" * (len(data) % 2)
    return written
