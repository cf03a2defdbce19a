"""What stands around moves and boards where people paste them, made plain for engine/text.py:
links, marks of e-mail, tags, words of several languages, and boards that other programs draw.

What a line means is decided in engine/text.py. Here nothing is guessed: a line that is none of
these stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, pairwise
from typing import NamedTuple

from engine.rulebook import RULES

# Full-width signs, dashes and quotes of other keyboards and of word processors; numbers in circles,
# in brackets and with a dot.
SIGNS: dict[int, int | str | None] = {0xFF01 + i: 0x21 + i for i in range(94)}
SIGNS |= {0x3001: ",", 0x2212: "-", 0xFEFF: None, 0x200B: None, 0xFE0F: None}
SIGNS |= dict.fromkeys(range(0x2010, 0x2016), "-")
SIGNS |= dict.fromkeys(range(0x2018, 0x2020), '"')
_COUNTED = {first + i: f" {i + 1}. " for first in (0x2460, 0x2474, 0x2488) for i in range(20)}
_DIGIT = re.compile(r"(?![0-9])\d")  # of another script
# As a dot, not a comma, in front of a point.
_AFTER_NUMBER = re.compile(r"(?<!\w)(\d{1,3})\u3001(?=\s*[A-Za-z\uff21-\uff3a\uff41-\uff5a])")

_WORDS = {
    "moves": "moves, move, position, pos, game, sequence, record, kifu, notation, 棋谱, 棋譜, 着法,"
    " 局面, 手順, 指し手, 기보, 수순, ходы, партия, позиция",
    "rule": "rule, rules, variant, 规则, 規則, ルール, 규칙, 룰, правило, правила",
    "size": "size, board size, 棋盘, 棋盤, サイズ, 크기, размер, размер доски, доска",
    "to move": "to move, to play, side to move, 轮到, 輪到, 手番, 차례, ход",
    "black": "black, b, x, ●, ⚫, 黑, 黑方, 黑棋, 黒, 黒番, 先手, 흑, чёрные, черные",
    "white": "white, w, o, ○, ⚪, 白, 白方, 白棋, 白番, 后手, 後手, 백, белые",
}
_KEYS = {word: key for key, words in _WORDS.items() for word in words.split(", ")}
_BLACK, _WHITE = 1, 2  # as in engine/text.py
_SIDES = {"black": _BLACK, "white": _WHITE}

_MARKS_OF_MAIL = re.compile(r"^[ \t]*(?:>[ \t]*)+", re.MULTILINE)
_TAG = re.compile(r"\[(\w{1,30})[ \t]+\"((?:\\\"|[^\"\n])*)\"\s*\]")
_TAGS = re.compile(rf"^{_TAG.pattern}[ \t\r]*$", re.MULTILINE)
_COMMENT = re.compile(r"\{[^{}]*\}")
_RESULT = re.compile(r"(?:^|(?<=\s))(?:1-0|0-1|1/2-1/2|\*)$")
_FIELD = re.compile(r"((?!\d)\w(?:(?!\d)[\w\s-])*|[●○⚫⚪])[:=](.*)")
_RULES = "|".join(row.name for row in RULES)
_SETTING = re.compile(rf"(rule|size|board size)\s+([0-9]\w*|{_RULES})", re.IGNORECASE)  # no colon
_TURN = re.compile(r"(?:(\w+|[●○]) to (?:move|play)|([黑黒白])先)\W*", re.IGNORECASE)
_SIZED = re.compile(r"[0-9]{1,2}\s*[xX*×]\s*[0-9]{1,2}")

_LIST = "((?:[a-z][0-9]+)*)"
_ADDRESS = re.compile(  # of the board in the browser
    rf"([0-9]+x[0-9]+),([0-9])(?:,{_LIST}(?:,([0-9]{{1,3}}))?)?(?:,{_LIST},{_LIST},(black|white))?"
)
_LINKED = re.compile(r"(?:[A-Za-z][0-9]{1,2}[\s,_-]?)+")

# The number of a move, with what people write at it, and its colour.
_LABEL = re.compile(
    r"(?:(?<![\w,.-])(?<!,\s)|(?<=[0-9])(?=[^\x00-\x7f])|(?:(?<=,)|(?<=,\s))(?=[^\s\d]))"
    r"(?:(?:(?:第|№|\#|move\b|no\b\.?|ход\b)\s*)?([0-9]{1,3})"
    r"(\s*(?:手目|手|步|着|번째|번|수|-?й\b(?:\s*ход\b)?)|(?=[\s.:)\]|-]))([\s.:)\]|-]*))?"
    rf"(?:({'|'.join(sorted((w for w in _KEYS if _KEYS[w] in _SIDES), key=len, reverse=True))})"
    r"([\s:.(\[-]*))?"
    r"(?=[A-Za-z][0-9]|\(?[0-9]{1,2}\s*,\s*[0-9])",
    re.IGNORECASE,
)


class Label(NamedTuple):
    """Moves with what stands before the first of them.

    number   that the move is said to have; colour: BLACK or WHITE; None where nothing is said.
    text     the moves, without it.
    """

    number: int | None
    colour: int | None
    text: str


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with its number: in the signs of an English keyboard, without marks
    of e-mail, comments and results of games, boards as signs; a link as lines `key: value`."""
    text = _AFTER_NUMBER.sub(r"\1. ", text).translate(SIGNS | _COUNTED)
    text = _DIGIT.sub(lambda digit: str(int(digit[0])), text)
    text = _MARKS_OF_MAIL.sub("", text)
    if _TAGS.search(text):
        bare = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
        # Our own games have their moves in a comment, which readers of chess pass over.
        has_moves = re.search("[A-Za-z][0-9]", _TAGS.sub("", bare))
        text = bare if has_moves else text.translate({ord("{"): " ", ord("}"): " "})
    lines = [line.strip() for line in text.splitlines()]
    for start, rows in _boards(lines):
        lines[start : start + len(rows)] = rows
    for number, line in enumerate(lines, 1):
        links = [] if _TAG.fullmatch(line) else [*filter(_LINK.search, line.split())]
        for link in links:
            line = line.replace(link, "", 1)
            yield from ((number, field) for field in _fields_of(link))
        if line or not links:
            yield number, _RESULT.sub("", line).strip()


def tag_of(line: str) -> tuple[str, str] | None:
    """Key and value of a line such as `[Black "Ann"]`, as for `field_of`; None for another line."""
    tag = _TAG.fullmatch(line)
    return tag and _known(tag[1], re.sub(r"\\([\"\\])", r"\1", tag[2]))


def field_of(line: str) -> tuple[str, str] | None:
    """Key and value of a line such as `rule: renju` or `Black to move`; None for another line. The
    key is in lower case with single blanks, and where it is known "moves", "rule", "size",
    "to move", "black" or "white", whatever the language."""
    if (turn := _TURN.fullmatch(line)) and side_of(turn[1] or turn[2]):
        return "to move", turn[1] or turn[2]
    field = _FIELD.fullmatch(line) or _SETTING.fullmatch(line)
    return field and _known(field[1], field[2])


def _known(word: str, value: str) -> tuple[str, str]:
    key = " ".join(re.split(r"[\s_-]+", word.strip().lower()))
    if key == "board" and _SIZED.fullmatch(value.strip()):
        key = "size"
    return _KEYS.get(key, key), value.strip()


def side_of(word: str) -> int | None:
    """The colour that a word or a sign names, BLACK or WHITE; None for another one."""
    return _SIDES.get(_KEYS.get(word.strip().lower(), ""))


def labels_of(text: str) -> list[Label]:
    """The moves of a text, divided where one has a number or a colour before it."""
    found = [label for label in _LABEL.finditer(text) if _is_label(label, text)]
    ends = [label.start() for label in found[1:]] + [len(text)]
    labels = [Label(None, None, text[: found[0].start()] if found else text)]
    labels += [
        Label(_number_of(label), side_of(label[4] or ""), text[label.end() : end])
        for label, end in zip(found, ends, strict=False)
    ]
    return [label for label in labels if label.text.strip()]


def _number_of(label: re.Match[str]) -> int | None:
    # `1... i9` is the answer to a move, which is said in no other form.
    return (0 if ".." in label[3] else int(label[1])) if label[1] else None


def _is_label(label: re.Match[str], text: str) -> bool:
    if not label[1] or label[4]:
        return bool(label[1] or (label[4] and (label[5] or not label[4].isascii())))
    # A number and a blank before `7,7` are three numbers.
    return text[label.end()].isalpha() or bool((label[2] + label[3]).strip(" \t\n-"))


def are_counted(words: Sequence[str]) -> bool:
    """Are the words the numbers of five columns or more?"""
    numbers = [int(word) for word in words[:99] if re.fullmatch("[0-9]{1,2}", word)]
    is_whole = len(numbers) == len(words) >= _LEAST
    return is_whole and numbers == [numbers[0] + i for i in range(len(numbers))]


def is_prose(line: str) -> bool:
    """Is a line words that can be no moves, not even mistyped ones, or drawn between texts? Words
    have one of three letters, none of letters and digits, and no pair of numbers among them."""
    words = re.findall(r"\w+", line)
    return not line.strip("-=*~_ ") or (
        any(word.isalpha() and (len(word) > 2 or not word.isascii()) for word in words)
        and all(word.isalpha() or word.isdigit() for word in words)
        and not re.search(r"[0-9]\s?,\s?[0-9]", line)
    )


# -- links

_LINK = re.compile("://|%3a%2f%2f|#/|#[0-9]{1,2}x[0-9]{1,2},", re.IGNORECASE)


def _fields_of(link: str) -> Iterator[str]:
    """What a link says, as lines: the moves of `#/h8i9`, `?moves=h8i9` and `/h8i9`, the rule and
    the size of its query."""
    yield f"link: {link}"
    plain = re.sub("%([0-9A-Fa-f]{2})", lambda code: chr(int(code[1], 16)), link)
    path, _, fragment = re.sub("^.*?://[^/#?]*", "", plain.strip("<>()[]\"'.,;")).partition("#")
    for parts, least in ((path, 2), (fragment, 1)):
        for part in re.split("[/?&]", parts):
            word, sign, value = part.replace("+", " ").partition("=")
            key, value = _known(word, value) if sign else ("moves", word)
            is_line = _LINKED.fullmatch(value) and (sign or sum(map(str.isalpha, value)) >= least)
            if own := _ADDRESS.fullmatch(value):
                yield from _said_by(own)
            elif key in ("rule", "size") or (key == "moves" and is_line):
                yield f"{key}: {value}"


def _said_by(address: re.Match[str]) -> Iterator[str]:
    """The lines of an address of the board: of its moves those that are on the board, each with its
    colour, and before them the stones that were set up."""
    size, rule, line, count, black, white, first = address.groups("")
    whites, blacks, moves = (re.findall("[a-z][0-9]+", part) for part in (white, black, line))
    moves = moves[: int(count or len(moves))]
    sides = ("white", "black") if first == "white" else ("black", "white")
    stones = [f"white {name}" for name in whites] + [f"black {name}" for name in blacks]
    stones += [f"{side} {name}" for side, name in zip(cycle(sides), moves, strict=False)]
    yield from (f"size: {size}", f"rule: {rule}", f"moves: {' '.join(stones)}")
    if first:
        yield f"to move: {sides[len(moves) % 2]}"


# -- boards

_LEAST = 5  # rows and columns of a board
_STONES = "XxOoBbWw●○⚫⚪"
_BARS = frozenset("|│┃║╎┆┊")
_LEVEL = frozenset("-=─━═┄┈╌ \t")
_BOX = frozenset(map(chr, range(0x2500, 0x2580))) | {"|"}
_GRID = re.compile(r"(?=[^|+]*[|+])[+\-=|\sXxOo●○]*")
_CROSSED = re.compile("[+XxOo●○](?:-{1,3}[+XxOo●○])+")
_NUMBERED = re.compile(r"[\s,;|()\[\]{}0-9.+_·-]+")
_ROW = re.compile(rf"[\s,;|()\[\]{{}}0-9.+_·{_STONES}#!?f×*-]+")


def _boards(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The boards of lines and digits in the lines, as rows of the signs of pictures, each with the
    place of its first line; lines that show no cells become empty at the end."""
    kinds: tuple[tuple[Callable[[str], bool], Callable[[list[str]], list[str]]], ...] = (
        (lambda line: not _BOX.isdisjoint(line) or bool(_GRID.fullmatch(line)), _drawn),
        (lambda line: bool(_ROW.fullmatch(line)), _numbered),
    )
    for belongs, read in kinds:
        ends = [-1, *(i for i, line in enumerate(lines) if not belongs(line)), len(lines)]
        for before, end in pairwise(ends):
            if end - before > _LEAST:
                rows = read(lines[before + 1 : end])
                is_board = len({len(row.split()) for row in rows}) == 1 <= len(rows) // _LEAST
                if is_board and len(rows[0].split()) >= _LEAST:
                    yield before + 1, rows + [""] * (end - before - 1 - len(rows))


def _drawn(lines: list[str]) -> list[str]:
    """A board of lines: its cells are the crossings, or what stands between bars."""
    bare = [line.strip("0123456789 \t") for line in lines]
    crossings = _BOX - _BARS - _LEVEL
    if all(_CROSSED.fullmatch(line) for line in bare if _BARS.isdisjoint(line)):
        crossings |= {"+"}
    has_cells = any(_BARS & set(line) and set(line) & set(_STONES) for line in bare)
    if not has_cells and any(crossings & set(line) for line in bare):
        drawn = ([sign for sign in line if sign not in _LEVEL | _BARS] for line in bare)
        return [" ".join("." if s in crossings else s for s in row) for row in drawn if row]
    rows = []
    for line in bare:
        cells = re.split("[|│┃║╎┆┊]", line)[1:-1]
        if len(cells) == 1:
            cells = list(cells[0].replace(" ", ""))  # only a frame
        if cells and all(len(cell.strip()) < 2 for cell in cells):
            rows.append(" ".join(cell.strip() or "." for cell in cells))
    return rows


def _numbered(lines: list[str]) -> list[str]:
    """A board of digits: 1 Black, 2 White, and 0 or a point empty; the rows may have numbers. Among
    points digits may be marks, unless one stands there twice."""
    if not all(map(_NUMBERED.fullmatch, lines)):
        return []
    rows = [re.findall("[0-9]+|[.+_·-]", line) for line in lines]
    if all(re.fullmatch("[012.+_·-]+", line) for line in lines):
        rows = [list(line) for line in lines]
    rows = [row for row in rows if not are_counted(row)]  # the numbers of the columns
    for column in (0, -1):
        ends = [row[column] for row in rows if len(row) > _LEAST]
        numbers = [int(end) for end in ends if end.isdigit()]
        if len(numbers) == len(rows) and {a - b for a, b in pairwise(numbers)} in ({1}, {-1}):
            rows = [row[1:] if column == 0 else row[:-1] for row in rows]
    signs = [sign for row in rows for sign in row]
    is_digits = all(map(str.isdigit, signs)) or max(map(signs.count, "12")) > 1
    if not is_digits or any(sign.isdigit() and sign not in ("0", "1", "2") for sign in signs):
        return []
    return [" ".join(row).translate(str.maketrans("012", ".XO")) for row in rows]
