"""One game of the engine against itself. Game `i` of a run depends on the setting and `i` alone.

It begins with stones drawn at random that give no side an advantage, or with an opening of a book.
Some moves are drawn as wide as what a search looks at, so positions after bad moves occur too.
"""

from __future__ import annotations

import math
import os
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.api import Engine
from engine.features import decided_plies
from engine.files import read_file
from engine.model import Limits, Placed, Position, Result, Rule, Stone
from engine.network import LIMIT_BYTES, NetError, default_file, load, rule_and_version
from engine.parameters import PARAMS
from engine.values import load_body
from engine.version import __version__
from tengen.game.openings import Drawing, default_openings, symmetries
from tengen.game.referee import BLACK, WHITE, Cell, opponent_of
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
    ROW,
    SHORT,
    SHORT_PER_CENT,
    Head,
    Move,
    PlayedGame,
    SidePosition,
)

# A table that stays in the processor's cache; a game of short searches does not fill it.
_TABLE_BYTES = 2 * 2**20
# Of the node limit: the most that the search for a win by fours before the first iteration takes.
# Its default, made for seconds a move, would be all of a small limit.
_VCF_SHARE = 10
_VCF_DEFAULT = next(each.default for each in PARAMS if each.name == "vcf_root_nodes")
# Every so many games one begins with an opening of the book.
BOOK_EVERY = 8
# The search that values an opening, and the greatest value, for either side, of one that is kept.
JUDGE_NODES = 2000
BALANCE = 120
# How often an opening is drawn for a game at most. If none was balanced, it comes from the book.
_DRAWS = 300
# A move is drawn with the chances of the policy at this temperature: logits are divided by it.
TEMPERATURE = 1.75
# One in so many is any empty cell at most NEAR columns and rows from a stone.
UNIFORM_EVERY = 10
NEAR = 2
# Chances are whole numbers, so that they are the same on every machine.
_CHANCES = 2**30
# Of the moves with a choice so many are drawn by chance, but taken back if the search after them
# says more than CHANCE_VALUE for a side: the game would be over.
CHANCE_PER_CENT = 20
CHANCE_VALUE = 700
# With so many stones on the board chance ends: how a game ends says something about positions only
# after its last move by chance, and a search of few nodes does not see which ones are drawn.
CHANCE_STONES = 30
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


@dataclass(frozen=True)
class Setting:
    """What game `i` of a run depends on, besides `i`.

    rule      the number in the protocol.
    nodes     the node limit of a search.
    net_file  the net that the engine plays with, under the same path on every machine; None =
              without a net.
    net_crc   CRC-32 of that file; 0 without a net.
    """

    rule: int
    width: int
    height: int
    seed: int = 1
    nodes: int = 1500
    net_file: str | None = None
    net_crc: int = 0

    @property
    def cells(self) -> int:
        """The cells of the board."""
        return self.width * self.height

    @property
    def deep_nodes(self) -> int:
        """The node limit of a deep search."""
        return self.nodes * 20 // 3

    def position(self, moves: list[Cell]) -> Position:
        """The position after these moves, Black's first."""
        stones = [Placed(*cell, Stone(1 + i % 2)) for i, cell in enumerate(moves)]
        side = Stone(1 + len(moves) % 2)
        return Position(self.width, self.height, Rule(self.rule), stones, side)

    def head(self, first: int) -> Head:
        """The head of the shard that begins with game `first`, played by this program's engine."""
        version, numbers = load_body()
        return Head(
            self.rule, self.width, self.height, self.seed, first, self.nodes, self.deep_nodes,
            __version__, version, zlib.crc32(numbers.tobytes()), self.net_crc,
        )  # fmt: skip


def with_net(setting: Setting, path: Path | None) -> Setting:
    """The setting with the net in a file; None = the net of the rule that comes with the engine, if
    there is one. ValueError if the engine cannot use the file under the rule."""
    if path is not None:
        return _tried(setting, path)
    path = Path(default_file(setting.rule))
    try:
        return _tried(setting, path) if path.exists() else setting
    except NetError as error:  # all of them after a change of the patterns
        raise NetError(f"{error}; --no-net plays without a net, --net FILE with another") from None


def _tried(setting: Setting, path: Path) -> Setting:
    """The setting with the net in this file. ValueError if an engine cannot use it."""
    named = os.path.abspath(path)
    found = replace(setting, net_file=named, net_crc=_crc_of(named))
    new_engine(found)
    return found


def _crc_of(net_file: str) -> int:
    try:
        return zlib.crc32(read_file(net_file, LIMIT_BYTES))
    except OSError as error:
        raise NetError(f"{net_file}: {error.strerror}") from None


def new_engine(setting: Setting) -> Engine:
    """An engine for games of this setting. Every game must begin with `new_game()`; then it is the
    same game, whatever the engine has played before. ValueError if the net cannot be used."""
    if setting.net_file is None:
        engine = Engine()
        engine.set_parameter("use_net", 0)  # nor the one that the environment may name
    else:
        if _crc_of(setting.net_file) != setting.net_crc:
            raise NetError(f"{setting.net_file}: not the net that the run began with")
        rule, _ = rule_and_version(setting.net_file)
        if rule != setting.rule:
            raise NetError(f"{setting.net_file}: a net for rule {rule}")
        load(setting.net_file, setting.rule)  # the engine would play on without it
        engine = Engine(setting.net_file)
        problem = engine.set_position(setting.position([]))
        if problem is not None:
            raise NetError(problem)
    engine.set_memory(None, _TABLE_BYTES)
    return engine


def search(engine: Engine, nodes: int) -> Result:
    """The result of a search of at most so many nodes of the position on the engine's board."""
    engine.set_parameter("vcf_root_nodes", min(_VCF_DEFAULT, nodes // _VCF_SHARE))
    engine.set_parameter("vcf_long_nodes", 0)
    return engine.think(Limits(nodes=nodes))


def cell_number(cell: tuple[int, int]) -> int:
    """The number of a cell in a shard."""
    return cell[1] * ROW + cell[0]


def cell_of_number(number: int) -> Cell:
    """The cell with that number, as (x, y)."""
    return number % ROW, number // ROW


# -- the game


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
    beside = [*game.side_positions, *(game.look_beside(*each) for each in game.inside)]
    decided = decided_plies(setting.position(game.cells))[len(opening) :]
    moves = (
        move._replace(flags=move.flags | DECIDED * is_decided)
        for move, is_decided in zip(game.moves, decided, strict=False)
    )
    return PlayedGame(winner, ending, is_book, _numbers(opening), tuple(moves), tuple(beside))


class _Running:
    """A game under way.

    cells    all stones in order.
    moves    those after the opening.
    side_positions   the positions beside the game that have been searched.
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
        self.side_positions: list[SidePosition] = []
        self.inside: list[tuple[int, tuple[Cell, ...]]] = []
        self.end: tuple[int, int] | None = None

    def look(self, *trial: Cell) -> Move:
        """The best move of the position on the engine's board, which is the game's, or that after a
        trial of another move."""
        move = self._search()
        self.inside += [(len(self.moves), (*trial, *line)) for line in self._engine.last_samples]
        return move

    def look_beside(self, after: int, line: tuple[Cell, ...]) -> SidePosition:
        """A position inside a search, searched."""
        position = self._setting.position([*self.cells[: self._opening + after], *line])
        self._engine.set_position(position)
        return self._side_position(after, line, self._search())

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
            self.end = PROVEN, mover if move.value > 0 else opponent_of(mover)
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
        most = min(CHANCE_STONES, self._setting.cells - 1)
        if len(self.cells) >= most or self._rng.randrange(100) >= CHANCE_PER_CENT:
            return None
        drawn = draw_move(self._engine, self._setting, self.cells, self._rng)
        if drawn is None or cell_number(drawn) == best.cell:
            return None
        self._engine.play(*drawn)
        after = self.look(drawn)
        if abs(after.value) > CHANCE_VALUE:
            self._engine.undo()
            self.side_positions.append(self._side_position(len(self.moves), (drawn,), after))
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

    def _side_position(self, after: int, line: tuple[Cell, ...], move: Move) -> SidePosition:
        cells = [*self.cells[: self._opening + after], *line]
        is_decided = decided_plies(self._setting.position(cells))[-1]
        return SidePosition(
            after, _numbers(line), move._replace(flags=move.flags | DECIDED * is_decided)
        )

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


# -- its openings, and moves by chance


def find_opening(
    engine: Engine, setting: Setting, number: int, rng: random.Random
) -> tuple[list[Cell], bool]:
    """The moves before game `number`, and whether they are from the book. Leaves traces of its
    searches in the engine."""
    if number % BOOK_EVERY != BOOK_EVERY - 1:
        drawing = Drawing(setting.width, setting.height, setting.rule)
        for _ in range(_DRAWS):
            moves = drawing.draw(rng)
            if moves is not None and is_balanced(engine, setting, moves):
                return moves, False
    opening = rng.choice(default_openings(setting.width, setting.height, setting.rule))
    symmetry = rng.choice(symmetries(setting.width, setting.height))
    return list(opening.place(setting.width, setting.height, symmetry)), True


def is_balanced(engine: Engine, setting: Setting, moves: list[Cell]) -> bool:
    """Does a short search give neither side an advantage?"""
    engine.new_game()
    engine.set_position(setting.position(moves))
    score = search(engine, JUDGE_NODES).info.score
    return score.mate_plies is None and abs(score.value) <= BALANCE


def draw_move(
    engine: Engine, setting: Setting, cells: list[Cell], rng: random.Random
) -> Cell | None:
    """A move in the position on the engine's board, whose stones are `cells`; None if the rule
    allows none of those that could be drawn."""
    if rng.randrange(UNIFORM_EVERY) == 0:
        taken = set(cells)
        near = [
            (x, y)
            for y in range(setting.height)
            for x in range(setting.width)
            if (x, y) not in taken
            and any(max(abs(x - a), abs(y - b)) <= NEAR for a, b in cells)
            and not engine.is_forbidden(x, y)
        ]
        return rng.choice(near) if near else None
    moves = engine.policy()
    if not moves:
        return None
    most = max(logit for _, logit in moves)
    chances = [round(_CHANCES * math.exp((logit - most) / TEMPERATURE)) for _, logit in moves]
    [((x, y), _)] = rng.choices(moves, chances)
    return x, y
