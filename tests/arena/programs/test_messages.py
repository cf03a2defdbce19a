"""What programs report about their moves, in the forms that they use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.programs.program import read_message
from tengen.game.played import Report


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (
            "Depth 12-20 | Eval 35 | Node 123456 | Speed 1000000 | Time 812ms | H8 H9 I10",
            Report(12, 20, 35, None, 123456, "H8 H9 I10"),
        ),
        ("Depth 12-20 | Eval -35 | Time 812ms | H8", Report(12, 20, -35, None, None, "H8")),
        ("Speed 3M | Depth 5 | Eval +M 7 | Node 123K | Time 1s", Report(5, None, None, 7, 123000)),
        ("eval -m4 | nodes 2.5M", Report(None, None, None, -4, 2_500_000)),
        ("Eval 0|Depth 0-0||", Report(0, 0, 0)),
        ("hello | world", None),
        ("Time 3ms | H8", None),
        ("Depth deep | Eval good | Node many", None),
        ("", None),
    ],
)
def test_messages(text: str, report: Report | None) -> None:
    assert read_message(text) == report


def test_later_messages_add_to_earlier_ones() -> None:
    first = read_message("Depth 3-4 | Eval 10 | Node 99 | H8")
    assert read_message("thinking", first) is first
    assert read_message("Depth 4-6 | Eval +M5", first) == Report(4, 6, None, 5, 99, "H8")


@given(st.text(st.sampled_from("DepthEvalNod M+-.0123456789|KH "), max_size=60))
def test_no_message_breaks_the_reader(text: str) -> None:
    read_message(text)
