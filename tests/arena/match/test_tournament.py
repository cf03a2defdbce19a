"""A run as a whole: what is counted, written and decided does not depend on how games come in.

Here games are made up in no time and handed in by a runner that knows no order; real ones are in
test_runs.py.
"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tengen.arena.match.display import Display
from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import Watcher
from tengen.arena.match.records import RunFolder
from tengen.arena.match.schedule import Job, OpeningOrder, Setting, jobs_of, meetings_of
from tengen.arena.match.scoreboard import MatchResult, Scoreboard
from tengen.arena.match.tournament import LocalRunner, Tournament
from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import ProgramSpec
from tengen.arena.stats.sprt import Sprt, Verdict
from tengen.game.files.jsonl import read_records
from tengen.game.game import Game
from tengen.game.openings import Opening, symmetries
from tengen.game.played import Termination
from tengen.game.referee import BLACK, WHITE
from tests.acting import BRIEF_S, acting
from tests.arena.match.made_up import BOOK, FakeRunner, Play, made_up
from tests.processes import POSIX_ONLY, own_children


def _plan(count: int = 2, games: int = 8, **more: Any) -> Plan:
    programs = tuple(ProgramSpec(name, ("none",)) for name in "ABCDE"[:count])
    return replace(Plan(programs, Setting(15, 15, 0), BOOK, games), **more)


PLANS = {
    "match": _plan(),
    "odd": _plan(games=7),
    "round robin": _plan(3, 4),
    "gauntlet": _plan(4, 2, kind="gauntlet"),
    "swap2": _plan(3, 4, setting=Setting(15, 15, 0, opening_rule="swap2"), openings=(Opening(()),)),
    "sprt": _plan(games=30, sprt=Sprt(0, 300)),
}


def _luck(plan: Plan, failing: Sequence[int] = ()) -> Play:
    """Results that look random but are always the same; the first program is stronger.
    Under an opening rule, programs choose colours and openings at the board."""

    def play(job: Job) -> Game:
        lot = random.Random(f"{job.index} {job.black} {job.white}")
        if plan.setting.opening_rule is not None:
            opening = tuple((7, y) for y in range(lot.randint(3, 5)))
            job = replace(job, opening=opening)
            if lot.random() < 0.5:
                job = replace(job, black=job.white, white=job.black)
        if job.index in failing:
            return made_up(job, BLACK, Termination.CRASH)
        draw, favourite = lot.random() < 0.2, lot.random() < 0.8
        if draw:
            return made_up(job, 0, Termination.FULL)
        return made_up(job, BLACK if (job.black < job.white) == favourite else WHITE)

    return play


class RecordingDisplay(Display):
    """Keeps what it is called with."""

    def __init__(self) -> None:
        super().__init__(Console(quiet=True), 0)
        self.resumed_with: list[int] = []
        self.counted: list[int] = []

    def resumed(self, scores: Scoreboard) -> None:
        """Keeps how many games had been played."""
        self.resumed_with.append(scores.games)

    def game_counted(self, game: Game, scores: Scoreboard) -> None:
        """Keeps which game it was; its scores is the one up to it."""
        self.counted.append(game.number - 1)
        assert scores.games == game.number


def _run(
    plan: Plan,
    path: Path,
    runner: FakeRunner,
    display: RecordingDisplay | None = None,
    is_fatal: bool = False,
) -> MatchResult:
    """Starts a run in a folder, or continues the one that is there."""
    is_begun = (path / "games.jsonl").exists()
    with RunFolder.resume(path) if is_begun else RunFolder.create(path, plan) as folder:
        display = display or RecordingDisplay()
        contest = Tournament(folder.plan, display, folder, folder.games, is_fatal)
        return contest.play(runner)


def _sum(scores: Scoreboard) -> tuple[object, ...]:
    """All counts of a scores, for comparison."""
    pairings = {
        names: (str(p.pentanomial), p.wins, p.draws, p.losses)
        for names, p in scores.pairings.items()
    }
    return (
        scores.standings, list(pairings.items()), str(scores.by_black.pentanomial), scores.games,
        scores.lost, scores.failures,
    )  # fmt: skip


def _games_to_play(plan: Plan) -> int:
    """How many games are played until the last one, or the pair that decides the test."""
    scores = Scoreboard(plan.names)
    for job in plan.schedule().jobs:
        if scores.add(_luck(plan)(job)) and plan.sprt:
            verdict = plan.sprt.verdict(scores.pairings["A", "B"].pentanomial)
            if verdict is not Verdict.UNDECIDED:
                break
    return scores.games


def _bytes(path: Path) -> tuple[bytes, bytes]:
    return (path / "games.jsonl").read_bytes(), (path / "timing.jsonl").read_bytes()


@pytest.mark.parametrize("kind", PLANS)
def test_the_order_in_which_games_end_changes_nothing(
    kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    plan = PLANS[kind]
    straight = tmp_path_factory.mktemp("straight") / "run"
    expected = _run(plan, straight, FakeRunner(_luck(plan)))
    assert expected.scores.games == len(list(read_records(straight / "games.jsonl"))) - 1
    assert expected.scores.games == _games_to_play(plan)

    @settings(max_examples=8)
    @given(lot=st.randoms(use_true_random=False))
    def any_order(lot: random.Random) -> None:
        path = tmp_path_factory.mktemp("shuffled") / "run"
        display = RecordingDisplay()
        result = _run(plan, path, FakeRunner(_luck(plan), lot.shuffle), display)
        assert _bytes(path) == _bytes(straight)
        assert _sum(result.scores) == _sum(expected.scores)
        assert result.verdict is expected.verdict
        # Shown in order, too, and all of them.
        assert display.counted == list(range(expected.scores.games))
        assert display.resumed_with == [0] * bool(display.resumed_with)

    any_order()


@pytest.mark.parametrize("kind", ["match", "round robin", "swap2"])
def test_the_first_failure_in_order_ends_a_run_that_is_to(kind: str, tmp_path: Path) -> None:
    plan = PLANS[kind]
    play = _luck(plan, failing=(5, 3, 7))
    for number, shuffle in enumerate([list.sort, list.reverse, random.Random(1).shuffle]):
        path = tmp_path / str(number)
        runner = FakeRunner(play, shuffle if number else lambda jobs: None)  # type: ignore[arg-type]
        result = _run(plan, path, runner, is_fatal=True)
        assert result.failure is not None and result.failure.number == 4
        assert result.scores.games == 4
        assert len(result.scores.failures) == 1
        assert len(list(read_records(path / "games.jsonl"))) == 1 + 4
        assert _bytes(path) == _bytes(tmp_path / "0")
    # It stays ended while failures are fatal, and continues when they are not.
    still = _run(plan, tmp_path / "0", runner := FakeRunner(play), is_fatal=True)
    assert still.failure is not None and runner.rounds == []
    result = _run(plan, tmp_path / "0", FakeRunner(play))
    assert result.failure is None and len(result.scores.failures) == 3
    whole = _run(plan, tmp_path / "whole", FakeRunner(play))
    assert _bytes(tmp_path / "0") == _bytes(tmp_path / "whole")
    assert _sum(result.scores) == _sum(whole.scores)


@pytest.mark.parametrize("kind", PLANS)
def test_a_run_goes_on_from_wherever_it_was_broken_off(kind: str, tmp_path: Path) -> None:
    plan, lot = PLANS[kind], random.Random(7)
    play = _luck(plan)
    whole_runner, whole = FakeRunner(play), tmp_path / "whole"
    expected = _run(plan, whole, whole_runner)
    games, timing = (part.splitlines(keepends=True) for part in _bytes(whole))
    whole_games = expected.scores.games
    for count in {*range(0, whole_games + 1, 1 + whole_games // 12), whole_games}:
        path = tmp_path / str(count)
        RunFolder.create(path, plan).close()
        # As a kill may leave them: a game in only one file, and half a line in the other.
        (path / "games.jsonl").write_bytes(b"".join(games[: count + 1]) + b'{"game":')
        (path / "timing.jsonl").write_bytes(b"".join(timing[: count + 1]))
        runner, display = FakeRunner(play, lot.shuffle), RecordingDisplay()
        result = _run(plan, path, runner, display)
        assert _bytes(path) == _bytes(whole)
        assert _sum(result.scores) == _sum(expected.scores)
        assert result.verdict is expected.verdict
        # Nothing is played, and nothing is shown, a second time.
        assert display.counted == list(range(count, expected.scores.games))
        if count < expected.scores.games:
            assert runner.rounds == [[n for n in whole_runner.rounds[0] if n >= count]]
            assert display.resumed_with == ([count] if count else [])


@pytest.mark.parametrize(
    ("kind", "number", "damage"),
    [
        ("match", 3, {"opening": ((3, 3),)}),
        ("match", 3, {"source": (1, 1)}),
        ("gauntlet", 5, {"black": "B", "white": "C"}),
        ("swap2", 1, {"white": "C", "black": "A"}),
        ("swap2", 3, {"pair": 7}),
    ],
)
def test_games_of_another_run_are_refused(kind: str, number: int, damage: dict[str, Any]) -> None:
    plan, display = PLANS[kind], RecordingDisplay()
    play, planned = _luck(plan), plan.schedule().jobs
    played = [*map(play, planned)]
    contest = Tournament(plan, display, None, played)
    assert contest.play(runner := FakeRunner(play)).scores.games == len(played)
    assert runner.rounds == []
    played[number] = made_up(replace(planned[number], **damage), BLACK)
    contest = Tournament(plan, display, None, played[: number + 1])
    with pytest.raises(ValueError, match=f"game {number + 1} was played in another run"):
        contest.play(runner)
    assert runner.rounds == []


@POSIX_ONLY
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_interrupts_the_runner_and_is_told(number: signal.Signals, tmp_path: Path) -> None:
    plan = PLANS["round robin"]
    before = [signal.getsignal(sig) for sig in (signal.SIGINT, signal.SIGTERM)]
    runner = FakeRunner(_luck(plan), stop_after=6, on_stop=lambda: signal.raise_signal(number))
    result = _run(plan, tmp_path / "run", runner)
    assert runner.interrupts == 1
    assert result.signal == number
    assert result.scores.games == 6
    assert len(list(read_records(tmp_path / "run" / "games.jsonl"))) == 1 + 6
    assert [signal.getsignal(sig) for sig in (signal.SIGINT, signal.SIGTERM)] == before


# -- with real programs, on this machine


@pytest.mark.parametrize("what", ["on_game", "interrupt", "display"])
def test_whatever_ends_a_run_ends_its_programs(what: str, hasty: Timeouts) -> None:
    a = acting("A", "on move cell = 0, 0", memory_bytes=0)
    b = acting("B", "pass", "time.sleep(600)", turn_s=BRIEF_S, memory_bytes=0)
    plan = Plan((a, b), Setting(15, 15, 0), (Opening(((0, 0), (1, 1))),), 8, timeouts=hasty)
    runner = LocalRunner(plan, [Watcher()] * 2)
    # A pool of processes that an earlier test used leaves a child for as long as Python runs.
    others = own_children()
    seen: list[psutil.Process] = []

    class Broken(RecordingDisplay):
        def game_counted(self, game: Game, scores: Scoreboard) -> None:
            seen.extend(set(psutil.Process().children(recursive=True)) - others)
            if what == "interrupt":
                runner.interrupt()
                runner.interrupt()  # a second press changes nothing
                return
            raise RuntimeError("broken" if what == "display" else "no space")

    contest = Tournament(plan, Broken())
    if what == "interrupt":
        assert contest.play(runner).signal == signal.SIGINT
    else:
        with pytest.raises(RuntimeError):
            contest.play(runner)
    assert seen
    assert not [child for child in seen if child.is_running() and child.status() != "zombie"]
    assert not [t for t in threading.enumerate() if t.name.startswith("worker")]


# -- which programs meet, with which opening and which colour


OPENINGS = [Opening(((0, 0), (1, 2))), Opening(((2, 0),)), Opening(((0, 0), (1, 1), (3, 1)))]


def _order(order: str = "random", seed: int = 1, height: int = 12) -> OpeningOrder:
    return OpeningOrder(OPENINGS, 15, height, seed, order)


@pytest.mark.parametrize("height", [12, 15])
def test_every_opening_comes_in_all_ways_before_any_comes_again(height: int) -> None:
    order = _order(height=height)
    ways = symmetries(15, height)
    once = 3 * len(ways)
    sources = [order.at(number)[1] for number in range(2 * once)]
    assert sorted(sources[:once]) == [(number, way) for number in range(3) for way in ways]
    assert sorted(sources[once:]) == sorted(sources[:once])
    for block in range(0, once, 3):
        assert {number for number, _ in sources[block : block + 3]} == {0, 1, 2}
    for number in range(once):
        cells, (opening, way) = order.at(number)
        assert cells == OPENINGS[opening].place(15, height, way)
    other, again = _order(seed=2, height=height), _order(height=height)
    assert sources != [other.at(number)[1] for number in range(2 * once)]
    assert sources == [again.at(number)[1] for number in range(2 * once)]


@pytest.mark.parametrize("kind", ["sequential", "random"])
def test_a_run_may_begin_with_a_later_opening(kind: str) -> None:
    whole, later = _order(kind), OpeningOrder(OPENINGS, 15, 12, 1, kind, start=3)
    assert [later.at(i) for i in range(30)] == [whole.at(i + 2) for i in range(30)]


@pytest.mark.parametrize(
    ("kind", "names", "seeds", "met"),
    [
        ("roundrobin", "AB", 1, "AB"),
        ("roundrobin", "ABCD", 1, "AB AC AD BC BD CD"),
        ("gauntlet", "ABC", 1, "AB AC"),
        ("gauntlet", "ABCD", 2, "AC BC AD BD"),
    ],
)
@pytest.mark.parametrize("games", [4, 5])
def test_every_pairing_plays_each_opening_with_both_colours(
    kind: str, names: str, seeds: int, met: str, games: int
) -> None:
    jobs = jobs_of(meetings_of(kind, names, seeds), games, _order())
    assert [job.index for job in jobs] == list(range(len(jobs)))
    pairings = [frozenset(pair) for pair in met.split()]
    # However early it ends, no pairing is more than a pair ahead, and openings are shared.
    for start in range(0, games // 2 * 2 * len(pairings), 2 * len(pairings)):
        part = jobs[start : start + 2 * len(pairings)]
        assert [{job.black, job.white} for job in part[::2]] == pairings
        assert len({job.source for job in part}) == 1
        for one, other in zip(part[::2], part[1::2], strict=True):
            assert (one.black, one.white) == (other.white, other.black)
            assert one.pair == other.pair and one.opening == other.opening
    assert len(jobs) == games * len(pairings)
    assert len({job.pair for job in jobs}) == (games + 1) // 2 * len(pairings)


def test_schedules_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="two programs or more"):
        meetings_of("roundrobin", "A")
    with pytest.raises(ValueError, match="there is no schedule 'tuning'; there are roundrobin"):
        meetings_of("tuning", "AB")
