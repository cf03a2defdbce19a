"""Shards of the games of a match: the positions before the moves that programs have thought about,
with the values that they reported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from engine.trace import decided_plies
from tengen.game.record.move_report import Report
from tengen.game.record.recorded import RecordedGame
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, WHITE
from tengen.lab.selfplay.setting import Setting, cell_number
from tengen.lab.selfplay.shards import (
    AGREED,
    DECIDED,
    FIVE,
    FULL,
    MATE,
    MATE_FLOOR,
    ONLY,
    PROVEN,
    SHORT,
    SUFFIX,
    Head,
    Move,
    PlayedGame,
    read_shard,
    shard_name,
    write_shard,
)

# What stands for the version of the engine in the head of such a shard.
SOURCE = "a match"
GAMES_PER_SHARD = 1000
_ENDINGS = {
    Termination.FIVE.name: FIVE,
    Termination.FULL.name: FULL,
    Termination.RESIGNED.name: AGREED,
    Termination.ADJUDICATED.name: AGREED,
}
_WINNERS = {"black": BLACK, "white": WHITE, None: 0}


class Written(NamedTuple):
    """What `write_samples` has written: games, and positions with a value."""

    games: int
    positions: int


def write_samples(games: Sequence[RecordedGame], folder: Path, name: str | None = None) -> Written:
    """Writes the games of a run as shards into a folder. Samples that are there are replaced.

    name  only what this program reported counts; None = what any of them did.

    ValueError if the folder holds games of self-play or of another rule or size, or if no game can
    be used; OSError if it cannot be written.
    """
    found = [each for game in games if (each := played_game(game, name)) is not None]
    if not found:
        raise ValueError("no game of the run can be used: all failed or have no moves")
    kind = games[0].rule, games[0].width, games[0].height
    old = set(folder.glob(f"*{SUFFIX}"))
    for path in sorted(old):
        head = read_shard(path).head
        if head.engine != SOURCE:
            raise ValueError(f"{folder} holds games of self-play; name another folder")
        if (head.rule, head.width, head.height) != kind:
            raise ValueError(f"{folder} holds games of another rule or size; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, len(found), GAMES_PER_SHARD):
        path = folder / shard_name(start)
        head = Head(*kind, 0, start, 0, 0, SOURCE, 0, 0)
        write_shard(path, head, found[start : start + GAMES_PER_SHARD])
        old.discard(path)
    for path in old:
        path.unlink()
    positions = sum(not move.flags & SHORT for game in found for move in game.moves)
    return Written(len(found), positions)


def played_game(game: RecordedGame, name: str | None = None) -> PlayedGame | None:
    """A game as a shard holds it; None for one that says nothing about play: ended by a failure or
    by a stop, or without a move.

    It ends with the first mate that was announced and that the result bears out. A move whose
    program reported no value, or a mate that did not come, is marked SHORT.
    """
    ending = _ENDINGS.get(game.termination)
    thought = game.thought_moves()
    if ending is None or not thought:
        return None
    setting = Setting(game.rule, game.width, game.height)
    decided = decided_plies(setting.position(list(game.moves)))
    winner = _WINNERS[game.winner]
    moves = []
    for i in thought:
        mover = 1 + i % 2
        value, flags = _judged(game.reports[i], mover, winner)
        if name is not None and game.names[i % 2] != name:
            value, flags = 0, SHORT
        moves.append(Move(cell_number(game.moves[i]), flags | DECIDED * decided[i], value))
        if abs(value) >= MATE_FLOOR:
            ending = PROVEN
            break
    opening = tuple(map(cell_number, game.moves[: thought.start]))
    return PlayedGame(winner, ending, True, opening, tuple(moves))


def _judged(report: Report | None, mover: int, winner: int) -> tuple[int, int]:
    """The value of a move, from the mover's view, and its flags."""
    if report is None or (report.value is None and report.mate_plies is None):
        return 0, SHORT
    flags = ONLY if report.depth_plies == 0 else 0
    mate = report.mate_plies
    if mate is None:
        most = MATE_FLOOR - 1
        return max(-most, min(most, report.value or 0)), flags
    is_true = winner == (mover if mate > 0 else BLACK + WHITE - mover)
    if not is_true or not 0 < abs(mate) <= MATE - MATE_FLOOR:
        return 0, SHORT
    return (MATE if mate > 0 else -MATE) - mate, flags
