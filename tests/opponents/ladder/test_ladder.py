"""The ladder: its entrants, a whole run of a short one, and its documents."""

from __future__ import annotations

import io
import json
import re
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tengen import cli as tengen
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder
from tengen.arena.match.tally import Tally
from tengen.game.record.game import Game, Job, Setting
from tengen.game.record.openings import Opening
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, WHITE
from tengen.opponents.ladder.cli import ladder_command
from tengen.opponents.ladder.documents import refreshed, write_documents
from tengen.opponents.ladder.entrants import FLOOR, TENGEN, entrant_names, entrants
from tengen.opponents.ladder.table import conditions, rungs, table
from tengen.opponents.registry import BRAINS
from tests.misbehaving import COMMAND
from tests.paths import ROOT

BEGIN, END = "<!-- ladder: begin (made by `tengen ladder --write`) -->", "<!-- ladder: end -->"


def _run(*words: str) -> Result:
    return CliRunner().invoke(ladder_command, words, env={"COLUMNS": "200"})


def _plan(*names: str) -> Plan:
    return Plan(
        programs=entrants(names, 0.2),
        setting=Setting(15, 15, 0),
        openings=(Opening(()),),
        games=2,
    )


def _tally(plan: Plan, *winners: str) -> Tally:
    """The games of a plan in order, won by these; "" is a draw."""
    tally = Tally(plan.names)
    jobs = plan.schedule().next_round(tally.points)
    for job, winner in zip(jobs, winners, strict=False):
        colour = {job.black: BLACK, job.white: WHITE}.get(winner, 0)
        tally.add(_game(job, colour))
    return tally


def _game(job: Job, winner: int) -> Game:
    ended = Termination.FIVE if winner else Termination.FULL
    return Game(
        job=job, setting=Setting(15, 15, 0), winner=winner, termination=ended, detail="",
        moves=(), peak_bytes=(0, 0), began_at=0.0, host="",
    )  # fmt: skip


# -- entrants


def test_everybody_is_on_it() -> None:
    programs = {program.name: program for program in entrants(entrant_names(), 0.2)}
    assert list(programs) == [*BRAINS, *TENGEN] and FLOOR in programs
    limits = {program.limits_text for program in programs.values()}
    assert limits == {"0.2 s/move", "100 nodes", "1000 nodes", "10000 nodes", "0.1 s/move"}


# -- a run


def test_a_short_ladder_is_played_resumed_and_written_down(tmp_path: Path) -> None:
    docs, out = tmp_path / "docs", tmp_path / "games"
    docs.mkdir()
    text = f"# Before\n\n{BEGIN}\nold\n{END}\n\nAfter\n"
    (docs / "LADDER.md").write_text(text, encoding="utf-8")
    played = _run(
        *("--only", "random", "--only", "weights", "--only", "Tengen 100 nodes"),
        *("--games", "4", "--turn", "0.1", "--size", "9", "--out", str(out), "--display=result"),
    )
    assert played.exit_code == 0, played.output
    assert "12 games, ended by:" in played.output
    assert re.search(r"random +\+0 ", played.output)
    # All games were played: nothing is played again, and the documents are written.
    written = _run("--resume", str(out), "--write", str(docs), "--display=result")
    assert written.exit_code == 0, written.output
    page = (docs / "LADDER.md").read_text(encoding="utf-8")
    assert page.startswith("# Before\n") and page.endswith("\nAfter\n") and "old" not in page
    assert "9×9, freestyle, a round robin of 3 with 4 games" in page and ": 12 games, " in page
    assert "| 1 | Tengen 100 nodes | 100 nodes |" in page
    picture = ET.parse(docs / "ladder.svg").getroot()
    groups = picture.iter("{http://www.w3.org/2000/svg}g")
    assert [group.get("class") for group in groups] == ["own", "other", "other"]
    with RunFolder.resume(out) as folder:
        assert len(folder.games) == 12


def test_the_ladder_as_a_document() -> None:
    words = [
        "--only",
        "random",
        "--only",
        "weights",
        "--games",
        "2",
        "--size",
        "9",
        "--turn",
        "0.1",
    ]
    played = _run(*words, "--json")
    assert played.exit_code == 0, played.output
    document = json.loads(played.stdout)
    assert [each["name"] for each in document["programs"]] == ["random", "weights"]
    assert document["games"] == 2 and len(document["pairings"]) == 1


def test_a_program_from_elsewhere_climbs_the_ladder(tmp_path: Path) -> None:
    command = f"cmd={shlex.join(COMMAND)}"
    played = _run(
        *("--only", "random", "--with", "name=Public", command, "nodes=7"),
        *("--games", "2", "--turn", "0.1", "--size", "9", "--out", str(tmp_path / "out")),
        "--display=result",
    )
    assert played.exit_code == 0, played.output
    assert re.search(r"Public +7 nodes", played.output)
    # Without a name it says its own.
    with RunFolder.resume(tmp_path / "out") as folder:
        assert folder.plan.names == ["random", "Public"]
    words = ("--only", "random", "--with", command, "--games", "2", "--size", "9")
    assert "Misbehaving" in _run(*words, "--display=result").output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "nobody"), "nobody"),
        (("--only", "random", "--only", "random"), "--only random is given twice"),
        (("--only", "random"), "two entrants or more"),
        (("--only", "random", "--with", "name=A"), "cmd= is missing"),
        (("--only", "random", "--with", "name=random", "cmd=true"), "random is an entrant already"),
        (
            ("--only", "random", "--with", "name=A", "cmd=true", "--write", "{tmp}/docs"),
            "--write is for the ladder without other programs",
        ),
        (("--rule", "3"), "there is no rule '3'"),
        (("--resume", "{tmp}", "--rule", "4"), "leave out --rule"),
        (("--resume", "{tmp}"), "games.jsonl"),
        (("--only", "random", "--only", "lines", "--write", "{tmp}/docs"), "LADDER.md"),
    ],
)
def test_what_cannot_be_played_is_one_line(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    result = _run(*(word.format(tmp=tmp_path) for word in words))
    assert result.exit_code == 2
    assert said in result.output.splitlines()[-1]


def test_a_run_of_another_command_is_not_continued(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "out", replace(_plan("random", "weights"), kind="tuning")).close()
    result = _run("--resume", str(tmp_path / "out"), "--display=result")
    assert result.exit_code == 2 and "holds a run of another kind (tuning)" in result.output


def test_many_games_are_not_played_unasked_when_they_are_not_kept() -> None:
    """Standard input is not a terminal here, so the command cannot ask."""
    result = _run()
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: 2,100 games would be played and not kept; give --out FOLDER to keep them, or --yes"
        " to play them anyway"
    )
    # With few games, or with --yes, it does not ask; here the missing documents end it.
    only = ("--only", "random", "--only", "weights", "--write", "nowhere")
    for words in (("--games", "100"), ("--games", "102", "--yes"), ("--games", "1e2")):
        assert "nowhere" in _run(*only, *words).output
    assert "102 games would be played" in _run(*only, "--games", "102").output


@pytest.mark.parametrize(("answer", "is_played"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_at_a_terminal_the_ladder_asks(
    answer: str,
    is_played: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    words = ["--only", "random", "--only", "lines", "--games", "102", "--write", "nowhere"]
    status = tengen.run(["ladder", *words])
    captured = capsys.readouterr()
    question = "102 games will be played and not kept (--out FOLDER keeps them). Go on? [y/N]"
    assert question in captured.out
    assert ("nowhere" in captured.err) == is_played
    assert status == (2 if is_played else 130)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on POSIX")
def test_a_ladder_broken_off_says_how_to_go_on_and_writes_nothing(tmp_path: Path) -> None:
    """The documents are not replaced by the result of a part of the games."""
    docs, out = tmp_path / "docs", tmp_path / "games"
    docs.mkdir()
    old = f"{BEGIN}\nold\n{END}\n"
    (docs / "LADDER.md").write_text(old, encoding="utf-8")
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "tengen", "ladder", "--display=result", "--games", "1000"),
            *("--only", "random", "--only", "weights", "--size", "9"),
            *("--out", str(out), "--write", str(docs)),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not _has_games(out) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + signal.SIGINT, "")
    assert said.endswith(f"games in {out}\nto continue: tengen ladder --resume {out}\n")
    assert (docs / "LADDER.md").read_text(encoding="utf-8") == old
    assert not (docs / "ladder.svg").exists()


def _has_games(out: Path) -> bool:
    """Has the run finished some pairs of games?"""
    record = out / "games.jsonl"
    return record.is_file() and record.read_text(encoding="utf-8").count("\n") > 5


# -- what is written down


def test_the_table_is_in_order_and_counts_from_the_floor() -> None:
    plan = _plan("random", "weights", "lines")
    #                    random-weights         random-lines      weights-lines
    tally = _tally(plan, "weights", "weights", "lines", "lines", "", "lines")
    ladder = rungs(plan, tally, "random")
    assert [rung.rating.name for rung in ladder] == ["lines", "weights", "random"]
    assert ladder[-1].rating.elo == 0 and ladder[0].rating.elo > ladder[1].rating.elo > 0
    assert [(r.wins, r.losses, r.draws) for _, r, _ in ladder] == [(3, 0, 1), (2, 1, 1), (0, 4, 0)]
    rows = table(ladder).splitlines()
    assert rows[0].count("|") == rows[1].count("|") == rows[2].count("|") == 10
    assert rows[2].startswith("| 1 | lines | 0.2 s/move | ")
    assert rows[2].endswith(" | 87.5 % | 3 | 0 | 1 |")
    # A rating below the floor has a true minus sign.
    low = ladder[-1]._replace(rating=replace(ladder[-1].rating, elo=-12.4))
    assert "| −12 |" in table([low])


def test_an_entrant_that_only_failed_is_told_with_its_reason() -> None:
    plan = _plan("random", "weights")
    tally = Tally(plan.names)
    for job in plan.schedule().next_round(tally.points):
        winner = WHITE if job.black == "weights" else BLACK
        failed = replace(_game(job, winner), termination=Termination.CRASH, detail="went away")
        tally.add(failed)
    with pytest.raises(ValueError, match="no rating of random: all games .* weights lost 2"):
        rungs(plan, tally, "random")


@pytest.mark.parametrize("winners", [(), ("weights",), ("weights", "weights", "lines")])
def test_no_entrant_is_left_out_of_the_table(winners: tuple[str, ...]) -> None:
    """An entrant without a complete pair has no rating, which is an error."""
    plan = _plan("random", "weights", "lines")
    with pytest.raises(ValueError, match="lines.* without a complete pair of games"):
        rungs(plan, _tally(plan, *winners), "random")


def test_the_conditions_say_what_was_played_and_what_is_missing() -> None:
    plan = _plan("random", "weights", "lines")
    tally = _tally(plan, "weights", "weights", "lines", "")
    words = conditions(plan, tally, "random")
    assert "4 of 6 games, ended by 3 five, 1 full board; 0 lost by a failure." in words
    assert words.endswith("Ratings are counted from `random`.")
    assert "mean of all ratings is 0" in conditions(plan, tally, None)


@pytest.mark.parametrize("text", ["nothing", f"{BEGIN}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n" * 2])
def test_a_document_without_its_marks_is_not_touched(text: str, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "LADDER.md"
    page.write_text(text, encoding="utf-8")
    plan = _plan("random", "weights")
    with pytest.raises(ValueError, match="expected one line <!-- ladder: begin"):
        write_documents(tmp_path / "docs", plan, _tally(plan, "weights", "weights"), "random")
    assert page.read_text(encoding="utf-8") == text
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["LADDER.md"]


def test_the_page_of_the_house_has_its_marks() -> None:
    assert "new words" in refreshed(ROOT / "docs" / "LADDER.md", "new words")
