"""The weight table: its twenty entries, how a row is read, and which point is played."""

from __future__ import annotations

from tengen.game.rules.referee import BLACK, WHITE, Referee
from tengen.opponents.weights import WEIGHTS, row, score_map, weight
from tests.opponents.players import drawn, move_of

# The article's table, row by row.
PUBLISHED = """
1      20  11    410  111   500  1111   8000
12      4  112    70  1112  450  11112  8000
2       8  22     80  222   470  2222   9000
22221 10000  21     6  221    60  2221    600
121     5  1221    5  2112    5  212       5
"""


def test_the_table_has_the_twenty_published_entries() -> None:
    words = PUBLISHED.split()
    published = {words[i]: int(words[i + 1]) for i in range(0, len(words), 2)}
    assert len(published) == 20
    assert published == WEIGHTS


def test_a_row_is_read_outwards_up_to_a_gap_an_edge_or_five_cells() -> None:
    # X is the opponent of O: 1 for X, 2 for O, the nearest first.
    board, _ = drawn("""
    . X X O . X . . . . .
    . O O O O X X . . . .
    . . . . . . . # X . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """)
    assert row(board, 0, 0, 1, 0, WHITE) == "112"
    assert row(board, 0, 0, 1, 0, BLACK) == "221"
    assert row(board, 4, 0, -1, 0, WHITE) == "211"
    assert row(board, 0, 1, 1, 0, WHITE) == "22221"  # the sixth cell is not looked at
    assert row(board, 6, 2, 1, 0, WHITE) == ""  # a wall ends it as an edge does
    assert row(board, 9, 2, 1, 0, WHITE) == "" and row(board, 9, 2, -1, 0, WHITE) == "1"


def test_opposite_directions_are_added_and_the_best_axis_counts() -> None:
    board, _ = drawn("""
    . . . . . . .
    . . . O . . .
    . X X . X . .
    . . . O . . .
    . . . . . . .
    """)
    # For White: 11 and 1 in the row make 430; 2 and 2 in the column make 16.
    assert weight(board, 3, 2, WHITE) == 410 + 20
    assert weight(board, 3, 2, BLACK) == max(80 + 8, 20 + 20)


def test_the_first_highest_in_row_order_is_played() -> None:
    board, _ = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . . . X . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    scores = score_map(board, WHITE)
    assert [cell for cell, score in scores.items() if score == max(scores.values())] == [
        (2, 1), (3, 1), (4, 1), (2, 2), (4, 2), (2, 3), (3, 3), (4, 3),
    ]  # fmt: skip
    assert move_of("weights", board, WHITE) == (2, 1)


def test_the_centre_where_nothing_touches_anything() -> None:
    assert move_of("weights", Referee(15, 15, 0)) == (7, 7)
    assert move_of("weights", Referee(6, 5, 0)) == (3, 2)
    walled = Referee(7, 7, 0, [(3, 3)])
    assert move_of("weights", walled) == (0, 0)


def test_five_before_stopping_five_before_four() -> None:
    board, drawing = drawn("""
    . . . . . . . . .
    . O X X X X ! . .
    . . . . . . . . .
    . . . . . . . . .
    . X O O O O . . .
    . . . . . . . . .
    """)
    assert {move_of("weights", board)} == drawing.marked
    assert weight(board, 6, 1, BLACK) == WEIGHTS["22221"]
    assert weight(board, 6, 4, BLACK) == WEIGHTS["11112"]
