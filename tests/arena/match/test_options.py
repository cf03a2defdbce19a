"""Groups of options: how a command gets them, and what the commands have in common."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import click
import pytest
from click.testing import CliRunner

from tengen.arena.match.cli import match_command
from tengen.arena.match.command import ManyWordsCommand
from tengen.arena.match.openings import openings_command
from tengen.arena.match.options import Execution, GameOptions, OpeningOptions
from tengen.common import commands
from tengen.common.commands import takes
from tengen.lab.sprt.cli import sprt_command

T = TypeVar("T")


@pytest.mark.parametrize("command", [match_command, sprt_command, openings_command])
def test_the_options_of_all_commands_are_described(command: click.Command) -> None:
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, param.opts
    assert command.callback is not None
    names = command.callback.__wrapped__.__code__  # type: ignore[attr-defined]
    assert names.co_argcount <= 15


def _read(group: type[T], *words: str) -> T:
    """A group of options, as a command reads them."""
    found = []

    @commands.command("some", cls=ManyWordsCommand)
    @takes("given", group)
    def some(given: T) -> None:
        found.append(given)

    some.main([*words], standalone_mode=False)
    return found[0]


_WORDS = {
    "--engine": "cmd=true",
    "--each": "turn=15",
    "--display": "lines",
    "--judge": "true",
    "--rule": "renju",
    "--schedule": "swiss",
    "--sprt": "elo1=15",
    "--resign": "moves=15",
    "--draw": "moves=15",
    "--opening-rule": "swap2",
}


def test_a_resumed_run_may_be_carried_out_otherwise(tmp_path: Path) -> None:
    """Options of Execution go together with --resume, and so does --games; no others do."""
    free = {each.name for each in fields(Execution)} | {"resume", "games"}
    run = CliRunner().invoke
    for param in match_command.params:
        assert isinstance(param, click.Option)
        if param.name in ("resume", "config") or param.hidden:
            continue
        name = param.opts[0]
        words = [name] if param.is_flag else [name, _WORDS.get(name, "15")]
        said = " ".join(run(match_command, [*words, "--resume", str(tmp_path)]).output.split())
        assert (f"leave out {name}" in said) == (param.name not in free), said
        assert "leave out" in said or "holds no games.jsonl" in said, said


def test_games_end_by_agreement_by_their_length_or_by_both() -> None:
    agreed = {"draw_moves": 10, "draw_value": 20, "draw_from": 100}
    none = GameOptions().fields()
    assert none == {"is_suspending": False, "keeps_transcripts": False, "judge": None}
    for words, ends in (
        ("--draw after=5", {"draw_after": 5}),
        ("--draw", agreed),
        ("--draw after=5 moves=10", agreed | {"draw_after": 5}),
        ("--resign moves=3", {"resign_moves": 3, "resign_value": 1000}),
        (
            "--resign sides=one",
            {"resign_moves": 2, "resign_value": 1000, "resign_sides": 1},
        ),
    ):
        assert _read(GameOptions, *words.split()).fields() == none | ends


def test_openings_of_other_programs_are_read_when_asked_for(tmp_path: Path) -> None:
    book = tmp_path / "my book.txt"
    book.write_text("# points\nh8h7\n")
    for words, row in (
        ([str(book)], 8),
        ([f"file={book}", "order=random", "notation=pos"], 8),
        ([str(book), "notation=pos-top", "start=1"], 6),
    ):
        options = _read(OpeningOptions, "--openings", *words)
        [opening] = options.openings((15, 15), 0)
        assert opening.place(15, 15) == ((7, 7), (7, row))
        given = dict(word.split("=") for word in words[1:] if "notation" not in word)
        assert {key: str(value) for key, value in options.order().items()} == given


def test_openings_in_another_order_need_no_file() -> None:
    options = _read(OpeningOptions, "--openings", "order=sequential", "start=3")
    assert options.order() == {"order": "sequential", "start": 3}
    assert len(options.openings((15, 15), 0)) == 250
