"""Several matches on one cluster; whole runs on a cluster are in test_runs.py."""

from __future__ import annotations

import pytest

from tengen.arena.match.jobs import EndedGame, Setting
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
    return Plan(programs, Setting(15, 15, 0), tuple(built_in_openings(15, 15)), games)


def test_two_matches_at_the_same_time() -> None:
    """One is played from beginning to end between two games of the other."""
    plans = _plan("AB", 10), _plan("CD", 2)
    jobs = [plan.schedule().next_round({}) for plan in plans]
    played: list[list[EndedGame]] = [[], []]

    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):

        def on_game(game: EndedGame) -> None:
            played[0].append(game)
            if len(played[0]) == 1:
                ClusterRunner(plans[1], client).run(jobs[1], played[1].append)

        ClusterRunner(plans[0], client).run(jobs[0], on_game)
    for games, expected in zip(played, jobs, strict=True):
        assert [game.job for game in games] == expected
        assert {game.termination for game in games} == {Termination.FIVE}
