"""Games on disk: the files of a run, reading them back, and what a kill leaves behind."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.arena.match.plan import Plan, plan_record, read_plan
from tengen.arena.match.play_game import match_game
from tengen.arena.match.records import RunFolder
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.match.scoreboard import Scoreboard
from tengen.arena.programs.spec import ProgramSpec
from tengen.arena.stats.sprt import Model, Sprt
from tengen.game.files.jsonl import game_record, read_records, timing_record
from tengen.game.files.sgf import read_sgf, write_sgf
from tengen.game.game import Game
from tengen.game.openings import Opening
from tengen.game.played import Move, Report, Termination, TimeControl
from tengen.game.referee import BLACK, WHITE

SETTING = Setting(15, 15, 0)
PLAN = Plan(
    programs=(
        ProgramSpec("Tengen", ("pbrain-tengen",), TimeControl(0.1), nodes=1000),
        ProgramSpec("Simple", ("simple", "--seed", "3"), TimeControl(1.2, 60, 0.5)),
    ),
    setting=SETTING,
    openings=(Opening(((0, 0),)), Opening(((1, 2), (3, -4)))),
    games=6,
    seed=7,
)
FULL_PLAN = replace(
    PLAN,
    programs=(
        ProgramSpec(
            "Tengen", ("pbrain-tengen",), TimeControl(0.1), 1000, 3, 2**20, 2, (("k", "v"),), "/",
            0.1, 20.0,
        ),
        PLAN.programs[1],
    ),
    setting=Setting(20, 15, 4, 100, "swap2", True, True, 4, 1000, 10, 20, 100),
    kind="gauntlet",
    order="sequential",
    sprt=Sprt(0, 5, 0.1, 0.02, Model.NORMALIZED),
    versions=(("Tengen", 'name="Tengen"'), ("Simple", None)),
)  # fmt: skip


def _game(
    index: int = 0,
    winner: int = BLACK,
    termination: Termination = Termination.FIVE,
    detail: str = "",
    setting: Setting = SETTING,
) -> Game:
    names = ("Tengen", "Simple") if index % 2 == 0 else ("Simple", "Tengen")
    moves = (
        Move(7, 7, BLACK),
        Move(8, 8, WHITE, 0.0124, Report(3, None, -12, None, 345)),
        Move(6, 0, BLACK, 1.5, Report(mate_plies=3)),
        Move(14, 14, WHITE, 0.25),
    )
    job = Job(index, index // 2, *names, ((7, 7),), (0, 5))
    return match_game(job, setting, winner, termination, detail, moves, (1000, 2000), 1.5e9, "here")


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


@pytest.mark.parametrize("plan", [PLAN, FULL_PLAN], ids=["small", "full"])
def test_a_plan_reads_back_as_it_was(plan: Plan) -> None:
    record = json.loads(json.dumps(plan_record(plan)))
    back = read_plan(record)
    assert plan_record(back) == record
    depth = ", depth 3" * (plan is FULL_PLAN)
    assert back.programs[0].limits_text == f"0.1 s/move, 1,000 nodes{depth}"
    assert back == replace(plan, openings=back.openings)
    assert [o.offsets for o in back.openings] == [o.offsets for o in plan.openings]


def test_measured_things_are_kept_apart(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path / "run", PLAN) as folder:
        folder.write(_game(0, WHITE, Termination.CRASH, "ended with status 3"))
    head, record = read_records(tmp_path / "run" / "games.jsonl")
    assert head["seed"] == 7 and head["rule"] == 0
    assert head["programs"][1]["command"] == ["simple", "--seed", "3"]
    assert record == {
        "game": 0, "pair": 0, "black": "Tengen", "white": "Simple", "width": 15, "height": 15,
        "rule": 0, "opening": [0, 5], "opening_moves": 1, "winner": "white", "termination": "CRASH",
        "moves": [[7, 7], [8, 8], [6, 0], [14, 14]],
        "reports": [
            None, {"value": -12, "depth_plies": 3, "nodes": 345}, {"mate_plies": 3}, None,
        ],
    }  # fmt: skip
    (timing,) = read_records(tmp_path / "run" / "timing.jsonl")
    assert timing == {
        "game": 0, "elapsed_s": [0.0, 0.0124, 1.5, 0.25], "peak_bytes": [1000, 2000],
        "began": "2017-07-14T02:40:00.000+00:00", "host": "here", "detail": "ended with status 3",
    }  # fmt: skip
    for kind in ("psq", "sgf"):
        assert [path.name for path in (tmp_path / "run" / kind).iterdir()] == [f"00001.{kind}"]


def test_one_sgf_has_all_games_with_the_occasion_also_after_a_kill(tmp_path: Path) -> None:
    setting = replace(PLAN.setting, event="The winter cup", site="Prague")
    games = [_game(index, setting=setting) for index in range(3)]
    path = tmp_path / "games.sgf"
    with RunFolder.create(tmp_path, replace(PLAN, setting=setting)) as folder:
        for game in games[:2]:
            folder.write(game)
    with path.open("a") as file:
        file.write("(;FF[4]GM[4")  # a game that was being written
    with RunFolder.resume(tmp_path) as folder:
        folder.write(games[2])
    trees = read_sgf(path.read_text(encoding="utf-8"))
    assert [tree.root.text("GN") for tree in trees] == ["1", "2", "3"]
    assert {(tree.root.text("EV"), tree.root.text("PC")) for tree in trees} == {
        ("The winter cup", "Prague")
    }
    pgn = (tmp_path / "games.pgn").read_text(encoding="utf-8")
    assert pgn.count('[Event "The winter cup"]\n[Site "Prague"]') == 3


def test_a_run_of_an_earlier_version_is_resumed() -> None:
    """It has no keys that came later."""
    record = json.loads(json.dumps(plan_record(PLAN)))
    for key in ("event", "site", "resign_sides", "draw_sides", "start"):
        del record[key]
    del record["schedule"]["seeds"]
    for program in record["programs"]:
        del program["restarts"], program["sees_board"]
    assert plan_record(read_plan(record)) == json.loads(json.dumps(plan_record(PLAN)))
    record["schedule"]["rounds"] = 3  # how often a round robin was played
    assert read_plan(record).games == 3 * PLAN.games


def test_every_game_is_put_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timing, games = tmp_path / "timing.jsonl", tmp_path / "games.jsonl"
    seen: list[tuple[str, int, int]] = []

    def note(number: int) -> None:
        is_timing = os.fstat(number).st_ino == timing.stat().st_ino
        name = timing.name if is_timing else games.name
        seen.append((name, _lines(timing), _lines(games)))

    with RunFolder.create(tmp_path, PLAN) as folder:
        monkeypatch.setattr(os, "fsync", note)
        for index in range(2):
            folder.write(_game(index))
    # The line in games.jsonl is written when that in timing.jsonl is on the disk.
    assert seen == [
        ("timing.jsonl", 1, 1), ("games.jsonl", 1, 2),
        ("timing.jsonl", 2, 2), ("games.jsonl", 2, 3),
    ]  # fmt: skip


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no games.jsonl"):
        RunFolder.resume(tmp_path)
    with RunFolder.create(tmp_path, PLAN) as folder:
        with pytest.raises(ValueError, match="holds the games of another run"):
            RunFolder.create(tmp_path, PLAN)
        with pytest.raises(ValueError, match="in use by another run"):
            RunFolder.resume(tmp_path)
        folder.write(_game(0))
        folder.write(_game(1))
    games = tmp_path / "games.jsonl"
    text = games.read_text()
    for damage, complaint in (
        ("no json\n", "cannot be resumed"),
        (text.replace('"game":0', '"game":5'), "games are missing"),
        (text + text.splitlines()[-1] + "\n", "timing.jsonl has fewer games"),
    ):
        games.write_text(damage)
        with pytest.raises(ValueError, match=complaint):
            RunFolder.resume(tmp_path)
    games.write_text(text)
    with RunFolder.resume(tmp_path) as folder:
        for write in (game_record, timing_record, write_sgf):
            assert [write(game) for game in folder.games] == [write(_game(0)), write(_game(1))]


def test_the_tally_counts_by_program_colour_and_reason() -> None:
    scores = Scoreboard(["Tengen", "Simple"])
    assert not scores.add(_game(0))
    assert scores.add(_game(1))
    scores.add(_game(2, 0, Termination.FULL))
    scores.add(_game(3, WHITE, Termination.CRASH, "ended"))
    scores.add(_game(4, 0, Termination.INTERRUPTED))
    tengen, simple = scores.standings.values()
    assert (tengen.wins, tengen.losses, tengen.draws, tengen.points) == (2, 1, 1, 2.5)
    assert (simple.wins, simple.losses, simple.draws, simple.points) == (1, 2, 1, 1.5)
    assert [score.wins for score in tengen.by_colour] == [1, 1]
    assert scores.failures == [(4, "Simple", "crash: ended")]
    assert (tengen.moves, tengen.longest_s) == (2 * 1 + 2 * 2, 1.5)
    assert scores.games == 4
    # Pairs: a win with either colour's stones each, then a draw and a win.
    pairing = scores.pairings["Tengen", "Simple"]
    assert pairing.pentanomial.counts == (0, 0, 1, 1, 0)
    assert scores.by_black.pentanomial.counts == (0, 1, 0, 0, 1)
