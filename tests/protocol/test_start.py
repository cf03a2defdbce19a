"""START where the engine cannot be made."""

from __future__ import annotations

import pytest

from protocol.brain import Brain
from protocol.messages import About
from protocol.reader import Line
from protocol.session import Session


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (MemoryError(), "not enough memory"),
        (ImportError("DLL load failed"), "DLL load failed"),
        (ValueError("values.bin: the checksum is wrong"), "values.bin: the checksum is wrong"),
    ],
)
def test_it_is_one_error(problem: Exception, reason: str) -> None:
    def make() -> Brain:
        raise problem

    session = Session(make, About("Fake", "1", "nobody"))
    for _ in range(2):
        assert session.execute(Line("START 15", 0)).lines == (
            f"ERROR the engine cannot start: {reason}",
        )
    assert session.execute(Line("ABOUT", 0)).lines[0].startswith("name=")
