"""Which programs meet, with which opening and which colour."""

from __future__ import annotations

import pytest

from tengen.arena.match.schedule import OpeningOrder, jobs_of, meetings_of
from tengen.game.openings import Opening, symmetries

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
    with pytest.raises(ValueError, match="fewer seeds"):
        meetings_of("gauntlet", "ABC", 3)
    with pytest.raises(ValueError, match="there is no schedule 'tuning'; there are roundrobin"):
        meetings_of("tuning", "AB")
