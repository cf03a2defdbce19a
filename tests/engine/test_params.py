"""The table of parameters: every row is valid, and the part of the engine it is for reads it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from engine._probe import ProbeClock
from engine.api import Engine
from engine.model import Info, Limits, SolveLimits
from engine.parameters import PARAMS
from tengen.lab.bench.records import POSITIONS, Record, load_records
from tests.engine.positions import probe_of

ROWS = {row.name: row for row in PARAMS}
MS = 1000


# -- the table


def test_every_row_has_a_range_around_its_default() -> None:
    assert len(ROWS) == len(PARAMS)
    for row in PARAMS:
        assert 0 <= row.low <= row.default <= row.high < 2**31 and row.low < row.high, row


def test_no_parameter_is_left_out_of_these_tests() -> None:
    assert set(SEARCH) | set(CLOCK) | OWN_TEST == set(ROWS)


# -- what a search does with a value

Observation = Callable[[Engine], object]


@cache
def _positions() -> list[Record]:
    return load_records(POSITIONS)


def _set_up(engine: Engine, number: int) -> None:
    engine.new_game()
    engine.set_position(_positions()[number].position)


def _games(engine: Engine) -> list[int]:
    """Nodes of two searches in each of four games, to a depth."""
    nodes = []
    for number in (3, 10, 20, 30):
        _set_up(engine, number)
        nodes += [engine.think(Limits(depth_plies=depth)).info.nodes for depth in (7, 6)]
    return nodes


def _small_table(engine: Engine) -> list[int]:
    """Nodes of three searches that overflow the transposition table."""
    engine.set_memory(1)
    _set_up(engine, 10)
    return [engine.think(Limits(depth_plies=depth)).info.nodes for depth in (12, 11, 12)]


def _first_look(engine: Engine) -> int:
    """Nodes where the VCF search at the root is nearly all there is."""
    _set_up(engine, 19)
    return engine.think(Limits(depth_plies=1)).info.nodes


def _analyses(engine: Engine) -> list[object]:
    """Nodes and depths of analyses, by nodes and by depth."""
    found: list[object] = []
    for number in (3, 10, 4):
        for limits in (
            Limits(nodes=6000, is_analysis=True),
            Limits(depth_plies=4, is_analysis=True),
        ):
            _set_up(engine, number)
            info = engine.think(limits).info
            found.append((info.nodes, info.depth_plies, info.seldepth_plies))
    return found


def _solves(engine: Engine) -> list[object]:
    """Nodes and verdicts of the threat solver."""
    found: list[object] = []
    for number in (1, 2, 4, 10, 12, 15, 18, 28):
        for method, nodes in (("vct", 40_000), ("vcf", 20_000)):
            _set_up(engine, number)
            solution = engine.solve(SolveLimits(nodes=nodes, method=method))
            found.append((solution.nodes, solution.status))
    return found


# How a parameter is tested: an observation, and other settings with which the parameter matters.
DEEP = {"singular_depth": 400}
QUIET = {
    "solver_threes_nodes": 1000,
    "solver_quiet_nodes": 1000,
    "solver_threat_nodes": 2000,
    "solver_reply_nodes": 2000,
}
SEARCH: dict[str, tuple[Observation, dict[str, int]]] = {
    **dict.fromkeys(
        (
            "aspiration_window aspiration_depth_plies aspiration_growth aspiration_limit"
            " razor_margin razor_depth futility_margin futility_depth no_move_depth"
            " no_move_reduction move_count_base move_count_linear move_count_square"
            " move_count_flat reduction_scale reduction_base reduction_depth reduction_cut"
            " reduction_pv reduction_three root_reduction_depth root_reduction_moves"
            " root_reduction_less history_divisor singular_depth history_points"
            " history_points_limit history_limit history_shift history_age_divisor"
            " table_keep_plies vcf_leaf_nodes vcf_node_nodes vcf_root_nodes use_net policy_points"
            " policy_depth policy_table policy_reduction policy_reduction_base"
        ).split(),
        (_games, {}),
    ),
    **dict.fromkeys(("singular_entry", "singular_margin"), (_games, DEEP)),
    "table_age_plies": (_small_table, {}),
    "vcf_root_lengths": (_first_look, {}),
    "vcf_long_nodes": (_first_look, {"vcf_root_nodes": 10}),
    **dict.fromkeys(
        (
            "vct_stones vct_early_share vct_late_after vct_late_share vct_untimed_nodes"
            " vct_leaf_nodes"
        ).split(),
        (_analyses, {}),
    ),
    **dict.fromkeys(
        (
            "solver_vcf_nodes solver_root_vcf_nodes solver_three_proof solver_quiet_proof"
            " solver_slack solver_threes_nodes solver_threat_nodes"
        ).split(),
        (_solves, {}),
    ),
    **dict.fromkeys(
        (
            "solver_proof_vcf_nodes solver_quiet_nodes solver_reply_nodes solver_quiet_depth"
            " solver_strong_moves"
        ).split(),
        (_solves, QUIET),
    ),
}


def _observed(observe: Observation, **values: int) -> object:
    engine = Engine()
    for name, value in values.items():
        engine.set_parameter(name, value)
    return observe(engine)


@cache
def _usual(observe: Observation, *preset: tuple[str, int]) -> object:
    return _observed(observe, **dict(preset))


@pytest.mark.parametrize("name", SEARCH)
def test_a_parameter_of_the_search_changes_it(name: str) -> None:
    observe, preset = SEARCH[name]
    preset = {key: value for key, value in preset.items() if key != name}
    usual = _usual(observe, *preset.items())
    # The ends of the range are far enough from the default to show; one of them is enough.
    ends = (ROWS[name].low, min(ROWS[name].high, 100_000))
    assert any(_observed(observe, **{**preset, name: end}) != usual for end in ends)


def test_the_search_looks_for_a_stop_every_poll_nodes() -> None:
    def nodes(poll_nodes: int) -> int:
        engine = Engine()
        engine.set_parameter("poll_nodes", poll_nodes)
        _set_up(engine, 3)

        def stop(info: Info) -> None:
            engine.request_stop()

        return engine.think(Limits(nodes=1_000_000), stop).info.nodes

    assert nodes(16) < nodes(4000) < nodes(30_000) < 100_000


def test_the_solver_looks_at_the_clock_every_poll_nodes() -> None:
    def nodes(poll_nodes: int) -> int:
        engine = Engine()
        engine.set_parameter("solver_poll_nodes", poll_nodes)
        _set_up(engine, 2)
        return engine.solve(SolveLimits(time_ms=4)).nodes

    assert nodes(65536) >= 65536 > nodes(256)


def test_a_vcf_search_looks_for_a_stop_every_poll_nodes() -> None:
    board = probe_of(_positions()[19].position)
    few, more, all_nodes = (board.vcf(poll_nodes=each)[2] for each in (8, 64, 65536))
    assert 8 <= few < more < all_nodes


# -- what the clock does with a value


def _clock(name: str, value: int, **limits: Any) -> ProbeClock:
    clock = ProbeClock()
    clock.set_parameter(name, value)
    clock.start(**limits)
    return clock


def _optimum(**limits: Any) -> Callable[[str, int], int]:
    return lambda name, value: int(_clock(name, value, **limits).times_us[0])


def _maximum(**limits: Any) -> Callable[[str, int], int]:
    return lambda name, value: int(_clock(name, value, **limits).times_us[1])


def _worth(*iterations: tuple[int, bool, int], **limits: int) -> Callable[[str, int], int]:
    """How long another iteration is worth beginning after iterations that are (value, same move as
    before, effort)."""

    def worth(name: str, value: int) -> int:
        clock = _clock(name, value, **(limits or {"left_ms": 110_000}))
        for iteration in iterations:
            clock.note_iteration(*iteration)
        return int(clock.worth_us)

    return worth


def _cut(name: str, value: int) -> int:
    clock = _clock(name, value, left_ms=110_000)
    clock.note_iteration()
    clock.begin_iteration()
    return int(clock.cut_us)


def _late_after(*gaps_us: int) -> Callable[[str, int], int]:
    def late(name: str, value: int) -> int:
        clock = _clock(name, value, turn_ms=100_000)
        for gap in gaps_us:
            clock.poll(gap)
        return int(clock.late_us)

    return late


def _late_at_the_next_move(name: str, value: int) -> int:
    clock = _clock(name, value, turn_ms=100_000)
    clock.poll(50 * MS)
    clock.start(turn_ms=100_000)
    return int(clock.late_us)


def _runs_us(name: str, value: int) -> int:
    """How long a move of 100 ms lasts after one look at the clock that came 90 ms late."""
    clock = _clock(name, value, turn_ms=100_000)
    clock.poll(92 * MS)
    clock.start(turn_ms=130)
    while not clock.poll(1 * MS):
        pass
    return int(clock.elapsed_us)


# name -> what shows it, another value, what the default gives, what the other value gives
CLOCK: dict[str, tuple[Callable[[str, int], object], int, object, object]] = {
    "reserve_ms": (_maximum(turn_ms=1000), 100, 970 * MS, 900 * MS),
    "default_turn_ms": (_maximum(), 1000, 4970 * MS, 970 * MS),
    "least_turn_ms": (_maximum(turn_ms=0), 9, 2 * MS, 9 * MS),
    "expected_moves": (_optimum(left_ms=110_000), 100, 5000 * MS, 1100 * MS),
    "most_of_match": (_maximum(left_ms=100_000), 50, 19_970 * MS, 49_970 * MS),
    "plentiful_moves": (
        _worth(*[(0, True, 100)] * 9, turn_ms=2000, left_ms=110_000),
        50,
        1250 * MS,
        1970 * MS,
    ),
    "early_stones": (_optimum(left_ms=110_000, stones=10), 11, 6250 * MS, 5000 * MS),
    "late_stones": (_optimum(left_ms=110_000, stones=10), 10, 6250 * MS, 5000 * MS),
    "middle_share": (_optimum(left_ms=110_000, stones=10), 150, 6250 * MS, 7500 * MS),
    "settled_share": (_worth(*[(0, True, 0)] * 3), 5, 3500 * MS, 4250 * MS),
    "settled_iterations": (_worth(*[(0, True, 0)] * 9), 8, 2500 * MS, 1000 * MS),
    "falling_share": (_worth((0, False, 0), (-60, False, 0)), 50, 7000 * MS, 6000 * MS),
    "falling_limit": (_worth((0, False, 0), (-600, False, 0)), 50, 6000 * MS, 4500 * MS),
    "effort_least": (_worth((0, False, 70)), 70, 4400 * MS, 5000 * MS),
    "effort_share": (_worth((0, False, 80)), 100, 3750 * MS, 2500 * MS),
    "decided_value": (_worth((300, False, 0)), 300, 5000 * MS, 3000 * MS),
    "decided_share": (_worth((700, False, 0)), 50, 3000 * MS, 2500 * MS),
    "cut_share": (_cut, 300, 12_500 * MS, 15_000 * MS),
    "usual_gap_us": (_late_after(10 * MS), 4 * MS, 8 * MS, 6 * MS),
    "stopped_gap_us": (_late_after(50 * MS), 40 * MS, 48 * MS, 0),
    "late_limit_us": (_late_after(300 * MS), 20 * MS, 100 * MS, 20 * MS),
    "late_share": (_runs_us, 10, 50 * MS, 90 * MS),
    "late_forget": (_late_at_the_next_move, 50, 36 * MS, 24 * MS),
}
OWN_TEST = {"poll_nodes", "solver_poll_nodes", "vcf_poll_nodes"}


@pytest.mark.parametrize("name", CLOCK)
def test_a_parameter_of_the_clock_changes_it(name: str) -> None:
    observe, other, usual, changed = CLOCK[name]
    assert observe(name, ROWS[name].default) == usual
    assert observe(name, other) == changed
