"""The settings and limits that INFO keys make, and the settings file: what it can say, and that
nothing in it is fatal."""

from __future__ import annotations

import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Limits, Rule
from protocol.settings import (
    MAX_PARAMETERS,
    MAX_REMARKS,
    NO_FILE,
    FileSettings,
    Settings,
    read_settings,
)
from tests.paths import ROOT

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
    ("number", "is_yixin", "swapable", "rule", "may_swap"),
    [
        *((number, False, None, rule, False) for number, rule in (
            (0, Rule.FREESTYLE), (1, Rule.STANDARD), (2, Rule.FREESTYLE), (3, Rule.STANDARD),
            (4, Rule.RENJU), (6, Rule.RENJU), (8, Rule.CARO), (9, Rule.CARO_EXACT),
            (10, Rule.CARO), (11, Rule.CARO_EXACT))),
        # Of front ends.
        *((number, is_yixin, swapable, Rule.FREESTYLE, may_swap)
          for number, is_yixin, swapable, may_swap in (
            (5, False, "1", True), (5, True, "1", True), (5, True, "0", False),
            (5, True, None, False), (6, True, "1", False), (0, True, "1", False))),
        (6, False, "1", Rule.RENJU, False),
    ],
)  # fmt: skip
def test_rules(
    number: int, is_yixin: bool, swapable: str | None, rule: Rule, may_swap: bool
) -> None:
    told = settings(rule=number)
    if swapable is not None:
        told.apply("swapable", swapable)
    if is_yixin:
        told.is_yixin = True
    assert (told.rule, told.may_swap) == (rule, may_swap)
    assert told.is_continuous is (number in (2, 3, 6, 10, 11) and not is_yixin)
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
            for value in ("x", "0x10", "1e6", "1,000", "-", "--5", ".5", "\xb2", "\xa0", "\x1c", "")
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


# -- the user's file


def read(tmp_path: Path, data: bytes) -> FileSettings:
    path = tmp_path / "some.toml"
    path.write_bytes(data)
    return read_settings(str(path))


def test_no_file_says_nothing(tmp_path: Path) -> None:
    assert read_settings(str(tmp_path / "none.toml")) == NO_FILE
    (tmp_path / "file").touch()
    assert read_settings(str(tmp_path / "file" / "none.toml")) == NO_FILE


def test_without_a_file_no_parser_is_loaded() -> None:
    code = "import sys; from protocol.settings import *; read_settings('none.toml');"
    code += "assert 'tomllib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_everything(tmp_path: Path) -> None:
    text = (
        b'# mine\nhash_mb = 64\nthreads = 3\nlog = "game.log"\nnet = "a.bin"\n'
        b"level = 4\nseed = 0\npondering = true\n"
    )
    log, net = str(tmp_path / "game.log"), str(tmp_path / "a.bin")
    told = f"settings from {tmp_path / 'some.toml'}: hash_mb = 64, threads = 3, "
    told += 'log = "game.log", net = "a.bin", level = 4, seed = 0, pondering = true'
    wanted = FileSettings(64, 3, log, net, 4, 0, True, None, (told,))
    assert read(tmp_path, text) == wanted


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbfhash_mb = 3\r\n", b"hash_mb = 3"])
def test_what_editors_make_of_it(tmp_path: Path, data: bytes) -> None:
    found = read(tmp_path, data)
    assert found.hash_mb == (3 if data else None)
    assert len(found.notices) == (1 if data else 0)


def test_an_absolute_log_stays_where_it_is(tmp_path: Path) -> None:
    path = (tmp_path / "elsewhere").as_posix()
    assert read(tmp_path, f'log = "{path}"'.encode()).log == path


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("threads = 0", "threads must be a whole number, at least 1; this entry is ignored"),
        ("hash_mb = 0", "hash_mb must be a whole number from 1 to 1048576; this entry is ignored"),
        ("level = 0", "level must be a whole number from 1 to 10; this entry is ignored"),
        ("seed = -1", "seed must be a whole number from 0 to 2147483647"),
        *(
            (entry, f"{entry.split()[0].strip('[]')} must be a whole number")
            for entry in (
                *("threads = -2", "threads = true", 'threads = "2"', "[threads]", "[hash_mb]"),
                *("hash_mb = true", 'hash_mb = "2"', "hash_mb = 1.5", "hash_mb = -1"),
                *("level = 11", 'level = "5"', "level = true", "seed = false", "seed = 1.0"),
            )
        ),
        *(
            (entry, f"{entry[:3]} must be the name of a file, in single quotes, which keep every")
            for entry in (
                *("log = 1", 'log = "C:\\temp\\new.log"', 'net = "C:\\nets\\new.bin"'),
                *('log = ""', "net = true"),
            )
        ),
        ("pondering = 1", "pondering must be true or false; this entry is ignored"),
        (
            "cores = 2",
            "cores is not a setting; expected hash_mb, threads, log, net, level, seed, pondering"
            " or yixin_coordinates",
        ),
    ],
)
def test_a_bad_entry_is_left_out_and_told(tmp_path: Path, entry: str, problem: str) -> None:
    good = "hash_mb = 8" if "hash" not in entry else f"log = '{tmp_path / 'a.log'}'"
    found = read(tmp_path, f"{good}\n{entry}\n".encode())
    log = str(tmp_path / "a.log")
    assert found[:4] in ((8, None, None, None), (None, None, log, None))
    assert len(found.notices) == 2 and found.notices[0].startswith("settings from ")
    assert found.notices[1].startswith(f"some.toml: {problem}")
    assert entry.split()[0] not in found.notices[0].split(": ")[1].split()


@pytest.mark.parametrize(
    "data",
    [
        b"hash_mb 2",
        b"hash_mb = 2\nhash_mb = 3",
        b"\x00",
        b"log=\xff",
        b"seed = " + b"1" * 5000,
        b"seed = " + b"[" * 100_000,
    ],
    ids=["word", "twice", "null", "no UTF-8", "long number", "deep"],
)
def test_a_file_that_is_no_toml_is_one_problem(tmp_path: Path, data: bytes) -> None:
    found = read(tmp_path, data)
    assert found[:3] == (None, None, None)
    assert len(found.notices) == 1 and "some.toml" in found.notices[0]
