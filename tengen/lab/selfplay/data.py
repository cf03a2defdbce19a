"""`tengen lab data`: what shards hold, counted, and games replayed on the referee's board, which
shares no code with the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np
from rich.console import Console
from rich.progress import track

from engine.text import RULE_NAMES
from tengen.common.commands import command, option, usage_errors
from tengen.common.console import print_table
from tengen.game.referee import BLACK, WHITE, Referee, opponent_of
from tengen.game.values import Record, json_text
from tengen.lab.selfplay.game import cell_of_number
from tengen.lab.selfplay.keep import KEPT, REASONS, Seen, has_result, held_out, reasons
from tengen.lab.selfplay.shards import (
    DEEP,
    ENDINGS,
    FIVE,
    FOUL,
    FULL,
    MATE_FLOOR,
    PROVEN,
    BadShard,
    Head,
    PlayedGame,
    Shard,
    read_shard,
    shard_paths,
)

_WINNERS = ("draw", "black", "white")


@command("data")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@option("--check", "checks", is_flag=True, help="Replay every game on the referee's board as well.")
@option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def data_command(
    ctx: click.Context, folders: tuple[Path, ...], checks: bool, wants_json: bool
) -> None:
    """Says what the folders of `tengen lab selfplay` hold: games, results, positions for training.

    The checksum of every file is verified. The exit status is 1 if a file is damaged or, with
    --check, if a game is not one that the rules allow.
    """
    with usage_errors():
        paths = shard_paths(folders)
    bar = Console(stderr=True)
    counts: dict[tuple[int, int, int], Counts] = {}
    faults: list[str] = []
    is_stopped = False
    try:
        for path in track(
            paths, "reading", console=bar, transient=True, disable=not bar.is_terminal
        ):
            try:
                shard = read_shard(path)
            except BadShard as error:
                faults.append(str(error))
                continue
            kind = shard.head.rule, shard.head.width, shard.head.height
            counts.setdefault(kind, Counts()).add(shard, path.stat().st_size)
            if checks and (fault := find_fault(shard)) is not None:
                faults.append(f"{path}: {fault}")
    except KeyboardInterrupt:
        is_stopped = True
    if wants_json:
        found = [
            {"rule": rule, "width": width, "height": height, **each.record()}
            for (rule, width, height), each in counts.items()
        ]
        click.echo(json_text({"counts": found, "faults": faults}))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for (rule, width, height), each in counts.items():
            console.print(f"{RULE_NAMES[rule]} {width}x{height}")
            print_table(console, ("", "", ""), list(each.rows()), (0,))
        if checks and not faults and not is_stopped:
            console.print("every game was replayed; nothing is wrong")
    for fault in faults:
        click.echo(fault, err=True)
    if is_stopped:
        read = sum(each.shards for each in counts.values()) + len(faults)
        click.echo(f"stopped: these are {read} of {len(paths)} files", err=True)
    ctx.exit(130 if is_stopped else 1 if faults else 0)


class Counts:
    """The shards of one rule and size. docs/SELFPLAY.md says what is counted."""

    def __init__(self) -> None:
        self.shards = self._bytes = 0
        self._games = {"games": 0, "with a book opening": 0, "held out": 0}
        self._kept = {"deep": 0, "beside game": 0, "value only": 0}
        self._winners = np.zeros(len(_WINNERS), np.int64)
        self._endings = np.zeros(len(ENDINGS), np.int64)
        self._positions = np.zeros(len(REASONS), np.int64)
        self._seen = Seen()

    def add(self, shard: Shard, size: int) -> None:
        """Counts a shard of so many bytes."""
        why = reasons(shard, self._seen)
        self.shards += 1
        self._bytes += size
        for counts, name, which in (
            (self._games, "games", shard.winner >= 0),
            (self._games, "with a book opening", shard.is_book),
            (self._games, "held out", held_out(shard)),
            (self._kept, "deep", (why == KEPT) & (shard.flags & DEEP != 0)),
            (self._kept, "beside game", (why == KEPT) & (np.arange(len(why)) >= shard.moves)),
            (self._kept, "value only", (why == KEPT) & ~has_result(shard)),
        ):
            counts[name] += int(np.count_nonzero(which))
        for column, numbers in (
            (self._winners, shard.winner), (self._endings, shard.ending), (self._positions, why),
        ):  # fmt: skip
            column += np.bincount(numbers, minlength=len(column))

    def groups(self) -> dict[str, dict[str, int]]:
        """The counts by subject, in words."""
        return {
            "files": {"shards": self.shards, "bytes": self._bytes},
            "games": self._games,
            "winners": dict(zip(_WINNERS, self._winners.tolist(), strict=True)),
            "endings": dict(zip(ENDINGS, self._endings.tolist(), strict=True)),
            "positions": dict(zip(REASONS, self._positions.tolist(), strict=True)),
            "kept": self._kept,
        }

    def record(self) -> Record:
        """Plain values, for JSON."""
        return {
            key: {name.replace(" ", "_"): count for name, count in group.items()}
            for key, group in self.groups().items()
        }

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """The counts with their shares of the games, of all positions, or of those that are
        kept."""
        games, positions = self._games["games"], int(self._positions.sum())
        wholes = {"games": games, "winners": games, "endings": games, "positions": positions,
                  "kept": int(self._positions[KEPT])}  # fmt: skip
        for key, group in self.groups().items():
            yield key, "", ""
            for name, count in group.items():
                share = f"{count / wholes[key]:.1%}" if wholes.get(key) else ""
                yield f"  {name}", f"{count:,}", share


# -- replaying games


def find_fault(shard: Shard) -> str | None:
    """What is wrong with the first game that the rules do not allow or whose result does not follow
    from its moves; None if there is no such game."""
    for index in range(len(shard)):
        fault = fault_of(shard.head, shard.game(index))
        if fault is not None:
            return f"game {shard.head.first + index}: {fault}"
    return None


def fault_of(head: Head, game: PlayedGame) -> str | None:
    """What is wrong with a game; None if nothing is."""
    if not game.moves:
        return "it has no moves"
    cells = [*game.opening, *(move.cell for move in game.moves)]
    board, foul, fault = _replay(head, cells)
    if fault is not None:
        return fault
    for i, move in enumerate(game.moves[:-1]):
        if abs(move.value) >= MATE_FLOOR:
            return f"move {i + 1} has a forced win or loss, but the game goes on"
    if (fault := _fault_of_end(game, board, len(cells), foul)) is not None:
        return fault
    for i, beside in enumerate(game.side_positions):
        before = cells[: len(game.opening) + beside.after]
        _, _, fault = _replay(head, [*before, *beside.line, beside.move.cell])
        if fault is not None:
            return f"position {i + 1} beside the game: {fault}"
    return None


def _replay(head: Head, numbers: Sequence[int]) -> tuple[Referee, str | None, str | None]:
    """The board after these stones, the foul that the last one is, and what is wrong with the
    others: play would not have gone on."""
    board, foul = Referee(head.width, head.height, head.rule), None
    for i, number in enumerate(numbers):
        cell, colour = cell_of_number(number), WHITE if i % 2 else BLACK
        if foul is not None:
            return board, foul, f"stone {i} is a {foul}"
        if board.winner():
            return board, foul, f"stone {i} wins, but play goes on"
        if not board.legal(*cell):
            return board, foul, f"stone {i + 1} is not on an empty cell"
        foul = board.foul(*cell) if colour == BLACK else None
        board.play(*cell, colour)
    return board, foul, None


def _fault_of_end(game: PlayedGame, board: Referee, stones: int, foul: str | None) -> str | None:
    mover = BLACK if stones % 2 else WHITE
    value = game.moves[-1].value
    if game.ending == PROVEN:
        winner = (mover if value > 0 else opponent_of(mover)) if abs(value) >= MATE_FLOOR else 0
        return None if winner and game.winner == winner else "its last value proves another result"
    if abs(value) >= MATE_FLOOR:
        return "its last move has a forced win or loss, but that is not how it ended"
    if (game.ending == FOUL) != (foul is not None):
        return "it ends with a foul" if foul else "its last move is no foul"
    expected = WHITE if game.ending == FOUL else board.winner()
    if game.winner != expected:
        return "its result does not follow from its last move"
    if game.ending == FIVE and not board.winner():
        return "it ended without a five"
    if game.ending == FULL and not board.is_full():
        return "its board is not full"
    return None
