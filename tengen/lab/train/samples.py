"""Training samples: the positions of recorded games as arrays.

A sample is a position in which a program searched. The arrays of `Samples` have one entry for each
sample. The exception is `cells`, which is flat: the cells of sample i are the rows from `starts[i]`
to `starts[i + 1]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import copysign, inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.model import Placed, Position, Rule, Stone
from engine.trace import codes_of_game
from tengen.game.record.recorded import RecordedGame
from tengen.game.record.run_folder import load_run
from tengen.game.rules.referee import Cell

ROW = 32  # numbers of a cell: y * ROW + x, as codes_of_game() counts
BLACK, WHITE = int(Stone.BLACK), int(Stone.WHITE)
# The endings of finished games; only these are used.
_PLAYED_OUT = ("FIVE", "FULL")


@dataclass(frozen=True)
class Samples:
    """Samples of one rule.

    game    the number of its game among those with samples; all samples of a game are either held
            out or fitted to.
    mover   the side to move, 1 Black, 2 White.
    result  of the game for the side to move: 1, 0.5 or 0.
    value   of the search, in centi-stones; +-inf for a forced win or loss.
    nodes   of the search.
    mask    the threat mask.
    quiet   True where the engine evaluates: no five for either side, no open four for the side to
            move.
    starts  see above; one entry more than there are samples.
    cells   four numbers for each cell: its number, code of Black, code of White, 1 for a candidate.
    chosen  the cell of the move that was played.
    last    the cell of the move before it; -1 if there is none.
    """

    rule: int
    game: NDArray[np.int32]
    mover: NDArray[np.int8]
    result: NDArray[np.float64]
    value: NDArray[np.float64]
    nodes: NDArray[np.int64]
    mask: NDArray[np.int64]
    quiet: NDArray[np.bool_]
    starts: NDArray[np.int64]
    cells: NDArray[np.int16]
    chosen: NDArray[np.int32]
    last: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.game)


def games_of(folders: Iterable[Path]) -> Iterator[RecordedGame]:
    """All finished games of these runs, each sequence of moves once for a rule and size.

    ValueError for a folder without a run.
    """
    known: set[tuple[int, int, int, tuple[Cell, ...]]] = set()
    for folder in folders:
        for game in load_run(folder).games:
            key = (game.rule, game.width, game.height, game.moves)
            if game.termination in _PLAYED_OUT and key not in known:
                known.add(key)
                yield game


def read_samples(games: Iterable[RecordedGame]) -> dict[int, Samples]:
    """The samples of the games, by rule; a rule without samples is left out."""
    rows: dict[int, list[tuple[Any, ...]]] = {}
    count: Counter[int] = Counter()
    for game in games:
        if found := list(_samples_of(count[game.rule], game)):
            count[game.rule] += 1
            rows.setdefault(game.rule, []).extend(found)
    return {rule: _packed(rule, found) for rule, found in rows.items()}


def _samples_of(number: int, game: RecordedGame) -> Iterator[tuple[Any, ...]]:
    moves = game.moves
    stones = tuple(Placed(x, y, Stone(colour)) for x, y, colour in game.stones)
    position = Position(game.width, game.height, Rule(game.rule), stones, stones[-1].stone.opponent)
    winner = {"black": BLACK, "white": WHITE}.get(game.winner or "")
    seen = codes_of_game(position)
    for i, report in enumerate(game.reports):
        if report is None or report.nodes is None:
            continue
        mover = int(stones[i].stone)
        mask, is_decided, cells = seen[i]
        if report.mate_plies:
            value = copysign(inf, report.mate_plies)
        elif report.mate_plies is None and report.value is not None:
            value = float(report.value)
        else:  # nothing, or a mate with no stone
            continue
        yield (
            number,
            mover,
            0.5 if winner is None else float(winner == mover),
            value,
            report.nodes,
            mask,
            not is_decided,
            np.frombuffer(cells, dtype=np.int16).reshape(-1, 4),
            moves[i][1] * ROW + moves[i][0],
            moves[i - 1][1] * ROW + moves[i - 1][0] if i else -1,
        )


def _packed(rule: int, rows: list[tuple[Any, ...]]) -> Samples:
    columns = list(zip(*rows, strict=True))
    cells: list[NDArray[np.int16]] = list(columns[7])
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(some) for some in cells], out=starts[1:])
    return Samples(
        rule=rule,
        game=np.array(columns[0], dtype=np.int32),
        mover=np.array(columns[1], dtype=np.int8),
        result=np.array(columns[2], dtype=np.float64),
        value=np.array(columns[3], dtype=np.float64),
        nodes=np.array(columns[4], dtype=np.int64),
        mask=np.array(columns[5], dtype=np.int64),
        quiet=np.array(columns[6], dtype=np.bool_),
        starts=starts,
        cells=np.concatenate(cells),
        chosen=np.array(columns[8], dtype=np.int32),
        last=np.array(columns[9], dtype=np.int32),
    )
