"""Characters from a keyboard, assembled into lines."""

from __future__ import annotations

import pytest

from tengen.people.play.keyboard import LineBuilder


@pytest.mark.parametrize(
    ("typed", "lines", "rest"),
    [
        ("undo", [], "undo"),
        ("undo\r", ["undo"], ""),
        ("h8\n\nun", ["h8", ""], "un"),
        ("undx\x7fo\b\bndo\r", ["unndo"], ""),
        ("\x7f\x7fa", [], "a"),
        ("nonsense\x15h8\r", ["h8"], ""),
        ("save my game\x17", [], "save my"),
        ("\x04", ["quit"], ""),
        ("h8\x04", [], "h8"),
        ("a\x1b[A\x1bOB\x1b[200~\x1b[1;5Cb", [], "ab"),
        ("a\x1bxb\x07\tc", [], "abc"),
        ("\x1b\r\x1b[", [], ""),
        ("Dvořák\r", ["Dvořák"], ""),
    ],
)
def test_lines(typed: str, lines: list[str], rest: str) -> None:
    """The characters come all at once, or one by one."""
    for parts in ([typed], typed):
        builder = LineBuilder()
        assert [line for part in parts for line in builder.feed(part)] == lines
        assert builder.text == rest
