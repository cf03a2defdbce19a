"""The engine program: the Gomocup protocol on standard input and output.

Managers start it without arguments; the options are for people at a terminal.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from typing import NoReturn, TextIO

from engine.version import __version__


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the program with `argv` (default: the command line) and end the process."""
    # Ctrl-C ends the program without a traceback, also while it is still starting.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = sys.argv[1:] if argv is None else argv
    log_file = _parse_options(arguments) if arguments else None

    # Only now: --help and --version need none of it.
    from engine.api import Engine
    from protocol.log import Transcript
    from protocol.loop import run
    from protocol.messages import About

    about = About(name="Tengen", version=__version__, author="the Tengen authors")
    run(Engine(), about, Transcript(log_file))


def _parse_options(arguments: Sequence[str]) -> TextIO | None:
    """Carry out --help and --version, or return the opened file of --log."""
    # The manager's clock is running and managers give no arguments: they need not wait for this.
    import argparse

    parser = argparse.ArgumentParser(
        prog="pbrain-tengen",
        description="Tengen, a Gomoku engine for managers that speak the Gomocup (Piskvork)"
        " protocol: commands come on standard input, answers go to standard output.",
        epilog='Try: printf "START 15\\nBEGIN\\n" | pbrain-tengen',
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "--log", metavar="FILE", help="append both sides of the conversation, with times, to FILE"
    )
    path = parser.parse_args(arguments).log
    if path is None:
        return None
    try:
        return open(path, "a", encoding="utf-8")
    except OSError as problem:
        parser.error(f"cannot write the log: {problem}")


if __name__ == "__main__":
    main()
