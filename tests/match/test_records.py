"""Games on disk: order, what goes where, and the formats of other programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from match.clockbook import TimeControl
from match.game import Game, Move, Setting
from match.messages import Report
from match.program import Program
from match.records import RecordWriter, read_games, to_psq, to_sgf
from match.referee import BLACK, WHITE
from match.schedule import Job
from match.tally import Tally
from match.termination import Termination

PROGRAMS = (
    Program("Tengen", ("pbrain-tengen",), TimeControl(0.1), nodes=1000),
    Program("Simple", ("simple", "--seed", "3"), TimeControl(1.2, 60)),
)


def _game(
    index: int = 0,
    winner: int = BLACK,
    termination: Termination = Termination.FIVE,
    detail: str = "",
    size: tuple[int, int] = (15, 15),
) -> Game:
    names = ("Tengen", "Simple") if index % 2 == 0 else ("Simple", "Tengen")
    moves = (
        Move(7, 7, BLACK),
        Move(8, 8, WHITE, 0.0124, Report(3, 5, -12, None, 345, "I9")),
        Move(6, 0, BLACK, 1.5, Report(mate_plies=3)),
        Move(14, 14, WHITE, 0.25),
    )
    job = Job(index, index // 2, *names, ((7, 7),))
    return Game(job, Setting(*size, 0), winner, termination, detail, moves)


def test_games_are_written_in_job_order(tmp_path: Path) -> None:
    with RecordWriter(tmp_path / "run", PROGRAMS, {"seed": 7}) as writer:
        for index in (2, 0, 4, 1):
            writer.write(_game(index))
        writer.write(_game(3, 0, Termination.INTERRUPTED))
    records = list(read_games(tmp_path / "run" / "games.jsonl"))
    # The fourth game was interrupted, so the fifth is not a beginning of the whole any more.
    assert [record["game"] for record in records] == [0, 1, 2]
    head = json.loads((tmp_path / "run" / "games.jsonl").read_text().splitlines()[0])
    assert head["format"] == 1 and head["seed"] == 7
    assert head["programs"][1]["command"] == ["simple", "--seed", "3"]
    names = sorted(path.name for path in (tmp_path / "run" / "psq").iterdir())
    assert names == ["00001.psq", "00002.psq", "00003.psq"]
    with pytest.raises(ValueError, match="games of another run"):
        RecordWriter(tmp_path / "run", PROGRAMS, {})


def test_the_order_of_writing_changes_no_byte(tmp_path: Path) -> None:
    for folder, order in (("a", (0, 1, 2)), ("b", (2, 1, 0))):
        with RecordWriter(tmp_path / folder, PROGRAMS, {}) as writer:
            for index in order:
                writer.write(_game(index))
    for name in ("games.jsonl", "timing.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_measured_things_are_kept_apart(tmp_path: Path) -> None:
    with RecordWriter(tmp_path, PROGRAMS, {}) as writer:
        writer.write(_game(0, WHITE, Termination.CRASH, "ended with status 3"))
    (record,) = read_games(tmp_path / "games.jsonl")
    assert record == {
        "game": 0,
        "pair": 0,
        "black": "Tengen",
        "white": "Simple",
        "width": 15,
        "height": 15,
        "rule": 0,
        "opening_moves": 1,
        "winner": "white",
        "termination": "CRASH",
        "moves": [[7, 7], [8, 8], [6, 0], [14, 14]],
        "reports": [
            None,
            {"value": -12, "depth_plies": 3, "nodes": 345},
            {"mate_plies": 3},
            None,
        ],
    }
    timing = json.loads((tmp_path / "timing.jsonl").read_text())
    assert timing == {
        "game": 0,
        "elapsed_s": [0.0, 0.0124, 1.5, 0.25],
        "detail": "ended with status 3",
    }


def test_psq_as_piskvork_writes_it() -> None:
    controls = {program.name: program.control for program in PROGRAMS}
    assert to_psq(_game(), controls) == (
        "Piskvorky 15x15, 1:4, 0\n"
        "8,8,0\n9,9,12\n7,1,1500\n15,15,250\n"
        "Tengen\nSimple\n0\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("termination", "code", "result"),
    [
        (Termination.TIMEOUT, "15", "W+T"),
        (Termination.CRASH, "-2", "W+F"),
        (Termination.FORBIDDEN, "-2", "W+F"),
        (Termination.FIVE, "0", "W+"),
    ],
)
def test_how_a_game_ended(termination: Termination, code: str, result: str) -> None:
    game = _game(0, WHITE, termination)
    assert to_psq(game).splitlines()[-1] == code
    assert to_psq(game).startswith("Piskvorky 15x15, 11:11, 0\n")
    assert f"RE[{result}]" in to_sgf(game)


def test_draws_and_interrupted_games() -> None:
    assert "RE[0]" in to_sgf(_game(0, 0, Termination.FULL))
    assert "RE[Void]" in to_sgf(_game(0, 0, Termination.INTERRUPTED))
    assert to_psq(_game(0, 0, Termination.INTERRUPTED)).endswith("\n-1\n")


def test_sgf_has_points_of_two_letters() -> None:
    game = _game(size=(15, 20))
    assert to_sgf(game) == (
        "(;FF[4]GM[4]CA[UTF-8]SZ[15:20]RU[freestyle]GN[1]PB[Tengen]PW[Simple]RE[B+]GC[five]\n"
        ";B[hh]C[opening]\n;W[ii]C[-12/3 12 ms]\n;B[ga]C[+M3 1500 ms]\n;W[oo]C[250 ms])\n"
    )


def test_sgf_text_is_escaped() -> None:
    job = Job(0, 0, "A[1]\\:\n2", "B", ())
    text = to_sgf(Game(job, Setting(15, 15, 4), 0, Termination.FULL, "", ()))
    (name,) = re.findall(r"PB\[((?:\\.|[^\]\\])*)\]", text)
    assert re.sub(r"\\(.)", r"\1", name) == "A[1]\\: 2"


def test_the_tally_counts_by_program_colour_and_reason() -> None:
    tally = Tally(["Tengen", "Simple"])
    tally.add(_game(0))
    tally.add(_game(1))
    tally.add(_game(2, 0, Termination.FULL))
    tally.add(_game(3, WHITE, Termination.CRASH, "ended"))
    tally.add(_game(4, 0, Termination.INTERRUPTED))
    tengen, simple = tally.standings.values()
    assert (tengen.wins, tengen.losses, tengen.draws, tengen.points) == (2, 1, 1, 2.5)
    assert (simple.wins, simple.losses, simple.draws, simple.points) == (1, 2, 1, 1.5)
    assert (tengen.wins_by_colour[BLACK], tengen.wins_by_colour[WHITE]) == (1, 1)
    assert simple.lost_by == {Termination.FIVE: 1, Termination.CRASH: 1}
    assert tally.failures == [(4, "Simple", "crash: ended")]
    assert (tengen.moves, tengen.longest_s) == (2 * 1 + 2 * 2, 1.5)
    assert (tally.games, tally.draws) == (4, 1)
