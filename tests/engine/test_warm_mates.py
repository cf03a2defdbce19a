"""Mates that are announced with a warm table, which holds entries of other games and of later
positions: they hold as well."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from engine.api import Engine
from engine.model import Limits, Rule
from tengen.game.rules.referee import opponent_of
from tengen.study.announcements import Announcement, announcements, self_games
from tengen.study.judge import PLAYED, PROVED, judge, judgement_record
from tengen.study.puzzle import Puzzle

NODES = 400
CHECK_NODES = 20_000
LONGEST_PLIES = 11
# Small, so that entries are replaced all the time.
TABLE_BYTES = 2**20


class Warm(Engine):
    """An engine that never empties its table once it is set up."""

    is_set_up = False

    def new_game(self) -> None:
        if not self.is_set_up:
            super().new_game()


def _warm_engine() -> Warm:
    engine = Warm()
    engine.set_memory(None, TABLE_BYTES)
    engine.is_set_up = True
    return engine


def _announced(engine: Warm, rule: Rule, seed: int) -> Iterator[Announcement]:
    """Announcements in games of the engine with itself, and then again in the positions of each
    game from the last one back to the first, whose results the table then holds."""
    for source in self_games((rule,), (15, 15), seed):
        game: list[Puzzle] = []
        for said in announcements(engine, source, Limits(nodes=NODES)):
            game.append(said.puzzle)
            yield said
        for puzzle in reversed(game):
            last = len(puzzle.stones)
            for count in range(last, max(len(source.stones), last - 6), -1):
                earlier = Puzzle(
                    puzzle.width,
                    puzzle.height,
                    puzzle.rule,
                    puzzle.stones[:count],
                    opponent_of(puzzle.stones[count - 1][2]),
                    name=source.name,
                )
                engine.set_position(earlier.position())
                info = engine.think(Limits(nodes=NODES)).info
                plies = info.score.mate_plies
                if plies is not None and abs(plies) > 1:
                    line = tuple((x, y) for x, y in info.pv)
                    yield Announcement(earlier, plies, line, count)


def _check_some(rule: Rule, seed: int, mates: int) -> int:
    """Judges so many mates; returns how many of them were losses."""
    engine, judging, losses = _warm_engine(), Engine(), 0
    judging.set_memory(None, 8 * TABLE_BYTES)
    short = (a for a in _announced(engine, rule, seed) if abs(a.plies) <= LONGEST_PLIES)
    for said in islice(short, mates):
        found = judge(judging, said, CHECK_NODES)
        assert found.verdict in (PROVED, PLAYED), judgement_record(said, found)
        losses += said.plies < 0
    return losses


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_mates_of_a_warm_table_hold(rule: Rule) -> None:
    assert 0 < _check_some(rule, 1, 12) < 12


@pytest.mark.verify
@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_many_mates_of_a_warm_table_hold(rule: Rule) -> None:
    assert _check_some(rule, 2, 100) > 10
