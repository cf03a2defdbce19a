"""The signature: how many nodes the engine searches in all positions to a fixed depth.

It is the same on every machine and with every compiler; a change of the code that alters it changes
how the engine searches. tengen/lab/bench/SIGNATURE holds the signature of the last commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.api import Engine
from engine.model import Limits, Point, Score
from tengen.lab.bench.records import HERE, Record

SIGNATURE = HERE / "SIGNATURE"

# Both are fixed: the signature depends on them.
DEPTH_PLIES = 9
HASH_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Searched:
    """What the engine found in one position."""

    record: Record
    nodes: int
    value: Score
    move: Point


def search_all(records: Iterable[Record], depth_plies: int = DEPTH_PLIES) -> Iterator[Searched]:
    """Searches one position after the other, each with a new engine."""
    for record in records:
        engine = Engine()
        engine.set_memory(None, HASH_BYTES)
        engine.set_position(record.position)
        result = engine.think(Limits(depth_plies=depth_plies))
        yield Searched(record, result.info.nodes, result.info.score, result.move)


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
