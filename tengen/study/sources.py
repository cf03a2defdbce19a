"""Positions as users have them: on the command line, in files, on standard input.

    h8i9g7            pos: column letter and row number, Black first; rows from the top, or from
                      the bottom if so wished
    7,7 8,8 6,6       columns and rows from zero at the top left, Black first
    a picture         as tengen/rules/picture.py describes it; `to move: black` or `white` may be in
                      its header, where the number of stones does not tell
    psq, sgf          a game, the position being the last one or the one after some moves
    JSON lines        puzzles, one a line: rule, size, moves, and if known best and mate
    games.jsonl       of `tengen match`, or its folder: one of the games, as of psq and sgf

Which it is shows by the text itself.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.record.jsonl import read_records
from tengen.record.openings import read_openings
from tengen.record.psq import read_psq
from tengen.record.sgf import read_sgf
from tengen.rules.picture import read_drawing
from tengen.rules.proof import read_cell
from tengen.rules.referee import BLACK, FREESTYLE, RULE_NAMES, WALL, WHITE, Cell, opponent_of
from tengen.study.puzzle import Puzzle, in_turns, side_by_count

STDIN = "-"
DEFAULT_SIZE = (15, 15)
SIDES = {"black": BLACK, "white": WHITE}
# What RU may say in an sgf file.
_RULES = {name: rule for rule, name in RULE_NAMES.items()} | {"gomoku": FREESTYLE}

_CELL = r"\d{1,3}\s*,\s*\d{1,3}"
_CELLS = re.compile(rf"{_CELL}(?:[\s;]+{_CELL})*[\s;]*", re.ASCII)
_POS = re.compile(r"(?:[a-zA-Z]\d{1,2}\s*)+", re.ASCII)
_FILE_NAME = re.compile(r".*[./\\].*\D.*")
_EXAMPLE = "expected cells such as h8i9 or 7,7 8,8, or a file"


@dataclass(frozen=True)
class Wish:
    """What the user said about the position, None = nothing.

    after        the position after so many moves of a game or a list of moves.
    from_bottom  rows of the pos notation are counted from the bottom.
    game         of a match, counted from one.
    """

    rule: int | None = None
    size: tuple[int, int] | None = None
    side: int | None = None
    after: int | None = None
    from_bottom: bool = False
    game: int | None = None


@dataclass(frozen=True)
class Found:
    """What the sources hold: one position, or a batch of puzzles."""

    puzzles: tuple[Puzzle, ...]
    is_batch: bool


def find_puzzles(words: Sequence[str], wish: Wish) -> Found:
    """The positions that the words of a command line name: files, `-` for standard input, or
    moves. ValueError in one line for bad input, OSError for a file that cannot be read."""
    if not words:
        raise ValueError("nothing to solve: name a file, or the moves of a position")
    # Not Path.exists, which fails for what is too long for a name, such as many moves.
    files = [word == STDIN or os.path.exists(word) for word in words]
    if not any(files):
        text = " ".join(words).strip()
        if not (_CELLS.fullmatch(text) or _POS.fullmatch(text)):
            missing = next((word for word in words if _FILE_NAME.fullmatch(word)), None)
            if missing is not None:
                raise ValueError(f"{missing}: there is no such file")
            raise ValueError(f"{_shown(text)}: {_EXAMPLE}")
        return Found((read_puzzle(text, "position", wish),), False)
    if not all(files):
        raise ValueError(f"{words[files.index(False)]}: there is no such file")
    if len(words) == 1 and words[0] != STDIN and (run := _run_file(Path(words[0]))) is not None:
        return Found((_read_run(run, wish),), False)
    if wish.game is not None:
        raise ValueError("--game is for the games.jsonl of a match")
    texts = [(word, read_text(word)) for word in words]
    if any(_is_json(text) for _, text in texts):
        for word, text in texts:
            if not _is_json(text):
                raise ValueError(f"{word}: holds no puzzles as JSON lines, as the others do")
        return Found(tuple(p for word, text in texts for p in read_puzzles(text, word, wish)), True)
    if len(texts) > 1:
        raise ValueError(f"{words[1]}: only files of puzzles (JSON lines) can be several")
    return Found((read_puzzle(texts[0][1], texts[0][0], wish),), False)


def read_text(word: str) -> str:
    """The text of a file, or of standard input for `-`. ValueError if it is no text."""
    try:
        data = sys.stdin.buffer.read() if word == STDIN else Path(word).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{word}: is no text") from None


# -- one position


def read_puzzle(text: str, source: str, wish: Wish) -> Puzzle:
    """The position that the text shows, in whatever notation; ValueError, naming the source, if it
    shows none."""
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise ValueError(f"{source}: is empty; {_EXAMPLE}")
    try:
        if text.startswith("Piskvorky"):
            return _read_psq(text, source, wish)
        if text.startswith("("):
            return _read_sgf(text, source, wish)
        if _CELLS.fullmatch(text) or _POS.fullmatch(text):
            return _read_moves(text, source, wish)
        return _read_picture(text, source, wish)
    except ValueError as error:
        # Some name the source themselves.
        said = str(error).removeprefix(f"{source}: ").removeprefix(f"{source}, line 1: ")
        raise ValueError(f"{source}: {said}") from None


def _read_moves(text: str, source: str, wish: Wish) -> Puzzle:
    width, height = wish.size or DEFAULT_SIZE
    if _CELLS.fullmatch(text):
        if wish.from_bottom:
            raise ValueError("--from-bottom is for cells such as h8")
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        cells = list(zip(numbers[::2], numbers[1::2], strict=True))
    else:
        [opening] = read_openings("".join(text.split()), source, "pos", (width, height))
        cells = list(opening.place(width, height))
        if wish.from_bottom:
            cells = [(x, height - 1 - y) for x, y in cells]
    stones = _first(in_turns(cells), wish)
    side = wish.side or (WHITE if len(stones) % 2 else BLACK)
    return Puzzle(width, height, wish.rule or 0, stones, side, name=source)


def _read_psq(text: str, source: str, wish: Wish) -> Puzzle:
    _without_size(wish)
    game = read_psq(text)
    stones = _first(in_turns((move.x, move.y) for move in game.moves), wish)
    side = wish.side or (WHITE if len(stones) % 2 else BLACK)
    return Puzzle(game.width, game.height, wish.rule or 0, stones, side, name=source)


def _read_sgf(text: str, source: str, wish: Wish) -> Puzzle:
    _without_size(wish)
    game = read_sgf(text)
    rule = wish.rule
    if rule is None:
        said = game.info.get("RU", "freestyle").strip().lower()
        rule = int(said) if said.isdecimal() else _RULES.get(said)
        if rule is None:
            raise ValueError(f"the rule {_shown(said)!r} is not known: name one with --rule")
    setup = tuple((stone.x, stone.y, stone.colour) for stone in game.setup)
    moves = _first(tuple((move.x, move.y, move.colour) for move in game.moves), wish)
    side = wish.side
    if side is None and moves:
        side = opponent_of(moves[-1][2])
    if side is None:
        said = game.info.get("PL", "").strip().lower()
        side = {"b": BLACK, "w": WHITE, **SIDES}.get(said)
    return _puzzle(game.width, game.height, rule, setup + moves, side, source)


def _read_picture(text: str, source: str, wish: Wish) -> Puzzle:
    _without_size(wish)
    if wish.after is not None:
        raise ValueError("a picture knows no order of moves, which --after needs")
    drawing = read_drawing(text)
    rule = drawing.rule if wish.rule is None else wish.rule
    side = wish.side
    if side is None and (said := drawing.header.get("to move")) is not None:
        side = SIDES.get(said.lower())
        if side is None:
            raise ValueError(f"to move: {_shown(said)}: expected black or white")
    walls = tuple((x, y, WALL) for x, y in drawing.walls)
    return _puzzle(drawing.width, drawing.height, rule, drawing.stones + walls, side, source)


def _puzzle(
    width: int,
    height: int,
    rule: int,
    stones: tuple[tuple[int, int, int], ...],
    side: int | None,
    source: str,
) -> Puzzle:
    side = side or side_by_count(stones)
    if side is None:
        raise ValueError("the stones do not tell whose turn it is: say so with --side")
    return Puzzle(width, height, rule, stones, side, name=source)


def _first(
    stones: tuple[tuple[int, int, int], ...], wish: Wish
) -> tuple[tuple[int, int, int], ...]:
    if wish.after is None:
        return stones
    if wish.after > len(stones):
        raise ValueError(f"--after {wish.after}: there are only {len(stones)} moves")
    return stones[: wish.after]


def _without_size(wish: Wish) -> None:
    if wish.size is not None:
        raise ValueError("says itself how large its board is: leave out --size")
    if wish.from_bottom:
        raise ValueError("--from-bottom is for cells such as h8")


# -- a game of a match


def _run_file(path: Path) -> Path | None:
    """The games.jsonl that is meant by it or by its folder; None if it is none."""
    if path.is_dir():
        path /= "games.jsonl"
        return path if path.is_file() else None
    # The first line of a run is its plan.
    with path.open("rb") as file:
        return path if file.read(64).startswith(b'{"format":') and path.suffix == ".jsonl" else None


def _read_run(path: Path, wish: Wish) -> Puzzle:
    try:
        _without_size(wish)
        games = [record for record in read_records(path) if "moves" in record]
        if wish.game is None:
            raise ValueError(f"holds {len(games)} games: choose one with --game")
        if not 1 <= wish.game <= len(games):
            raise ValueError(f"--game {wish.game}: there are {len(games)} games")
        game = games[wish.game - 1]
        stones = _first(in_turns(read_cell(move) for move in game["moves"]), wish)
        rule = _whole_number(game, "rule", None) if wish.rule is None else wish.rule
        width, height = (_whole_number(game, side, None) for side in ("width", "height"))
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(f"{path}: {error}") from None
    side = wish.side or (WHITE if len(stones) % 2 else BLACK)
    return Puzzle(width, height, rule, stones, side, name=f"{path}, game {wish.game}")


# -- a batch


def read_puzzles(text: str, source: str, wish: Wish) -> tuple[Puzzle, ...]:
    """The puzzles of JSON lines; ValueError, naming the line, where one is bad."""
    puzzles = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            name = f"{source}, line {number}"
            try:
                puzzles.append(_read_record(line, name, wish))
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{name}: {str(error).removeprefix(f'{name}: ')}") from None
    if not puzzles:
        raise ValueError(f"{source}: holds no puzzles")
    return tuple(puzzles)


def _read_record(line: str, name: str, wish: Wish) -> Puzzle:
    if wish != Wish(rule=wish.rule):
        raise ValueError("--size, --side, --after and --from-bottom are not for puzzles")
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(record, dict):
        raise ValueError("expected an object with rule, size and moves")
    rule = _whole_number(record, "rule", 0) if wish.rule is None else wish.rule
    size = record.get("size")
    width, height = read_cell(size) if isinstance(size, list) else (size, size)
    if type(width) is not int or type(height) is not int:
        raise ValueError("size: expected a number such as 15, or [20, 15]")
    moves = record.get("moves")
    if not isinstance(moves, list):
        raise ValueError("moves: expected a list such as [[7, 7], [8, 8]]")
    stones = in_turns(read_cell(move) for move in moves)
    best: Cell | None = None if record.get("best") is None else read_cell(record["best"])
    mate = None if record.get("mate") is None else _whole_number(record, "mate", None)
    side = WHITE if len(stones) % 2 else BLACK
    return Puzzle(width, height, rule, stones, side, best, mate, name)


def _whole_number(record: Mapping[str, Any], key: str, default: int | None) -> int:
    number = record.get(key, default)
    if type(number) is not int or number < 0:
        raise ValueError(f"{key}: expected a whole number")
    return number


def _is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 30 else f"{line[:27]}..."
