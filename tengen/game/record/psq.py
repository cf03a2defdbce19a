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
from dataclasses import dataclass

from tengen.game.record.game import Game
from tengen.game.record.termination import Termination
from tengen.game.record.time_control import TimeControl
from tengen.game.record.tree import GameTree, add_line, new_root
from tengen.game.rules.referee import BLACK, WHITE
from tengen.game.rules.stones import in_turns

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


@dataclass(frozen=True)
class PsqMove:
    """A move of a psq file, the cell counted from zero; `ms` is None where the time is not
    known."""

    x: int
    y: int
    ms: int | None = None


@dataclass(frozen=True)
class PsqGame:
    """What a psq file says.

    levels   of the players' times, 1 to 11; PERSON (0) is a person.
    names    of player one and two, or none.
    starter  0 if player one began, 1 if player two did.
    code     NORMAL, TIMEOUT, FAILED, UNKNOWN or another number; None if there is none.
    judge    the line that a tournament manager adds, or empty.
    fault    why the moves end before those of the file; empty where they do not.
    """

    width: int
    height: int
    moves: tuple[PsqMove, ...]
    names: tuple[str, str] | None = None
    code: int | None = None
    levels: tuple[int, int] = (len(_LEVELS_MS), len(_LEVELS_MS))
    starter: int = 0
    judge: str = ""
    fault: str = ""

    @property
    def black(self) -> str | None:
        """The name of the player that began."""
        return self.names[self.starter] if self.names else None

    @property
    def white(self) -> str | None:
        """The name of the other player."""
        return self.names[1 - self.starter] if self.names else None


# ---- writing


def to_psq(
    game: Game,
    controls: Mapping[str, TimeControl] | None = None,
    people: Collection[str] = (),
) -> str:
    """The game as Piskvork writes it, Black being player one; `controls` by program's name give
    the levels, and `people` are the names of players that are people."""
    levels = [
        PERSON if name in people else time_level((controls or {}).get(name))
        for name in (game.job.black, game.job.white)
    ]
    lines = [
        f"Piskvorky {game.setting.width}x{game.setting.height}, {levels[0]}:{levels[1]}, 0",
        *(f"{m.x + 1},{m.y + 1},{round(m.elapsed_s * 1000)}" for m in game.moves),
        _name(game.job.black),
        _name(game.job.white),
        str(end_code(game.termination)),
    ]
    return "".join(f"{line}\n" for line in lines)


def end_code(termination: Termination) -> int:
    """The code for how a game ended: NORMAL, TIMEOUT, FAILED or UNKNOWN."""
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


def psq_tree(text: str) -> GameTree:
    """The game of a psq file as a tree. ValueError as for `read_psq`."""
    game = read_psq(text)
    info = {"PB": game.black or "", "PW": game.white or ""}
    root = new_root(info, (game.width, game.height))
    add_line(root, in_turns((move.x, move.y) for move in game.moves))
    elapsed = tuple(None if move.ms is None else move.ms / 1000 for move in game.moves)
    levels = game.levels[game.starter], game.levels[1 - game.starter]
    both = zip((BLACK, WHITE), levels, strict=True)
    people = frozenset(colour for colour, level in both if level == PERSON)
    return GameTree("psq", root, elapsed, people, game.fault)


def read_psq(text: str) -> PsqGame:
    """Reads a psq file with any line ends; ValueError, naming the line, if it is not one. The game
    ends before the first move that is impossible, and `fault` says why."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    header = _HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise ValueError("psq, line 1: expected a header such as Piskvorky 15x15, 11:11, 0")
    width, height, level_1, level_2, starter = map(int, header.groups())
    if starter > 1:
        raise ValueError(f"psq, line 1: player {starter} began; expected 0 or 1")
    # Empty lines between the moves mean nothing, as to Piskvork.
    numbered = [(n, line) for n, line in enumerate(lines[1:], start=2) if line.strip()]
    found = [_MOVE.fullmatch(line) for _, line in numbered]
    count = found.index(None) if None in found else len(found)
    moves: list[PsqMove] = []
    fault = ""
    for (number, _), move in zip(numbered, found[:count], strict=False):
        assert move is not None
        try:
            moves.append(_read_move(move, width, height, number, moves))
        except ValueError as error:
            fault = str(error)
            break
    # The line after the code may look like a move, but no name does.
    judged = len(numbered) > count + 1 and _CODE.fullmatch(numbered[-2][1]) is not None
    if any(found[count : -1 if judged else None]):
        number, line = numbered[count]
        raise ValueError(f"psq, line {number}: expected a move, found {line!r}")
    names, code, judge = _read_tail(numbered[count:])
    levels = level_1, level_2
    return PsqGame(width, height, tuple(moves), names, code, levels, starter, judge, fault)


def _read_move(
    move: re.Match[str], width: int, height: int, number: int, before: list[PsqMove]
) -> PsqMove:
    x, y = int(move[1]), int(move[2])
    if not (1 <= x <= width and 1 <= y <= height):
        raise ValueError(f"psq, line {number}: {x},{y} is outside the {width}x{height} board")
    if any((m.x, m.y) == (x - 1, y - 1) for m in before):
        raise ValueError(f"psq, line {number}: a second stone at {x},{y}")
    time = _TIME.fullmatch(move[3] or "")
    return PsqMove(x - 1, y - 1, None if time is None else int(time[1]))


def _read_tail(
    lines: list[tuple[int, str]],
) -> tuple[tuple[str, str] | None, int | None, str]:
    """Names, code and the manager's line; any of them may be missing. Each line has its number."""
    names = None
    has_code_first = lines and _CODE.fullmatch(lines[0][1])
    if len(lines) > 2 or (len(lines) == 2 and not has_code_first):
        names = lines[0][1].strip(), lines[1][1].strip()
        lines = lines[2:]
    if not lines:
        return names, None, ""
    number, line = lines[0]
    if not _CODE.fullmatch(line):
        what = "a move, or the code of the end" if names is None else "the code of the end"
        raise ValueError(f"psq, line {number}: expected {what}, found {line!r}")
    if len(lines) > 2:
        number, line = lines[2]
        raise ValueError(f"psq, line {number}: nothing may follow, found {line!r}")
    return names, int(line), lines[1][1].strip() if len(lines) == 2 else ""
