"""The engine program: the Gomocup protocol on standard input and output.

Managers start it without arguments; the options are for people at a terminal. Users of a manager
put settings in a file beside the program, or in the environment.
"""

# Not `signal`, nor anything from __future__: what is imported before the next statement takes
# milliseconds in which Ctrl-C would print a traceback.
import _signal  # type: ignore[import-not-found]  # no type checker knows it
import os
import sys

if __name__ == "__main__" or os.path.basename(sys.argv[0]).startswith("pbrain-tengen"):
    # Before all else: Ctrl-C ends the program without a traceback, also while it is starting.
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, NoReturn

if not __package__ and not getattr(sys, "frozen", False):
    # Started as a file: the packages are beside this file's folder.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from engine.version import AUTHOR, COUNTRY, EMAIL, WWW, __version__

if TYPE_CHECKING:
    from protocol.brain import Brain

SETTINGS_FILE = "pbrain-tengen.toml"
LOG_VARIABLE = "TENGEN_LOG"
NET_VARIABLE = "TENGEN_NET"  # read by the engine


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the program with `argv` (default: the command line) and end the process."""
    arguments = sys.argv[1:] if argv is None else argv
    log_file = _parse_options(arguments) if arguments else None

    # Imported here because --help and --version need none of it; this one first, because loading
    # the others can take long, and the first move pays for it.
    from protocol.start_up import begin

    start_up = begin(os.getpid())
    from engine.files import open_log
    from protocol.loop import run
    from protocol.messages import About
    from protocol.pipes import Transcript
    from protocol.settings import read_settings

    about = About("Tengen", __version__, AUTHOR, COUNTRY, WWW, EMAIL)
    file_settings = read_settings(os.path.join(_home(), SETTINGS_FILE))
    log = os.environ.get(LOG_VARIABLE) or file_settings.log
    if log_file is None and log:
        try:
            log_file = open_log(log)
        except OSError as problem:
            notices = (*file_settings.notices, f"no log is written: {log}: {problem.strerror}")
            file_settings = file_settings._replace(notices=notices)
    run(
        lambda: _make_engine(file_settings.net),
        about,
        Transcript(log_file),
        file_settings,
        start_up,
    )


def _make_engine(net_file: str | None) -> "Brain":
    from engine.api import Engine

    return Engine(None if os.environ.get(NET_VARIABLE) else net_file)


def _home() -> str:
    """The folder where the settings file is looked for: beside the program that was started.

    That is the frozen executable, or the script `pbrain-tengen` that pip has installed. When this
    file itself was started, from a checkout, it is the folder that holds `tengen/`.
    """
    is_frozen = getattr(sys, "frozen", False)
    started = os.path.abspath(sys.executable if is_frozen else sys.argv[0])
    folder = os.path.dirname(started)
    if not is_frozen and os.path.realpath(started) == os.path.realpath(__file__):
        folder = os.path.dirname(folder)
    return folder


def _parse_options(arguments: Sequence[str]) -> IO[str] | None:
    """Carry out --help and --version, or return the opened file of --log."""
    # Imported here because managers give no arguments and their clock is already running.
    import argparse

    from engine.files import open_log
    from protocol.settings import ENTRIES

    parser = argparse.ArgumentParser(
        prog="pbrain-tengen",
        description="Tengen, a Gomoku engine for managers that speak the Gomocup (Piskvork)"
        " protocol: commands come on standard input, answers go to standard output.",
        epilog=f"The file {SETTINGS_FILE} beside the program can set {', '.join(ENTRIES)};"
        f" {LOG_VARIABLE} in the environment also names a log, {NET_VARIABLE} a net."
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
        return open_log(path)
    except OSError as problem:
        parser.error(f"cannot write the log: {path}: {problem.strerror}")


if __name__ == "__main__":
    main()
