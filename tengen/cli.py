"""`tengen`: the user's command. Each sub-command is in a module of its package (`cli.py`, for one),
which is imported when it is used. So no command loads or needs what only another one uses."""

from __future__ import annotations

import io
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from engine.version import __version__

# Sub-command: (where it is, what it does in one line).
_COMMANDS = {
    "analyze": (
        "tengen.study.analyze_cli:analyze_command",
        "Show best moves, values and threats of a position.",
    ),
    "bench": (
        "tengen.lab.bench.cli:bench_command",
        "Print the engine's signature, measure its speed.",
    ),
    "board": ("tengen.people.web.cli:board_command", "Play on a board in the browser."),
    "brain": ("tengen.opponents.cli:brain_command", "Run one of the weaker opponents."),
    "check": (
        "tengen.arena.check.cli:check_command",
        "Check that a program keeps to the protocol.",
    ),
    "data": ("tengen.lab.selfplay.data_cli:data_command", "Say what games for training there are."),
    "explain": (
        "tengen.study.explain_cli:explain_command",
        "Explain the static value of a position.",
    ),
    "fit": ("tengen.lab.train.cli:fit_command", "Fit evaluation values to games."),
    "ladder": ("tengen.opponents.ladder.cli:ladder_command", "Rate all opponents and Tengen."),
    "match": (
        "tengen.arena.match.cli:match_command",
        "Play a match or tournament between programs.",
    ),
    "mates": ("tengen.study.mates_cli:mates_command", "Check the mates that the engine announces."),
    "openings": (
        "tengen.arena.match.openings_cli:openings_command",
        "Make a file of balanced openings.",
    ),
    "play": ("tengen.people.play.cli:play_command", "Play on a board in the terminal."),
    "report": (
        "tengen.arena.report.cli:report_command",
        "Make a page of a match, with all its games.",
    ),
    "samples": (
        "tengen.lab.selfplay.samples_cli:samples_command",
        "Write the games of a match as samples for training.",
    ),
    "selfplay": (
        "tengen.lab.selfplay.cli:selfplay_command",
        "Play games of the engine against itself, for training.",
    ),
    "solve": ("tengen.study.cli:solve_command", "Find and prove a forced win."),
    "sprt": (
        "tengen.arena.match.sprt_cli:sprt_command",
        "Test whether the working tree is stronger than a commit.",
    ),
    "time": ("tengen.lab.timing.cli:time_command", "Simulate how time is used in recorded games."),
    "train": ("tengen.lab.train.train_cli:train_command", "Train a net with games of self-play."),
    "tune": ("tengen.lab.tune.cli:tune_command", "Tune parameters of the search by games (SPSA)."),
    "zip-check": (
        "tengen.arena.check.zip_cli:zip_check_command",
        "Check the zip of a tournament entry.",
    ),
}


class LazyGroup(click.Group):
    """Lists sub-commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in alphabetical order."""
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports one sub-command; None if there is none of that name."""
        if cmd_name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the sub-command of the first word; UsageError, with the nearest name, if there is
        none."""
        name = args[0].lower()
        if name not in _COMMANDS and not name.startswith("-"):
            near = get_close_matches(name, _COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else "tengen --help lists the commands"
            ctx.fail(f"{args[0][:40]!r} is not a command; {hint}")
        return super().resolve_command(ctx, [name, *args[1:]])

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the sub-command; an error that does not name a command gets the name of this one."""
        try:
            return super().invoke(ctx)
        except click.UsageError:
            raise
        except click.ClickException as error:
            # Only errors of usage know the command they are from.
            raise _Failed(f"{ctx.command_path} {ctx.invoked_subcommand}", error) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list for --help from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])


class _Failed(click.ClickException):
    """An error of a sub-command, with the words that started it."""

    def __init__(self, command: str, error: click.ClickException) -> None:
        super().__init__(error.format_message())
        self.command = command
        self.status = error.exit_code


@click.group(
    "tengen",
    cls=LazyGroup,
    # Sub-commands inherit these.
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="tengen COMMAND --help describes a command and its options.",
)
@click.version_option(__version__, prog_name="tengen")
def tengen() -> None:
    """The Gomoku engine Tengen: play against it, measure it, and analyse positions."""


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
        print(f"{_command_of(error)}: {' '.join(error.format_message().split())}", file=sys.stderr)
        return error.status if isinstance(error, _Failed) else error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # The program that read our output has ended; nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _command_of(error: click.ClickException) -> str:
    if isinstance(error, _Failed):
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
