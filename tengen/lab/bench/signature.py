"""The signature: how many nodes the engine searches in all positions to a fixed depth.

It is the same on every machine and with every compiler; a change of the code that alters it changes
how the engine searches. tengen/lab/bench/SIGNATURE holds the signature of the last commit.

The positions are recorded, one a line:

    rule size kind moves        freestyle 15x15 middle 7,7 8,6 ...

Moves are x,y from the top left; Black begins and colours alternate. Lines that begin with `#` are
comments. Other positions are read in any form of `tengen solve`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from engine.api import Engine
from engine.files import read_file
from engine.model import Limits, Point, Position, Rule, Score
from engine.text import read_size
from tengen.game.files.positions import StoredPosition, find_positions

HERE = files("tengen.lab.bench")
POSITIONS = HERE / "positions.txt"
GAMES = HERE / "games.txt"
QUIET = HERE / "quiet.txt"
SIGNATURE = HERE / "SIGNATURE"

# Both are fixed: the signature depends on them.
DEPTH_PLIES = 9
HASH_BYTES = 64 * 1024 * 1024
_LIMIT_BYTES = 16 << 20


@dataclass(frozen=True)
class Record:
    """One line: a position, given by the moves that led to it, and its kind."""

    position: Position
    kind: str

    @property
    def group(self) -> str:
        """Rule and size, by which speed is reported: `freestyle-15`, `renju-12x18`."""
        width, height = self.position.width, self.position.height
        size = f"{width}" if width == height else f"{width}x{height}"
        return f"{self.position.rule.name.lower()}-{size}"


def load_records(path: Traversable) -> list[Record]:
    """Reads a file of records. ValueError, in one line, if it cannot be read."""
    try:
        lines = read_file(str(path), _LIMIT_BYTES).decode("ascii").splitlines()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not a text file of recorded positions") from None
    records = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            try:
                records.append(read_record(line))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
    if not records:
        raise ValueError(f"{path}: holds no positions")
    return records


def find_records(word: str) -> list[Record]:
    """The positions that a word of the command line names: those of a file of records, or any that
    `tengen solve` takes, `-` for standard input among them. ValueError in one line, or OSError, if
    there are none."""
    path = Path(word)
    if word != "-" and path.is_file() and _holds_records(path):
        return load_records(path)
    return [_of_stored(position) for position in find_positions([word]).positions]


def _holds_records(path: Path) -> bool:
    """Does the first line that is not a comment begin like a record?"""
    lines = read_file(path, _LIMIT_BYTES).decode("ascii", "replace").splitlines()
    first = next((line for line in lines if line.strip() and line[0] != "#"), "")
    return first.partition(" ")[0].upper() in Rule.__members__


def _of_stored(stored: StoredPosition) -> Record:
    stored.require_open()
    return Record(stored.position.to_model(), "given")


def read_record(line: str) -> Record:
    """Reads one line; ValueError says what is wrong with it."""
    words = line.split()
    if len(words) < 3:
        raise ValueError("expected a rule, a size, a kind and moves")
    rule, size, kind, *moves = words
    return Record(Position.from_moves(" ".join(moves), read_size(size), rule), kind)


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
