"""`tengen lab mates`: the games, the run with its log, and the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
import pytest

import tengen.study.mates
from engine.model import (
    Defences,
    Info,
    Limits,
    Point,
    Position,
    Result,
    Score,
    Solution,
    SolveLimits,
    Status,
)
from tengen import cli as tengen_cli
from tengen.game.rules.referee import BLACK, FREESTYLE, RENJU, RULES, WHITE
from tengen.game.rules.stones import in_turns, set_up
from tengen.study.announcements import Source, announcements, recorded_games, self_games
from tengen.study.mates import MatesPlan, examine, examine_all

FEW = MatesPlan(nodes=1_000, check_nodes=20_000)


class Scripted:
    """A brain that plays the first empty point of a row-by-row walk. It announces what `mates` has
    for the number of stones on the board."""

    def __init__(self, mates: dict[int, int]) -> None:
        self._mates = mates
        self.seen: list[int] = []

    def new_game(self) -> None:
        pass

    def set_position(self, position: Position) -> None:
        self.position = position

    def think(self, limits: Limits = Limits()) -> Result:  # noqa: B008
        taken = {(x, y) for x, y, _ in self.position.stones}
        width = self.position.width
        cells = ((i % width, i // width) for i in range(width * self.position.height))
        move = Point(*next(cell for cell in cells if cell not in taken))
        stones = len(self.position.stones)
        self.seen.append(stones)
        score = Score(0, self._mates[stones]) if stones in self._mates else Score(5)
        return Result(move, Info(1, 1, score, 10, 10, 1, (move,)))

    def solve(self, limits: SolveLimits = SolveLimits()) -> Solution:  # noqa: B008
        return Solution(Status.UNKNOWN, None, (), 10, 10, None)

    def solve_all(self, limits: SolveLimits = SolveLimits()) -> tuple[Solution, ...]:  # noqa: B008
        return ()

    def defences(self, limits: SolveLimits = SolveLimits()) -> Defences:  # noqa: B008
        raise AssertionError


def _source(moves: str | None, opening: str = "", rule: int = FREESTYLE) -> Source:
    def cells(text: str) -> list[tuple[int, int]]:
        return [(ord(word[0]) - ord("a"), int(word[1:])) for word in text.split()]

    start = cells(opening)
    stones = in_turns([*start, *cells(moves or "")])
    side = WHITE if len(start) % 2 else BLACK
    before = stones[: len(start)]
    return Source("g", 9, 9, rule, before, side, None if moves is None else stones[len(start) :])


# ---- announcements


def test_an_announcement_that_says_nothing_new_is_left_out() -> None:
    # Black: with stone 9 (twice), then with stone 11. White: that Black wins with stone 9, with 11.
    brain = Scripted({2: 7, 3: -6, 4: 5, 6: 5, 7: -4, 8: 1})
    found = announcements(brain, _source("a0 i8 b2 i6 c4 i4 d6 i2"), Limits(nodes=1))
    said = [(a.after, a.plies, a.winner) for a in found]
    assert said == [(2, 7, BLACK), (3, -6, BLACK), (6, 5, BLACK), (7, -4, BLACK)]
    assert brain.seen == list(range(9)), "every position of the game, the last one too"


def test_the_opening_is_not_searched_and_the_engine_plays_on_alone() -> None:
    brain = Scripted({})
    assert list(announcements(brain, _source("c3 c4", "a0 b0"), Limits(nodes=1))) == []
    assert brain.seen == [2, 3, 4]
    brain = Scripted({})
    assert list(announcements(brain, _source(None, "a2 b0 c2"), Limits(nodes=1))) == []
    # Up to the five of one side, in the first row: Black has a0 c0 d0 ...; nobody wins there.
    assert brain.seen[:3] == [3, 4, 5] and len(brain.seen) > 10


def test_a_game_ends_with_a_five_or_a_foul() -> None:
    brain = Scripted({})
    list(announcements(brain, _source("a0 a8 b0 b8 c0 c8 d0 d8 e0 e8"), Limits(nodes=1)))
    assert brain.seen[-1] == 8, "Black's five is the ninth stone"
    brain = Scripted({})
    double_three = "c4 a0 d4 i0 e5 a8 e6 i8 e4 h0"
    list(announcements(brain, _source(double_three, rule=RENJU), Limits(nodes=1)))
    assert brain.seen[-1] == 8
    brain = Scripted({})
    list(announcements(brain, _source(double_three), Limits(nodes=1)))
    assert brain.seen[-1] == 10


@pytest.mark.parametrize("size", [(15, 15), (5, 5), (22, 6)])
def test_self_games_are_all_different_and_the_same_every_time(size: tuple[int, int]) -> None:
    games = list(islice(self_games(RULES, size, 7), 20))
    assert [game.rule for game in games] == list(RULES) * 4
    assert len({game.name for game in games}) == len({game.stones for game in games}) == 20
    assert games == list(islice(self_games(RULES, size, 7), 20))
    assert games[0].stones != next(self_games(RULES, size, 8)).stones
    for game in games:
        board = set_up(game.width, game.height, game.rule, game.stones)
        assert not board.winner_anywhere() and not board.is_full()
        assert game.side == (WHITE if len(game.stones) % 2 else BLACK)


def test_games_of_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.psq").write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n8,7,0\nx\ny\n0\n")
    (tmp_path / "b.sgf").write_text("(;FF[4]GM[4]SZ[15]RU[renju];B[hh];W[ii])")
    (tmp_path / "notes.txt").write_text("nothing")
    psq, sgf = recorded_games([str(tmp_path)])
    assert (psq.rule, psq.stones, len(psq.moves or ())) == (0, (), 3)
    assert (sgf.rule, sgf.moves) == (4, ((7, 7, 1), (8, 8, 2)))
    assert recorded_games([psq.name], rule=8)[0].rule == 8
    header = {"format": 1, "programs": [{"name": "p"}, {"name": "q"}]}
    game = {"game": 0, "black": "p", "white": "q", "moves": [[7, 7], [8, 8], [6, 6]]}
    run = tmp_path / "run"
    run.mkdir()
    lines = [header, game | {"opening_moves": 2}, game | {"game": 1, "rule": 1}]
    (run / "games.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    first, second = recorded_games([str(run)])
    assert (first.stones, first.moves) == (((7, 7, 1), (8, 8, 2)), ((6, 6, 1),))
    assert (second.stones, second.rule, second.name) == ((), 1, f"{run}, game 2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("h8i9", "expected the games.jsonl of a match or a file of games"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "psq, line 3: a second stone at 8,8"),
        ("(;FF[4]GM[4]SZ[15]RU[chess];B[hh])", "RU[chess] is not a known rule"),
    ],
)
def test_bad_games_are_named(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game"
    path.write_text(text)
    assert tengen_cli.run(["lab", "mates", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"tengen lab mates: {path}: ") and err.count("\n") == 1 and message in err


# ---- runs


def test_jobs_change_nothing() -> None:
    sources = list(islice(self_games(RULES, (15, 15), 3), 3))
    alone = list(examine_all(FEW, sources, 1))
    together = list(examine_all(FEW, sources, 2))
    assert sorted(together, key=json.dumps) == sorted(alone, key=json.dumps)
    assert any(record["mates"] for record in alone)


def test_the_processes_of_a_run_that_is_killed_end() -> None:
    program = (
        "from itertools import islice\n"
        "from tengen.study.announcements import self_games\n"
        "from tengen.study.mates import MatesPlan, examine_all\n"
        "if __name__ == '__main__':\n"
        "    list(examine_all(MatesPlan(10**9, 10**9), self_games((0,), (15, 15), 1), 2))\n"
    )
    run = psutil.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while len(children := run.children(recursive=True)) < 2:
            assert time.monotonic() < deadline and run.poll() is None
            time.sleep(0.05)
        time.sleep(1)  # until they have begun
        children = run.children(recursive=True)
    finally:
        run.kill()
        run.wait()
    _, alive = psutil.wait_procs(children, timeout=60)
    for child in alive:
        child.kill()
    assert not alive


def _run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = tengen_cli.run(["lab", "mates", "--nodes", "1000", "--check-nodes", "20000", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_run_goes_on_after_the_games_in_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "mates.jsonl"
    examined: list[str] = []

    def counted(plan: MatesPlan, source: Source) -> dict[str, Any]:
        examined.append(source.name)
        return examine(plan, source)

    monkeypatch.setattr(tengen.study.mates, "examine", counted)
    words = ("--out", str(log), "--seed", "3")
    status, whole, err = _run(capsys, *words, "--games", "3")
    assert (status, err, len(examined)) == (0, "", 3)
    text = log.read_text()
    # Killed while it wrote the last line.
    log.write_text(text[: len(text) - 20])
    examined.clear()
    assert _run(capsys, *words, "--games", "3") == (0, whole, "")
    assert examined == [json.loads(text.splitlines()[3])["game"]]
    assert log.read_text() == text
    examined.clear()
    assert _run(capsys, *words, "--mates", "1") == (0, whole, "")
    assert examined == [], "there are enough already"
    assert log.read_text() == text


def test_a_log_of_other_settings_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "mates.jsonl"
    assert _run(capsys, "--out", str(log), "--games", "1")[0] == 0
    text = log.read_text()
    assert tengen_cli.run(["lab", "mates", "--out", str(log), "--games", "1"]) == 2
    expected = f"tengen lab mates: {log}: was made with --nodes 1000, not 20000; give the same or"
    assert capsys.readouterr().err.startswith(expected)
    for bad, message in (
        ("{}\n", "is not a log of tengen lab mates"),
        ("what\n", "line 1: is not a record"),
        (text + '{"game": "g", "mates": [{"plies": "x"}]}\n', "is not a game of tengen lab mates"),
    ):
        log.write_text(bad)
        status, out, err = _run(capsys, "--out", str(log))
        assert (status, out) == (2, "") and message in err and err.count("\n") == 1
        assert log.read_text() == bad, "nothing of it is lost"


# ---- the command


def test_wrong_mates_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(tengen.study.mates, "new_brain", lambda: Scripted({2: 3, 3: -2}))
    path = tmp_path / "game.psq"
    path.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n8,7,0\n")
    status, out, err = _run(capsys, str(path))
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == (
        f"WRONG: {path}, after 2 stones, black to move, a win with stone 3: no win with stone 1 is"
        " found in 2,000,000 nodes, after a15 b15; freestyle 15x15 h8 i7"
    )
    assert lines[1].startswith(f"WRONG: {path}, after 3 stones, white to move, a loss with stone 2")
    assert lines[2:7] == [
        "announced        2 in 1 games: 1 wins, 1 losses",
        "proved           0",
        "played out       0",
        "wrong            2",
        "not settled      0",
    ]
    status, out, _ = _run(capsys, str(path), "--json")
    first, second, last = map(json.loads, out.splitlines())
    assert status == 1
    assert (first["verdict"], first["plies"], second["plies"]) == ("wrong", 3, -2)
    assert last["summary"]["wrong"] == 2 and last["summary"]["rules"]["freestyle"]["wrong"] == 2


def test_a_run_by_the_number_of_mates(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _run(
        capsys, "--mates", "2", "--rule", "renju", "--size", "13", "--seed", "2"
    )
    assert (status, err) == (0, "")
    figures = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert int(figures["announced"].split()[0]) >= 2
    assert figures["wrong"] == "0"
    assert "renju" in figures and "freestyle" not in figures


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no/file"], "No such file"),
        (["x", "--games", "3"], "--games and --size are for self-games"),
        (["--games", "0"], "0 is not in the range"),
        (["--rule", "chess"], "there is no rule 'chess'"),
        (["--jobs", "0"], "0 is not in the range"),
        (["--size", "30"], "expected 5 to 22"),
        ([str(Path(__file__).parent)], "holds no games.jsonl and no files of games"),
    ],
)
def test_bad_usage_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = _run(capsys, *words)
    assert (status, out) == (2, "")
    assert err.startswith("tengen lab mates: ") and err.count("\n") == 1 and message in err
