"""One game of the engine against itself. Game `i` of a run depends on the setting and `i` alone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Limits, Result
from engine.trace import decided_plies
from tengen.rules.referee import BLACK, Cell
from tengen.selfplay.alternatives import alternatives
from tengen.selfplay.openings import find_opening
from tengen.selfplay.setting import Setting, cell_number
from tengen.selfplay.shards import (
    CHANCE,
    DEAD,
    DECIDED,
    FIVE,
    FOUL,
    FULL,
    MATE,
    ONLY,
    PROVEN,
    SHORT,
    SHORT_PER_CENT,
    Move,
    PlayedGame,
)

# Of the moves with a choice: so many are the second or third best, if these are nearly as good.
CHANCE_PER_CENT = 5
# A book has few openings, and games from the same one would be equal until the first such move. So
# there are more of them in the first moves of these games.
BOOK_MOVES = 6
BOOK_CHANCE_PER_CENT = 40
# A position is dead when all values of so many plies were within +-DEAD_VALUE and at least so many
# cells of a hundred are taken. Such games were played on and never had a winner: docs/SELFPLAY.md.
DEAD_PLIES = 12
DEAD_VALUE = 20
DEAD_FILLED_PER_CENT = 44


def play_game(engine: Engine, setting: Setting, number: int) -> PlayedGame:
    """Plays game `number` of a run, with an engine of `new_engine`."""
    rng = random.Random(f"selfplay {setting.seed} {number}")
    opening, is_book = find_opening(engine, setting, number, rng)
    engine.new_game()
    engine.set_position(setting.position(opening))
    game = _Running(setting, list(opening))
    while (end := game.end()) is None:
        result = engine.think(Limits(nodes=setting.nodes))
        move, flags, value = result.move, _flags(result, setting), value_of(result)
        mate = result.info.score.mate_plies
        is_early = is_book and len(game.moves) < BOOK_MOVES
        chance = BOOK_CHANCE_PER_CENT if is_early else CHANCE_PER_CENT
        if not flags & ONLY and mate is None and rng.randrange(100) < chance:
            others = alternatives(engine, move, setting.nodes)
            if others:
                move, flags = rng.choice(others), flags | CHANCE
        game.add(Move(cell_number(move), flags, value), (move.x, move.y))
        if mate is not None:
            end = PROVEN, game.mover_before() if mate > 0 else 3 - game.mover_before()
            break
        if setting.rule == 4 and game.mover_before() == BLACK and engine.is_forbidden(*move):
            end = FOUL, 3 - BLACK  # Black had no other move
            break
        engine.play(*move)
        if engine.winner() is not None:
            end = FIVE, game.mover_before()
            break
    ending, winner = end
    decided = decided_plies(setting.position(game.cells))[len(opening) :]
    moves = tuple(
        move._replace(flags=move.flags | DECIDED * is_decided)
        for move, is_decided in zip(game.moves, decided, strict=False)
    )
    return PlayedGame(winner, ending, is_book, tuple(map(cell_number, opening)), moves)


@dataclass
class _Running:
    """A game that is not over: `cells` are all stones in order."""

    setting: Setting
    cells: list[Cell]

    def __post_init__(self) -> None:
        self.moves: list[Move] = []
        self._quiet_plies = 0

    def add(self, move: Move, cell: Cell) -> None:
        self.moves.append(move)
        self.cells.append(cell)
        self._quiet_plies = self._quiet_plies + 1 if abs(move.value) <= DEAD_VALUE else 0

    def mover_before(self) -> int:
        """Who played the last stone: 1 Black, 2 White."""
        return 2 - len(self.cells) % 2

    def end(self) -> tuple[int, int] | None:
        """The ending and the winner of a game that is drawn now; None for one that goes on."""
        stones, cells = len(self.cells), self.setting.cells
        if stones == cells:
            return FULL, 0
        if self._quiet_plies >= DEAD_PLIES and stones * 100 >= cells * DEAD_FILLED_PER_CENT:
            return DEAD, 0
        return None


def _flags(result: Result, setting: Setting) -> int:
    info = result.info
    is_short = info.nodes * 100 < setting.nodes * SHORT_PER_CENT
    return ONLY * (info.depth_plies == 0) | SHORT * is_short


def value_of(result: Result) -> int:
    """The value of a search as a shard holds it."""
    score = result.info.score
    if score.mate_plies is None:
        return score.value
    return MATE - score.mate_plies if score.mate_plies > 0 else -MATE - score.mate_plies
