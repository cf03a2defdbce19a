"""The settings file: what it can say, and that nothing in it is fatal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from protocol.settings import NO_FILE, FileSettings, read_settings
from tests.paths import ROOT


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
        ("threads = -2", "threads must be a whole number, at least 1"),
        ("threads = true", "threads must be a whole number"),
        ('threads = "2"', "threads must be a whole number"),
        ("[threads]", "threads must be a whole number"),
        ("hash_mb = 0", "hash_mb must be a whole number from 1 to 1048576; this entry is ignored"),
        ("hash_mb = true", "hash_mb must be a whole number"),
        ('hash_mb = "2"', "hash_mb must be a whole number"),
        ("hash_mb = 1.5", "hash_mb must be a whole number"),
        ("hash_mb = -1", "hash_mb must be a whole number"),
        ("log = 1", "log must be the name of a file, in single quotes, which keep every \\ as it"),
        ('log = "C:\\temp\\new.log"', "log must be the name of a file, in single quotes, which"),
        ('net = "C:\\nets\\new.bin"', "net must be the name of a file, in single quotes, which"),
        ('log = ""', "log must be the name of a file"),
        ("net = true", "net must be the name of a file, in single quotes"),
        (
            "cores = 2",
            "cores is not a setting; expected hash_mb, threads, log, net, level, seed, pondering"
            " or yixin_coordinates",
        ),
        ("level = 0", "level must be a whole number from 1 to 10; this entry is ignored"),
        ("level = 11", "level must be a whole number from 1 to 10"),
        ('level = "5"', "level must be a whole number from 1 to 10"),
        ("level = true", "level must be a whole number from 1 to 10"),
        ("seed = -1", "seed must be a whole number from 0 to 2147483647"),
        ("seed = false", "seed must be a whole number from 0"),
        ("pondering = 1", "pondering must be true or false; this entry is ignored"),
        ("seed = 1.0", "seed must be a whole number from 0"),
        ("[hash_mb]", "hash_mb must be a whole number"),
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
