"""Reads and writes what people write about a position: points, moves, pictures, rules and sizes.

    h8     column h, row 8 counted from the bottom left, as on a printed board
    7,7    column and row counted from zero at the top left, as programs exchange them

Everything of ours that reads a position, the engine's Python API, every command and the board in
the browser, reads it here, so that all accept the same texts and say the same about others.
docs/STUDY.md describes the grammar. Plain values in and out; only the standard library is imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from engine.pasted import (
    SIGNS,
    are_counted,
    field_of,
    is_prose,
    labels_of,
    lines_of,
    side_of,
    tag_of,
)
from engine.rulebook import RULES

Cell = tuple[int, int]
Size = tuple[int, int]

# As in engine.model, which start-up imports without this module.
MIN_SIZE, MAX_SIZE = 5, 22
DEFAULT_SIZE = (15, 15)
BLACK, WHITE, WALL = 1, 2, 3

# The rules by their number in the protocol: one word for each, as it is typed.
RULE_NAMES = {row.number: row.name for row in RULES}
_OTHER_RULE_NAMES = {
    "gomoku": 0, "无禁": 0, "無禁": 0, "фристайл": 0,
    "六不赢": 1, "стандарт": 1,
    "有禁": 4, "有禁手": 4, "连珠": 4, "連珠": 4, "レンジュ": 4, "렌주": 4,
    "рэндзю": 4, "рендзю": 4,
    "caro exactly five": 9,
}  # fmt: skip

_COLUMNS = "".join(chr(ord("a") + x) for x in range(MAX_SIZE + 1))
_FORMS = "expected points such as h8 i9 or 7,7 8,6"
_NAME = re.compile("([A-Za-z])([0-9]{1,9})")
_NAMES = re.compile(r"\s*+(?:[A-Za-z][0-9]{1,9}(?:\s++|\Z))*+")
_NUMBERS = re.compile(r"[-+]?[0-9]{1,9}(?:\s*,\s*[-+]?[0-9]{1,9})+")
# A minus before a digit is a sign.
_BETWEEN = re.compile(r"(?:[\s,;_|()\[\]'\"]|-(?![0-9]))*")
_MOVE_NUMBER = re.compile(r"[0-9]{1,3}\.+(?=\s|[A-Za-z])\s*")

# For lines without blanks at their ends; no run of blanks, which may be long, is tried twice.
# The number of a row can stand before it, after it, or on both sides.
_ROW = re.compile(r"(?:([0-9]{1,2})(?=[\s\[*]))?(.*?)(?:\s([0-9]{1,2}))?")
_BESIDE_STONES = re.compile(r"[\s\[\]*]+")  # brackets at the last move, stars at a winning line
_NUMBERED_STONE = re.compile("[XO●○][0-9]{1,3}")
_NUMBER = re.compile(r"[-+]?[0-9]{1,6}")
_LEGEND = re.compile(r"\s*(?:\S (?:Black|White|the hint|forbidden for Black)\s*)+")
# Every sign of a picture by the one that stands for it here.
_MEANINGS = {
    "X": "XxBb●⚫黑黒흑Х",
    "O": "OoWw○⚪白백О",
    ".": ".·+-_・➕",
    "#": "#",
    "!": "!f×",
    "?": "?",
}
_SIGNS = {sign: meant for meant, signs in _MEANINGS.items() for sign in signs}
_STONES = {"X": BLACK, "O": WHITE, "#": WALL}
# What a header says of the position; other keys are remarks.
_SAYING = {"rule", "size", "to move", "moves"}
_HAS_POINT = re.compile(r"[A-Za-z][0-9]|[0-9]\s*,\s*[0-9]")
_ODD, _EVEN = "1", "2"  # numbers in a row, until it is known whether they are stones


class ParsedPosition(NamedTuple):
    """A position that is written down, by moves or by a picture.

    stones      (x, y, stone), the stone being BLACK, WHITE or WALL: moves in their order, Black's
                first; those of a picture row by row.
    is_picture  it is drawn, or said by colours that are not in turns, so that the order of the
                stones has no meaning.
    header      the `key: value` lines, keys as `field_of` has them.
    marked      the cells drawn `!` or as forbidden; cleared: the cells drawn `?`.
    """

    width: int
    height: int
    stones: tuple[tuple[int, int, int], ...]
    is_picture: bool
    header: Mapping[str, str]
    marked: frozenset[Cell] = frozenset()
    cleared: frozenset[Cell] = frozenset()

    @property
    def rule(self) -> int | None:
        """The rule that the text names, None without one; ValueError if there is no such rule."""
        return read_rule(self.header["rule"]) if "rule" in self.header else None

    @property
    def side(self) -> int:
        """Whose turn it is: the side that the text names, else the one that the stones show.
        ValueError if they show none, and for a name that is not a side."""
        if (said := self.header.get("to move")) is not None:
            return _read_side(said)
        black, white = (sum(each[2] == side for each in self.stones) for side in (BLACK, WHITE))
        if not 0 <= black - white <= 1:
            raise ValueError(
                f"the picture has {black} black and {white} white stones, which leaves open whose"
                " turn it is; add a line `to move: black` or `to move: white`"
            )
        return WHITE if black > white else BLACK


# -- points


def column_letter(x: int) -> str:
    """The letter of a column, counted from zero at the left."""
    return chr(ord("a") + x)


def point_name(cell: Cell, height: int) -> str:
    """`h8` for a cell of a board with `height` rows."""
    x, y = cell
    return f"{column_letter(x)}{height - y}"


def point_names(cells: Iterable[Cell], height: int) -> str:
    """`h8 i9` for several cells."""
    return " ".join(point_name(cell, height) for cell in cells)


def pair_text(cell: Cell) -> str:
    """`7,7` for a cell."""
    return f"{cell[0]},{cell[1]}"


def name_or_pair(cell: Cell, width: int, height: int) -> str:
    """`h8` for a cell of the board, `-1,3` for one that is not on it."""
    x, y = cell
    return point_name(cell, height) if 0 <= x < width and 0 <= y < height else pair_text(cell)


def centre_name(width: int, height: int) -> str:
    """The name of the centre, as an example of a point that is on the board."""
    return point_name((width // 2, height // 2), height)


@lru_cache(maxsize=4)  # whether a line has points is asked before they are taken
def split_points(text: str) -> Sequence[str | Cell]:
    """The points of a list such as `h8i9g7`, `h8, i9` or `7,7 8,6`, each a name as it was written,
    or the pair of numbers; ValueError, naming the move, for what is not a point."""
    text = text.translate(SIGNS)
    if _NAMES.fullmatch(text):  # as most lists are
        return text.split()
    found: list[str | Cell] = []
    at = _past(_BETWEEN, text, 0)
    while at < len(text):
        start, at = at, _past(_MOVE_NUMBER, text, at)
        point = _NAME.match(text, at) or _NUMBERS.match(text, at)
        after = text[point.end() : point.end() + 1] if point else ""
        if point is None or after.isdigit() or (after.isalpha() and point.re is _NUMBERS):
            rest = text[at:].split() or text[start:].split()
            raise ValueError(f"move {len(found) + 1}: {quoted(rest[0])} is not a point; {_FORMS}")
        if point.re is _NAME:
            found.append(point[0])
        else:
            numbers = [int(number) for number in point[0].split(",")]
            if len(numbers) % 2:
                said = f"{quoted(point[0])} has {len(numbers)} numbers, a point has two"
                raise ValueError(f"move {len(found) + 1}: {said}; {_FORMS}")
            found += zip(numbers[::2], numbers[1::2], strict=True)
        at = _past(_BETWEEN, text, point.end())
    return found


def are_points(text: str) -> bool:
    """True if the text is one point or several, on a board of any size."""
    try:
        return bool(split_points(text))
    except ValueError:
        return False


def is_point(text: str) -> bool:
    """True if the text is one point, on a board of any size."""
    return are_points(text) and len(split_points(text)) == 1


@lru_cache(maxsize=4096)
def read_point(text: str, width: int, height: int, from_top: bool = False) -> Cell:
    """The cell that `h8` or `7,7` names; ValueError for any other text and off the board.

    from_top  the rows of `h8` are counted from the top; pairs are refused.
    """
    try:
        [point] = split_points(text)
    except ValueError:
        tries = f"{centre_name(width, height)} or {width // 2},{height // 2}"
        raise ValueError(f"{quoted(text)} is not a point; try {tries}") from None
    if isinstance(point, str):
        x, row = ord(point[0].lower()) - ord("a"), int(point[1:])
        y = row - 1 if from_top else height - row
        rest = f"{centre_name(width, height)}; the last column is {column_letter(width - 1)}"
        rest += f", rows are 1 to {height} from the {'top' if from_top else 'bottom'}"
    elif from_top:
        raise ValueError(f"{quoted(pair_text(point))} has no row to count from the top; try h8")
    else:
        x, y = point
        rest = f"{width // 2},{height // 2}; x,y go from 0,0 at the top left to"
        rest += f" {width - 1},{height - 1}"
    if not (0 <= x < width and 0 <= y < height):
        shown = point if isinstance(point, str) else pair_text(point)
        raise ValueError(f"{quoted(shown)} is not on this {width}x{height} board; try {rest}")
    return x, y


def read_moves(
    moves: str | Iterable[str | Cell], width: int, height: int, from_top: bool = False
) -> list[Cell]:
    """The cells of a list of moves: a text, or a sequence of `h8`, `7,7` and pairs of numbers;
    `from_top` as for `read_point`.

    ValueError, naming the move, for what is not a point, a point off the board, and one that is
    played twice.
    """
    cells: list[Cell] = []
    texts: list[str] = []
    for number, move in enumerate(split_points(moves) if isinstance(moves, str) else moves, 1):
        try:
            cells.append(read_point(_as_text(move), width, height, from_top))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
        texts.append(_as_text(move))
        if number > width * height:
            break  # one is there twice, whatever follows
    refuse_repeats(cells, texts)
    return cells


def refuse_repeats(cells: Sequence[Cell], texts: Sequence[str]) -> None:
    """ValueError, naming the move, if a cell is there twice; `texts` is how each was written."""
    first: dict[Cell, int] = {}
    for number, cell in enumerate(cells, 1):
        if cell in first:
            said = f"{quoted(texts[number - 1])} is occupied by move {first[cell]}"
            raise ValueError(f"move {number}: {said}; expected an empty point")
        first[cell] = number


# -- rules and sizes


def known_rules() -> str:
    """`0 or freestyle, 1 or standard, ...`, for errors."""
    return ", ".join(f"{rule} or {name}" for rule, name in RULE_NAMES.items())


def read_rule(text: str) -> int:
    """The number of the rule of that name, in capitals or not, or of that number. ValueError,
    listing the rules, if there is none."""
    word = " ".join(re.split(r"[\s_,-]+", text.translate(SIGNS).strip().lower()))
    for rule, name in RULE_NAMES.items():
        if word in (str(rule), name.replace("-", " ")):
            return rule
    if word in _OTHER_RULE_NAMES:
        return _OTHER_RULE_NAMES[word]
    raise ValueError(f"there is no rule {quoted(text)}; there are {known_rules()}")


def read_size(text: str) -> Size:
    """(width, height) of `15` or `20x15`; ValueError for any other text and size."""
    plain = text.translate(SIGNS)
    size = re.fullmatch(r"\s*([0-9]{1,2})\s*(?:[xX*,×]\s*([0-9]{1,2})\s*|路)?", plain)
    sides = [] if size is None else [int(size[1]), int(size[2] or size[1])]
    if not sides or min(sides) < MIN_SIZE or max(sides) > MAX_SIZE:
        sizes = f"{MIN_SIZE} to {MAX_SIZE}, such as 15 or 20x15"
        raise ValueError(f"{quoted(text)} is not a board size; expected {sizes}")
    return sides[0], sides[1]


def size_fault(width: int, height: int) -> str:
    """What is wrong with a size that no board has."""
    sides = f"{MIN_SIZE} to {MAX_SIZE}"
    return f"a {width}x{height} board is not supported: width and height are {sides}"


# -- positions


def read_position(text: str, size: Size | None = None, from_top: bool = False) -> ParsedPosition:
    """The position that a text shows, by moves or by one picture.

    size      of the board, for moves without a line `size: 20x15`; None = 15x15.
    from_top  the rows of `h8` are counted from the top; pairs and pictures are refused.

    ValueError, naming the place, for a text that is neither, for several pictures, for a picture of
    a size that no board has, for a `size` that contradicts the text, and where several things could
    be meant. A text with nothing in it is an empty board.
    """
    reading = _Reading(text)
    pictures, header = reading.pictures, reading.header
    if len(pictures) > 1:
        raise ValueError(f"expected one picture, found {len(pictures)}")
    said = read_size(header["size"]) if "size" in header else None
    if pictures:
        if from_top:
            raise ValueError("rows counted from the top are for points such as h8")
        said = width, height = pictures[0].width, pictures[0].height
        if min(said) < MIN_SIZE or max(said) > MAX_SIZE:
            raise ValueError(size_fault(width, height))
    if size and said and size != said:
        asked, there = (f"{width}x{height}" for width, height in (size, said))
        raise ValueError(f"size: {asked} was asked for, but the text says {there}")
    if pictures:
        return pictures[0]
    size = width, height = said or size or DEFAULT_SIZE
    lists = [_stones_of("\n".join(lines), size, from_top) for _, lines in reading.lists]
    for (number, lines), found in zip(reading.lists, lists, strict=True):
        if found != lists[0]:
            raise _fault(
                number, " ".join(lines), "are not the moves of the first list; expected one"
            )
    stones, is_picture = lists[0] if lists else ((), False)
    written = ParsedPosition(width, height, stones, is_picture, header)
    if not (stones or _SAYING & header.keys()) and text.strip(" \t\r\n\ufeff"):
        raise ValueError(f"{quoted(text)} holds no moves; {_FORMS}, or a picture of a board")
    if not is_picture and written.side != (WHITE if len(stones) % 2 else BLACK):
        wrong = f"to move: {header['to move']} does not fit the {len(stones)} moves that follow"
        raise ValueError(f"{wrong}; leave it out, or draw a picture")
    return written


class _Reading:
    """A text taken apart: its pictures, each with its header; without one the header and the lists
    of moves, each with the number of its line."""

    def __init__(self, text: str) -> None:
        self.pictures: list[ParsedPosition] = []
        self.header: dict[str, str] = {}
        self.lists: list[tuple[int, list[str]]] = []
        self._rows: list[str] = []
        self._drawn: list[str] = []  # the lines of the rows
        self._is_list_open = False  # lines after `moves:` belong to it
        others: list[tuple[int, str]] = []
        header_at, letters = (0, ""), ""
        comments: list[tuple[int, str]] = []
        for number, line in [*lines_of(text), (0, "")]:
            if not line:
                self._end_picture()
            elif _is_letters(line):
                letters += line
            elif tag := tag_of(line):
                if others:
                    raise _fault(number, line, "begins a second game")
                self._say(number, line, *tag)
            elif (field := field_of(line)) and not self._rows:
                self._is_list_open = field[0] == "moves" and _are_moves(field[1])
                if field[0] == "moves" and (self._is_list_open or _HAS_POINT.search(field[1])):
                    self.lists.append((number, [field[1]]))
                    header_at, self.header["moves"] = (number, line), ""
                elif field[0] not in _SAYING and field[1] and _are_moves(field[1]):
                    if field[0] in ("black", "white"):
                        others.append((number, line))
                    elif field[1][0].isalpha() or len(split_points(field[1])) > 1:  # not `1,5`
                        comments.append((number, line))
                elif field[0] != "moves":  # their number, or the name of the game
                    self._say(number, line, *field)
                    header_at = (number, line) if field[0] in _SAYING else header_at
            elif (self._rows or not are_points(line)) and (row := _read_row(line, self._rows)):
                own = [(number, line)]  # and rows of numbers alone that stand right above it
                while others and others[-1][0] == own[0][0] - 1 and _read_row(others[-1][1], [row]):
                    own.insert(0, others.pop())
                for at, drawn in own:
                    self._add_row(at, drawn, _read_row(drawn, [row]))
            elif self._rows and not _LEGEND.fullmatch(line):
                signs = "X Black, O White, . empty, # wall"
                said = f"is not a row of a board; expected one sign for each cell: {signs}"
                raise _fault(number, line, said)
            elif self._is_list_open and _are_moves(line):
                self.lists[-1][1].append(line)
            elif not self._rows:
                others.append((number, line))
        moves = [(number, line) for number, line in others if not is_prose(line)]
        if self.pictures and (moves or _SAYING & self.header.keys()):
            said = "`key: value` lines above the rows, or a list of moves without a picture"
            said = f"belongs to no picture of a board; expected {said}"
            raise _fault(*(moves[0] if moves else header_at), said)
        self.lists = [each for each in self.lists if any(each[1])]
        if comments and not (self.lists or self.pictures):
            raise _fault(*comments[0], "can be moves or a remark; expected `moves: h8 i9`")
        if not self.lists and not moves:
            moves = others or ([(0, letters)] if letters else [])
        if moves:
            self.lists.append((moves[0][0], [line for _, line in moves]))

    def _say(self, number: int, line: str, key: str, value: str) -> None:
        if key in _SAYING and self.header.get(key, value).lower() != value.lower():
            raise _fault(number, line, f"contradicts `{key}: {self.header[key]}`")
        self.header[key] = value

    def _add_row(self, number: int, line: str, row: str) -> None:
        if self._rows and len(row) != len(self._rows[0]):
            said = f"is a row of {len(row)} cells, the rows above it have {len(self._rows[0])}"
            raise _fault(number, line, said)
        self._rows.append(row)
        self._drawn.append(line)

    def _end_picture(self) -> None:
        self._is_list_open = False
        # A line or two of dashes alone is drawn between texts.
        if len(self._rows) > 2 or not all(map(is_prose, self._drawn)):
            if self.lists:
                number, moves = self.lists[0]
                raise _fault(number, moves[0], "are moves, beside a picture")
            has_numbers = any(re.search(r"\[ *[0-9]", line) for line in self._drawn)
            self.pictures.append(_picture(self._rows, self.header, has_numbers))
            self.header = {}
        self._rows, self._drawn = [], []


def _are_moves(text: str) -> bool:
    """Is a text nothing but moves, with their numbers and colours or without?"""
    return all(are_points(label.text) for label in labels_of(text))


def _stones_of(
    text: str, size: Size, from_top: bool
) -> tuple[tuple[tuple[int, int, int], ...], bool]:
    """The stones of a list of moves, and whether colours that are not in turns are said of them.
    ValueError for numbers and colours that leave open what is meant."""
    labels = labels_of(text)
    split_points("\n".join(label.text for label in labels))  # ValueError, naming the move
    counts = [len(split_points(label.text)) for label in labels]
    firsts = [0, *accumulate(counts)][:-1]
    is_single = max(counts, default=0) == 1
    numbers = [label.number for label in labels]
    if is_single and sorted(n or 0 for n in numbers) == [*range(1, len(labels) + 1)]:
        labels.sort(key=lambda label: label.number or 0)
    # A number is that of a move, or of a move and its answer.
    elif not any(
        all(n in (None, 1 + first / each) for n, first in zip(numbers, firsts, strict=True))
        for each in (1, 2)
    ):
        raise ValueError("the moves are not numbered 1, 2, 3 and so on; expected all of them")
    cells = read_moves("\n".join(label.text for label in labels), *size, from_top)
    in_turns = tuple((x, y, WHITE if i % 2 else BLACK) for i, (x, y) in enumerate(cells))
    colours = [label.colour for label in labels]
    if not any(colours):
        return in_turns, False
    are_lists = len(colours) == len(set(colours)) and not any(numbers)
    are_lists &= not any("\n" in label.text.strip() for label in labels)
    if None in colours or not (is_single or are_lists):
        raise ValueError("some moves have a colour before them; expected one before each, or none")
    sides = [label.colour or 0 for label, n in zip(labels, counts, strict=True) for _ in range(n)]
    stones = tuple((x, y, colour) for (x, y), colour in zip(cells, sides, strict=True))
    return stones, stones != in_turns


def _is_letters(line: str) -> bool:
    """True for the letters of the columns, above or below a picture, with i or without, and for
    their numbers."""
    letters = "".join(line.lower().split())
    is_part = letters in _COLUMNS or letters in _COLUMNS.replace("i", "")
    return (is_part and len(letters) >= MIN_SIZE) or are_counted(line.split())


def _read_row(line: str, rows: Sequence[str]) -> str:
    """The signs of a row, one a cell; empty if the line is not a row. Numbers alone are one if they
    are as many as the cells of the other `rows`."""
    match = _ROW.fullmatch(line)
    assert match is not None  # the pattern matches every line
    left, cells, right = match.groups()
    if right is not None and left not in (None, right):
        cells += f" {right}"
    signs = ""
    words = [word for word in _BESIDE_STONES.split(cells) if word]
    for word in words:
        if _NUMBERED_STONE.fullmatch(word):
            signs += _SIGNS[word[0]]
        elif _NUMBER.fullmatch(word):
            signs += _ODD if int(word) % 2 else _EVEN
        elif all(sign in _SIGNS for sign in word):
            signs += "".join(_SIGNS[sign] for sign in word)
        else:
            return ""
    # Short words can be made of the same letters.
    is_short = len(signs) < MIN_SIZE and not set(".·#") & set(cells)
    is_other = all(map(_NUMBER.fullmatch, words)) and len(signs) != len("".join(rows[:1]))
    return "" if is_short or is_other else signs


def _picture(rows: list[str], header: dict[str, str], has_numbered_stones: bool) -> ParsedPosition:
    """`has_numbered_stones`: the last move is a number in brackets, so that all numbers are stones,
    drawn in colours that the text has lost. Else numbers are marks on empty cells."""
    if has_numbered_stones and any(sign in "XO" for row in rows for sign in row):
        raise ValueError(
            "the colours of the numbers in the picture are lost; expected X or O for each stone"
        )
    drawn = set("".join(rows))
    if drawn & {_ODD, _EVEN} and not (has_numbered_stones or drawn & set("XO#")):
        raise ValueError("the picture has numbers and no stones; expected X or O for each stone")
    numbers = ("X", "O") if has_numbered_stones else (".", ".")
    table = str.maketrans(dict(zip((_ODD, _EVEN), numbers, strict=True)))
    at = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row.translate(table))}
    stones = tuple((x, y, _STONES[sign]) for (x, y), sign in at.items() if sign in _STONES)
    marked, cleared = (frozenset(cell for cell in at if at[cell] == sign) for sign in "!?")
    return ParsedPosition(len(rows[0]), len(rows), stones, True, header, marked, cleared)


def _read_side(text: str) -> int:
    if (side := side_of(text)) is None:
        raise ValueError(f"to move: {quoted(text)} is not a colour; expected black or white")
    return side


def _as_text(move: object) -> str:
    if isinstance(move, str):
        return move
    if isinstance(move, tuple | list) and len(move) == 2:
        return f"{move[0]},{move[1]}"
    raise ValueError(f"{quoted(repr(move))} is not a point; expected 'h8', '7,7' or (7, 7)")


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _fault(number: int, line: str, said: str) -> ValueError:
    return ValueError(f"line {number}: {quoted(line)} {said}")


def quoted(text: str) -> str:
    """The beginning of a text, in one line and in quotes."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 30 else f"{line[:27]}...")
