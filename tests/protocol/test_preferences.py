"""The settings file: what it can say, and that nothing in it is fatal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from protocol.preferences import NO_PREFERENCES, Preferences, read_preferences
from tests.protocol.conversation import ROOT


def read(tmp_path: Path, data: bytes) -> Preferences:
    path = tmp_path / "some.toml"
    path.write_bytes(data)
    return read_preferences(str(path))


def test_no_file_says_nothing(tmp_path: Path) -> None:
    assert read_preferences(str(tmp_path / "none.toml")) == NO_PREFERENCES
    (tmp_path / "file").touch()
    assert read_preferences(str(tmp_path / "file" / "none.toml")) == NO_PREFERENCES


def test_without_a_file_no_parser_is_loaded() -> None:
    code = "import sys; from protocol.preferences import *; read_preferences('none.toml');"
    code += "assert 'tomllib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_everything(tmp_path: Path) -> None:
    found = read(tmp_path, b'# mine\nthreads = 2\nhash_mb = 64\nlog = "game.log"\n')
    assert found == Preferences(2, 64 * 2**20, str(tmp_path / "game.log"))


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbfthreads = 3\r\n", b"threads = 3"])
def test_what_editors_make_of_it(tmp_path: Path, data: bytes) -> None:
    assert read(tmp_path, data) == Preferences(threads=3 if data else None)


def test_an_absolute_log_stays_where_it_is(tmp_path: Path) -> None:
    path = (tmp_path / "elsewhere").as_posix()
    assert read(tmp_path, f'log = "{path}"'.encode()).log == path


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("threads = 0", "threads must be a whole number from 1 to 256; it is not used"),
        ("threads = 1000", "threads must be a whole number"),
        ("threads = true", "threads must be a whole number"),
        ('threads = "2"', "threads must be a whole number"),
        ("hash_mb = 1.5", "hash_mb must be a whole number"),
        ("hash_mb = -1", "hash_mb must be a whole number"),
        ("log = 1", "log must be the name of a file, in quotes"),
        ('log = ""', "log must be the name of a file"),
        ("cores = 2", "cores is not known; threads, hash_mb, log are"),
        ("[threads]", "threads must be a whole number"),
    ],
)
def test_a_bad_entry_is_left_out_and_told(tmp_path: Path, entry: str, problem: str) -> None:
    good = "hash_mb = 8" if "hash" not in entry else "threads = 2"
    found = read(tmp_path, f"{good}\n{entry}\n".encode())
    assert found[:3] in ((None, 8 * 2**20, None), (2, None, None))
    assert len(found.problems) == 1
    assert found.problems[0].startswith(f"some.toml: {problem}")


@pytest.mark.parametrize("data", [b"threads 2", b"threads = 2\nthreads = 3", b"\x00", b"log=\xff"])
def test_a_file_that_is_no_toml_is_one_problem(tmp_path: Path, data: bytes) -> None:
    found = read(tmp_path, data)
    assert found[:3] == (None, None, None)
    assert len(found.problems) == 1 and "some.toml" in found.problems[0]


def test_a_folder_in_its_place_is_a_problem(tmp_path: Path) -> None:
    assert len(read_preferences(str(tmp_path)).problems) == 1
