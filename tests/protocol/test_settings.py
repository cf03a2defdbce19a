"""The settings and limits that INFO keys make."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Limits, Rule
from protocol.settings import MAX_PARAMETERS, MAX_REMARKS, FileSettings, Settings

# What managers write for no limit, and what can limit a search or the program.
NO_LIMIT = 2147483647
PAIR: dict[str, object] = dict(timeout_turn=2000000, timeout_match=100000000, time_left=99999000)
LIMITING = ("timeout_turn", "timeout_match", "time_left", "max_node", "max_depth", "max_memory")


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
        told.is_yixin = True
    assert (told.rule, told.may_swap) == (rule, may_swap)
    assert told.is_continuous is (number == 6 and not is_yixin)
    assert told.take_remarks() == []


@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        ({}, Limits()),
        (
            dict(timeout_turn=1000, timeout_match=60000, time_left=-20, max_node=5000, max_depth=7),
            Limits(1000, 60000, -20, 5000, 7),
        ),
        *(
            ({key: value}, Limits())
            for key, value in (
                *(("timeout_turn", NO_LIMIT), ("timeout_turn", -1)),
                *(("timeout_match", 0), ("timeout_match", NO_LIMIT)),
                *(("time_left", NO_LIMIT), ("time_left", 2**40)),
                *(("max_node", -1), ("max_node", 0), ("max_depth", 0), ("max_depth", -1)),
                *(("thread_num", 0), ("hash_size", 65536)),
            )
        ),
        (dict(timeout_match=60000, time_left=NO_LIMIT, timeout_turn=100), Limits(turn_ms=100)),
        (dict(timeout_turn=0), Limits(turn_ms=0)),
        # Yixin-Board's pair for no limit.
        (PAIR, Limits(turn_ms=2_000_000)),
        (PAIR | {"max_depth": 20}, Limits(depth_plies=20)),
        (PAIR | {"timeout_match": 100_000}, Limits(2_000_000, 100_000, 99_999_000)),
        (dict(timeout_turn="100 ms"), Limits(turn_ms=100)),
        *(
            (dict(timeout_turn=text, time_left=text, max_node=text), Limits(1000, None, 1000, 1000))
            for text in ("1000", "1000.0", "1000.9", "1000.", "1000ms", "+1000", "01000")
        ),
        # The last is longer than int() reads.
        *((dict.fromkeys(LIMITING, str(2**64 - 1) * times), Limits()) for times in (1, 3, 300)),
        *(
            (dict(time_left=60_000, time_increment=text), Limits(left_ms=60_000, increment_ms=ms))
            for text, ms in (("1500", 1500), ("0", None), ("-1", None), ("9" * 30, None))
        ),
    ],
)
def test_limits(sent: dict[str, object], limits: Limits) -> None:
    told = settings(**sent)
    assert told.limits(9) == limits._replace(started_ns=9)
    assert told.take_remarks() == [] and told.memory_bytes is None


@pytest.mark.parametrize(
    ("key", "sent", "name", "value"),
    [
        ("max_memory", "367001600", "memory_bytes", 367001600),
        ("max_memory", "1", "memory_bytes", 1),
        ("max_memory", "0", "memory_bytes", None),
        ("hash_size", "1024", "hash_bytes", 2**20),
        ("hash_size", "0", "hash_bytes", None),
        *(("thread_num", "2", "threads", 2), ("thread_num", "64", "threads", 64)),
        *(("thread_num", sent, "threads", 64) for sent in ("65", "9999999999")),
        *(("thread_num", sent, "threads", 1) for sent in ("0", "-3")),
        *(("strength", "0", "strength", 0), ("strength", "100", "strength", 100)),
        *(("seed", "0", "seed", 0), ("seed", "-1", "seed", None)),
        *(("pondering", "0", "is_pondering", False), ("show_detail", "3.0", "detail", 3)),
        ("show_detail", "-1", "detail", 0),
    ],
)
def test_info_overrides_what_a_user_prefers(key: str, sent: str, name: str, value: object) -> None:
    told = Settings(FileSettings(hash_mb=2, threads=3, level=3, seed=5, pondering=True))
    assert (told.hash_bytes, told.threads, told.strength, told.seed) == (2**21, 3, 23, 5)
    assert told.is_pondering and (Settings().strength, Settings().threads) == (100, 1)
    assert Settings(FileSettings(threads=10**14)).threads == 64  # no more search
    told.apply(key, sent)
    assert getattr(told, name) == value and told.take_remarks() == []


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        *(("rule", str(n), f"{n} does not exist") for n in (7, 12, 13, 14, 15, 16, -1, -2, 10**17)),
        *(("rule", text, "needs a whole number") for text in ("", "x", "4.0", "4x", "9" * 30, "-")),
        *(
            (key, value, "needs a whole number")
            for key in (*LIMITING, "thread_num", "hash_size", "show_detail", "strength")
            for value in ("", "x", "0x10", "1e6", "1,000", "1_000", "-", "--5", ".5", "\xb2")
        ),
        ("max_memory", "-1", "-1 is not a limit"),
        *(("strength", value, f'"{value}" does not exist') for value in ("101", "-1")),
        ("strength", "9" * 23, ""),
        ("seed", str(2**31), "is too large"),
    ],
)
def test_a_value_that_cannot_be_used_keeps_the_earlier(key: str, value: str, problem: str) -> None:
    told = settings(**dict.fromkeys((*LIMITING, "rule", "thread_num", "strength", "seed"), 4))
    told.is_yixin = True  # as show_detail does
    before = deepcopy(vars(told))
    told.apply(key, value)
    (remark,) = told.take_remarks()
    assert remark.startswith(f"INFO {key} {problem}")
    assert remark.endswith("; the earlier value stays") and vars(told) == before


def test_few_of_many_problems_are_kept() -> None:
    told = settings()
    for number in range(20_000):
        told.apply(f"param.p{number}", "1")
        told.apply(f"param.q{number}", "x")
    told.apply("param." + "r" * 30_000, "1")
    assert len(told.parameters) == MAX_PARAMETERS
    remarks = told.take_remarks()
    assert len(remarks) == MAX_REMARKS and all(len(text) < 200 for text in remarks)


@given(
    st.lists(st.tuples(st.sampled_from(["rule", "max_memory", "time_left", "folder"]), st.text()))
)
def test_no_value_is_too_odd(pairs: list[tuple[str, str]]) -> None:
    told = Settings()
    for key, value in pairs:
        told.apply(key, value.strip())
    assert told.rule in Rule
    told.limits(0)
