"""The engine program: the Gomocup protocol on standard input and output.

Managers start it without arguments; the options are for people at a terminal. What a user wants
otherwise stands in a file beside the program, or in the environment.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, TextIO

if not __package__ and not getattr(sys, "frozen", False):
    # Started as a file: the packages are beside its folder, wherever that is called from.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from engine.version import __version__

if TYPE_CHECKING:
    from protocol.brain import Brain

SETTINGS_FILE = "pbrain-tengen.toml"
LOG_VARIABLE = "TENGEN_LOG"


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the program with `argv` (default: the command line) and end the process."""
    # Ctrl-C ends the program without a traceback, also while it is still starting.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = sys.argv[1:] if argv is None else argv
    log_file = _parse_options(arguments) if arguments else None

    # Only now: --help and --version need none of it.
    from protocol.log import Transcript
    from protocol.loop import run
    from protocol.messages import About
    from protocol.preferences import read_preferences

    about = About(name="Tengen", version=__version__, author="the Tengen authors")
    preferences = read_preferences(os.path.join(_home(), SETTINGS_FILE))
    log = os.environ.get(LOG_VARIABLE) or preferences.log
    if log_file is None and log:
        try:
            log_file = _open_log(log)
        except OSError as problem:
            problems = (*preferences.problems, f"there will be no log: {problem}")
            preferences = preferences._replace(problems=problems)
    run(_make_engine, about, Transcript(log_file), preferences)


def _make_engine() -> Brain:
    from engine.api import Engine

    return Engine()


def _home() -> str:
    """The folder in which the program lies, wherever it was started from."""
    is_frozen = getattr(sys, "frozen", False)
    return os.path.dirname(os.path.abspath(sys.executable if is_frozen else __file__))


def _open_log(path: str) -> TextIO:
    return open(path, "a", encoding="utf-8")


def _parse_options(arguments: Sequence[str]) -> TextIO | None:
    """Carry out --help and --version, or return the opened file of --log."""
    # The manager's clock is running and managers give no arguments: they need not wait for this.
    import argparse

    parser = argparse.ArgumentParser(
        prog="pbrain-tengen",
        description="Tengen, a Gomoku engine for managers that speak the Gomocup (Piskvork)"
        " protocol: commands come on standard input, answers go to standard output.",
        epilog=f"{LOG_VARIABLE} in the environment also names a log; {SETTINGS_FILE} beside the"
        " program can set threads, hash_mb and log."
        ' Try: printf "START 15\\nBEGIN\\n" | pbrain-tengen',
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "--log", metavar="FILE", help="append both sides of the conversation, with times, to FILE"
    )
    path = parser.parse_args(arguments).log
    if path is None:
        return None
    try:
        return _open_log(path)
    except OSError as problem:
        parser.error(f"cannot write the log: {problem}")


if __name__ == "__main__":
    main()
