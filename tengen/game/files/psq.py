"""Games as Piskvork's psq files, written and read.

    Piskvorky 15x15, 11:11, 0     board, the players' levels of time, which player began (0, 1)
    8,8,0                         a line for each move: column, row (from 1), milliseconds
    Tengen                        the names of both players,
    Simple
    0                             and a code for how the game ended

Some files have no names. Tournament managers add a last line, `result,tournament`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from tengen.game.files.plain_moves import game_of_cells
from tengen.game.game import PERSON_NAME, Game
from tengen.game.played import Termination, TimeControl
from tengen.game.referee import BLACK, WHITE, in_turns

NORMAL, TIMEOUT, FAILED, UNKNOWN = 0, 15, -2, -1

# The level of a person.
PERSON = 0
# Piskvork's levels for a time per move, in milliseconds; a file names the level's number from 1.
_LEVELS_MS = (100, 300, 600, 1000, 1500, 2500, 5000, 10000, 15000, 30000, 60000)

_COUNT = r"\s*(\d{1,9})\s*"
_SIGNED = r"\s*([+-]?\d{1,9})\s*"
_HEADER = re.compile(f"\\s*Piskvorky{_COUNT}x{_COUNT},{_SIGNED}:{_SIGNED},{_COUNT}", re.ASCII)
# Whatever stands after the second comma: a time that is no whole number is not known.
_MOVE = re.compile(f"{_COUNT},{_COUNT}(?:,(.*))?", re.ASCII)
_TIME = re.compile(_COUNT, re.ASCII)
_CODE = re.compile(_SIGNED, re.ASCII)


# ---- writing


def write_psq(
    game: Game,
    controls: Mapping[str, TimeControl] | None = None,
    people: Collection[str] = (PERSON_NAME,),
) -> str:
    """The game as Piskvork writes it, Black being player one; `controls` by player's name give
    the levels, and `people` are the names of players that are people. ValueError for what such a
    file cannot hold."""
    require_turns(game, "psq file")
    levels = [
        PERSON if name in people else time_level((controls or {}).get(name)) for name in game.names
    ]
    is_over = game.termination is None and game.result is not None
    names = game.black or "Black", game.white or "White"
    cells = zip(game.stones, game, strict=True)
    lines = [
        f"Piskvorky {game.width}x{game.height}, {levels[0]}:{levels[1]}, 0",
        *(f"{x + 1},{y + 1},{round((node.time_s or 0) * 1000)}" for (x, y, _), node in cells),
        *map(_name, names),
        str(NORMAL if is_over else end_code(game.termination)),
    ]
    return "".join(f"{line}\n" for line in lines)


def require_turns(game: Game, kind: str) -> None:
    """ValueError for a game that a file of this kind, which has no colours, no passes and no stones
    that were set up, cannot hold."""
    if game.setup:
        raise ValueError(f"a {kind} holds no stones that were set up; write it as sgf")
    if game.line.passes or game.stones != in_turns(stone[:2] for stone in game.stones):
        raise ValueError(
            f"a {kind} holds only moves in turns, Black's first, and no passes; write it as sgf"
        )


def end_code(termination: Termination | None) -> int:
    """The code for how a game ended: NORMAL, TIMEOUT, FAILED or UNKNOWN."""
    if termination is None:
        return UNKNOWN
    if termination is Termination.TIMEOUT:
        return TIMEOUT
    if termination.is_failure:
        return FAILED
    if termination in (Termination.INTERRUPTED, Termination.ADJUDICATED):
        return UNKNOWN
    return NORMAL


def time_level(control: TimeControl | None) -> int:
    """The level of a time per move, rounded down; the highest when there is no limit."""
    if control is None or control.turn_s is None:
        return len(_LEVELS_MS)
    turn_ms = control.turn_s * 1000
    return max(1, sum(level <= turn_ms for level in _LEVELS_MS))


def _name(name: str) -> str:
    """A name as one line that a reader does not take for a move: such a one gets quotes."""
    line = " ".join(name.split())
    return f'"{line}"' if _MOVE.fullmatch(line.strip('"')) else line


# ---- reading


def read_psq(text: str) -> Game:
    """The game of a psq file with any line ends; ValueError, naming the line, if it is not one. The
    game ends before the first move that is impossible, and its `damage` says why."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    header = _HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise ValueError("psq, line 1: expected a header such as Piskvorky 15x15, 11:11, 0")
    width, height, *levels, starter = map(int, header.groups())
    if starter > 1:
        raise ValueError(f"psq, line 1: player {starter} began; expected 0 or 1")
    # Empty lines between the moves mean nothing, as to Piskvork.
    numbered = [(n, line) for n, line in enumerate(lines[1:], start=2) if line.strip()]
    found = [_MOVE.fullmatch(line) for _, line in numbered]
    count = found.index(None) if None in found else len(found)
    # The line after the code may look like a move, but no name does.
    judged = len(numbered) > count + 1 and _CODE.fullmatch(numbered[-2][1]) is not None
    if any(found[count : -1 if judged else None]):
        number, line = numbered[count]
        raise ValueError(f"psq, line {number}: expected a move, found {line!r}")
    names = _read_names(numbered[count:])
    # Player one is Black, or who began.
    black, white = (names[::-1] if starter else names) or ("", "")
    levels = levels[::-1] if starter else levels
    moves = [move for move in found[:count] if move is not None]
    cells = [(int(move[1]) - 1, int(move[2]) - 1) for move in moves]
    times = [_TIME.fullmatch(move[3] or "") for move in moves]
    both = zip((BLACK, WHITE), levels, strict=True)
    return game_of_cells(
        "psq",
        {"PB": black, "PW": white},
        (width, height),
        cells,
        [number for number, _ in numbered[:count]],
        [None if time is None else int(time[1]) / 1000 for time in times],
        frozenset(colour for colour, level in both if level == PERSON),
    )


def _read_names(lines: list[tuple[int, str]]) -> list[str]:
    """The names of player one and two, or none, from the lines after the moves, each with its
    number. Names, the code and the manager's line may be missing."""
    names: list[str] = []
    has_code_first = lines and _CODE.fullmatch(lines[0][1])
    if len(lines) > 2 or (len(lines) == 2 and not has_code_first):
        names = [line.strip() for _, line in lines[:2]]
        lines = lines[2:]
    if lines and not _CODE.fullmatch(lines[0][1]):
        number, line = lines[0]
        what = "the code of the end" if names else "a move, or the code of the end"
        raise ValueError(f"psq, line {number}: expected {what}, found {line!r}")
    if len(lines) > 2:
        number, line = lines[2]
        raise ValueError(f"psq, line {number}: nothing may follow, found {line!r}")
    return names
