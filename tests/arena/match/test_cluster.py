"""Several matches on one cluster, and settings of single games; whole runs are in test_runs.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tengen.arena.match.schedule import Setting
from tengen.game.game import Game
from tengen.game.openings import built_in_openings
from tengen.game.played import Termination, TimeControl

pytest.importorskip("distributed")

from distributed import Client, LocalCluster

from tengen.arena.match.cluster import ClusterRunner
from tengen.arena.match.plan import Plan
from tengen.arena.programs.spec import ProgramSpec
from tests.misbehaving import COMMAND

BRAIN = (*COMMAND, "--instant")


def _plan(names: str, games: int) -> Plan:
    programs = tuple(ProgramSpec(name, BRAIN, TimeControl(5.0)) for name in names)
    setting = Setting(15, 15, 0, keeps_transcripts=True)
    return Plan(programs, setting, tuple(built_in_openings(15, 15)), games)


def test_two_matches_at_the_same_time() -> None:
    """One is played from beginning to end between two games of the other."""
    plans = _plan("AB", 10), _plan("CD", 2)
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
