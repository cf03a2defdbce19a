"""Shards for tests: made by hypothesis, or small and fixed."""

from __future__ import annotations

from hypothesis import strategies as st

from tengen.game.referee import MAX_SIZE, MIN_SIZE, RULES
from tengen.lab.selfplay.shards import FOUL, MATE, ROW, Head, Move, PlayedGame, SidePosition


def small_shard() -> tuple[Head, list[PlayedGame]]:
    """Two short games: one with two positions beside it, one without moves."""
    head = Head(4, 15, 14, 7, 20, 1500, 10_000, "0.1.0", 3, 0xFEDCBA98, 0)
    moves = (Move(7 * ROW + 7, 1, -12), Move(7 * ROW + 8, 2 | 4, MATE - 3))
    side_positions = (
        SidePosition(0, (ROW, ROW + 1), Move(5, 16, 90)),
        SidePosition(1, (2 * ROW,), Move(6, 0, 5 - MATE)),
    )
    return head, [
        PlayedGame(1, 1, False, (0, 13 * ROW + 14), moves, side_positions),
        PlayedGame(0, 3, True, (5 * ROW + 5,), ()),
    ]


@st.composite
def shards(draw: st.DrawFn) -> tuple[Head, list[PlayedGame]]:
    """Anything that the format can hold."""
    side = st.integers(MIN_SIZE, MAX_SIZE)
    number = st.integers(0, 2**32 - 1)
    head = Head(
        draw(st.sampled_from(RULES)), draw(side), draw(side), draw(st.integers(0, 2**64 - 1)),
        draw(number), draw(number), draw(number), draw(st.text("0123456789.dev+", max_size=16)),
        draw(number), draw(number), draw(number),
    )  # fmt: skip
    cell = st.builds(
        lambda x, y: y * ROW + x, st.integers(0, head.width - 1), st.integers(0, head.height - 1)
    )
    move = st.builds(Move, cell, st.integers(0, 31), st.integers(1 - MATE, MATE - 1))

    @st.composite
    def game(draw: st.DrawFn) -> PlayedGame:
        moves = draw(st.lists(move, max_size=20).map(tuple))
        after = st.integers(0, max(0, len(moves) - 1))
        beside = st.builds(
            SidePosition, after, st.lists(cell, min_size=1, max_size=6).map(tuple), move
        )
        return PlayedGame(
            draw(st.integers(0, 2)),
            draw(st.integers(0, FOUL)),
            draw(st.booleans()),
            draw(st.lists(cell, max_size=9).map(tuple)),
            moves,
            draw(st.lists(beside, max_size=6 if moves else 0).map(tuple)),
        )

    return head, draw(st.lists(game(), max_size=8))
