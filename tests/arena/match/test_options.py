"""Groups of options: how a command gets them, and what the commands have in common."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tengen.arena.match.cli import match_command
from tengen.arena.match.command import MANY_WORDS
from tengen.arena.match.openings_cli import openings_command
from tengen.arena.match.options import Execution, GameOptions, OpeningOptions
from tengen.arena.programs.player import Patience
from tengen.lab.sprt.cli import sprt_command
from tengen.opponents.ladder.cli import ladder_command


@pytest.mark.parametrize("command", [match_command, sprt_command, ladder_command, openings_command])
def test_the_options_of_all_commands_are_described(command: click.Command) -> None:
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, param.opts
    assert command.callback is not None
    names = command.callback.__wrapped__.__code__  # type: ignore[attr-defined]
    assert names.co_argcount <= 15


def test_a_resumed_run_may_be_carried_out_otherwise(tmp_path: Path) -> None:
    """Options of Execution go together with --resume, and no others do."""
    free = {each.name for each in fields(Execution)} | {"resume"}
    run = CliRunner().invoke
    for param in match_command.params:
        assert isinstance(param, click.Option)
        if param.is_flag:
            words = [param.opts[0]]
        elif isinstance(param.type, click.Choice):
            words = [param.opts[0], param.type.choices[0]]
        elif param.opts[0] == "--rule":
            words = ["--rule", "renju"]
        else:
            words = [param.opts[0], "a=15" if param.opts[0] in MANY_WORDS else "15"]
        if param.name in ("resume", "config"):
            continue
        said = run(match_command, [*words, "--resume", str(tmp_path)]).output
        is_refused = f"leave out {param.opts[0]}" in " ".join(said.split())
        assert is_refused == (param.name not in free), param.name


def test_games_end_by_agreement_by_their_length_or_by_both() -> None:
    agreed = {"draw_moves": 10, "draw_value": 20, "draw_from": 100}
    none = GameOptions().fields()
    assert none == {"is_suspending": False, "keeps_transcripts": False, "judge": None}
    for options, ends in (
        (GameOptions(draw="after=5"), {"draw_after": 5}),
        (GameOptions(draw=""), agreed),
        (GameOptions(draw="after=5 moves=10"), agreed | {"draw_after": 5}),
        (GameOptions(resign="moves=3"), {"resign_moves": 3, "resign_value": 1000}),
        (
            GameOptions(resign="sides=one", tags="event=Winter cup"),
            {"resign_moves": 2, "resign_value": 1000, "resign_sides": 1, "event": "Winter cup"},
        ),
        (GameOptions(tags="event=x y=z"), {"event": "x y=z"}),
        (GameOptions(tags="event=Cup = 2  site=At sea"), {"event": "Cup = 2", "site": "At sea"}),
    ):
        assert options.fields() == none | ends
    assert GameOptions(patience_words="late=3").patience(tolerance_s=5.0) == Patience(
        tolerance_s=5.0, late_s=3.0
    )


def test_openings_of_other_programs_are_read_when_asked_for(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("# points\nh8h7\n")
    for notation, row in (("auto", 8), ("pos", 8), ("pos-top", 6)):
        options = OpeningOptions(openings_file=book, notation=notation)  # type: ignore[arg-type]
        [opening] = options.openings((15, 15), 0)
        assert opening.place(15, 15) == ((7, 7), (7, row))
