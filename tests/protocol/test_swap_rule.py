"""Rules that front ends send and managers do not: 5, freestyle with a swap, and nonsense."""

from __future__ import annotations

import pytest

from engine.api import Engine
from engine.model import Stone
from tests.protocol.test_session import Talk

# As a web front end sends them.
SWAP_RULE = ("YXSHOWINFO", "INFO RULE 5", "INFO SWAPABLE 1", "INFO MAX_NODE 3000", "START 15")


def with_swap(*lines: str) -> list[str]:
    """The answers of the engine to the last of these lines under the rule with swap."""
    talk = Talk(brain=Engine())
    for line in SWAP_RULE:
        talk.say(line)
    for line in lines:
        said = talk.say(line)
    return [line for line in said if not line.startswith("MESSAGE ")]


@pytest.mark.parametrize("wish", ["TURN 7,7", "BOARD 7,7,2 DONE"])
def test_a_strong_first_stone_is_taken(wish: str) -> None:
    assert with_swap(wish) == ["SWAP"]


def test_after_swap_the_colours_are_exchanged() -> None:
    talk = Talk(brain=Engine())
    for line in (*SWAP_RULE, "TURN 7,7"):
        talk.say(line)
    move = talk.answer("TURN 8,8")
    assert move.count(",") == 1 and move not in ("7,7", "8,8")
    assert talk.session.game.stones is not None and talk.session.game.stones.own is Stone.BLACK


def test_an_analysis_adds_the_move_that_the_front_end_waits_for() -> None:
    swap, move = with_swap("YXBOARD 7,7,2 DONE", "YXNBEST 1")
    assert swap == "SWAP" and move.count(",") == 1


@pytest.mark.parametrize(
    "lines",
    [
        ("TURN 0,0",),
        ("YXBOARD 0,0,2 DONE", "YXNBEST 1"),
        ("INFO SWAPABLE 0", "TURN 7,7"),
        ("INFO RULE 0", "TURN 7,7"),
        ("BOARD 7,7,2 8,8,1 9,9,2 DONE",),
        ("TURN 7,7", "TURN 8,8"),
    ],
)
def test_where_white_is_better_or_may_not_swap_it_moves(lines: tuple[str, ...]) -> None:
    (answer,) = with_swap(*lines)
    assert answer.count(",") == 1


def test_the_first_stone_is_one_that_nobody_wants_to_take() -> None:
    """The centre is what is played otherwise."""
    assert with_swap("BEGIN") != ["7,7"]
    assert with_swap("YXBOARD DONE", "YXNBEST 1") != ["7,7"]
