"""Games that end by what both programs report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tengen.arena.match.jobs import Setting
from tengen.arena.match.play_game import adjudicated
from tengen.game.played import Move, Report
from tengen.game.referee import BLACK, WHITE

RESIGN = Setting(15, 15, 0, resign_moves=2, resign_value=1000)
DRAW = Setting(15, 15, 0, draw_moves=2, draw_value=20, draw_from=6)


def _moves(values: Sequence[int | str | None]) -> list[Move]:
    """Moves with these values, Black's first; `M5` and `-M4` are forced wins and losses."""
    moves = []
    for number, value in enumerate(values):
        report = None
        if isinstance(value, int):
            report = Report(value=value)
        elif value is not None:
            plies = int(value.replace("M", ""))
            report = Report(mate_plies=plies)
        moves.append(Move(number % 15, number // 15, WHITE if number % 2 else BLACK, 0.1, report))
    return moves


@pytest.mark.parametrize(
    ("values", "winner"),
    [
        ([1000, -1000, 1500, -2000], BLACK),
        ([-1000, 1000, -1500, 2000], WHITE),
        ([0, 0, 1000, -1000, "M5", "-M4"], BLACK),
        (["-M6", "M5", "-M4", "M3"], WHITE),
        ([1000, -999, 1500, -2000], None),  # the loser does not see it yet
        ([999, -1000, 1500, -2000], None),
        ([1000, 1000, 1500, 2000], None),  # both believe that they win
        ([1000, -1000, 1500], None),
        ([1000, None, 1500, -2000], None),
        ([0, 0, 0, 0, 0, 0], None),
        ([], None),
    ],
)
def test_a_win_needs_the_values_of_both(
    values: Sequence[int | str | None], winner: int | None
) -> None:
    found = adjudicated(RESIGN, _moves(values))
    assert (None if found is None else found[0]) == winner
    if found is not None:
        name = "Black" if winner == BLACK else "White"
        assert found[1] == f"both valued {name} at 1000 or more for 2 moves each"


@pytest.mark.parametrize(
    ("values", "is_drawn"),
    [
        ([500, 500, 0, 20, -20, 5], True),
        ([0, 20, -20, 5], False),  # too few stones
        ([0, 0, 0, 21, -20, 5], False),
        ([0, 0, 0, "M5", -20, 5], False),
        ([0, 0, 0, None, -20, 5], False),
    ],
)
def test_a_draw_needs_stones_and_the_values_of_both(
    values: Sequence[int | str | None], is_drawn: bool
) -> None:
    found = adjudicated(DRAW, _moves(values))
    assert found == ((0, "both were within 20 of even for 2 moves each") if is_drawn else None)


def test_without_the_options_nothing_is_adjudicated() -> None:
    assert adjudicated(Setting(15, 15, 0), _moves(["M1", "-M1"] * 10)) is None
    assert adjudicated(Setting(15, 15, 0), _moves([0] * 200)) is None


@pytest.mark.parametrize(
    ("values", "winner"),
    [
        ([0, -1000, 0, -1500], BLACK),  # White has moved last, and gives up
        ([None, -1000, None, "-M4"], BLACK),
        ([-1000, 0, -1500], WHITE),
        ([-1000, 0, -999], None),
        ([0, -1500], None),  # one move of White's is too few
        ([2000, 0, 2000], None),  # a program does not win by its own word
    ],
)
def test_one_side_may_give_the_game_up(
    values: Sequence[int | str | None], winner: int | None
) -> None:
    found = adjudicated(replace(RESIGN, resign_sides=1), _moves(values))
    assert (None if found is None else found[0]) == winner
    if found is not None:
        loser = "White" if winner == BLACK else "Black"
        assert found[1] == f"{loser} gave up: its values were -1000 or less for 2 moves"


def test_one_side_may_call_the_game_even() -> None:
    setting = replace(DRAW, draw_sides=1)
    assert adjudicated(setting, _moves([500, 20] * 3)) == (
        0,
        "White was within 20 of even for 2 moves",
    )
    assert adjudicated(setting, _moves([500, 21, 500, 20, 500, 20])) is not None
    assert adjudicated(setting, _moves([500, 20, 500, 20])) is None  # too few stones
    assert adjudicated(setting, _moves([500, 20, 500, 20, 500, 21])) is None
