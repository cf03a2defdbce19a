"""One game of the engine against itself. Game `i` of a run depends on the setting and `i` alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.api import Engine
from engine.model import Result
from engine.trace import decided_plies
from tengen.game.referee import BLACK, WHITE, Cell
from tengen.lab.selfplay.chances import draw_move
from tengen.lab.selfplay.openings import find_opening
from tengen.lab.selfplay.setting import Setting, cell_number, cell_of_number, search
from tengen.lab.selfplay.shards import (
    CHANCE,
    DEAD,
    DECIDED,
    DEEP,
    FIVE,
    FOUL,
    FULL,
    MATE,
    MATE_FLOOR,
    ONLY,
    PROVEN,
    SHORT,
    SHORT_PER_CENT,
    Aside,
    Move,
    PlayedGame,
)

# Of the moves with a choice so many are drawn by chance, but taken back if the search after them
# says more than CHANCE_VALUE for a side: the game would be over.
CHANCE_PER_CENT = 20
CHANCE_VALUE = 700
# One search in so many is a deep one.
DEEP_EVERY = 8
# Of the positions inside the searches of a game whose static value is asked for, one in so many is
# searched as well.
INSIDE_EVERY = 1300
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
    engine.sample_positions(INSIDE_EVERY, rng.getrandbits(31))
    game = _Running(engine, setting, rng, opening)
    move: Move | None = game.look()
    while move is not None:
        move = game.go_on(move)
    assert game.end is not None
    ending, winner = game.end
    engine.sample_positions(0)
    asides = [*game.asides, *(game.look_aside(*each) for each in game.inside)]
    decided = decided_plies(setting.position(game.cells))[len(opening) :]
    moves = (
        move._replace(flags=move.flags | DECIDED * is_decided)
        for move, is_decided in zip(game.moves, decided, strict=False)
    )
    return PlayedGame(winner, ending, is_book, _numbers(opening), tuple(moves), tuple(asides))


class _Running:
    """A game under way.

    cells    all stones in order.
    moves    those after the opening.
    asides   the positions beside the game that have been searched.
    inside   those inside searches, which have not: the moves of the game before, and the line.
    end      ending and winner; None while it goes on.
    """

    def __init__(
        self, engine: Engine, setting: Setting, rng: random.Random, opening: list[Cell]
    ) -> None:
        self._engine = engine
        self._setting = setting
        self._rng = rng
        self._opening = len(opening)
        self._quiet_plies = 0
        self.cells = list(opening)
        self.moves: list[Move] = []
        self.asides: list[Aside] = []
        self.inside: list[tuple[int, tuple[Cell, ...]]] = []
        self.end: tuple[int, int] | None = None

    def look(self, *trial: Cell) -> Move:
        """The best move of the position on the engine's board, which is the game's, or that after a
        trial of another move."""
        move = self._search()
        self.inside += [(len(self.moves), (*trial, *line)) for line in self._engine.last_samples]
        return move

    def look_aside(self, after: int, line: tuple[Cell, ...]) -> Aside:
        """A position inside a search, searched."""
        position = self._setting.position([*self.cells[: self._opening + after], *line])
        self._engine.set_position(position)
        return self._aside(after, line, self._search())

    def go_on(self, move: Move) -> Move | None:
        """Plays the best move, or one by chance. Returns the best move of the position after that;
        None if the game is over."""
        after = self._try_chance(move)
        if after is None:
            self._play(move)
        stones, cells = len(self.cells), self._setting.cells
        is_dead = self._quiet_plies >= DEAD_PLIES and stones * 100 >= cells * DEAD_FILLED_PER_CENT
        if self.end is None and (stones == cells or is_dead):
            self.end = FULL if stones == cells else DEAD, 0
        if self.end is not None:
            return None
        return self.look() if after is None else after

    def _play(self, move: Move) -> None:
        mover = WHITE if len(self.cells) % 2 else BLACK
        self._add(move)
        x, y = self.cells[-1]
        if abs(move.value) >= MATE_FLOOR:
            self.end = PROVEN, mover if move.value > 0 else BLACK + WHITE - mover
        elif self._engine.is_forbidden(x, y):
            self.end = FOUL, WHITE  # Black had no other move
        else:
            self._engine.play(x, y)
            if self._engine.winner() is not None:
                self.end = FIVE, mover

    def _try_chance(self, best: Move) -> Move | None:
        """With some chance plays a move other than the best one. Returns the best move after it;
        None if nothing was played."""
        if best.flags & ONLY or abs(best.value) >= MATE_FLOOR:
            return None
        is_last = len(self.cells) + 1 == self._setting.cells
        if is_last or self._rng.randrange(100) >= CHANCE_PER_CENT:
            return None
        drawn = draw_move(self._engine, self._setting, self.cells, self._rng)
        if drawn is None or cell_number(drawn) == best.cell:
            return None
        self._engine.play(*drawn)
        after = self.look(drawn)
        if abs(after.value) > CHANCE_VALUE:
            self._engine.undo()
            self.asides.append(self._aside(len(self.moves), (drawn,), after))
            return None
        self._add(best._replace(cell=cell_number(drawn), flags=best.flags | CHANCE))
        return after

    def _search(self) -> Move:
        is_deep = self._rng.randrange(DEEP_EVERY) == 0
        nodes = self._setting.deep_nodes if is_deep else self._setting.nodes
        result = search(self._engine, nodes)
        is_short = result.info.nodes * 100 < nodes * SHORT_PER_CENT
        flags = ONLY * (result.info.depth_plies == 0) | SHORT * is_short | DEEP * is_deep
        return Move(cell_number(result.move), flags, value_of(result))

    def _aside(self, after: int, line: tuple[Cell, ...], move: Move) -> Aside:
        cells = [*self.cells[: self._opening + after], *line]
        is_decided = decided_plies(self._setting.position(cells))[-1]
        return Aside(after, _numbers(line), move._replace(flags=move.flags | DECIDED * is_decided))

    def _add(self, move: Move) -> None:
        self.moves.append(move)
        self.cells.append(cell_of_number(move.cell))
        self._quiet_plies = self._quiet_plies + 1 if abs(move.value) <= DEAD_VALUE else 0


def _numbers(cells: Sequence[Cell]) -> tuple[int, ...]:
    return tuple(map(cell_number, cells))


def value_of(result: Result) -> int:
    """The value of a search as a shard holds it."""
    score = result.info.score
    if score.mate_plies is None:
        return score.value
    return MATE - score.mate_plies if score.mate_plies > 0 else -MATE - score.mate_plies
