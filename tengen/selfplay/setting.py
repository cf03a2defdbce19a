"""What decides the games of a run, and the engine that plays them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Placed, Position, Rule, Stone
from engine.params import PARAMS
from engine.values import load_body
from engine.version import __version__
from tengen.rules.referee import Cell
from tengen.selfplay.shards import ROW, Head

# A table that stays in the processor's cache; a game of short searches does not fill it.
_TABLE_BYTES = 2 * 2**20
# Of the node limit: the most that the search for a win by fours before the first iteration takes.
# Its default, made for seconds a move, would be all of a small limit.
_VCF_SHARE = 10


@dataclass(frozen=True)
class Setting:
    """What game `i` of a run depends on, besides `i`.

    rule   the number in the protocol.
    nodes  the node limit of every search.
    """

    rule: int
    width: int
    height: int
    seed: int = 1
    nodes: int = 5000

    @property
    def cells(self) -> int:
        """The cells of the board."""
        return self.width * self.height

    def position(self, moves: list[Cell]) -> Position:
        """The position after these moves, Black's first."""
        stones = [Placed(*cell, Stone(1 + i % 2)) for i, cell in enumerate(moves)]
        side = Stone(1 + len(moves) % 2)
        return Position(self.width, self.height, Rule(self.rule), stones, side)

    def head(self, first: int) -> Head:
        """The head of the shard that begins with game `first`, played by this program's engine."""
        version, numbers = load_body()
        return Head(
            self.rule, self.width, self.height, self.seed, first, self.nodes, __version__, version,
            zlib.crc32(numbers.tobytes()),
        )  # fmt: skip


def new_engine(setting: Setting) -> Engine:
    """An engine for games of this setting. Every game must begin with `new_game()`; then it is the
    same game, whatever the engine has played before."""
    engine = Engine()
    engine.set_memory(None, _TABLE_BYTES)
    default = next(each.default for each in PARAMS if each.name == "vcf_root_nodes")
    engine.set_parameter("vcf_root_nodes", min(default, setting.nodes // _VCF_SHARE))
    return engine


def cell_number(cell: tuple[int, int]) -> int:
    """The number of a cell in a shard."""
    return cell[1] * ROW + cell[0]


def cell_of_number(number: int) -> Cell:
    """The cell with that number, as (x, y)."""
    return number % ROW, number // ROW
