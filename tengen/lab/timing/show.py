"""Tables of how time is used."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from tengen.lab.timing.simulate import TimedSide
from tengen.lab.timing.summary import Part, Spread, Use

_BAR = 30


def print_use(console: Console, use: Use, lists_moves: bool, long_moves: int) -> None:
    """Prints the tables of one time control, and every move of every player if it `lists_moves`."""
    if lists_moves:
        for side in use.sides:
            console.print(_moves_table(side))
    of = "of the match" if use.control.match_s else "of the turns"
    players = Table("", "players", "least", "median", "most", box=None, title_justify="left")
    players.title = f"{use.control}, {use.speed_nps} nodes a second"
    players.add_row(f"used {of}", *_spread(use.used))
    if use.used_long is not None:
        players.add_row(f"with {long_moves} own moves", *_spread(use.used_long))
    console.print(players)
    console.print(_parts_table("own moves", use.by_move))
    console.print(_parts_table("phase", use.by_phase))
    if use.turns is not None:
        shown = use.turns
        console.print(
            f"of its turn a move uses {_per_cent(shown.low)} to {_per_cent(shown.high)},"
            f" median {_per_cent(shown.median)}"
        )
    console.print(f"moves over their limits: {use.over} of {sum(len(s.moves) for s in use.sides)}")


def _parts_table(first: str, parts: Iterable[Part]) -> Table:
    table = Table(box=None)
    for heading in (first, "moves", "s a move", "", "used so far", "", "of all time"):
        table.add_column(heading, no_wrap=True)
    for part in parts:
        time = part.time_ms
        table.add_row(
            part.name,
            str(time.count),
            _seconds(time.median),
            f"{_seconds(time.low)}-{_seconds(time.high)}",
            _per_cent(part.used.median) if part.used else "",
            f"{_whole(part.used.low)}-{_per_cent(part.used.high)}" if part.used else "",
            _per_cent(part.of_all),
        )
    return table


def _moves_table(side: TimedSide) -> Table:
    table = Table("move", "stones", "left", "depth", "time", "", box=None, title_justify="left")
    table.title = f"{side.side.name}, {side.side.colour.name.lower()}"
    most = max(max(move.time_ms for move in side.moves), 1)
    for move in side.moves:
        table.add_row(
            str(move.number),
            str(move.stones),
            "" if move.left_ms is None else f"{move.left_ms / 1000:.1f}",
            str(move.depth_plies or ""),
            _seconds(move.time_ms) + (" over" if move.is_over else ""),
            "#" * round(_BAR * move.time_ms / most),
        )
    return table


def _spread(shown: Spread) -> tuple[str, ...]:
    shares = (_per_cent(share) for share in (shown.low, shown.median, shown.high))
    return str(shown.count), *shares


def _per_cent(share: float) -> str:
    return f"{_whole(share)} %"


def _whole(share: float) -> str:
    return f"{share * 100:.0f}"


def _seconds(time_ms: float) -> str:
    return f"{time_ms / 1000:.2f}"
