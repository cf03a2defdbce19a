"""Single games: the winner, the reason, and the record; and the runners that play many of them,
here and on a cluster."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import Watcher, adjudicated, play_game
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.match.tournament import LocalRunner
from tengen.arena.programs.process import EngineProcess
from tengen.arena.programs.program import Program, Timeouts
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.game import Game
from tengen.game.openings import Opening, built_in_openings
from tengen.game.played import Move, Report, Termination
from tengen.game.referee import BLACK, WHITE, Cell, Referee
from tests.acting import BRIEF_S, INSTANT, acting

Play = Callable[..., Game]


class Diary(Watcher):
    """A watcher that keeps what it is called with."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    def game_started(self, job: Job, board: Referee) -> None:
        self.entries.append(f"start {len(board.stones())}")

    def moved(self, job: Job, board: Referee, move: Move) -> None:
        assert board.cell(move.x, move.y) == move.colour
        self.entries.append(f"move {move.x},{move.y}")

    def game_ended(self, game: Game) -> None:
        self.entries.append(f"end {game.ending}")


@pytest.fixture
def play(hasty: Timeouts) -> Play:
    """Plays a game of two programs and ends them."""

    def run(
        black: ProgramSpec,
        white: ProgramSpec,
        setting: Setting | None = None,
        opening: tuple[Cell, ...] = (),
        diary: Diary | None = None,
        stop: threading.Event | None = None,
    ) -> Game:
        players = {BLACK: Program(black, hasty), WHITE: Program(white, hasty)}
        try:
            return play_game(
                Job(0, 0, black.name, white.name, opening),
                setting or Setting(15, 15, 0),
                players,
                diary or Diary(),
                stop or threading.Event(),
            )
        finally:
            for player in players.values():
                player.close()

    return run


def test_a_five_wins_and_everyone_hears_of_it(play: Play) -> None:
    diary = Diary()
    black = acting("A", "say('MESSAGE Depth 1-1 \\x7c Eval 7')", row=0)
    game = play(black, acting("B", row=5), diary=diary)
    assert (game.winner, game.termination, game.detail) == (BLACK, Termination.FIVE, "")
    assert (
        game.stones == tuple((x, y, c) for x in range(5) for y, c in ((0, BLACK), (5, WHITE)))[:9]
    )
    assert game[0].report == Report(1, 1, 7)
    assert game[1].report is game[2].report is None
    assert all(node.time_s for node in game)
    assert diary.entries[:4] == ["start 0", "move 0,0", "move 0,5", "move 1,0"]
    assert diary.entries[-2:] == ["move 4,0", "end FIVE"]


def test_white_moves_first_after_an_odd_opening(play: Play) -> None:
    opening = ((7, 7), (8, 8), (9, 9))
    game = play(acting("A", row=0), acting("B", row=5), opening=opening)
    assert (game.winner, game.termination) == (WHITE, Termination.FIVE)
    assert [node.time_s for node in game[:3]] == [0, 0, 0]
    assert [colour for _, _, colour in game.stones[:4]] == [BLACK, WHITE, BLACK, WHITE]


def test_a_stopped_run_interrupts_the_game(play: Play) -> None:
    stop = threading.Event()
    stop.set()
    game = play(acting("A", "die()"), acting("B"), stop=stop)
    assert (game.winner, game.termination) == (0, Termination.INTERRUPTED)


SWAP2 = Setting(15, 15, 1, opening_rule="swap2")


@pytest.mark.parametrize(("answer", "black", "stones"), [("SWAP", "B", 3), ("7,7", "A", 4)])
def test_swap2_decides_colours_and_opening(
    play: Play, answer: str, black: str, stones: int
) -> None:
    game = play(acting("A"), acting("B", f"on begin swap2 = {answer!r}"), setting=SWAP2)
    assert game.black == black
    assert game.opening_moves == stones
    assert [stone[:2] for stone in game.stones[:3]] == [(0, 0), (14, 0), (0, 14)]
    assert game.termination is Termination.FULL


def test_no_answer_to_swap2board_loses(play: Play) -> None:
    game = play(acting("A"), acting("B", "on DONE skip = True", turn_s=BRIEF_S), setting=SWAP2)
    assert (game.winner, game.termination) == (BLACK, Termination.STALL)
    assert len(game) == 0


RESIGN = Setting(15, 15, 0, resign_moves=2, resign_value=1000)
GIVE_UP = replace(RESIGN, resign_sides=1)
DRAW = Setting(15, 15, 0, draw_moves=2, draw_value=20, draw_from=6)
BLACK_WINS = (BLACK, "both valued Black at 1000 or more for 2 moves each")
WHITE_WINS = (WHITE, "both valued White at 1000 or more for 2 moves each")
BLACK_GAVE_UP = (WHITE, "Black gave up: its values were -1000 or less for 2 moves")
WHITE_GAVE_UP = (BLACK, "White gave up: its values were -1000 or less for 2 moves")
DRAWN = (0, "both were within 20 of even for 2 moves each")


def _moves(values: Sequence[int | str | None]) -> list[Move]:
    """Moves with these values, Black's first; `M5` and `-M4` are forced wins and losses."""
    moves = []
    for number, value in enumerate(values):
        report = None
        if isinstance(value, int):
            report = Report(value=value)
        elif value is not None:
            plies = int(value.replace("M", ""))
            report = Report(mate_plies=plies)
        moves.append(Move(number % 15, number // 15, WHITE if number % 2 else BLACK, 0.1, report))
    return moves


@pytest.mark.parametrize(
    ("setting", "values", "outcome"),
    [
        (RESIGN, [1000, -1000, 1500, -2000], BLACK_WINS),
        (RESIGN, [-1000, 1000, -1500, 2000], WHITE_WINS),
        (RESIGN, [0, 0, 1000, -1000, "M5", "-M4"], BLACK_WINS),
        (RESIGN, ["-M6", "M5", "-M4", "M3"], WHITE_WINS),
        (RESIGN, [1000, -999, 1500, -2000], None),  # the loser does not see it yet
        (RESIGN, [999, -1000, 1500, -2000], None),
        (RESIGN, [1000, 1000, 1500, 2000], None),  # both believe that they win
        (RESIGN, [1000, -1000, 1500], None),
        (RESIGN, [1000, None, 1500, -2000], None),
        (RESIGN, [0, 0, 0, 0, 0, 0], None),
        (RESIGN, [], None),
        (GIVE_UP, [0, -1000, 0, -1500], WHITE_GAVE_UP),  # it has moved last
        (GIVE_UP, [None, -1000, None, "-M4"], WHITE_GAVE_UP),
        (GIVE_UP, [-1000, 0, -1500], BLACK_GAVE_UP),
        (GIVE_UP, [-1000, 0, -999], None),
        (GIVE_UP, [0, -1500], None),  # one move of White's is too few
        (GIVE_UP, [2000, 0, 2000], None),  # a program does not win by its own word
        (DRAW, [500, 500, 0, 20, -20, 5], DRAWN),
        (DRAW, [0, 20, -20, 5], None),  # too few stones
        (DRAW, [0, 0, 0, 21, -20, 5], None),
        (DRAW, [0, 0, 0, "M5", -20, 5], None),
        (DRAW, [0, 0, 0, None, -20, 5], None),
    ],
)
def test_values_of_both_sides_or_of_one_end_a_game(
    setting: Setting, values: Sequence[int | str | None], outcome: tuple[int, str] | None
) -> None:
    assert adjudicated(setting, _moves(values)) == outcome


# -- runners


def _plan(hasty: Timeouts) -> Plan:
    row, other = acting("Row", row=0), acting("Other", "on move cell = move, 5 + (move > 2)")
    programs = (replace(row, options=(("own", "1"),)), other)
    setting = Setting(15, 15, 0, keeps_transcripts=True)
    return Plan(programs, setting, (Opening(((0, 0), (1, 1))),), 2, timeouts=hasty)


def _lines(game: Game) -> list[str]:
    """The transcript without times."""
    assert game.match is not None
    return [line.split(" ", 1)[1] for line in map(str.strip, game.match.transcript)]


def test_jobs_can_be_added_until_the_last_game_has_ended(
    hasty: Timeouts,
) -> None:
    plan = _plan(hasty)
    first = plan.schedule().jobs
    runner = LocalRunner(plan, [Watcher()] * 2)
    ended: list[int] = []

    def on_game(game: Game) -> None:
        ended.append(game.number - 1)
        if game.number <= 6:
            runner.add([replace(first[0], index=game.number + 1)])

    runner.run(first, on_game)
    assert sorted(ended) == list(range(8))
    ended.clear()
    runner.run([], on_game)
    runner.run([replace(first[0], index=6)], on_game)  # a runner can be used again
    assert ended == [6]


def test_a_job_has_settings_of_its_own(hasty: Timeouts) -> None:
    plan = _plan(hasty)
    [job, _] = plan.schedule().jobs
    jobs: list[Job] = [
        replace(job, index=0, options=(("Row", (("param.x", "5"), ("y", "a b"))),)),
        replace(job, index=1, options=(("Other", (("param.x", "6"),)),)),
        replace(job, index=2),
    ]
    sent: dict[int, list[str]] = {}

    def on_game(game: Game) -> None:
        lines = _lines(game)
        sent[game.number - 1] = [line for line in lines if " INFO param" in line or " own" in line]
        assert game.ending == "FIVE"

    LocalRunner(plan, [Watcher()]).run(jobs, on_game)
    assert sent == {
        0: ["Row > INFO own 1", "Row > INFO param.x 5"],
        1: ["Row > INFO own 1", "Other > INFO param.x 6"],
        2: ["Row > INFO own 1"],
    }


def test_a_program_may_start_anew_for_every_game_and_see_the_whole_board(
    hasty: Timeouts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """restart=on and board=on, each of one program alone."""
    started: list[str] = []
    real = EngineProcess.__init__

    def note(self: EngineProcess, command: Sequence[str], *rest: Any) -> None:
        started.append(command[-1])
        real(self, command, *rest)

    monkeypatch.setattr(EngineProcess, "__init__", note)
    plan = _plan(hasty)
    row, other = plan.programs
    plan = replace(
        plan, games=4, programs=(replace(row, restarts=True), replace(other, sees_board=True))
    )
    games: list[Game] = []
    LocalRunner(plan, [Watcher()]).run(plan.schedule().jobs, games.append)
    assert Counter(started) == {row.command[-1]: 4, other.command[-1]: 1}
    for game in games:
        words = _lines(game)
        asked = {
            name: [
                word for word in ("BOARD", "TURN") for line in words if f"{name} > {word}" in line
            ]
            for name in ("Row", "Other")
        }
        assert asked["Row"] == ["BOARD", *["TURN"] * (len(asked["Row"]) - 1)]
        assert len(asked["Other"]) >= 4 and set(asked["Other"]) == {"BOARD"}
        # Measured at the end of each game, where no limit asks for it after each move.
        assert game.match is not None and all(n and n > 2**20 for n in game.match.peak_bytes)


# -- on a cluster


def _instant_plan(names: str, games: int) -> Plan:
    programs = tuple(acting(name, INSTANT, turn_s=5.0) for name in names)
    setting = Setting(15, 15, 0, keeps_transcripts=True)
    return Plan(programs, setting, tuple(built_in_openings(15, 15)), games)


def test_two_matches_at_the_same_time() -> None:
    """One is played from beginning to end between two games of the other."""
    pytest.importorskip("distributed")
    from distributed import Client, LocalCluster

    from tengen.arena.match.cluster import ClusterRunner

    plans = _instant_plan("AB", 10), _instant_plan("CD", 2)
    jobs = [list(plan.schedule().jobs) for plan in plans]
    jobs[0][3] = replace(jobs[0][3], options=(("A", (("param.x", "5"),)),))
    played: list[list[Game]] = [[], []]

    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):

        def on_game(game: Game) -> None:
            played[0].append(game)
            if len(played[0]) == 1:
                ClusterRunner(plans[1], client).run(jobs[1], played[1].append)

        ClusterRunner(plans[0], client).run(jobs[0], on_game)
    for games, expected in zip(played, jobs, strict=True):
        assert [(game.number - 1, game.pair, *game.names) for game in games] == [
            (job.index, job.pair, job.black, job.white) for job in expected
        ]
        assert {game.termination for game in games} == {Termination.FIVE}
    transcripts = [game.match.transcript for game in played[0] if game.match is not None]
    told = [sum("A > INFO param.x 5" in line for line in lines) for lines in transcripts]
    assert told == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
