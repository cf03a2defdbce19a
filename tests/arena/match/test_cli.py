"""`tengen match` as its users write it: the command line and config files, words of programs, bad
input, file names, and the folders of programs."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import click
import psutil
import pytest
from click.testing import CliRunner

from tengen import cli as tengen
from tengen.arena.match.cli import match_command
from tengen.arena.match.options import (
    Execution,
    GameOptions,
    ManyWordsCommand,
    OpeningOptions,
    ProgramOptions,
)
from tengen.arena.match.plan import Plan, introduce
from tengen.arena.match.schedule import Setting
from tengen.arena.programs.process import EngineProcess, own_cores
from tengen.arena.programs.spec import ProgramSpec, as_record
from tengen.common import commands
from tengen.common.commands import takes
from tengen.game.files.jsonl import read_records
from tests.acting import ACTOR, actor, noted, settings
from tests.commands import Run


def _plan_of(out: Path) -> dict[str, Any]:
    return read_records(out / "games.jsonl")[0]


def test_a_match_from_beginning_to_end(stage: Path, run: Run) -> None:
    """With either colour the first program wins every game."""
    words = [*actor("A", 0), *actor("B", 5, *["pass"] * 6, "move = 8"), "option.k=v"]
    words += ["--each", "nodes=10", "--openings", "book.txt", "--seed", "5", "--out", "out"]
    said = run("match", *words, "--games", "3").good
    assert "game 1/3  A (black) - B (white): A wins, five, 11 stones" in said
    assert "game 2/3  B (black) - A (white): A wins, five, 12 stones" in said
    assert "[A 3 - 0 B]" in said
    assert "3 games, ended by: 3 five" in said
    assert "won by black 2, by white 1" in said
    head, *games = (stage / "out" / "games.jsonl").read_text().splitlines()
    assert json.loads(head)["seed"] == 5
    assert json.loads(head)["programs"][1]["options"] == {"k": "v"}
    assert [json.loads(game)["winner"] for game in games] == ["black", "white", "black"]
    for kind in ("sgf", "psq"):
        assert len(list((stage / "out" / kind).iterdir())) == 3


@pytest.mark.skipif(not own_cores(), reason="this system binds no process to a core")
def test_programs_run_on_the_cores_of_the_list(
    stage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound: list[list[int]] = []

    def note(self: EngineProcess, core: int) -> None:
        bind(self, core)
        bound.append(list(psutil.Process(self.pid).cpu_affinity() or []))

    bind = EngineProcess.bind
    monkeypatch.setattr(EngineProcess, "bind", note)
    before = own_cores()
    if len(before) < 2:
        pytest.skip("needs a core for each game")
    last = before[-2:][::-1]  # such as 3,2 and not all of them, nor in order
    words = [*actor("A", 0), *actor("B", 5), "--games", "4", "--openings", "book.txt"]
    words += ["--jobs", "2", "--each", "restart=on", "nodes=1", *settings(f"cores = {last}")]
    assert tengen.run(["match", *words]) == 0
    assert len(bound) == 8 and {tuple(cores) for cores in bound} == {(core,) for core in last}
    assert own_cores() == before  # the match itself is not bound


# -- config files


FULL = """
rule = 1
size = "16x12"
games = 3
seed = -7
suspend = true
fatal = true
transcripts = true
anchor = ["A=1500", "C=-20.5"]
jobs = 2
display = "result"
out = "out"

[openings]
file = "book.txt"
order = "sequential"

[schedule]
kind = "gauntlet"
seeds = 2

[draw]
after = 100

[tags]
event = "The winter's cup"

[timeouts]
tolerance = 60.5
start = 70
exit = 0.25
late = 3
unlimited = 50

[each]
match = 60
turn = 0.25
memory = 100
threads = 2
option = { shared = "yes", "caution_factor" = 3 }

[[engine]]
name = "A"
cmd = "COMMAND 0"
option = { key = "a value" }
nodes = 50

[[engine]]
name = "B [bold]"
cmd = "COMMAND 5"
memory = 0
threads = 1

[[engine]]
name = "C"
cmd = "COMMAND 6"
match = "60+0.5"
turn = 5
dir = "."
"""


def test_a_config_file_says_everything(stage: Path, run: Run) -> None:
    command = f"{sys.executable} -SE actor.py log.jsonl".replace("\\", "/")
    text = FULL.replace("COMMAND", command)
    Path("log.jsonl").touch()  # a file that is there is meant from here
    Path("run.toml").write_text(text, encoding="utf-8")
    said = run("match", "--config", "run.toml").good
    assert "game 1/" not in said and "6 games, ended by: 6 five" in said
    assert "B [bold]" in said
    assert "the games go to" not in said
    plan = _plan_of(Path("out"))
    a, b, c = plan["programs"]
    named = [str(Path(name).absolute()) for name in ("actor.py", "log.jsonl")]
    assert a["command"] == [sys.executable, "-SE", *named, "0"]
    assert (a["nodes"], a["turn_s"], a["match_s"]) == (50, None, None)
    assert (a["memory_bytes"], a["threads"]) == (100 * 2**20, 2)
    assert a["options"] == {"shared": "yes", "caution_factor": "3", "key": "a value"}
    assert (b["memory_bytes"], b["threads"]) == (0, 1)
    assert (b["turn_s"], b["match_s"], b["increment_s"]) == (0.25, 60, 0)
    assert (c["turn_s"], c["match_s"], c["increment_s"]) == (5, 60, 0.5)
    assert c["folder"] == str(Path.cwd()) and a["folder"] is None
    assert (plan["width"], plan["height"], plan["rule"]) == (16, 12, 1)
    assert plan["schedule"] == {"kind": "gauntlet", "games": 3, "seeds": 2}
    assert (plan["event"], plan["site"]) == ("The winter's cup", "")
    assert (plan["order"], plan["seed"], plan["draw_after"]) == ("sequential", -7, 100)
    assert (plan["is_suspending"], plan["keeps_transcripts"]) == (True, True)
    assert plan["timeouts"] == {
        "start_s": 70, "tolerance_s": 60.5, "late_s": 3, "unlimited_s": 50, "exit_s": 0.25,
    }  # fmt: skip
    assert plan["openings"] == [[0, 0, 1, 1]]
    assert plan["versions"] == dict.fromkeys(["A", "B [bold]", "C"], 'name="Actor"')


def test_the_command_line_comes_after_the_file(stage: Path) -> None:
    Path("run.toml").write_text(
        'rule = 4\nsize = 12\ngames = 40\nseed = 3\nopenings = "book.txt"\nsuspend = true\n'
        "fatal = false\n[each]\nmemory = 100\n[sprt]\nelo1 = 5\nalpha = 0.1\n",
        encoding="ascii",
    )
    words = [*actor("A", 0), *actor("B", 5), "memory=50", "--config=run.toml"]
    words += "--games 2 --each turn=0.5 --size 20".split()
    # Where in the line the file is named makes no difference.
    for number, seed in enumerate(([], ["--seed", "4"])):
        out = f"out{number}"
        assert tengen.run(["match", *seed, *words, "--out", out]) == 0
        plan = _plan_of(Path(out))
        assert (plan["rule"], plan["width"], plan["schedule"]["games"]) == (4, 20, 2)
        assert plan["seed"] == (3, 4)[number]
        assert plan["is_suspending"]
        assert [p["memory_bytes"] // 2**20 for p in plan["programs"]] == [100, 50]
        assert [p["turn_s"] for p in plan["programs"]] == [0.5, 0.5]
        assert (plan["sprt"]["elo0"], plan["sprt"]["elo1"], plan["sprt"]["alpha"]) == (0, 5, 0.1)
        assert len(list(read_records(Path(out, "games.jsonl")))) == 1 + 2


# -- bad input


BAD_WORDS = [
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
    ("match {A} {B} --display foo", "'foo' is not one of 'bar', 'lines'"),
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
    ("match {A} {B} {C} --sprt", "sprt compares two programs"),
    ("match {A} {B} --transcripts", "give --out too"),
    ("match {A} {B} --draw after=2", "--draw after=: openings have 6 stones already"),
    (
        "match {A} {B} --jobs 2 --cluster local:2",
        "--jobs and --cluster exclude each other",
    ),
    pytest.param(
        "match {A} {B} --cluster local:none",
        "expected local:N with N from 1 to 256",
        marks=pytest.mark.skipif(find_spec("dask") is None, reason="needs dask"),
    ),
    ("match --resume /nowhere", "/nowhere: No such file or directory"),
    ("match {A} {B} --out README.md/x", "README.md"),
]
BAD_FILES = [
    ("rule = ", "Invalid value"),
    ("ruel = 4", "ruel is not known; see tengen match --help"),
    ("rule = true", "rule: expected a text or a number, not True"),
    ("rule = [0, 4]", "rule: expected one value, not [0, 4]"),
    ('suspend = "yes"', "suspend: expected true or false, not 'yes'"),
    ('tags = "x"', "match: tags 'x': expected key=value"),
    ('timeouts.late = "x"', "match: timeouts: late=x: expected seconds"),
    ('[each]\ncmd = "true"', "cmd= is not shared"),
    ('anchor = "C=5"', "anchor: no program 'C'; there are A, B"),
    ('anchor = "A=5"', "anchor needs a tournament"),
    ('anchor = "A=nan"', "'A=nan': expected NAME=ELO"),
    ("cores = [9999]", "match: Invalid value for 'cores': there is no core 9999 to use"),
    ("cores = 0\njobs = 2", "2 games at a time need as many cores"),
    ('[[engine]]\nname = "A"\ncmd = "true"', "two programs are named A"),
    ('[[engine]]\ncmd = "C:\\temp\\new.exe"', "expected one line; a name with \\ stands in"),
    ('out = "C:\\temp\\new"', "out: 'C:\\temp\\new': expected one line; a name with"),
]


@pytest.mark.parametrize(("words", "complaint"), BAD_WORDS)
def test_bad_words(words: str, complaint: str, run: Run) -> None:
    engines = {name: f"--engine name={name} cmd=true" for name in "ABC"}
    complaint = complaint.replace("/nowhere", os.sep + "nowhere")
    assert complaint in run(*words.format(**engines).split()).refusal


@pytest.mark.parametrize(("text", "complaint"), BAD_FILES)
def test_bad_files(text: str, complaint: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "run.toml"
    path.write_text(text, encoding="utf-8")
    engines = "--engine name=A cmd=true --engine name=B cmd=true".split()
    assert complaint in run("match", *engines, "--config", path).refusal


# -- words


@pytest.mark.parametrize(
    ("each", "own", "expected"),
    [
        ("", "", (0.1, None, 0, None)),
        ("turn=0.5 match=9", "", (0.5, 9, 0, None)),
        ("match=60+0.5 turn=5", "", (5, 60, 0.5, None)),
        ("turn=2", "match=9", (None, 9, 0, None)),
        ("match=60", "turn=1", (1, None, 0, None)),
        ("turn=2", "match=60+1", (None, 60, 1, None)),
        ("nodes=30", "", (None, None, 0, 30)),
        ("nodes=30 turn=2", "nodes=40", (None, None, 0, 40)),
        ("nodes=30", "turn=2", (2, None, 0, None)),
        ("", "nodes=40 match=30", (None, 30, 0, 40)),
        ("depth=3", "memory=70", (None, None, 0, None)),
    ],
)
def test_what_a_program_says_itself_comes_before_each(
    each: str, own: str, expected: tuple[float | None, ...]
) -> None:
    engines = (f"name=A cmd=true {own}".split(), ["name=B", "cmd=true"])
    program, _ = ProgramOptions(engines, (each.split(),)).programs()
    record = as_record(program)
    assert tuple(record[key] for key in ("turn_s", "match_s", "increment_s", "nodes")) == expected


# -- file names and folders


def _play(*words: str) -> None:
    command = ["match", *words, "--openings", "book.txt", "--turn", "20", "--games", "4"]
    assert tengen.run(command) == 0


def test_relative_names_are_meant_from_where_the_run_is_started(stage: Path) -> None:
    given = Path("deeper") / "still"
    given.mkdir(parents=True)
    Path("deeper/own.py").write_bytes(ACTOR.read_bytes())
    (given / "net.bin").write_text("weights", encoding="ascii")
    other = actor("B", 5, script="./deeper/../actor.py")
    _play(*actor("A", 0, script="deeper/own.py"), *other, f"dir={given}")
    assert set(noted("cwd", 5)) == {str(given.resolve())}
    assert len(noted("cwd", 0)) == 4
    # The folder stays as it is; what the program keeps has a place elsewhere.
    assert noted("found", 5)[0] == ["net.bin"]
    assert sorted(path.name for path in given.iterdir()) == ["litter", "net.bin"]
    assert not Path(noted("keep", 5)[0]).exists()


def test_every_program_has_folders_of_its_own(stage: Path) -> None:
    # B crashes in the second game of a process, and a new one plays the third and fourth.
    _play(*actor("A", 0), *actor("B", 5, *["pass"] * 4, "os._exit(3)"))
    places: list[str] = []
    for row, processes in ((0, 1), (5, 2)):
        assert len(noted("cwd", row)) == 4
        assert len({pid for pids in noted("pids", row) for pid in pids}) == processes
        (cwd,), (keep,) = set(noted("cwd", row)), set(noted("keep", row))
        assert noted("found", row)[0] == []
        # What it keeps is there in the next game, also if its process has ended.
        assert noted("kept", row) == [[str(n) for n in range(count)] for count in range(4)]
        places += [cwd, keep]
    assert len(set(places)) == 4
    assert all(Path(place).is_absolute() for place in places)
    assert not [place for place in places if Path(place).exists()]
    assert str(Path.cwd()) not in places


T = TypeVar("T")


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
    "--schedule": "gauntlet",
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


def _introduced(*programs: ProgramSpec) -> Plan:
    return introduce(Plan(programs, Setting(15, 15, 0), (), 1))


def _program(name: str, about: str) -> ProgramSpec:
    code = f"import sys\nfor line in sys.stdin:\n  if 'ABOUT' in line: print({about!r}, flush=True)"
    return ProgramSpec(name, (sys.executable, "-SEc", code))


def test_the_answer_to_about_names_a_program() -> None:
    """A name that is taken gets a number. Without an answer its last word that is no option names
    it: here the text of the script."""
    named = {
        'name="Yixin 2018", version="1.0"': "Yixin 2018",
        'version="1", NAME = "A"': "A 2",
        'name="  a \t \x1b b "': "a b",
        'name="' + "y" * 80 + '"': "y" * 50,
    }
    programs = [_program("", about) for about in (*named, "name=")]
    *names, last, taken = _introduced(*programs, _program("A", "x")).names
    assert (names, taken) == (list(named.values()), "A") and last.startswith("import sys")


def test_a_program_without_an_answer_to_about_may_play() -> None:
    plan = _introduced(
        _program("Plain", 'name="x"'),
        _program("Chatty", 'MESSAGE one moment\nname="x"'),
        _program("Unwilling", "UNKNOWN"),
        ProgramSpec("Brittle", (sys.executable, "-SEc", "pass")),
    )
    assert [answer for _, answer in plan.versions] == ['name="x"', 'name="x"', None, None]
