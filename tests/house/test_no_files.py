"""Commands that take the name of a file: what is no file ends in one line and exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.cli import run
from tests.no_files import NO_FILES, make_no_file

# FILE stands for the name.
COMMANDS = [
    ["match", "--config", "FILE"],
    ["bench", "FILE"],
    ["lab", "data", "FILE"],
    ["lab", "selfplay", "--games", "1", "--net", "FILE", "--out", "OUT"],
    ["lab", "train", "--rule", "0", "--out", "OUT", "FILE"],
    ["report", "FILE"],
    ["match", "--engine", "cmd=no-program", "--engine", "cmd=no-program", "--openings", "FILE"],
    ["analyze", "--explain", "--net", "FILE", "h8"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize("kind", [*NO_FILES, "missing", "huge"])
def test_a_name_of_no_file_is_one_line(
    tmp_path: Path, command: list[str], kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if kind == "folder" and {*command} & {"data", "train", "report"}:
        pytest.skip("these take folders")
    if kind in NO_FILES:
        path = make_no_file(tmp_path, kind)
    else:
        path = tmp_path / "some"
    if kind == "huge":
        with path.open("wb") as file:
            file.truncate(5 << 30)
    words = {"FILE": str(path), "OUT": str(tmp_path / "out")}
    assert run([words.get(word, word) for word in command]) == 2
    said = capfd.readouterr()
    error = [line for line in said.err.splitlines() if line.startswith("tengen")]
    assert "Traceback" not in said.err and len(error) == 1 and path.name in error[0]
