"""Compares adjudication with playing on, in games that were played to their end.

    python -m tests.arena.match.adjudicated games/run --moves 2 --value 1000

Each recorded game is followed to where `tengen match --resign` would have ended it. Printed are how
many were, how many of these results are those of the record, and which part of the moves is saved.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from tengen.arena.match.adjudication import adjudicated
from tengen.arena.match.records import RunFolder
from tengen.game.record.game import Game, Setting


def end_of(game: Game, setting: Setting) -> tuple[int, int] | None:
    """Where the game would have been ended: after how many moves, and who would have won."""
    for count in range(1, len(game.moves)):
        found = adjudicated(setting, game.moves[:count])
        if found is not None:
            return count, found[0]
    return None


def main() -> None:
    """Prints one line for each number of moves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moves", type=int, nargs="+", default=[2])
    parser.add_argument("--value", type=int, default=1000)
    given = parser.parse_args()
    with RunFolder.resume(given.folder) as run:
        games = run.games
    for moves in given.moves:
        ends = [(game, end_of(game, _resign(game.setting, moves, given.value))) for game in games]
        ended = [(game, end) for game, end in ends if end is not None]
        right = sum(game.winner == end[1] for game, end in ended)
        saved_moves = sum(len(game.moves) - end[0] for game, end in ended)
        saved_s = sum(sum(m.elapsed_s for m in game.moves[end[0] :]) for game, end in ended)
        all_moves = sum(len(game.moves) for game in games)
        all_s = sum(move.elapsed_s for game in games for move in game.moves)
        print(
            f"moves={moves} value={given.value}: {len(ended)} of {len(games)} games ended,"
            f" {right} results agree ({100 * right / max(1, len(ended)):.2f} %),"
            f" {100 * saved_moves / all_moves:.1f} % of the moves and"
            f" {100 * saved_s / max(all_s, 1e-9):.1f} % of the time saved"
        )


def _resign(setting: Setting, moves: int, value: int) -> Setting:
    return replace(setting, resign_moves=moves, resign_value=value)


if __name__ == "__main__":
    main()
