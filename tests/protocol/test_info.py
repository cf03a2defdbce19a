"""The settings and limits that INFO keys make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Limits, Rule
from protocol.info import MAX_PARAMETERS, MAX_REMARKS, Settings
from protocol.preferences import Preferences


def settings(**values: object) -> Settings:
    result = Settings()
    for key, value in values.items():
        result.apply(key, str(value))
    return result


@pytest.mark.parametrize(
    ("number", "rule"),
    [
        (0, Rule.FREESTYLE),
        (1, Rule.STANDARD),
        (2, Rule.FREESTYLE),
        (3, Rule.STANDARD),
        (4, Rule.RENJU),
        (6, Rule.RENJU),
        (8, Rule.CARO),
        (9, Rule.CARO_EXACT),
        (10, Rule.CARO),
        (11, Rule.CARO_EXACT),
    ],
)
def test_rules(number: int, rule: Rule) -> None:
    told = settings(rule=number)
    assert told.rule is rule


@pytest.mark.parametrize("number", [7, 12, 13, 14, 15, 16, -1, -2, 10**17])
def test_rules_that_do_not_exist(number: int) -> None:
    told = settings(rule=4)
    told.apply("rule", str(number))
    assert told.rule is Rule.RENJU
    (remark,) = told.take_remarks()
    assert remark.startswith(f"INFO rule {number} does not exist")
    assert told.take_remarks() == []


@pytest.mark.parametrize(
    ("number", "is_yixin", "swapable", "rule", "may_swap"),
    [
        (5, False, "1", Rule.FREESTYLE, True),
        (5, True, "1", Rule.FREESTYLE, True),
        (5, True, "0", Rule.FREESTYLE, False),
        (5, True, None, Rule.FREESTYLE, False),
        (6, True, "1", Rule.FREESTYLE, False),
        (6, False, "1", Rule.RENJU, False),
        (0, True, "1", Rule.FREESTYLE, False),
    ],
)
def test_rules_of_front_ends(
    number: int, is_yixin: bool, swapable: str | None, rule: Rule, may_swap: bool
) -> None:
    told = settings(rule=number)
    if swapable is not None:
        told.apply("swapable", swapable)
    if is_yixin:
        told.note_yixin()
    assert (told.rule, told.may_swap) == (rule, may_swap)
    assert told.is_continuous is (number == 6 and not is_yixin)
    assert told.take_remarks() == []


def test_two_means_renju_once_the_manager_speaks_yixin() -> None:
    told = settings(rule=2)
    told.apply("show_detail", "1")
    rules = [told.rule]
    for number in ("0", "1", "2"):
        told.apply("rule", number)
        rules.append(told.rule)
    assert rules == [Rule.RENJU, Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU]


def test_no_limits_by_default() -> None:
    assert Settings().limits(5) == Limits(started_ns=5)
    assert Settings().memory_bytes is None


def test_limits() -> None:
    told = settings(
        timeout_turn=1000,
        timeout_match=60000,
        time_left=-20,
        max_node=5000,
        max_depth=7,
    )
    assert told.limits(9) == Limits(1000, 60000, -20, 5000, 7, 9)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("timeout_turn", 2147483647),
        ("timeout_turn", -1),
        ("timeout_match", 0),
        ("timeout_match", 2147483647),
        ("time_left", 2147483647),
        ("time_left", 2**40),
        ("max_node", -1),
        ("max_node", 0),
        ("max_depth", 0),
        ("max_depth", -1),
        ("thread_num", 0),
        ("hash_size", 65536),
    ],
)
def test_what_does_not_limit(key: str, value: int) -> None:
    told = settings(**{key: value})
    assert told.limits(0) == Limits(started_ns=0)


def test_no_time_left_limit_overrides_a_match_limit() -> None:
    told = settings(timeout_match=60000, time_left=2147483647, timeout_turn=100)
    assert told.limits(0) == Limits(turn_ms=100, started_ns=0)


def test_zero_means_at_once() -> None:
    told = settings(timeout_turn=0)
    assert told.limits(0).turn_ms == 0


def test_the_yixin_pair_means_no_limit() -> None:
    pair = settings(timeout_turn=2000000, timeout_match=100000000, time_left=99999000)
    limits = pair.limits(0)
    assert limits.match_ms is None and limits.left_ms is None
    assert limits.turn_ms is not None and limits.turn_ms >= 1000 * 1000
    pair.apply("max_depth", "20")
    assert pair.limits(0) == Limits(depth_plies=20, started_ns=0)
    pair.apply("timeout_match", "100000")
    assert pair.limits(0).turn_ms == 2000000


def test_memory() -> None:
    assert settings(max_memory=367001600).memory_bytes == 367001600
    assert settings(max_memory=2**40).memory_bytes == 2**40
    assert settings(max_memory=0).memory_bytes is None
    assert settings(max_memory=1).memory_bytes == 1


def test_memory_that_makes_no_sense() -> None:
    told = settings(max_memory=10**8)
    told.apply("max_memory", "-1")
    assert told.memory_bytes == 10**8
    (remark,) = told.take_remarks()
    assert remark.startswith("INFO max_memory -1 is not a limit")
    assert told.take_remarks() == []


def test_info_wins_over_what_the_user_prefers() -> None:
    told = Settings(Preferences(hash_bytes=10**6))
    assert told.hash_bytes == 10**6
    told.apply("hash_size", "2048")
    assert told.hash_bytes == 2**21
    told.apply("hash_size", "0")
    assert told.hash_bytes is None


@pytest.mark.parametrize(
    ("number", "threads"),
    [("1", 1), ("2", 2), ("64", 64), ("65", 64), ("9999999999", 64), ("0", 1), ("-3", 1)],
)
def test_threads(number: str, threads: int) -> None:
    told = Settings(Preferences(threads=3))
    assert told.threads == 3
    told.apply("thread_num", number)
    assert told.threads == threads


def test_strength_and_seed() -> None:
    assert (settings().strength, settings().seed) == (100, None)
    told = settings(strength=0, seed=0)
    assert (told.strength, told.seed) == (0, 0)
    told.apply("seed", "-1")
    told.apply("strength", "100")
    assert (told.strength, told.seed) == (100, None)
    assert told.take_remarks() == []


def test_the_level_of_the_settings_file_holds_until_info_says_otherwise() -> None:
    told = Settings(Preferences(level=3, seed=5))
    assert (told.strength, told.seed) == (23, 5)
    told.apply("strength", "50")
    assert told.strength == 50
    assert Settings(Preferences(level=10)).strength == 100


@pytest.mark.parametrize("value", ["101", "-1", "99999999999999999999999", "full", ""])
def test_a_strength_that_does_not_exist_costs_no_move(value: str) -> None:
    told = settings(strength=40)
    told.apply("strength", value)
    assert told.strength == 40
    (remark,) = told.take_remarks()
    assert remark.startswith("INFO strength ") and remark.endswith("; the earlier value stays")


@pytest.mark.parametrize(
    ("sent", "increment_ms"), [("1500", 1500), ("0", None), ("-1", None), ("9" * 30, None)]
)
def test_the_increment(sent: str, increment_ms: int | None) -> None:
    told = settings(time_left=60_000)
    told.apply("time_increment", sent)
    limits = told.limits(0)
    assert (limits.left_ms, limits.increment_ms) == (60_000, increment_ms)


def test_pondering() -> None:
    told = settings()
    assert not told.is_pondering
    told.apply("pondering", "1")
    assert told.is_pondering
    told.apply("pondering", "yes")
    assert told.is_pondering and len(told.take_remarks()) == 1
    told.apply("pondering", "0")
    assert not told.is_pondering
    assert Settings(Preferences(is_pondering=True)).is_pondering


def test_threads_without_a_number_stay_as_they_were() -> None:
    told = settings(thread_num=4)
    told.apply("thread_num", "many")
    assert told.threads == 4
    assert told.take_remarks() == [
        'INFO thread_num needs a whole number, "many" is not one; the earlier value stays'
    ]
    assert Settings().threads == 1


@pytest.mark.parametrize(
    "key",
    [
        "timeout_turn",
        "timeout_match",
        "time_left",
        "max_memory",
        "max_node",
        "max_depth",
        "thread_num",
        "hash_size",
        "show_detail",
    ],
)
@pytest.mark.parametrize(
    "value", ["", "x", "auto", "0x10", "1e6", "1,000", "1_000", "-", "--5", ".5", "\xb2"]
)
def test_what_is_no_number_costs_no_move(key: str, value: str) -> None:
    told = settings()
    told.apply(key, value)
    (remark,) = told.take_remarks()
    assert remark.startswith(f"INFO {key} needs a whole number")
    assert told.limits(0) == Limits(started_ns=0)


def test_what_is_no_number_keeps_the_details() -> None:
    told = settings(show_detail="3.0")
    assert told.detail == 3
    told.apply("show_detail", "on")
    assert told.detail == 3
    told.apply("show_detail", "-1")
    assert told.detail == 0


@pytest.mark.parametrize("value", ["", "x", "4.0", "4x", "9" * 30, "-"])
def test_a_rule_must_be_a_number(value: str) -> None:
    told = settings(rule=1)
    told.apply("rule", value)
    assert told.take_remarks()[0].startswith("INFO rule needs a whole number")
    assert told.rule is Rule.STANDARD


@pytest.mark.parametrize("value", ["1000", "1000.0", "1000.9", "1000.", "1000ms", "+1000", "01000"])
def test_the_number_that_a_value_begins_with_counts(value: str) -> None:
    told = settings(timeout_turn=value, time_left=value, max_node=value)
    limits = told.limits(0)
    assert (limits.turn_ms, limits.left_ms, limits.nodes) == (1000, 1000, 1000)
    assert told.take_remarks() == []


@pytest.mark.parametrize("repeated", [1, 3, 300])
def test_the_largest_numbers_mean_no_limit(repeated: int) -> None:
    # The last is longer than int() reads.
    digits = str(2**64 - 1) * repeated
    keys = ("timeout_turn", "timeout_match", "time_left", "max_node", "max_depth", "max_memory")
    told = settings(**dict.fromkeys(keys, digits))
    assert told.limits(0) == Limits(started_ns=0)
    assert told.memory_bytes is None
    assert told.take_remarks() == []


def test_few_of_many_problems_are_kept() -> None:
    told = settings()
    for number in range(20_000):
        told.apply(f"param.p{number}", "1")
        told.apply(f"param.q{number}", "x")
    told.apply("param." + "r" * 30_000, "1")
    assert len(told.parameters) == MAX_PARAMETERS
    remarks = told.take_remarks()
    assert len(remarks) == MAX_REMARKS and all(len(text) < 200 for text in remarks)


@pytest.mark.parametrize("key", ["", "evaluate", "folder", "game_type", "usedatabase", "vcthread"])
def test_other_keys_take_anything(key: str) -> None:
    told = settings()
    told.apply(key, "nonsense 1,2")


def test_problems_are_told_together_once() -> None:
    told = settings(rule=7, max_memory=-3, time_left="x")
    assert len(told.take_remarks()) == 3 and told.take_remarks() == []


def test_a_good_value_settles_a_problem() -> None:
    told = settings(rule=7)
    told.apply("rule", "4")
    assert told.take_remarks() == []
    assert told.rule is Rule.RENJU


def test_words_after_a_number_do_not_matter() -> None:
    assert settings(timeout_turn="100 ms").limits(0).turn_ms == 100


@given(
    st.lists(st.tuples(st.sampled_from(["rule", "max_memory", "time_left", "folder"]), st.text()))
)
def test_no_value_is_too_odd(pairs: list[tuple[str, str]]) -> None:
    told = Settings()
    for key, value in pairs:
        told.apply(key, value.strip())
    assert told.rule in Rule
    told.limits(0)
