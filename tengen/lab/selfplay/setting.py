"""What decides the games of a run, and the engine that plays them."""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

from engine.api import Engine
from engine.files import read_file
from engine.model import Limits, Placed, Position, Result, Rule, Stone
from engine.network import LIMIT_BYTES, NetError, default_file, load, rule_of, serves
from engine.parameters import PARAMS
from engine.values import load_body
from engine.version import __version__
from tengen.game.referee import Cell
from tengen.lab.selfplay.shards import ROW, Head

# A table that stays in the processor's cache; a game of short searches does not fill it.
_TABLE_BYTES = 2 * 2**20
# Of the node limit: the most that the search for a win by fours before the first iteration takes.
# Its default, made for seconds a move, would be all of a small limit.
_VCF_SHARE = 10
_VCF_DEFAULT = next(each.default for each in PARAMS if each.name == "vcf_root_nodes")


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
        if not serves(rule_of(setting.net_file), setting.rule):
            raise NetError(f"{setting.net_file}: a net for rule {rule_of(setting.net_file)}")
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
