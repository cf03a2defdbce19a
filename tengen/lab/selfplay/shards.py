"""Shards: files of self-play games. docs/SELFPLAY.md has the format as a table.

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
from typing import NamedTuple

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
    ("deep_nodes", "<u4"), ("stones", "<u4"), ("moves", "<u4"), ("asides", "<u4"),
    ("line_stones", "<u4"), ("values_version", "<u4"), ("values_crc", "<u4"), ("net_crc", "<u4"),
    ("engine", "S16"), ("body_crc", "<u4"),
])  # fmt: skip
_CRC = struct.Struct("<I")  # follows the head: its CRC-32
HEAD_BYTES = _HEAD.itemsize + _CRC.size
_MOVE = np.dtype([("word", "<u2"), ("value", "<i2")])
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


class Aside(NamedTuple):
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
    asides   the positions beside the game that were searched.
    """

    winner: int
    ending: int
    is_book: bool
    opening: tuple[int, ...]
    moves: tuple[Move, ...]
    asides: tuple[Aside, ...] = ()


@dataclass(frozen=True)
class Shard:
    """The games of a shard as arrays.

    By game: winner (1 Black, 2 White, 0 draw), ending, is_book. The stones of the opening of game i
    are `opening[opening_starts[i] : opening_starts[i + 1]]`.

    By position: `cell`, `flags` and `value` are those of Move. First come the positions of the
    games, those of game i from `starts[i]` to `starts[i + 1]`, then the asides, those of game i
    from `starts[-1] + aside_starts[i]`. `after` is that of Aside, and the line of aside j is
    `line[line_starts[j] : line_starts[j + 1]]`.
    """

    head: Head
    winner: NDArray[np.int8]
    ending: NDArray[np.int8]
    is_book: NDArray[np.bool_]
    opening_starts: NDArray[np.int64]
    opening: NDArray[np.int16]
    starts: NDArray[np.int64]
    aside_starts: NDArray[np.int64]
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
        """How many positions are those of games; the others are asides."""
        return int(self.starts[-1])

    def game_of_position(self) -> NDArray[np.int64]:
        """For each position, which game of the shard it belongs to."""
        games = np.arange(len(self))
        counts = np.diff(self.starts), np.diff(self.aside_starts)
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
        first, end = self.aside_starts[index : index + 2].tolist()
        places = self.line_starts[first : end + 1].tolist()
        return PlayedGame(
            int(self.winner[index]),
            int(self.ending[index]),
            bool(self.is_book[index]),
            tuple(stones.tolist()),
            self._moves(self.starts[index], self.starts[index + 1]),
            tuple(
                Aside(after, tuple(self.line[start:stop].tolist()), move)
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
    opening = np.array([cell for game in games for cell in game.opening], dtype="<u2")
    asides = [aside for game in games for aside in game.asides]
    line = np.array([cell for aside in asides for cell in aside.line], dtype="<u2")
    moves = [move for game in games for move in game.moves]
    searched = [*moves, *(aside.move for aside in asides)]
    table = np.zeros(len(searched), dtype=_MOVE)
    if any(not 0 <= move.cell < 1 << _CELL_BITS for move in searched):
        raise ValueError("not a shard: a move is off the board")
    table["word"] = [move.cell | move.flags << _CELL_BITS for move in searched]
    table["value"] = [move.value for move in searched]
    outcome = [game.winner | game.ending << _ENDING_SHIFT | _BOOK * game.is_book for game in games]
    body = b"".join(
        (
            bytes(outcome),
            bytes(len(game.opening) for game in games),
            np.array([len(game.moves) for game in games], dtype="<u2").tobytes(),
            np.array([len(game.asides) for game in games], dtype="<u2").tobytes(),
            np.array([aside.after for aside in asides], dtype="<u2").tobytes(),
            bytes(len(aside.line) for aside in asides),
            opening.tobytes(),
            line.tobytes(),
            table.tobytes(),
        )
    )
    if len(head.engine) > 16:
        raise ValueError(f"{head.engine}: the version of the engine has more than 16 letters")
    record = np.zeros((), dtype=_HEAD)
    for name, value in {
        **asdict(head), "magic": MAGIC, "format": FORMAT, "games": len(games),
        "stones": len(opening), "moves": len(moves), "asides": len(asides),
        "line_stones": len(line), "body_crc": zlib.crc32(body),
    }.items():  # fmt: skip
        record[name] = value
    packed = record.tobytes()
    return packed + _CRC.pack(zlib.crc32(packed)) + body


def decode_shard(data: bytes, name: str) -> Shard:
    """The games in the bytes of a shard. BadShard, beginning with `name`, if any bit of it is wrong
    or it is not a whole shard of a known format."""
    head, record = _read_head(data, name)
    games, stones, moves, asides, line_stones = (
        int(record[name]) for name in ("games", "stones", "moves", "asides", "line_stones")
    )
    sizes = (
        games, games, 2 * games, 2 * games, 2 * asides, asides, 2 * stones, 2 * line_stones,
        _MOVE.itemsize * (moves + asides),
    )  # fmt: skip
    if len(data) != HEAD_BYTES + sum(sizes):
        more = "cut off" if len(data) < HEAD_BYTES + sum(sizes) else "too long"
        raise BadShard(f"{name}: {more}, {len(data)} of {HEAD_BYTES + sum(sizes)} bytes")
    if zlib.crc32(memoryview(data)[HEAD_BYTES:]) != record["body_crc"]:
        raise BadShard(f"{name}: damaged, the checksum of the games differs")
    ends = HEAD_BYTES + np.cumsum(sizes)
    parts = [memoryview(data)[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    outcome = np.frombuffer(parts[0], dtype=np.uint8)
    opening_count = np.frombuffer(parts[1], dtype=np.uint8)
    move_count, aside_count, after = (np.frombuffer(part, dtype="<u2") for part in parts[2:5])
    line_count = np.frombuffer(parts[5], dtype=np.uint8)
    opening, line = (np.frombuffer(part, dtype="<u2").astype(np.int16) for part in parts[6:8])
    table = np.frombuffer(parts[8], dtype=_MOVE)
    word = table["word"]
    shard = Shard(
        head,
        (outcome & _WINNERS).astype(np.int8),
        (outcome >> _ENDING_SHIFT & 7).astype(np.int8),
        (outcome & _BOOK) != 0,
        _starts(opening_count),
        opening,
        _starts(move_count),
        _starts(aside_count),
        after.astype(np.int64),
        _starts(line_count),
        line,
        (word & ((1 << _CELL_BITS) - 1)).astype(np.int16),
        (word >> _CELL_BITS).astype(np.uint8),
        table["value"].astype(np.int16),
    )
    _check_contents(shard, outcome, moves, name)
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
    """BadShard for what no game can hold. Whether the moves are legal is asked by check.py."""
    counts = (
        (shard.opening_starts, len(shard.opening)), (shard.starts, moves),
        (shard.aside_starts, len(shard.after)), (shard.line_starts, len(shard.line)),
    )  # fmt: skip
    if any(starts[-1] != count for starts, count in counts):
        raise BadShard(f"{name}: the lengths of its games do not fit their moves")
    game_moves = np.repeat(np.diff(shard.starts), np.diff(shard.aside_starts))
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
