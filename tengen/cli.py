"""`tengen`: the user's command. Each sub-command is in a module of its room,
which is imported when it is used. So no command loads or needs what only another one uses."""

from __future__ import annotations

import io
import os
import sys

import click

from engine.version import __version__
from tengen.common.commands import Failed, Group, with_whole_name

_COMMANDS = {
    "For players": {
        "play": ("tengen.people.terminal.cli:play_command", "Play on a board in the terminal."),
        "board": ("tengen.people.web.cli:board_command", "Play on a board in the browser."),
        "analyze": (
            "tengen.study.analyze_cli:analyze_command",
            "Show best moves, values and threats of a position.",
        ),
        "solve": ("tengen.study.solve_cli:solve_command", "Find and prove a forced win."),
        "games": (
            "tengen.study.games_cli:games_command",
            "A base of games: what was played, how it ended, puzzles.",
        ),
    },
    "For authors of programs": {
        "match": (
            "tengen.arena.match.cli:match_command",
            "Play a match or tournament between programs.",
        ),
        "report": (
            "tengen.arena.report.cli:report_command",
            "Make a page of a match, with all its games.",
        ),
        "openings": (
            "tengen.arena.match.openings:openings_command",
            "Make a file of balanced openings.",
        ),
        "check": (
            "tengen.arena.check.cli:check_command",
            "Check a program against the protocol, or the zip of an entry.",
        ),
        "judge": (
            "tengen.study.solve_cli:judge_command",
            "Prove wins, to end games of a match early.",
        ),
        "brain": ("tengen.opponents.registry:brain_command", "Run one of the weaker opponents."),
    },
    "For the makers of the engine": {
        "bench": (
            "tengen.lab.bench.cli:bench_command",
            "Print the engine's signature, measure its speed.",
        ),
        "lab": ("tengen.cli:lab", "Self-play, training, tuning, tests against a commit."),
    },
}
_LAB = {
    "Commands": {
        "selfplay": (
            "tengen.lab.selfplay.cli:selfplay_command",
            "Play games of the engine against itself, for training.",
        ),
        "data": (
            "tengen.lab.selfplay.data:data_command",
            "Summarise games for training.",
        ),
        "train": (
            "tengen.lab.train.cli:train_command",
            "Train a net with games of self-play.",
        ),
        "tune": (
            "tengen.lab.tune.cli:tune_command",
            "Tune parameters of the search by games (SPSA).",
        ),
        "sprt": (
            "tengen.lab.sprt.cli:sprt_command",
            "Test whether the working tree is stronger than a commit.",
        ),
        "queue": (
            "tengen.lab.sprt.cli:queue_command",
            "Test many changes over several rules, one after the other.",
        ),
    }
}

# Sub-commands inherit these.
_SETTINGS = {"help_option_names": ["-h", "--help"]}
_EPILOG = "{} COMMAND --help describes a command and its options."


@click.group(
    "tengen",
    cls=Group,
    table=_COMMANDS,
    context_settings=_SETTINGS,
    epilog=_EPILOG.format("tengen"),
)
@click.version_option(__version__, prog_name="tengen")
def tengen() -> None:
    """The Gomoku engine Tengen: play against it, measure it, and analyse positions."""


@click.group("lab", cls=Group, table=_LAB, epilog=_EPILOG.format("tengen lab"))
def lab() -> None:
    """Tools to improve the engine."""


def run(args: list[str] | None = None) -> int:
    """Runs the command with `args` (those of the process when None); returns the exit status.

    Bad usage is one line on stderr, which begins with the command, and status 2; Ctrl-C is quiet
    and status 130.
    """
    try:
        status = tengen.main(args, prog_name="tengen", standalone_mode=False)
        # With no arguments at all, click prints the help and returns a status as well.
        return status if isinstance(status, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return error.exit_code
    except click.ClickException as error:
        text = with_whole_name(error, sys.argv[1:] if args is None else args).format_message()
        print(f"{_command_of(error)}: {' '.join(text.split())}", file=sys.stderr)
        return error.status if isinstance(error, Failed) else error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # The program that read our output has ended; nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _command_of(error: click.ClickException) -> str:
    if isinstance(error, Failed):
        return error.command
    if isinstance(error, click.UsageError) and error.ctx:
        return error.ctx.command_path
    return "tengen"


def main() -> None:
    """The console entry point."""
    # Output that goes to a file or a pipe on Windows has the code page of the system. A letter that
    # it lacks, in the name of a folder or a program, must not end a match.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(run())


if __name__ == "__main__":
    main()
