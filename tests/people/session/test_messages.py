"""Moves in a few words."""

from __future__ import annotations

import pytest

from engine.model import Score
from engine.text import read_point
from tengen.game.referee import BLACK, WHITE, Referee
from tengen.people.session.messages import value_text, what_it_does


@pytest.mark.parametrize(
    ("rule", "black", "white", "at", "does"),
    [
        (0, "e8 f8 g8 h8", "", "i8", ["wins at once"]),
        (0, "", "e8 f8 g8 h8", "i8", ["stops a five"]),
        (0, "e8 f8 g8", "", "h8", ["threatens a five at d8 and i8"]),
        (0, "e8 f8 g8", "d8", "h8", ["makes a four: i8 would be five"]),
        (0, "f8 g8", "", "h8", ["makes a three: e8 would be an open four"]),
        (0, "", "f8 g8 h8", "i8", ["stops an open four"]),
        (0, "h9 h10", "e8 f8 g8 i8", "h8", ["stops a five", "makes a three: h11"]),
        (0, "", "", "h8", []),
        # Two threes that are there already: it is not this stone that makes them.
        (0, "f8 g8 h8", "", "a1", []),
        # Where six are no five, and in renju, where Black's open four must be no foul.
        (0, "c8 e8 f8 g8", "", "h8", ["threatens a five at d8 and i8"]),
        (1, "c8 e8 f8 g8", "", "h8", ["makes a four: i8 would be five"]),
        (4, "c8 e8 f8 g8 j8", "", "h8", []),
        (4, "f8 g8 e9 e10 e6", "c8", "h8", ["makes a three: i8 would be an open four"]),
        # In caro opponents at both ends make a five worthless.
        (8, "e8 f8 g8", "c8 j8", "h8", ["threatens a five at d8 and i8"]),
        (8, "e8 f8 g8", "d8", "h8", ["makes a four: i8 would be five"]),
        (8, "e8 f8 g8", "c8 i8", "h8", []),
    ],
)
def test_what_a_stone_does(rule: int, black: str, white: str, at: str, does: list[str]) -> None:
    board = Referee(15, 15, rule)
    for words, colour in ((black, BLACK), (white, WHITE)):
        for word in words.split():
            board.play(*read_point(word, 15, 15), colour)
    before = board.stones()
    said = what_it_does(board, read_point(at, 15, 15), BLACK)
    assert len(said) == len(does)
    assert all(text.startswith(wanted) for text, wanted in zip(said, does, strict=True)), said
    assert board.stones() == before


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(0), "about even (+0)"),
        (Score(-59), "about even (-59)"),
        (Score(60), "Black stands better (+60)"),
        (Score(-249), "White stands better (-249)"),
        (Score(300), "Black stands much better (+300)"),
        (Score(mate_plies=1), "Black wins with the next move"),
        (Score(mate_plies=7), "Black wins within 4 moves"),
        (Score(mate_plies=-2), "White can win with the next move"),
        (Score(mate_plies=-6), "White can win within 3 moves"),
    ],
)
def test_a_value_in_words(score: Score, text: str) -> None:
    assert value_text(score, BLACK) == text
