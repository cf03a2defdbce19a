"""Which programs meet, with which opening and which colour."""

from __future__ import annotations

from collections import Counter

import pytest

from tengen.arena.match.jobs import Job
from tengen.arena.match.schedule import Knockout, OpeningOrder, Schedule, make_schedule
from tengen.game.openings import Opening, symmetries

OPENINGS = [Opening(((0, 0), (1, 2))), Opening(((2, 0),)), Opening(((0, 0), (1, 1), (3, 1)))]


def _order(order: str = "random", seed: int = 1, height: int = 12) -> OpeningOrder:
    return OpeningOrder(OPENINGS, 15, height, seed, order)


def _all(schedule: Schedule) -> list[Job]:
    jobs = schedule.next_round({})
    assert schedule.next_round({}) == []
    assert [job.index for job in jobs] == list(range(schedule.total))
    return jobs


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


def test_a_gauntlet_may_have_several_seeds() -> None:
    jobs = _all(make_schedule("gauntlet", "ABCDE", 2, 0, _order(), seeds=2))
    met = Counter("".join(sorted((job.black, job.white))) for job in jobs)
    assert met == dict.fromkeys(["AC", "BC", "AD", "BD", "AE", "BE"], 2)
    with pytest.raises(ValueError, match="fewer seeds"):
        make_schedule("gauntlet", "ABC", 2, 0, _order(), seeds=3)


@pytest.mark.parametrize(
    ("kind", "names", "met"),
    [
        ("roundrobin", "AB", "AB"),
        ("roundrobin", "ABCD", "AB AC AD BC BD CD"),
        ("gauntlet", "ABC", "AB AC"),
    ],
)
@pytest.mark.parametrize("games", [4, 5])
def test_every_pairing_plays_each_opening_with_both_colours(
    kind: str, names: str, met: str, games: int
) -> None:
    jobs = _all(make_schedule(kind, list(names), games, 0, _order()))
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


@pytest.mark.parametrize("count", [2, 4, 5, 7, 8])
def test_a_swiss_tournament(count: int) -> None:
    names = [chr(ord("A") + i) for i in range(count)]
    rounds = min(4, count - 1)
    schedule = make_schedule("swiss", names, 2, rounds, _order())
    points = dict.fromkeys(names, 0.0)
    jobs: list[Job] = []
    met: Counter[frozenset[str]] = Counter()
    sat_out: Counter[str] = Counter()
    while this_round := schedule.next_round(points):
        playing = Counter(name for job in this_round for name in (job.black, job.white))
        assert set(playing.values()) == {2}
        sat_out.update(set(names) - set(playing))
        met.update({frozenset((job.black, job.white)) for job in this_round})
        for job in this_round:
            points[min(job.black, job.white)] += 1  # the earlier name is the stronger one
        jobs += this_round
    assert len(jobs) == schedule.total
    assert [job.index for job in jobs] == list(range(len(jobs)))
    assert set(Counter(job.pair for job in jobs).values()) == {2}
    assert max(met.values()) == 1
    assert len(sat_out) == (rounds if count % 2 else 0)
    assert max(points, key=lambda name: points[name]) == "A"


def test_in_later_rounds_winners_meet_winners() -> None:
    schedule = make_schedule("swiss", list("ABCD"), 2, 2, _order())
    first = schedule.next_round(dict.fromkeys("ABCD", 0.0))
    # In every other match the second one begins.
    assert [job.black + job.white for job in first] == ["AB", "BA", "DC", "CD"]
    second = schedule.next_round({"A": 0, "B": 2, "C": 0, "D": 2})
    assert {frozenset((job.black, job.white)) for job in second} == {
        frozenset("BD"), frozenset("AC"),
    }  # fmt: skip


def test_schedules_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="two programs or more"):
        make_schedule("roundrobin", ["A"], 2, 0, _order())
    with pytest.raises(ValueError, match="6 rounds are more than 5 entrants"):
        make_schedule("swiss", list("ABCDE"), 2, 6, _order())
    with pytest.raises(ValueError, match="there is no schedule 'tuning'; there are roundrobin"):
        make_schedule("tuning", ["A", "B"], 2, 0, _order())


def _play_knockout(count: int, winner: dict[frozenset[str], str]) -> tuple[list[str], str | None]:
    """The matches of each round, and who has won, where the first of a match wins all games but
    those of `winner`, by the two names; "" for a level match."""
    names = [chr(ord("A") + i) for i in range(count)]
    schedule = make_schedule("knockout", names, 2, 0, _order())
    assert isinstance(schedule, Knockout)
    points = dict.fromkeys(names, 0.0)
    rounds, index = [], 0
    while jobs := schedule.next_round(points):
        assert [job.index for job in jobs] == list(range(index, index + len(jobs)))
        index += len(jobs)
        matches = []
        for job in jobs:
            match = "".join(sorted((job.black, job.white)))
            if match not in matches:
                matches.append(match)
            better = winner.get(frozenset(match), min(match))
            for name in match:
                points[name] += 0.5 if not better else float(name == better)
        rounds.append(" ".join(sorted(matches)))
    assert index == schedule.total
    return rounds, schedule.champion


def test_a_knockout_of_the_seeded() -> None:
    assert _play_knockout(2, {}) == (["AB"], "A")
    assert _play_knockout(4, {}) == (["AD BC", "AB"], "A")
    assert _play_knockout(8, {}) == (["AH BG CF DE", "AD BC", "AB"], "A")
    upset = {frozenset("AH"): "H", frozenset("DH"): "H", frozenset("BH"): "H"}
    assert _play_knockout(8, upset) == (["AH BG CF DE", "BC DH", "BH"], "H")


def test_a_level_match_is_played_on_and_then_the_seed_decides() -> None:
    level = {frozenset("BC"): ""}
    assert _play_knockout(4, level) == (["AD BC", "BC", "BC", "BC", "AB"], "A")
