"""The wheel in an empty environment outside the checkout: what a user would try first."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.test_games import play_game
from tests.package.conftest import Installed
from tests.paths import ROOT
from tests.protocol.conversation import SCRIPTS, play

pytestmark = pytest.mark.package

SIGNATURE = (ROOT / "tengen" / "lab" / "bench" / "SIGNATURE").read_text(encoding="ascii").strip()


def test_the_signature_a_conversation_and_the_api(full: Installed, tmp_path: Path) -> None:
    said = full.run("python", ROOT / "scripts" / "try_installed.py", cwd=tmp_path).stdout
    home, _, rest = said.partition(": ")
    assert rest.startswith(f"{SIGNATURE} nodes, plays ")
    assert Path(home).is_relative_to(full.scripts.parent) and not Path(home).is_relative_to(ROOT)


def test_a_match_of_two_games_and_its_report(full: Installed, tmp_path: Path) -> None:
    full.run(
        "tengen", "match",
        "--engine", "name=Tengen", "cmd=pbrain-tengen",
        "--engine", "name=simple", "cmd=tengen brain simple",
        "--games", "2", "--turn", "0.1", "--out", "run",
        cwd=tmp_path,
    )  # fmt: skip
    games = (tmp_path / "run" / "games.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert len(games) == 2
    assert {json.loads(line)["termination"] for line in games} <= {"FIVE", "FULL"}
    full.run("tengen", "report", "run", cwd=tmp_path)
    [page] = (tmp_path / "run").glob("*.html")
    assert "<script" in page.read_text(encoding="utf-8")


def test_a_forced_win_is_found_in_the_puzzles_that_come_with_it(
    full: Installed, tmp_path: Path
) -> None:
    find = (
        "from importlib.resources import files;"
        "print(files('tengen.lab.bench') / 'puzzles' / 'wins-r0-s15.jsonl')"
    )
    path = Path(full.run("python", "-c", find, cwd=tmp_path).stdout.strip())
    first = json.loads(path.read_text(encoding="ascii").splitlines()[0])
    (tmp_path / "puzzle.jsonl").write_text(json.dumps(first) + "\n", encoding="ascii")
    done = full.run("tengen", "solve", "puzzle.jsonl", "--check-wins", "--json", cwd=tmp_path)
    assert json.loads(done.stdout.splitlines()[0])["status"] == "win"


def test_types_reach_whoever_installs_it(full: Installed, tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(
        "from tengen import Engine, Position\n"
        "move = Engine().play(Position(), depth_plies=2)\n"
        "reveal_type(move)\n"
        "wrong: str = move.x\n",
        encoding="ascii",
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "user.py"]
    command += ["--python-executable", str(full.python), "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    note, error, total = done.stdout.splitlines()
    assert "Revealed type is" in note and "tengen.study.results.Move" in note
    assert error.startswith("user.py:4: error: Incompatible types in assignment")
    assert total.startswith("Found 1 error in 1 file")


@pytest.mark.parametrize(
    ("words", "problem"),
    [(["bench", "--update"], "--update needs a checkout"), (["lab", "sprt", "HEAD"], "git")],
    ids=["bench", "sprt"],
)
def test_what_needs_a_checkout_says_so_in_one_line(
    full: Installed, tmp_path: Path, words: list[str], problem: str
) -> None:
    said = full.run("tengen", *words, cwd=tmp_path, status=2).stderr
    assert said.count("\n") == 1 and problem in said.replace("\\", "/")


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        (["board", "--no-browser"], "segno", "board"),
        (["report", "run", "--live"], "tornado", "board"),
        (["lab", "train", "--help"], "numpy", "lab"),
        (["lab", "data", "run"], "numpy", "lab"),
    ],
    ids=["board", "report", "train", "data"],
)
def test_a_command_without_its_extra_names_it(
    full: Installed, tmp_path: Path, words: list[str], package: str, extra: str
) -> None:
    done = full.run("tengen", *words, cwd=tmp_path, status=1)
    expected = f'tengen: the Python package {package!r} is missing; pip install ".[{extra}]", in'
    assert (done.stdout, done.stderr) == ("", f"{expected} Tengen's folder\n")


def test_the_library_needs_no_extra_and_its_boards_and_engine_no_package(
    full: Installed, bare: Installed, tmp_path: Path
) -> None:
    code = "from tengen import Engine, Game, Position, format_game\n"
    code += "game = Game('h8 i9'); format_game(game, '.lib')\n"
    code += "review = Engine().review(game, nodes=100)\n"
    code += "print(len(review.annotated()), Position('h8').svg()[:4])\n"
    assert bare.run("python", "-c", code, cwd=tmp_path).stdout == "2 <svg\n"
    code = "from tengen import Match, Position, Program\n"
    code += "with Program('pbrain-tengen') as p: print(p.play(Position(), nodes=9, turn_s=60))\n"
    code += "brains = {name: f'tengen brain {name}' for name in ('simple', 'random')}\n"
    code += "result = Match(brains, games=2, nodes=9).play()\n"
    code += "print(result.standings['simple'].wins, result.elo, len(result.ratings))\n"
    said = full.run("python", "-c", code, cwd=tmp_path).stdout
    assert said == "h8\n2 too few games 2\n"


def test_a_cluster_without_its_packages_says_what_is_missing(
    full: Installed, tmp_path: Path
) -> None:
    done = full.run(
        "tengen", "match", "--cluster", "local:1",
        "--engine", "name=A", "cmd=pbrain-tengen", "--engine", "name=B", "cmd=pbrain-tengen",
        "--games", "2", "--turn", "0.1", "--out", "run",
        cwd=tmp_path, status=2,
    )  # fmt: skip
    assert done.stderr.count("\n") == 1 and 'pip install ".[cluster]"' in done.stderr


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
def test_conversations_without_any_other_package(bare: Installed, script: Path) -> None:
    play([str(bare.scripts / "pbrain-tengen")], script)


def test_a_game_without_any_other_package(bare: Installed) -> None:
    command = [str(bare.scripts / "pbrain-tengen")]
    play_game(command, 4, 15, 15, "timeout_turn 50", random.Random(1))


def test_the_command_without_its_packages_says_what_is_missing(
    bare: Installed, tmp_path: Path
) -> None:
    for words in (["--help"], ["bench"], ["match"]):
        done = bare.run("tengen", *words, cwd=tmp_path, status=1)
        expected = "tengen: the Python package 'click' is missing; pip install click\n"
        assert (done.stdout, done.stderr) == ("", expected)
