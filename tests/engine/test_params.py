"""The table of parameters: each is read by the part it is for, and its ends do no harm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from engine.api import Engine
from engine.model import Info, Limits, SolveLimits
from engine.parameters import PARAMS
from tengen.lab.bench.signature import POSITIONS, load_positions
from tests.engine.positions import probe_of, puzzle
from tests.engine.probe import ProbeClock

ROWS = {row.name: row for row in PARAMS}
MS = 1000


def test_every_row_has_a_range_around_its_default() -> None:
    assert len(ROWS) == len(PARAMS)
    for row in PARAMS:
        assert 0 <= row.low <= row.default <= row.high < 2**31 and row.low < row.high, row


def test_no_parameter_is_left_out_of_these_tests() -> None:
    assert set(SEARCH) | set(CLOCK) | OWN_TEST == set(ROWS)


Observation = Callable[[Engine], object]


RECORDS = load_positions(POSITIONS)


def _set_up(engine: Engine, number: int) -> None:
    engine.new_game()
    engine.set_position(RECORDS[number])


def _games(engine: Engine) -> list[int]:
    """Nodes of two searches in each of two games, to a depth."""
    nodes = []
    for number in (10, 20):
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
    for number in (2, 10, 28):
        for method, nodes in (("vct", 40_000), ("vcf", 20_000)):
            _set_up(engine, number)
            solution = engine.solve(SolveLimits(nodes=nodes, method=method))
            found.append((solution.nodes, solution.status))
    engine.set_position(puzzle("wins-r0-s15", 2))
    won = engine.solve(SolveLimits(nodes=40_000))
    return [*found, won.nodes, won.plies]


def _defends(engine: Engine) -> list[object]:
    """Which moves the threat solver leaves undecided, and in which order it refutes others."""
    found: list[object] = []
    for number in (2, 10, 28):
        _set_up(engine, number)
        defences = engine.defences(SolveLimits(nodes=60_000))
        found.append((defences.moves, defences.unknown, tuple(defences.refuted)))
    return found


# How a parameter is tested: an observation, and other settings with which the parameter matters.
DEEP = {"singular_depth": 400}
QUIET = {
    "solver_threes_nodes": 1000,
    "solver_level_nodes": 1,
    "solver_threat_nodes": 2000,
    "solver_reply_nodes": 2000,
}
SEARCH: dict[str, tuple[Observation, dict[str, int]]] = {
    **dict.fromkeys(
        (
            "aspiration_window aspiration_depth_plies aspiration_growth aspiration_limit"
            " razor_margin razor_depth futility_margin futility_depth iir_depth"
            " iir_reduction lmp_base lmp_linear lmp_square"
            " lmp_flat lmp_pv old_move_entry error_share error_rate error_limit"
            " lmr_scale lmr_base lmr_depth lmr_cut"
            " lmr_pv lmr_three root_lmr_depth root_lmr_moves"
            " root_lmr_less history_divisor singular_depth history_points"
            " history_points_limit history_limit history_shift history_age_divisor"
            " table_keep_plies vcf_leaf_nodes vcf_node_nodes vcf_root_nodes use_net policy_points"
            " policy_depth policy_table policy_lmr policy_lmr_base"
        ).split(),
        (_games, {}),
    ),
    **dict.fromkeys(("singular_entry", "singular_margin"), (_games, DEEP)),
    "old_move_reduction": (_games, {"old_move_entry": 0}),
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
            "solver_vcf_nodes solver_threat_vcf_nodes solver_root_vcf_nodes solver_three_proof"
            " solver_slack solver_threes_nodes solver_level_nodes solver_short_nodes"
        ).split(),
        (_solves, {}),
    ),
    **dict.fromkeys(
        (
            "solver_quiet_proof solver_threat_nodes solver_reply_nodes solver_quiet_depth"
            " solver_strong_moves"
        ).split(),
        (_solves, QUIET),
    ),
    "solver_round_nodes": (_defends, {}),
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

    # On a busy machine the time may be over before the first of these nodes.
    assert any(nodes(65536) >= 65536 > nodes(256) for _ in range(10))


def test_a_vcf_search_looks_for_a_stop_every_poll_nodes() -> None:
    board = probe_of(RECORDS[19])
    few, more, all_nodes = (board.vcf(poll_nodes=each)[2] for each in (8, 64, 65536))
    assert 8 <= few < more < all_nodes


Step = dict[str, int] | tuple[int, bool, int] | int
MATCH = {"left_ms": 110_000}
MIDDLE = {"left_ms": 110_000, "stones": 10}
TURN = {"turn_ms": 100_000}


def _shown_ms(what: str, steps: Sequence[Step], name: str, value: int) -> float:
    """What a clock shows after some steps: the limits of a move that begins; an iteration that is
    (value, same move as before, effort); a look at the clock, so many ms after the last one."""
    clock = ProbeClock()
    clock.set_parameter(name, value)
    for step in steps:
        match step:
            case dict():
                clock.start(**step)
            case tuple():
                clock.note_iteration(*step)
            case _:
                clock.poll(step * MS)
    if what == "runs":
        while not clock.poll(1 * MS):
            pass
        return float(clock.elapsed_us / MS)
    if what == "cut":
        clock.begin_iteration()
    optimum_us, maximum_us = clock.times_us
    shown = {"optimum": optimum_us, "maximum": maximum_us, "worth": clock.worth_us}
    shown |= {"cut": clock.cut_us, "late": clock.late_us}
    return float(shown[what] / MS)


# name -> what shows it, after which steps, another value, what the default and the other value give
CLOCK: dict[str, tuple[str, Sequence[Step], int, float, float]] = {
    "reserve_ms": ("maximum", [{"turn_ms": 1000}], 100, 970, 900),
    "default_turn_ms": ("maximum", [{}], 1000, 4970, 970),
    "least_turn_ms": ("maximum", [{"turn_ms": 0}], 9, 2, 9),
    "expected_moves": ("optimum", [MATCH], 100, 5000, 1100),
    "most_of_match": ("maximum", [{"left_ms": 100_000}], 50, 19_970, 49_970),
    "plentiful_moves": (
        "worth", [{"turn_ms": 2000, "left_ms": 110_000}, *[(0, True, 100)] * 9], 50, 1250, 1970
    ),
    "early_stones": ("optimum", [MIDDLE], 11, 6250, 5000),
    "late_stones": ("optimum", [MIDDLE], 10, 6250, 5000),
    "middle_share": ("optimum", [MIDDLE], 150, 6250, 7500),
    "settled_share": ("worth", [MATCH, *[(0, True, 0)] * 3], 5, 3500, 4250),
    "settled_iterations": ("worth", [MATCH, *[(0, True, 0)] * 9], 8, 2500, 1000),
    "falling_share": ("worth", [MATCH, (0, False, 0), (-60, False, 0)], 50, 7000, 6000),
    "falling_limit": ("worth", [MATCH, (0, False, 0), (-600, False, 0)], 50, 6000, 4500),
    "effort_least": ("worth", [MATCH, (0, False, 70)], 70, 4400, 5000),
    "effort_share": ("worth", [MATCH, (0, False, 80)], 100, 3750, 2500),
    "decided_value": ("worth", [MATCH, (300, False, 0)], 300, 5000, 3000),
    "decided_share": ("worth", [MATCH, (700, False, 0)], 50, 3000, 2500),
    "cut_share": ("cut", [MATCH, (0, False, 0)], 300, 12_500, 15_000),
    "usual_gap_us": ("late", [TURN, 10], 4 * MS, 8, 6),
    "stopped_gap_us": ("late", [TURN, 50], 40 * MS, 48, 0),
    "late_limit_us": ("late", [TURN, 300], 20 * MS, 100, 20),
    "late_share": ("runs", [TURN, 92, {"turn_ms": 130}], 10, 50, 90),
    "late_forget": ("late", [TURN, 50, TURN], 50, 36, 24),
}  # fmt: skip
OWN_TEST = {"poll_nodes", "solver_poll_nodes", "vcf_poll_nodes"}


@pytest.mark.parametrize("name", CLOCK)
def test_a_parameter_of_the_clock_changes_it(name: str) -> None:
    what, steps, other, usual, changed = CLOCK[name]
    assert _shown_ms(what, steps, name, ROWS[name].default) == usual
    assert _shown_ms(what, steps, name, other) == changed
