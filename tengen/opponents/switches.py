"""The switches of `tengen.opponents.misbehaving`: what programs do wrong, one switch each."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

_ABOUT = """\
Plays legal moves at once, and misbehaves as the switches say. N is the number of its own move in
the game, counted from 1: it misbehaves at that move and, if it still can, at all later ones.
Switches can be combined. What hangs or floods ends by itself after ten minutes.
"""

# What happens at a move, by chapter: (switch, what it does). The method of the same name in
# `misbehaving.py` does it, and gives no answer unless the text says so. Switches take effect in
# this order: first those that only precede a move, then those that replace it.
AT_MOVE: dict[str, tuple[tuple[str, str], ...]] = {
    "before a legal move": (
        ("long-line", "a MESSAGE line of a million characters comes first"),
        ("binary", "a line of bytes that are not text comes first"),
        ("absurd", "MESSAGE lines with absurd numbers and words come first"),
        ("late", "the move comes --late-by seconds after its time is over"),
    ),
    "ending at a move": (
        ("crash", "ends with status 3 and a line on the error output"),
        ("exit", "ends with status 0 and prints nothing"),
        ("abort", "is ended by a signal, as after a failed assertion"),
        ("closes-output", "closes its output and stays alive"),
        ("closes-input", "closes its input, answers and stays alive"),
    ),
    "no move": (
        ("stall", "never answers"),
        ("garbage", "answers with a sentence"),
        ("error", "answers with an ERROR line"),
        ("suggest", "answers SUGGEST x,y, which few managers know"),
        ("no-line-end", "answers a move without the line end"),
    ),
    "an illegal move": (
        ("illegal", "plays on a cell that is not empty, as soon as there is one"),
        ("off-board", "plays off the board"),
        ("forbidden", "renju, as Black: prepares a foul and plays it as soon as it can"),
    ),
    "odd ways to answer": (
        ("split", "the line comes in two pieces, 50 ms apart"),
        ("two-moves", "a second line with a move follows at once"),
    ),
    "floods instead of a move": (
        ("flood", "MESSAGE lines without end"),
        ("flood-stderr", "lines on the error output without end"),
        ("endless-line", "one line without end"),
    ),
}
# These need no number.
_FROM_THE_START = ("flood", "flood-stderr", "endless-line")


def read_switches(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Reads the command line (`argv`, default: that of the process)."""
    parser = argparse.ArgumentParser(
        prog="misbehaving",
        description=_ABOUT,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(
            prog, max_help_position=28, width=96
        ),
        usage="misbehaving [SWITCH ...]",
        allow_abbrev=False,
    )
    _add_at_move(parser)
    _add_start_and_end(parser)
    _add_resources(parser)
    _add_style(parser)
    _add_conduct(parser)
    switches = parser.parse_args(argv)
    switches.only_as = {None: None, "black": 1, "white": 2}[switches.only_as]
    return switches


def _add_at_move(parser: argparse.ArgumentParser) -> None:
    for chapter, entries in AT_MOVE.items():
        group = parser.add_argument_group(chapter)
        for switch, does in entries:
            if switch in _FROM_THE_START:
                group.add_argument(
                    f"--{switch}", type=_count, metavar="N", nargs="?", const=1, help=does
                )
            else:
                group.add_argument(f"--{switch}", type=_count, metavar="N", help=does)
            if switch == "late":
                group.add_argument(
                    "--late-by", type=_seconds, metavar="S", default=0.5, help="default 0.5"
                )


def _add_start_and_end(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("start and end")
    _add_flags(
        group,
        ("dead-on-arrival", "ends with status 127 before it reads anything, as without a library"),
        ("no-ok", "never answers START"),
        ("error-on-start", "answers START with ERROR"),
        ("one-game", "never answers the second START of a process"),
        ("dies-on-second-start", "ends with status 4 at the second START of a process"),
        ("ignore-end", "stays alive after END and the end of the input, and ignores SIGTERM"),
    )
    group.add_argument(
        "--slow-start", type=_seconds, metavar="S", help="reads nothing for S seconds"
    )


def _add_resources(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("memory, children, processor, disk")
    for switch, metavar, does in (
        ("memory-hog", "MIB", "takes this much memory, and touches it"),
        ("leak", "MIB", "takes this much more at every move"),
        (
            "children",
            "K",
            "starts K processes that outlive it; the first leaves its group and session",
        ),
        (
            "litter",
            "MIB",
            "leaves a file of this size where it runs, and in the folder it is given",
        ),
    ):
        group.add_argument(f"--{switch}", type=_count, metavar=metavar, help=does)
    group.add_argument(
        "--memory-at",
        type=_count,
        metavar="N",
        default=1,
        help="the move of --memory-hog (default 1)",
    )
    group.add_argument(
        "--child-memory",
        type=int,
        metavar="MIB",
        default=0,
        help="what each child holds (default 0)",
    )
    _add_flags(
        group,
        ("ponder", "keeps a core busy while the opponent thinks; --nodes-report tells how much"),
    )


def _add_style(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("style: unusual, but a manager has to accept it")
    _add_flags(
        group,
        ("banner", "prints a line before it is asked anything"),
        ("races", "obeys lines that come in one piece from the last to the first"),
        ("chatty-ok", "prints words behind OK"),
        ("answers-info", "answers INFO lines with UNKNOWN"),
        ("plain-text", "prints a line of text before each move"),
        ("stderr", "prints a line on the error output before each move"),
        ("blanks", "puts blanks around the numbers of a move"),
        ("crlf", "ends its lines with CR LF"),
        ("nodes-report", "prints a MESSAGE line with depth, value and nodes before each move"),
    )
    group.add_argument("--swap2", metavar="TEXT", help="the answer to every SWAP2BOARD")


def _add_conduct(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("other")
    group.add_argument(
        "--instant",
        action="store_true",
        help="plays the first empty cell, foul or not: for measuring the cost of a runner",
    )
    group.add_argument("--think", type=_seconds, metavar="S", help="takes S seconds for a move")
    group.add_argument(
        "--only-as",
        choices=("black", "white"),
        help="misbehaves at moves of this colour only",
    )
    group.add_argument(
        "--label",
        metavar="TEXT",
        default="",
        help="does nothing; its children have it on their command line, too, and can be found",
    )


def _add_flags(group: argparse._ArgumentGroup, *flags: tuple[str, str]) -> None:
    for switch, does in flags:
        group.add_argument(f"--{switch}", action="store_true", help=does)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number above zero")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, such as 0.5")
    return value
