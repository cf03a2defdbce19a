"""Jobs that are added while others are played, and settings for single games."""

from __future__ import annotations

from dataclasses import replace

from tengen.match.plan import Plan
from tengen.match.runner import LocalRunner
from tengen.match.story import Nobody
from tengen.programs.player import Patience
from tengen.record.game import Game, Job, Setting
from tengen.record.openings import Opening
from tests.scripted import MakeProgram


def _plan(scripted: MakeProgram, hasty: Patience) -> Plan:
    row = scripted("Row", *(f"{x},0" for x in range(5)))
    other = scripted("Other", "0,5", "1,5", "2,5", "3,6", "4,6", "5,6")
    programs = (replace(row, options=(("own", "1"),)), other)
    setting = Setting(15, 15, 0, keeps_transcripts=True)
    return Plan(programs, setting, (Opening(((0, 0), (1, 1))),), 2, patience=hasty)


def test_jobs_can_be_added_until_the_last_game_has_ended(
    scripted: MakeProgram, hasty: Patience
) -> None:
    plan = _plan(scripted, hasty)
    first = plan.schedule().next_round({})
    runner = LocalRunner(plan, [Nobody()] * 2)
    ended: list[int] = []

    def on_game(game: Game) -> None:
        ended.append(game.job.index)
        if game.job.index < 6:
            runner.add([replace(game.job, index=game.job.index + 2)])

    runner.run(first, on_game)
    assert sorted(ended) == list(range(8))
    ended.clear()
    runner.run([], on_game)
    runner.run([replace(first[0], index=6)], on_game)  # a runner can be used again
    assert ended == [6]


def test_a_job_has_settings_of_its_own(scripted: MakeProgram, hasty: Patience) -> None:
    plan = _plan(scripted, hasty)
    [job, _] = plan.schedule().next_round({})
    jobs: list[Job] = [
        replace(job, index=0, options=(("Row", (("param.x", "5"), ("y", "a b"))),)),
        replace(job, index=1, options=(("Other", (("param.x", "6"),)),)),
        replace(job, index=2),
    ]
    sent: dict[int, list[str]] = {}

    def on_game(game: Game) -> None:
        lines = [line.split(" ", 1)[1] for line in map(str.strip, game.transcript)]
        sent[game.job.index] = [line for line in lines if " INFO param" in line or " own" in line]
        assert game.termination.name == "FIVE"

    LocalRunner(plan, [Nobody()]).run(jobs, on_game)
    assert sent == {
        0: ["Row > INFO own 1", "Row > INFO param.x 5"],
        1: ["Row > INFO own 1", "Other > INFO param.x 6"],
        2: ["Row > INFO own 1"],
    }
