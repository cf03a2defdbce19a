"""The switches of `tengen.opponents.misbehaving`: a catalogue of what programs do wrong."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

_ABOUT = """\
Plays legal moves at once, and misbehaves when it is told to. N counts its own moves of a game,
from 1: the thing happens at that move and, where there still is something to happen, at all
later ones. Switches may be combined; whatever hangs or floods ends by itself after ten minutes.
"""

# What happens at a move, by chapter: (switch, what it does). The method of the same name in
# `misbehaving.py` does it; where nothing is said of an answer, none is given. They happen
# in this order, so what goes before a move stands before what takes its place.
AT_MOVE: dict[str, tuple[tuple[str, str], ...]] = {
    "before a move that is good": (
        ("long-line", "a MESSAGE line of a million characters comes first"),
        ("binary", "a line of bytes that are not text comes first"),
        ("absurd", "MESSAGE lines come first with numbers and words out of all bounds"),
        ("late", "the move comes --late-by seconds after the time for it is over"),
    ),
    "going away at a move": (
        ("crash", "ends with status 3 and a line on the error output"),
        ("exit", "ends with status 0 and not a word"),
        ("abort", "is ended by a signal, as after a failed assertion"),
        ("closes-output", "closes its output and stays alive"),
        ("closes-input", "closes its input, answers and stays alive"),
    ),
    "no move": (
        ("stall", "thinks for ever"),
        ("garbage", "answers with a sentence"),
        ("error", "answers with an ERROR line"),
        ("suggest", "answers SUGGEST x,y, which few managers know"),
        ("no-line-end", "the move comes without the end of the line"),
    ),
    "a move that is none": (
        ("illegal", "plays on a stone, as soon as there is one"),
        ("off-board", "plays beside the board"),
        ("forbidden", "renju: makes for a foul, and as Black plays it as soon as there is one"),
    ),
    "odd ways to answer a move": (
        ("split", "the line comes in two pieces, 50 ms apart"),
        ("two-moves", "a second line with a move follows at once"),
    ),
    "floods instead of a move": (
        ("flood", "MESSAGE lines without end"),
        ("flood-stderr", "lines on the error output without end"),
        ("endless-line", "one line without end"),
    ),
}
# Floods need no number.
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
    group.add_argument(
        "--dead-on-arrival",
        action="store_true",
        help="ends with status 127 before it reads anything, as without a library",
    )
    group.add_argument(
        "--slow-start", type=_seconds, metavar="S", help="reads nothing for S seconds"
    )
    group.add_argument("--no-ok", action="store_true", help="never answers START")
    group.add_argument("--error-on-start", action="store_true", help="answers START with ERROR")
    group.add_argument(
        "--one-game", action="store_true", help="never answers the second START of a process"
    )
    group.add_argument(
        "--ignore-end",
        action="store_true",
        help="stays alive after END and the end of the input, and ignores SIGTERM",
    )


def _add_resources(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("memory, children, processor, disk")
    group.add_argument(
        "--memory-hog", type=_count, metavar="MIB", help="takes this much memory, and touches it"
    )
    group.add_argument(
        "--memory-at", type=_count, metavar="N", default=1, help="... at this move (default 1)"
    )
    group.add_argument("--leak", type=_count, metavar="MIB", help="this much more at every move")
    group.add_argument(
        "--children",
        type=_count,
        metavar="K",
        help="starts K processes that outlive it; the first leaves its group and session",
    )
    group.add_argument(
        "--child-memory", type=int, metavar="MIB", default=0, help="... each holding this much"
    )
    group.add_argument(
        "--litter",
        type=_count,
        metavar="MIB",
        help="leaves a file of this size where it runs, and in the folder it is given",
    )
    group.add_argument(
        "--ponder",
        action="store_true",
        help="keeps a core busy while the opponent thinks; --nodes-report tells how much",
    )


def _add_style(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("style: unusual, but a manager has to live with it")
    for switch, does in (
        ("banner", "prints a line before it is asked anything"),
        ("chatty-ok", "OK with words behind it"),
        ("answers-info", "answers INFO lines with UNKNOWN"),
        ("plain-text", "a line of text before each move"),
        ("stderr", "a line on the error output before each move"),
        ("blanks", "blanks around the numbers of a move"),
        ("crlf", "ends its lines with CR LF"),
        ("nodes-report", "a MESSAGE line with depth, value and nodes before each move"),
    ):
        group.add_argument(f"--{switch}", action="store_true", help=does)
    group.add_argument("--swap2", metavar="TEXT", help="the answer to every SWAP2BOARD")


def _add_conduct(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("conduct")
    group.add_argument(
        "--instant",
        action="store_true",
        help="plays the first empty cell, foul or not: for measuring what a runner adds",
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
        help="does nothing; children have it on their command line too, so strays can be found",
    )


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
