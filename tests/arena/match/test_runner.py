"""The runners: jobs that are added while others are played, settings for single games, and several
matches on one cluster. Whole runs are in test_runs.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import Watcher
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.match.tournament import LocalRunner
from tengen.arena.programs.process import EngineProcess
from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.game import Game
from tengen.game.openings import Opening, built_in_openings
from tengen.game.played import Termination, TimeControl
from tests.misbehaving import COMMAND
from tests.scripted import MakeProgram


def _plan(scripted: MakeProgram, hasty: Timeouts) -> Plan:
    row = scripted("Row", *(f"{x},0" for x in range(5)))
    other = scripted("Other", "0,5", "1,5", "2,5", "3,6", "4,6", "5,6")
    programs = (replace(row, options=(("own", "1"),)), other)
    setting = Setting(15, 15, 0, keeps_transcripts=True)
    return Plan(programs, setting, (Opening(((0, 0), (1, 1))),), 2, timeouts=hasty)


def _lines(game: Game) -> list[str]:
    """The transcript without times."""
    assert game.match is not None
    return [line.split(" ", 1)[1] for line in map(str.strip, game.match.transcript)]


def test_jobs_can_be_added_until_the_last_game_has_ended(
    scripted: MakeProgram, hasty: Timeouts
) -> None:
    plan = _plan(scripted, hasty)
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


def test_a_job_has_settings_of_its_own(scripted: MakeProgram, hasty: Timeouts) -> None:
    plan = _plan(scripted, hasty)
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
    scripted: MakeProgram, hasty: Timeouts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """restart=on and board=on, each of one program alone."""
    started: list[str] = []
    real = EngineProcess.__init__

    def note(self: EngineProcess, command: Sequence[str], *rest: Any) -> None:
        started.append(command[-1])
        real(self, command, *rest)

    monkeypatch.setattr(EngineProcess, "__init__", note)
    plan = _plan(scripted, hasty)
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

BRAIN = (*COMMAND, "--instant")


def _instant_plan(names: str, games: int) -> Plan:
    programs = tuple(ProgramSpec(name, BRAIN, TimeControl(5.0)) for name in names)
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
