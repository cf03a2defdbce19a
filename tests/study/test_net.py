"""A net of the user's that cannot be used is refused by whatever would search without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.library.engine import Engine

from .conftest import Said


@pytest.mark.parametrize(
    "words",
    [
        ["analyze", "h8"], ["analyze", "h8", "--explain"], ["solve", "h8"], ["play"],
        ["board", "--no-browser"], ["bench"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_command_refuses_it_in_one_line(
    words: list[str], said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "other.bin"
    monkeypatch.setenv("TENGEN_NET", str(path))
    for content, reason in ((None, "No such file"), (b"no net", "not a net file")):
        if content is not None:
            path.write_bytes(content)
        status, out, err = said(*words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"tengen {words[0]}: TENGEN_NET: other.bin: {reason}")


def test_the_library_refuses_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^none\.bin: No such file"):
        Engine(net_file=tmp_path / "none.bin")
    monkeypatch.setenv("TENGEN_NET", str(tmp_path / "other.bin"))
    with pytest.raises(ValueError, match=r"^TENGEN_NET: other\.bin: No such file"):
        Engine()
