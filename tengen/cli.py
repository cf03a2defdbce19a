"""`tengen`: the user's command. Each sub-command lives in its room's `cli.py` and is imported only
when it is used, so that none has to wait for, or even have, what another one needs."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from engine.version import __version__

# Sub-command: (where it is, what it does in one line).
_COMMANDS = {
    "bench": ("tengen.bench.cli:bench_command", "The engine's signature, and its speed."),
    "brain": (
        "tengen.opponents.cli:brain_command",
        "An opponent as a program, from weak to strong.",
    ),
    "check": ("tengen.check.cli:check_command", "Does a program keep to the protocol?"),
    "fit": ("tengen.train.cli:fit_command", "New values for the engine, from games."),
    "ladder": ("tengen.ladder.cli:ladder_command", "All opponents and Tengen in one round robin."),
    "match": ("tengen.match.cli:match_command", "Programs play a match or a tournament."),
    "openings": (
        "tengen.match.openings_cli:openings_command",
        "Makes a file of balanced openings.",
    ),
    "play": ("tengen.play.cli:play_command", "A board in the terminal, against Tengen or others."),
    "report": ("tengen.report.cli:report_command", "A page about a run, with all its games."),
    "solve": ("tengen.study.cli:solve_command", "Is there a forced win? Finds and proves it."),
    "sprt": ("tengen.match.sprt_cli:sprt_command", "Is the working tree stronger than a commit?"),
    "zip-check": ("tengen.check.zip_cli:zip_check_command", "Is a tournament entry ready?"),
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list for --help from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group("tengen", cls=LazyGroup)
@click.version_option(__version__, prog_name="tengen")
def tengen() -> None:
    """Tengen, a Gomoku engine, and what one does with it."""


def run(args: list[str] | None = None) -> int:
    """Runs the command with `args` (those of the process when None); returns the exit status.

    Bad usage is one line on stderr and status 2; Ctrl-C is quiet and status 130.
    """
    try:
        status = tengen.main(args, prog_name="tengen", standalone_mode=False)
        # Help that follows from a lack of arguments comes as a status as well.
        return status if isinstance(status, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return error.exit_code
    except click.ClickException as error:
        command = (
            error.ctx.command_path
            if isinstance(error, click.UsageError) and error.ctx
            else "tengen"
        )
        print(f"{command}: {' '.join(error.format_message().split())}", file=sys.stderr)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; nothing more can be said, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def main() -> None:
    """The console entry point."""
    sys.exit(run())


if __name__ == "__main__":
    main()
