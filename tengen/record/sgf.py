"""Games as SGF (FF[4], GM[4]), written and read.

The standard does not say how points of this game are written. We write two letters, column and row
from the top left (`hh`). We also read a letter and a number, with the row counted from the bottom
(`h8`), as other programs write. In a file with variations the reader follows the first of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tengen.record.game import Game
from tengen.record.move_report import Report
from tengen.record.termination import Termination
from tengen.rules.names import RULE_TITLES
from tengen.rules.referee import BLACK, WHITE, Cell
from tengen.rules.stones import Stone

_COLOURS = {"B": BLACK, "W": WHITE}
_MAX_SIZE = 52  # a coordinate is one letter, small or capital
_DEFAULT_SIZE = "15"

Node = dict[str, list[str]]


@dataclass(frozen=True)
class SgfMove:
    """A stone of an sgf file, the cell counted from zero at the top left."""

    x: int
    y: int
    colour: int
    comment: str = ""


@dataclass(frozen=True)
class SgfGame:
    """The main line of an sgf file.

    setup  stones that stood on the board before the first move.
    info   the first value of each property of the first node, by its name: PB, PW, RE, RU ...
    fault  why the moves end before those of the file; empty where they do not.
    """

    width: int
    height: int
    moves: tuple[SgfMove, ...]
    setup: tuple[SgfMove, ...] = ()
    info: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""


# ---- writing


def to_sgf(game: Game) -> str:
    """The game as SGF; the value a program gave its move, and the time it took, as a comment."""
    width, height = game.setting.width, game.setting.height
    size = str(width) if width == height else f"{width}:{height}"
    rule = game.setting.rule
    header = (
        f"(;FF[4]GM[4]CA[UTF-8]SZ[{size}]RU[{_escape(RULE_TITLES.get(rule & ~2, str(rule)))}]"
        f"GN[{game.job.index + 1}]PB[{_escape(game.job.black)}]PW[{_escape(game.job.white)}]"
        f"RE[{_result(game)}]GC[{_escape(game.termination.value)}]"
    )
    nodes = []
    for number, move in enumerate(game.moves):
        comment = "opening" if number < len(game.job.opening) else _comment(move.report)
        if number >= len(game.job.opening):
            comment = f"{comment} {move.elapsed_s * 1000:.0f} ms".strip()
        nodes.append(f"{_node((move.x, move.y, move.colour))}C[{_escape(comment)}]")
    return "\n".join([header, *nodes]) + ")\n"


@dataclass(frozen=True)
class SgfNote:
    """What is written beside a move.

    comment  about the move.
    bad      0, 1 or 2: how bad it is, by the property BM.
    better   a variation instead of this move and those after it, the same side's move first.
    """

    comment: str = ""
    bad: int = 0
    better: tuple[Cell, ...] = ()


def annotated_sgf(
    info: Mapping[str, str],
    size: tuple[int, int],
    setup: Sequence[Stone],
    moves: Sequence[Stone],
    notes: Mapping[int, SgfNote],
) -> str:
    """A game with notes as SGF. The game itself is the first branch everywhere.

    info   properties of the first node, with their texts, such as PB and RU.
    size   width and height of the board.
    setup  stones on the board before the first move, and `moves`, as (x, y, colour).
    notes  by the index of the move.
    """
    # From the last move to the first: what follows a move stands in brackets where a variation
    # begins.
    rest = ""
    for i in range(len(moves) - 1, -1, -1):
        note = notes.get(i, SgfNote())
        marks = (f"BM[{note.bad}]" if note.bad else "") + _property("C", note.comment)
        rest = f"\n{_node(moves[i])}{marks}{rest}"
        if note.better:
            colours = (moves[i][2], BLACK + WHITE - moves[i][2])
            line = "".join(
                _node((x, y, colours[number % 2])) for number, (x, y) in enumerate(note.better)
            )
            rest = f"\n({rest})\n({line})"
    texts = "".join(_property(name, text) for name, text in info.items())
    width, height = size
    shape = str(width) if width == height else f"{width}:{height}"
    stones = "".join(
        f"{name}{''.join(f'[{_letters(x, y)}]' for x, y, own in setup if own == colour)}"
        for name, colour in (("AB", BLACK), ("AW", WHITE))
        if any(own == colour for _, _, own in setup)
    )
    return f"(;FF[4]GM[4]CA[UTF-8]SZ[{shape}]{texts}{stones}{rest})\n"


def _property(name: str, text: str) -> str:
    return f"{name}[{_escape(text)}]" if text else ""


def _node(stone: Stone) -> str:
    x, y, colour = stone
    return f";{'B' if colour == BLACK else 'W'}[{_letters(x, y)}]"


def _letters(x: int, y: int) -> str:
    return chr(ord("a") + x) + chr(ord("a") + y)


def _comment(report: Report | None) -> str:
    if report is None:
        return ""
    depth = "" if report.depth_plies is None else f"/{report.depth_plies}"
    return f"{report.score_text}{depth}"


def _result(game: Game) -> str:
    if game.termination is Termination.INTERRUPTED:
        return "Void"
    if game.winner == 0:
        return "0"
    winner = "B" if game.winner == BLACK else "W"
    if game.termination is Termination.TIMEOUT:
        return f"{winner}+T"
    if game.termination is Termination.RESIGNED:
        return f"{winner}+R"
    return f"{winner}+F" if game.termination.is_failure else f"{winner}+"


def _escape(text: str) -> str:
    line = " ".join(text.split())
    return line.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")


# ---- reading


def read_sgf(text: str, is_cut: bool = False) -> SgfGame:
    """Reads the main line of the first game in an sgf file; ValueError in one line, naming what is
    wrong, if it is not an sgf file or one of another game. If it `is_cut`, the game ends before the
    first move that is impossible, and `fault` says why."""
    nodes = list(_main_line(text))
    root = nodes[0]
    if root.get("GM", ["4"])[0].strip() != "4":
        raise ValueError(f"sgf: GM[{_shown(root['GM'][0])}] is another game; expected GM[4]")
    width, height = _read_size(root.get("SZ", [_DEFAULT_SIZE])[0])
    setup: dict[Cell, SgfMove] = {}
    moves: list[SgfMove] = []
    fault = ""
    for node in nodes:
        try:
            _read_node(node, width, height, setup, moves)
        except ValueError as error:
            if not (is_cut and moves):
                raise
            fault = str(error)
            break
    info = {name: _unescape(values[0]) for name, values in root.items()}
    return SgfGame(width, height, tuple(moves), tuple(setup.values()), info, fault)


def _read_node(
    node: Node, width: int, height: int, setup: dict[Cell, SgfMove], moves: list[SgfMove]
) -> None:
    """Adds the stones of a node to those before it."""
    for x, y, colour in _setup_stones(node, width, height):
        if moves:
            raise ValueError(f"sgf: set-up stones after move {len(moves)}")
        setup.pop((x, y), None)
        if colour:
            setup[x, y] = SgfMove(x, y, colour)
    for move in _moves(node, width, height):
        if (move.x, move.y) in setup or any((m.x, m.y) == (move.x, move.y) for m in moves):
            raise ValueError(f"sgf: move {len(moves) + 1} is played on a stone")
        moves.append(move)


def _moves(node: Node, width: int, height: int) -> Iterator[SgfMove]:
    for name, colour in _COLOURS.items():
        for value in node.get(name, [])[:1]:
            if not value.strip():
                raise ValueError(f"sgf: {name}[] is a pass, which these rules do not have")
            x, y = _read_point(value, width, height)
            yield SgfMove(x, y, colour, _unescape(node.get("C", [""])[0]))


def _setup_stones(node: Node, width: int, height: int) -> Iterator[tuple[int, int, int]]:
    for name, colour in (("AE", 0), ("AB", BLACK), ("AW", WHITE)):
        for value in node.get(name, []):
            for x, y in _read_points(value, width, height):
                yield x, y, colour


def _read_size(text: str) -> tuple[int, int]:
    size = re.fullmatch(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?", text, re.ASCII)
    if size is not None:
        width, height = int(size[1]), int(size[2] or size[1])
        if 1 <= width <= _MAX_SIZE and 1 <= height <= _MAX_SIZE:
            return width, height
    raise ValueError(f"sgf: SZ[{_shown(text)}] is not a board size; try 15 or 15:20")


def _read_points(value: str, width: int, height: int) -> Iterator[Cell]:
    """One point, or all of a rectangle written as two corners."""
    corners = [_read_point(corner, width, height) for corner in value.split(":", 1)]
    (left, top), (right, bottom) = corners[0], corners[-1]
    for y in range(min(top, bottom), max(top, bottom) + 1):
        for x in range(min(left, right), max(left, right) + 1):
            yield x, y


def _read_point(text: str, width: int, height: int) -> Cell:
    point = re.fullmatch(r"([A-Za-z])(?:([A-Za-z])|(\d{1,2}))", text.strip(), re.ASCII)
    if point is None:
        raise ValueError(f"sgf: [{_shown(text)}] is not a point; try hh or h8")
    if point[2]:
        x, y = _letter(point[1]), _letter(point[2])
    else:
        x, y = _letter(point[1].lower()), height - int(point[3])
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"sgf: [{_shown(text)}] is outside the {width}x{height} board")
    return x, y


def _letter(letter: str) -> int:
    return ord(letter) - (ord("a") if letter.islower() else ord("A") - 26)


# ---- the file's grammar: (;NAME[value][value]NAME[value];...(;...)(;...))

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:[^\]\\]|\\.)*)\])", re.DOTALL)


def _main_line(text: str) -> Iterator[Node]:
    """The nodes of the first game as raw values by property name, following the first branch
    wherever the game divides."""
    start = re.search(r"\(\s*;", text)
    if start is None:
        raise ValueError("sgf: holds no game; expected (;")
    at = start.start()
    node: Node | None = None
    name = ""
    while (token := _TOKEN.match(text, at)) is not None:
        at = token.end()
        sign, word, value = token.groups()
        if sign == ")":
            break  # the end of the first branch: whatever follows is another one
        if sign == "(":
            name = ""
        elif sign == ";":
            if node is not None:
                yield node
            node, name = {}, ""
        elif word is not None:
            # Old files spell properties out (`Black`); their capitals are the name.
            name = "".join(letter for letter in word if letter.isupper())
        elif node is None or not name:
            raise ValueError(f"sgf: [{_shown(value)}] does not follow a property")
        else:
            node.setdefault(name, []).append(value)
    else:
        rest = _shown(text[at : at + 40])
        raise ValueError(f"sgf: cannot be read from {rest!r} on" if rest else "sgf: ends too early")
    if node is not None:
        yield node


def _unescape(value: str) -> str:
    """The text that a raw value stands for: an escaped line end is removed."""
    return re.sub(r"\\(\r\n|\n\r|[\r\n])|\\(.)", lambda m: m[2] or "", value, flags=re.DOTALL)


def _shown(text: str) -> str:
    """The beginning of a text as one line, for an error."""
    return " ".join(text.split())[:20]
