"""The signature: how many nodes the engine searches in all positions to a fixed depth.

It is the same on every machine and with every compiler; a change of the code that alters it changes
how the engine searches. tengen/lab/bench/SIGNATURE holds the signature of the last commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from engine.api import Engine
from engine.model import Limits, Point, Position, Score
from tengen.game.files.positions import find_positions

HERE = files("tengen.lab.bench")
# docs/TESTING.md says where they come from. MIDDLE are some of POSITIONS.
POSITIONS, MIDDLE, QUIET, GAMES = (
    HERE / f"{name}.jsonl" for name in ("positions", "middle", "quiet", "whole-games")
)
SIGNATURE = HERE / "SIGNATURE"

# Both are fixed: the signature depends on them.
DEPTH_PLIES = 9
HASH_BYTES = 64 * 1024 * 1024


def load_positions(word: object, may_be_over: bool = False) -> list[Position]:
    """The positions that a word of the command line names, or those of a file, in any form of
    `tengen solve`. ValueError in one line, or OSError, if there are none."""
    found = find_positions([str(word)]).positions
    for each in found:
        if not may_be_over:
            each.require_open()
    return [each.position.to_model() for each in found]


def group_of(position: Position) -> str:
    """Rule and size, by which speed is reported: `freestyle-15`, `renju-12x18`."""
    width, height = position.width, position.height
    size = f"{width}" if width == height else f"{width}x{height}"
    return f"{position.rule.name.lower()}-{size}"


@dataclass(frozen=True)
class Searched:
    """What the engine found in one position."""

    position: Position
    nodes: int
    value: Score
    move: Point


def search_all(positions: Iterable[Position], depth_plies: int = DEPTH_PLIES) -> Iterator[Searched]:
    """Searches one position after the other, each with a new engine."""
    for position in positions:
        engine = Engine()
        engine.set_memory(None, HASH_BYTES)
        engine.set_position(position)
        result = engine.think(Limits(depth_plies=depth_plies))
        yield Searched(position, result.info.nodes, result.info.score, result.move)


def read_signature() -> int | None:
    """The number in tengen/lab/bench/SIGNATURE; None if the file holds none."""
    try:
        return int(SIGNATURE.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def write_signature(nodes: int) -> None:
    """Makes `nodes` the signature of this checkout. ValueError if it is an installed copy."""
    check_checkout()
    Path(str(SIGNATURE)).write_text(f"{nodes}\n", encoding="ascii", newline="\n")


def check_checkout() -> None:
    """ValueError, in one line, unless this package lies in a checkout of the project."""
    if not (isinstance(HERE, Path) and (HERE.parents[2] / "pyproject.toml").is_file()):
        raise ValueError("--update needs a checkout of Tengen; this is an installed copy")
