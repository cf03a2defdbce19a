"""`tengen match` from the command line: whole matches, bad input, and interrupts."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from tengen import cli as tengen
from tengen.arena.programs.process import EngineProcess, own_cores
from tengen.arena.programs.spec import ProgramSpec
from tests.arena.match.actor import settings
from tests.paths import ROOT
from tests.scripted import MakeProgram

# The scripts play rows 0 and 5, which this opening leaves free in all symmetries.
OPENING = "0,0, 1,1\n"


def _engine(program: ProgramSpec, *more: str) -> list[str]:
    return ["--engine", f"name={program.name}", f"cmd={shlex.join(program.command)}", *more]


@pytest.fixture
def pair(scripted: MakeProgram) -> list[str]:
    """Two engines; the first wins every game, with either colour."""
    first = scripted("First", *(f"MESSAGE Depth 1-1 | Eval {x};{x},0" for x in range(5)))
    second = scripted("Second", "0,5", "1,5", "2,5", "3,6", "4,6", "5,6")
    return ["match", *_engine(first, "nodes=10"), *_engine(second, "nodes=10", "option.k=v")]


@pytest.fixture
def book(tmp_path: Path) -> list[str]:
    path = tmp_path / "book.txt"
    path.write_text(OPENING, encoding="ascii")
    return ["--openings", str(path)]


def test_a_match_from_beginning_to_end(
    pair: list[str], book: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert tengen.run([*pair, *book, "--games", "3", "--out", str(out), "--seed", "5"]) == 0
    said = capsys.readouterr().out
    assert "game 1/3  First (black) - Second (white): First wins, five, 11 stones" in said
    assert "game 2/3  Second (black) - First (white): First wins, five, 12 stones" in said
    assert "[First 3 - 0 Second]" in said
    assert "3 games, ended by: 3 five" in said
    assert "won by black 2, by white 1" in said
    head, *games = (out / "games.jsonl").read_text().splitlines()
    assert json.loads(head)["seed"] == 5
    assert json.loads(head)["programs"][1]["options"] == {"k": "v"}
    assert [json.loads(game)["winner"] for game in games] == ["black", "white", "black"]
    assert len(list((out / "sgf").iterdir())) == len(list((out / "psq").iterdir())) == 3


@pytest.mark.skipif(not own_cores(), reason="this system binds no process to a core")
@pytest.mark.parametrize("jobs", [1, 2])
def test_programs_run_on_the_cores_of_the_list(
    jobs: int, pair: list[str], book: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    bound: list[list[int]] = []

    def note(self: EngineProcess, core: int) -> None:
        bind(self, core)
        bound.append(list(psutil.Process(self.pid).cpu_affinity() or []))

    bind = EngineProcess.bind
    monkeypatch.setattr(EngineProcess, "bind", note)
    before = own_cores()
    if len(before) < jobs:
        pytest.skip("needs a core for each game")
    last = before[-jobs:][::-1]  # such as 3,2 and not all of them, nor in order
    words = ["--games", "4", "--jobs", str(jobs), "--each", "restart=on"]
    assert tengen.run([*pair, *book, *words, *settings(f"cores = {last}")]) == 0
    assert len(bound) == 8 and {tuple(cores) for cores in bound} == {(core,) for core in last}
    assert own_cores() == before  # the match itself is not bound


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("match", "a match is played by two programs or more; --engine was given 0 times"),
        ("match --engine name=A cmd=true", "--engine was given once"),
        ("match --engine name=A cmd=true --engine name=A cmd=true", "two programs are named A"),
        ("match --engine name=A --engine name=B cmd=true", "'name=A': cmd= is missing"),
        ("match {A} {B} --resign moves=x", "--resign: moves=x: expected a whole number"),
        ("match {A} {B} --draw sides=three", "there is no word 'three'; there are both, one"),
        ("match {A} {B} --schedule swiss", "'swiss'; there are roundrobin, gauntlet"),
        ("match {A} {B} --schedule gauntlet seeds=2", "a gauntlet of 2 programs has fewer"),
        ("match {A} {B} --openings start=251", "start=251 is past the end: 250 openings"),
        ("match {A} {B} --openings", "--openings: expected FILE or key=value"),
        ("match {A} {B} --openings f.txt order=chance", "there is no word 'chance'"),
        ("match {A} {B} --display foo", "'foo' is not one of 'bar', 'boards'"),
        ("match {A} {B} --suspend", "suspend is a setting for a file: --config"),
        ("match {A} {B} --opening-rule swap2 --openings f.txt", "exclude each other"),
        ("match {A} {B} --each restart=yes", "restart=yes: expected on or off"),
        ("-version", "No such option '-version'. Did you mean '--version'?"),
        ("match --engine name=A cmd=nowhere/to/be/found --engine name=B cmd=true", "no program"),
        ("match --engine name=A cmd=true time=3 {B}", "time= is not a key"),
        ("match --engine name=A cmd=true memory=x {B}", "memory=x: expected mebibytes"),
        ("match --engine name=A cmd=true turn=1 turn=2 {B}", "turn= is given twice"),
        ("match {A} {B} --each match=40/60", "if it is seconds, write match=40 turn=60"),
        ("match --engine name=A cmd=true dir=/nowhere {B}", "No such file or directory"),
        ("match {A} {B} --sprt elo0=20", "elo0 < elo1"),
        ("match {A} {B} {C} --sprt", "--sprt compares two programs"),
        ("match {A} {B} --transcripts", "give --out too"),
        ("match {A} {B} --draw after=2", "--draw after=: openings have 6 stones already"),
        (
            "match {A} {B} --jobs 2 --cluster local:2",
            "--jobs and --cluster exclude each other",
        ),
        ("match {A} {B} --display boards --cluster local:2", "boards and --cluster exclude each"),
        pytest.param(
            "match {A} {B} --cluster local:none",
            "expected local:N with N from 1 to 256",
            marks=pytest.mark.skipif(find_spec("dask") is None, reason="needs dask"),
        ),
        ("match {A} {B} --config /nowhere", "/nowhere: No such file or directory"),
        ("match --resume /nowhere", "/nowhere: No such file or directory"),
        ("match {A} --resume /nowhere", "leave out --engine"),
        ("match {A} {B} --openings /nowhere", "/nowhere: No such file or directory"),
        ("match {A} {B} --out README.md/x", "README.md"),
        ("match {A} {B} --nonsense", "No such option"),
        ("metch", "'metch' is not a command; did you mean match?"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    words: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = {name: f"--engine name={name} cmd=true" for name in "ABC"}
    assert tengen.run(words.format(**engines).split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert complaint.replace("/nowhere", os.sep + "nowhere") in captured.err
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("tengen")


def test_the_command_starts_without_importing_its_rooms() -> None:
    code = "import sys, tengen; print(sorted({'match', 'rich', 'psutil'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
