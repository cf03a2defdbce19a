"""Shards: files of self-play games. `_HEAD` and `_COLUMNS` are the format.

A shard holds consecutive games of one run. It is written as a whole, under another name first, so
that a file with the name of a shard is complete. A cell is the number `y * ROW + x`, x and y
counted from zero at the top left. Stones alternate, Black's first, so the colour of a stone and the
side to move follow from the number of stones.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.files import read_file, replace_file
from tengen.game.referee import MAX_SIZE, MIN_SIZE, RULES

MAGIC = b"TGNGAMES"
_LIMIT_BYTES = 1 << 30
FORMAT = 2
SUFFIX = ".games"
ROW = 32
# A value of MATE - n: the side to move completes a five with the n-th stone from now; n - MATE: the
# opponent does. Values beyond +-MATE_FLOOR are such mates, all others centi-stones.
MATE, MATE_FLOOR = 30000, 29000

# How a game ended.
FIVE, PROVEN, FULL, DEAD, FOUL = range(5)
ENDINGS = ("five", "forced win", "full board", "dead position", "foul")

# Flags of a position and the move there.
CHANCE = 1  # taken by chance, and not the best move
ONLY = 2  # no search was needed: there was one reply, or a win that the position shows at once
SHORT = 4  # the search ended before it had used SHORT_PER_CENT of its nodes, or said no value
DECIDED = 8  # a side has a five to make, or the side to move an open four
DEEP = 16  # searched with the nodes of a deep search
SHORT_PER_CENT = 40
_KNOWN_FLAGS = CHANCE | ONLY | SHORT | DECIDED | DEEP
_CELL_BITS = 10

_HEAD = np.dtype([
    ("magic", "S8"), ("format", "<u2"), ("rule", "u1"), ("width", "u1"), ("height", "u1"),
    ("reserved", "V3"), ("seed", "<u8"), ("first", "<u4"), ("games", "<u4"), ("nodes", "<u4"),
    ("deep_nodes", "<u4"), ("stones", "<u4"), ("moves", "<u4"), ("side_positions", "<u4"),
    ("line_stones", "<u4"), ("values_version", "<u4"), ("values_crc", "<u4"), ("net_crc", "<u4"),
    ("engine", "S16"), ("body_crc", "<u4"),
])  # fmt: skip
_CRC = struct.Struct("<I")  # follows the head: its CRC-32
HEAD_BYTES = _HEAD.itemsize + _CRC.size
_MOVE = np.dtype([("word", "<u2"), ("value", "<i2")])
# What follows the head, in this order: columns, each with as many numbers as the head says. An
# outcome is the winner (0 draw, 1 Black, 2 White), 4 times the ending, and 32 for a book opening.
_COLUMNS: tuple[tuple[str, Any, str], ...] = (
    ("outcome", "u1", "games"), ("opening_count", "u1", "games"), ("move_count", "<u2", "games"),
    ("side_count", "<u2", "games"), ("after", "<u2", "side_positions"),
    ("line_count", "u1", "side_positions"), ("opening", "<u2", "stones"),
    ("line", "<u2", "line_stones"), ("searched", _MOVE, "searched"),
)  # fmt: skip
_WINNERS, _ENDING_SHIFT, _BOOK = 3, 2, 32


class BadShard(ValueError):
    """A file is not a shard that this program can read; the text is one line."""


@dataclass(frozen=True)
class Head:
    """What all games of a shard have in common.

    rule            the number in the protocol.
    first           the number of the first game in its run; the others follow.
    nodes           the node limit of a search; deep_nodes: of one with the flag DEEP.
    values_version, values_crc   of the engine's values file.
    net_crc         of the net that the engine played with; 0 without a net.
    """

    rule: int
    width: int
    height: int
    seed: int
    first: int
    nodes: int
    deep_nodes: int
    engine: str
    values_version: int
    values_crc: int
    net_crc: int = 0


class Move(NamedTuple):
    """A move, with what the search said.

    cell   y * ROW + x.
    flags  CHANCE, ONLY, SHORT, DECIDED and DEEP, added up.
    value  from the mover's view: centi-stones, or a mate in stones (MATE).
    """

    cell: int
    flags: int
    value: int


class SidePosition(NamedTuple):
    """A position beside the game: one inside a search, or after a move by chance that was taken
    back.

    after  how many of the game's moves lead to where it leaves the game.
    line   the cells of the stones from there to the position.
    move   the best move of a search of the position, with flags and value; it was not played.
    """

    after: int
    line: tuple[int, ...]
    move: Move


@dataclass(frozen=True)
class PlayedGame:
    """One game.

    winner   1 Black, 2 White, 0 a draw.
    ending   FIVE, PROVEN, FULL, DEAD or FOUL.
    is_book  the opening comes from a book, else it was drawn at random.
    opening  the cells of the stones on the board before the first move.
    moves    the moves searched; the last one of a game that ended as PROVEN has a mate value.
    side_positions   the positions beside the game that were searched.
    """

    winner: int
    ending: int
    is_book: bool
    opening: tuple[int, ...]
    moves: tuple[Move, ...]
    side_positions: tuple[SidePosition, ...] = ()


@dataclass(frozen=True)
class Shard:
    """The games of a shard as arrays.

    By game: winner (1 Black, 2 White, 0 draw), ending, is_book. The stones of the opening of game i
    are `opening[opening_starts[i] : opening_starts[i + 1]]`.

    By position: `cell`, `flags` and `value` are those of Move. First come the positions of the
    games, those of game i from `starts[i]` to `starts[i + 1]`, then those beside the games, those
    of game i from `starts[-1] + side_starts[i]`. `after` is that of SidePosition; the line of the
    j-th position beside a game is `line[line_starts[j] : line_starts[j + 1]]`.
    """

    head: Head
    winner: NDArray[np.int8]
    ending: NDArray[np.int8]
    is_book: NDArray[np.bool_]
    opening_starts: NDArray[np.int64]
    opening: NDArray[np.int16]
    starts: NDArray[np.int64]
    side_starts: NDArray[np.int64]
    after: NDArray[np.int64]
    line_starts: NDArray[np.int64]
    line: NDArray[np.int16]
    cell: NDArray[np.int16]
    flags: NDArray[np.uint8]
    value: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.winner)

    @property
    def moves(self) -> int:
        """How many positions are those of games; the others are beside them."""
        return int(self.starts[-1])

    def game_of_position(self) -> NDArray[np.int64]:
        """For each position, which game of the shard it belongs to."""
        games = np.arange(len(self))
        counts = np.diff(self.starts), np.diff(self.side_starts)
        return np.concatenate([np.repeat(games, each) for each in counts])

    def moves_before(self) -> NDArray[np.int64]:
        """For each position, how many moves of its game lead to it, or to where it leaves the
        game."""
        game = self.game_of_position()[: self.moves]
        return np.concatenate([np.arange(self.moves) - self.starts[game], self.after])

    def ply(self) -> NDArray[np.int64]:
        """For each position, the number of stones on the board."""
        found = self.moves_before() + np.diff(self.opening_starts)[self.game_of_position()]
        found[self.moves :] += np.diff(self.line_starts)
        return found

    def mover(self) -> NDArray[np.int8]:
        """For each position, who is to move: 1 Black, 2 White."""
        return (1 + self.ply() % 2).astype(np.int8)

    def result(self) -> NDArray[np.float32]:
        """For each position, the result of its game for the side to move: 1, 0.5 or 0."""
        winner = self.winner[self.game_of_position()]
        wins = np.where(winner == self.mover(), np.float32(1), np.float32(0))
        return np.where(winner == 0, np.float32(0.5), wins)

    def is_mate(self) -> NDArray[np.bool_]:
        """For each position, whether its value is a mate."""
        return (self.value >= MATE_FLOOR) | (self.value <= -MATE_FLOOR)

    def game(self, index: int) -> PlayedGame:
        """One game, counted from zero in this shard."""
        stones = self.opening[self.opening_starts[index] : self.opening_starts[index + 1]]
        first, end = self.side_starts[index : index + 2].tolist()
        places = self.line_starts[first : end + 1].tolist()
        return PlayedGame(
            int(self.winner[index]),
            int(self.ending[index]),
            bool(self.is_book[index]),
            tuple(stones.tolist()),
            self._moves(self.starts[index], self.starts[index + 1]),
            tuple(
                SidePosition(after, tuple(self.line[start:stop].tolist()), move)
                for after, (start, stop), move in zip(
                    self.after[first:end].tolist(),
                    pairwise(places),
                    self._moves(self.moves + first, self.moves + end),
                    strict=True,
                )
            ),
        )

    def _moves(self, first: int, end: int) -> tuple[Move, ...]:
        columns = (each[first:end].tolist() for each in (self.cell, self.flags, self.value))
        return tuple(Move(*row) for row in zip(*columns, strict=True))


def shard_name(first: int) -> str:
    """The file name of the shard that begins with game `first` of its run."""
    return f"{first:09d}{SUFFIX}"


def shard_paths(folders: Iterable[Path]) -> list[Path]:
    """All shards in these folders, in the order of the folders and of the games. ValueError for a
    folder that holds none."""
    found: list[Path] = []
    for folder in folders:
        inside = sorted(folder.glob(f"*{SUFFIX}"))
        if not inside:
            raise ValueError(f"{folder}: holds no shards; expected files such as {shard_name(0)}")
        found += inside
    return found


def encode_shard(head: Head, games: Sequence[PlayedGame]) -> bytes:
    """The bytes of a shard. ValueError for what does not fit into the format, such as a cell off
    the board."""
    try:
        data = _encode(head, games)
    except (OverflowError, struct.error) as error:
        raise ValueError(f"not a shard: {error}") from None
    decode_shard(data, "the new shard")
    return data


def _encode(head: Head, games: Sequence[PlayedGame]) -> bytes:
    if len(head.engine) > 16:
        raise ValueError(f"{head.engine}: the version of the engine has more than 16 letters")
    beside = [each for game in games for each in game.side_positions]
    moves = [move for game in games for move in game.moves]
    searched = [*moves, *(each.move for each in beside)]
    if any(not 0 <= move.cell < 1 << _CELL_BITS for move in searched):
        raise ValueError("not a shard: a move is off the board")
    values: dict[str, list[Any]] = {
        "outcome": [g.winner | g.ending << _ENDING_SHIFT | _BOOK * g.is_book for g in games],
        "opening_count": [len(game.opening) for game in games],
        "move_count": [len(game.moves) for game in games],
        "side_count": [len(game.side_positions) for game in games],
        "after": [each.after for each in beside],
        "line_count": [len(each.line) for each in beside],
        "opening": [cell for game in games for cell in game.opening],
        "line": [cell for each in beside for cell in each.line],
        "searched": [(move.cell | move.flags << _CELL_BITS, move.value) for move in searched],
    }
    body = b"".join(np.array(values[name], kind).tobytes() for name, kind, _ in _COLUMNS)
    record = np.zeros((), dtype=_HEAD)
    for name, value in {
        **asdict(head), "magic": MAGIC, "format": FORMAT, "games": len(games),
        "stones": len(values["opening"]), "moves": len(moves), "side_positions": len(beside),
        "line_stones": len(values["line"]), "body_crc": zlib.crc32(body),
    }.items():  # fmt: skip
        record[name] = value
    packed = record.tobytes()
    return packed + _CRC.pack(zlib.crc32(packed)) + body


def decode_shard(data: bytes, name: str) -> Shard:
    """The games in the bytes of a shard. BadShard, beginning with `name`, if any bit of it is wrong
    or it is not a whole shard of a known format."""
    head, record = _read_head(data, name)
    count = {key: int(record[key]) for key in ("games", "stones", "moves", "side_positions")}
    count["line_stones"] = int(record["line_stones"])
    count["searched"] = count["moves"] + count["side_positions"]
    whole = HEAD_BYTES + sum(np.dtype(kind).itemsize * count[many] for _, kind, many in _COLUMNS)
    if len(data) != whole:
        more = "cut off" if len(data) < whole else "too long"
        raise BadShard(f"{name}: {more}, {len(data)} of {whole} bytes")
    if zlib.crc32(memoryview(data)[HEAD_BYTES:]) != record["body_crc"]:
        raise BadShard(f"{name}: damaged, the checksum of the games differs")
    column: dict[str, NDArray[Any]] = {}
    at = HEAD_BYTES
    for each, kind, many in _COLUMNS:
        column[each] = np.frombuffer(data, kind, count[many], at)
        at += column[each].nbytes
    outcome, word = column["outcome"], column["searched"]["word"]
    shard = Shard(
        head,
        (outcome & _WINNERS).astype(np.int8),
        (outcome >> _ENDING_SHIFT & 7).astype(np.int8),
        (outcome & _BOOK) != 0,
        _starts(column["opening_count"]),
        column["opening"].astype(np.int16),
        _starts(column["move_count"]),
        _starts(column["side_count"]),
        column["after"].astype(np.int64),
        _starts(column["line_count"]),
        column["line"].astype(np.int16),
        (word & ((1 << _CELL_BITS) - 1)).astype(np.int16),
        (word >> _CELL_BITS).astype(np.uint8),
        column["searched"]["value"].astype(np.int16),
    )
    _check_contents(shard, outcome, count["moves"], name)
    return shard


def read_shard(path: Path, rule: int | None = None) -> Shard:
    """Reads a shard. BadShard in one line if it cannot be read, is damaged or cut off, is of
    another format or, if `rule` is given, of another rule."""
    try:
        data = read_file(path, _LIMIT_BYTES)
    except OSError as error:
        raise BadShard(f"{path}: {error.strerror}") from None
    shard = decode_shard(data, str(path))
    if rule is not None and shard.head.rule != rule:
        raise BadShard(f"{path}: holds games of rule {shard.head.rule}, not of rule {rule}")
    return shard


def write_shard(path: Path, head: Head, games: Sequence[PlayedGame]) -> None:
    """Writes a shard; a file of that name is replaced, and never only partly written."""
    replace_file(path, encode_shard(head, games))


def _read_head(data: bytes, name: str) -> tuple[Head, np.void]:
    """The head, and all its fields as they are in the file."""
    if not MAGIC.startswith(data[: len(MAGIC)]):
        raise BadShard(f"{name}: not a shard of self-play games")
    if len(data) < HEAD_BYTES:
        raise BadShard(f"{name}: cut off, {len(data)} bytes are too few for a shard")
    if _CRC.unpack_from(data, _HEAD.itemsize)[0] != zlib.crc32(data[: _HEAD.itemsize]):
        raise BadShard(f"{name}: damaged, the checksum of its head differs")
    record: np.void = np.frombuffer(data, dtype=_HEAD, count=1)[0]
    if record["format"] != FORMAT:
        raise BadShard(f"{name}: of format {record['format']}; this program reads format {FORMAT}")
    values = {each.name: record[each.name].item() for each in fields(Head)}
    head = Head(**{**values, "engine": values["engine"].decode("latin-1")})
    sides_fit = all(MIN_SIZE <= side <= MAX_SIZE for side in (head.width, head.height))
    if head.rule not in RULES or not sides_fit or not head.engine.isascii():
        size = f"{head.width}x{head.height}"
        raise BadShard(f"{name}: its head makes no sense: rule {head.rule}, size {size}")
    return head, record


def _starts(counts: NDArray[np.generic]) -> NDArray[np.int64]:
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _check_contents(shard: Shard, outcome: NDArray[np.uint8], moves: int, name: str) -> None:
    """BadShard for what no game can hold. Whether the moves are legal is asked by data.py."""
    counts = (
        (shard.opening_starts, len(shard.opening)), (shard.starts, moves),
        (shard.side_starts, len(shard.after)), (shard.line_starts, len(shard.line)),
    )  # fmt: skip
    if any(starts[-1] != count for starts, count in counts):
        raise BadShard(f"{name}: the lengths of its games do not fit their moves")
    game_moves = np.repeat(np.diff(shard.starts), np.diff(shard.side_starts))
    if (shard.after >= game_moves).any() or (np.diff(shard.line_starts) == 0).any():
        raise BadShard(f"{name}: has a position beside a game that does not leave it")
    head = shard.head
    for cells in (shard.opening, shard.line, shard.cell):
        if ((cells % ROW >= head.width) | (cells // ROW >= head.height)).any():
            raise BadShard(f"{name}: has a stone off the {head.width}x{head.height} board")
    is_wrong = (shard.winner > 2) | (shard.ending > FOUL) | (outcome > 2 * _BOOK - 1)
    if is_wrong.any() or (shard.flags & ~np.uint8(_KNOWN_FLAGS)).any():
        raise BadShard(f"{name}: has a game or a move with unknown marks")
    if (np.abs(shard.value.astype(np.int32)) >= MATE).any():
        raise BadShard(f"{name}: has a value beyond the shortest mate")
