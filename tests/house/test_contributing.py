"""What CONTRIBUTING.md says about files, checked on the tree."""

from __future__ import annotations

import re
from pathlib import Path

from tests.paths import ROOT

TEXT = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
ROOMS = ("engine", "examples", "protocol", "scripts", "tengen", "tests")
CODE = (".css", ".h", ".js", ".pxd", ".py", ".pyi", ".pyx", ".sh")


def _code() -> dict[str, int]:
    """The files people write code in, by their names with `/`, and how many lines each has."""
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in CODE]
    paths += [path for path in ROOT.iterdir() if path.name in ("Makefile", "setup.py")]
    return {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in paths
    }


def test_no_file_is_longer_than_it_says() -> None:
    limit = re.search(r"at most (\d+) lines; `([\w/.]+)` may have up to (\d+) lines", TEXT)
    assert limit
    limits = {limit[2]: int(limit[3])}
    lines = _code()
    assert limit[2] in lines and len(lines) > 200
    too_long = {
        name: count for name, count in lines.items() if count > limits.get(name, int(limit[1]))
    }
    assert too_long == {}


def test_names_of_files_have_one_or_two_words() -> None:
    assert "Its name has one or two words." in TEXT
    names = [name for name in _code() if name.split("/")[0] in ("engine", "protocol", "tengen")]
    long = {name for name in names if len(Path(name).stem.strip("_").split("_")) > 2}
    assert long == set()


def test_every_file_and_folder_that_it_names_exists() -> None:
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|toml|txt))`", TEXT)
    assert "protocol/session.py" in named and "tests/positions/" in named
    relative = {"cli.py", "registry.py"}  # in the folder that the sentence is about
    for name in set(named) - relative:
        assert (ROOT / name).exists() or name.startswith("build/"), name


def test_every_make_target_that_it_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"\bmake (?:TENGEN_\w+=1 )?([a-z-]+)", TEXT))
    assert {"build", "test", "lint", "package-test"} <= named <= targets
