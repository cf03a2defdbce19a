"""A game being played: moves accepted and refused, how it ends, undo and redo."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import read_point
from tengen.game.record.game import Move
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, WHITE, Referee
from tengen.people.sitting.game import Game, Outcome, replay, steps_back, steps_forward

BOTH, NOBODY = frozenset({BLACK, WHITE}), frozenset[int]()


def _game(words: str, rule: int = 0, size: int = 15) -> Game:
    """A game with these points played, Black first; `-` is a move out of the way: on the lowest row
    or the topmost, with gaps so that no row comes about."""
    game = Game(size, size, rule)
    away = [(x, y) for y in (size - 1, 0) for x in range(0, size, 2)]
    for word in words.split():
        game.play(away.pop(0) if word == "-" else read_point(word, size, size))
    return game


def _cell(name: str, size: int = 15) -> tuple[int, int]:
    return read_point(name, size, size)


@pytest.mark.parametrize(
    ("rule", "words", "outcome"),
    [
        (0, "e8 - f8 - g8 - h8 - i8", (BLACK, "e8 f8 g8 h8 i8")),
        (0, "- e4 - e5 - e6 - e7 - e8", (WHITE, "e8 e7 e6 e5 e4")),
        (0, "e8 - f8 - g8 - i8 - j8 - h8", (BLACK, "e8 f8 g8 h8 i8 j8")),
        (1, "e8 - f8 - g8 - i8 - j8 - h8", None),
        (4, "- e8 - f8 - g8 - i8 - j8 - h8", (WHITE, "e8 f8 g8 h8 i8 j8")),
        (8, "e8 d8 f8 j8 g8 - h8 - i8", None),
        (8, "e8 - f8 j8 g8 - h8 - i8", (BLACK, "e8 f8 g8 h8 i8")),
        (8, "e8 - f8 - g8 - i8 - j8 - h8", (BLACK, "e8 f8 g8 h8 i8 j8")),
        (9, "e8 - f8 - g8 - i8 - j8 - h8", None),
        (9, "e8 d8 f8 j8 g8 - h8 - i8", None),
    ],
)
def test_wins_by_the_rule(rule: int, words: str, outcome: tuple[int, str] | None) -> None:
    game = _game(words, rule)
    if outcome is None:
        assert game.outcome is None
        return
    winner, line = outcome
    cells = tuple(_cell(name) for name in line.split())
    assert game.outcome == Outcome(winner, Termination.FIVE, cells)
    with pytest.raises(ValueError, match="a1 cannot be played: the game is over"):
        game.play(_cell("a1"))
    game.undo()
    assert game.outcome is None
    game.redo()
    assert game.outcome == Outcome(winner, Termination.FIVE, cells)


@pytest.mark.parametrize(
    ("words", "at", "reason"),
    [
        ("f8 - g8 - h9 - h10 -", "h8", "a double three, f8 g8 h8 and h10 h9 h8"),
        ("e8 - f8 - g8 - h11 - h9 - h7 -", "h8", "a double four, e8 f8 g8 h8 and h11 h9 h8 h7"),
        ("d8 - f8 - h8 - j8 -", "g8", "a double four, f8 g8 h8 j8 and d8 f8 g8 h8"),
        ("d8 - e8 - f8 - h8 - i8 -", "g8", "an overline, d8 e8 f8 g8 h8 i8"),
    ],
)
def test_a_foul_is_refused_with_its_lines(words: str, at: str, reason: str) -> None:
    game = _game(words, rule=4)
    moves = game.moves
    with pytest.raises(ValueError) as refused:
        game.play(_cell(at))
    assert str(refused.value) == f"{at} is forbidden for Black: {reason}"
    assert game.moves == moves and game.outcome is None

    # White may play there, and Black in freestyle. In renju the move loses if it is played anyway.
    game.play(_cell("o12"))
    game.play(_cell(at))
    freestyle = _game(words)
    freestyle.play(_cell(at))
    fouling = _game(words, rule=4)
    fouling.play(_cell(at), may_foul=True)
    foul = reason.partition(",")[0].removeprefix("a ").removeprefix("an ")
    assert fouling.outcome == Outcome(WHITE, Termination.FORBIDDEN, foul=foul)


def _draw() -> list[str]:
    """A game of 25 moves on 5x5 without five in a row."""
    black = "a1 c1 e1 a2 d2 b3 c3 e3 a4 d4 b5 c5 e5".split()
    white = "b1 d1 b2 c2 e2 a3 d3 b4 c4 e4 a5 d5".split()
    return [name for pair in zip(black, [*white, ""], strict=True) for name in pair if name]


def test_a_full_board_is_a_draw() -> None:
    *first, last = _draw()
    game = _game(" ".join(first), size=5)
    assert game.outcome is None
    game.play(_cell(last, 5))
    assert game.outcome == Outcome(0, Termination.FULL)


def test_black_has_lost_where_every_point_left_is_forbidden() -> None:
    game = Game(6, 5, 4)
    names = (
        """a3 a4 f5 d2 e1 c4 a1 e3 b5 c2 d4 b2 a5 a2 e5 f4 f1 f2 e2 b4 b1 b3 c1 e4 d3 c3 d5 f3"""
    )
    for name in names.split():
        assert game.outcome is None
        game.play(read_point(name, 6, 5))
    # Both points that are left are overlines.
    assert game.board.forbidden_points() == set(game.board.empties()) == {(2, 0), (3, 4)}
    assert game.outcome == Outcome(WHITE, Termination.FORBIDDEN)


def test_taken_points_and_points_elsewhere_are_refused() -> None:
    game = _game("h8 i8")
    for name, reason in (("h8", "h8 is taken"), ("i8", "i8 is taken")):
        with pytest.raises(ValueError, match=reason):
            game.play(_cell(name))
    assert len(game.moves) == 2


def test_moves_taken_back_come_again_until_another_is_played() -> None:
    game = _game("h8 i8 h9")
    game.undo()
    game.undo()
    assert [(move.x, move.y) for move in game.undone] == [_cell("i8"), _cell("h9")]
    # The same move as the next one keeps the others.
    game.play(_cell("i8"))
    assert game.redo().x == _cell("h9")[0]
    while game.moves:
        game.undo()
    assert len(game.undone) == 3
    game.play(_cell("a1"))
    assert not game.undone
    with pytest.raises(IndexError):
        game.redo()


@pytest.mark.parametrize(
    ("people", "stones", "turns", "undo", "redo"),
    [
        (frozenset({BLACK}), 6, 1, 2, 2),
        (frozenset({BLACK}), 6, 3, 6, 6),
        (frozenset({BLACK}), 5, 1, 1, 1),  # the program has not answered
        (frozenset({BLACK}), 5, 2, 3, 3),
        (frozenset({WHITE}), 7, 1, 2, 2),
        (frozenset({WHITE}), 7, 3, 6, 6),
        (BOTH, 7, 3, 3, 3),
        (NOBODY, 7, 3, 3, 3),
    ],
)
def test_turns_of_people(
    people: frozenset[int], stones: int, turns: int, undo: int, redo: int
) -> None:
    game = _game("a1 b3 c5 d1 e3 f5 g1 h3"[: 3 * stones - 1])
    assert steps_back(game, people, turns) == (turns, undo)
    for _ in range(undo):
        game.undo()
    assert len(people) == 2 or not people or game.to_move in people
    assert steps_forward(game, people, turns) == (turns, redo)


@pytest.mark.parametrize(
    ("people", "turns", "back", "forward"),
    [
        (frozenset({BLACK}), 3, (2, 4), (2, 4)),
        (BOTH, 5, (4, 4), (4, 4)),
        (NOBODY, 5, (4, 4), (4, 4)),
        # The program's first stone stays.
        (frozenset({WHITE}), 99, (2, 3), (2, 3)),
    ],
)
def test_more_turns_than_there_are(
    people: frozenset[int], turns: int, back: tuple[int, int], forward: tuple[int, int]
) -> None:
    game = _game("a1 b3 c5 d1")
    assert steps_back(game, people, turns) == back
    for _ in range(back[1]):
        game.undo()
    assert steps_back(game, people, turns) == (0, 0)
    assert steps_forward(game, people, turns) == forward
    assert steps_forward(_game("a1"), people, turns) == (0, 0)


def test_a_recorded_game_is_replayed_or_refused() -> None:
    moves = [Move(*_cell(name), 0, 0.5) for name in "e8 a1 f8 a2 g8 a3 h8 a4 i8".split()]
    game = replay(15, 15, 0, moves)
    assert game.outcome is not None and game.outcome.winner == BLACK
    assert [move.colour for move in game.moves] == [1, 2, 1, 2, 1, 2, 1, 2, 1]
    assert {move.elapsed_s for move in game.moves} == {0.5}
    with pytest.raises(ValueError, match="^move 10 comes after the end: the game is over with mo"):
        replay(15, 15, 0, [*moves, Move(0, 0, 0)])
    with pytest.raises(ValueError, match="^move 3: e8 is taken"):
        replay(15, 15, 0, [*moves[:2], moves[0]])
    with pytest.raises(ValueError, match="sides must be 5 to 22"):
        replay(4, 15, 0, [])


_STEPS = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 6), st.integers(0, 5)),
        st.sampled_from(["undo", "redo"]),
    ),
    max_size=60,
)


@given(_STEPS, st.sampled_from([0, 1, 4, 8, 9]))
def test_whatever_is_played_and_taken_back(steps: list[tuple[int, int] | str], rule: int) -> None:
    """Compared with a list of moves and an index, and a new referee with the same stones."""
    game = Game(7, 6, rule)
    line: list[tuple[int, int]] = []
    at = 0
    for step in steps:
        if step == "undo" and at:
            game.undo()
            at -= 1
        elif step == "redo" and at < len(line):
            game.redo()
            at += 1
        elif isinstance(step, tuple):
            try:
                game.play(step)
            except ValueError:
                continue
            if line[at : at + 1] != [step]:
                line[at:] = [step]
            at += 1
        assert [(move.x, move.y) for move in game.moves] == line[:at]
        assert [(move.x, move.y) for move in game.undone] == line[at:]
    board = Referee(7, 6, rule)
    for number, cell in enumerate(line[:at]):
        board.play(*cell, WHITE if number % 2 else BLACK)
    assert game.board.stones() == board.stones()
    assert (game.outcome is not None) == bool(board.winner() or board.is_full())


# -- stones set up, resigning, jumps


def test_a_game_with_stones_set_up() -> None:
    setup = ((7, 7, BLACK), (8, 8, BLACK), (6, 8, WHITE))
    game = Game(15, 15, 0, setup, WHITE)
    assert game.to_move == WHITE and not game.moves
    with pytest.raises(ValueError, match="h8 is taken"):
        game.play((7, 7))
    game.play((0, 0))
    game.play((9, 9))
    assert [move.colour for move in game.moves] == [WHITE, BLACK]
    assert game.stones == (*setup, (0, 0, WHITE), (9, 9, BLACK))
    for cell in ((1, 0), (10, 10), (2, 0), (11, 11)):
        game.play(cell)
    assert game.outcome is not None and game.outcome.winner == BLACK
    with pytest.raises(ValueError, match="hold a five"):
        Game(15, 15, 0, [(x, 7, BLACK) for x in range(5)], WHITE)


def test_a_game_that_was_given_up() -> None:
    game = _game("h8 i9 j10")
    game.end(WHITE, Termination.RESIGNED)
    assert game.outcome == Outcome(BLACK, Termination.RESIGNED)
    with pytest.raises(ValueError, match="the game is over"):
        game.play(_cell("a1"))
    with pytest.raises(ValueError, match="the game is over"):
        game.end(BLACK, Termination.TIMEOUT)
    game.undo()
    assert game.outcome is None
    game.redo()
    assert game.outcome == Outcome(BLACK, Termination.RESIGNED)
    game.undo()
    game.play(_cell("a1"))
    game.play(_cell("j10"))
    assert game.outcome is None


def test_a_jump_goes_along_the_game_and_into_other_lines() -> None:
    game = _game("h8 i9 j10 h9")
    h8, i9, a1 = (_cell(name) for name in ("h8", "i9", "a1"))
    game.jump([h8])
    assert len(game.moves) == 1 and len(game.undone) == 3
    game.jump([h8, i9, _cell("j10")])
    assert len(game.moves) == 3 and len(game.undone) == 1
    game.jump([h8, a1])
    assert [(move.x, move.y) for move in game.moves] == [h8, a1] and not game.undone
    for wrong, why in (([h8, h8], "move 2: h8 is taken"), ([h8, (15, 0)], "move 2: ")):
        with pytest.raises(ValueError, match=why):
            game.jump(wrong)
    assert [(move.x, move.y) for move in game.moves] == [h8, a1]
    game.jump([])
    assert not game.moves and len(game.undone) == 2


def _ended(game: Game) -> Outcome | None:
    return game.outcome


def test_a_jump_passes_where_somebody_gave_up() -> None:
    game = _game("h8 i9 j10")
    h8, i9, j10 = (_cell(name) for name in ("h8", "i9", "j10"))
    game.undo()
    game.end(BLACK, Termination.RESIGNED)
    game.jump([h8, i9, j10])
    assert _ended(game) is None
    game.undo()
    assert _ended(game) == Outcome(WHITE, Termination.RESIGNED)
    game.undo()
    game.play(_cell("a1"))
    game.jump([h8, i9, j10])
    assert _ended(game) is None
    game.jump([h8, i9])
    assert _ended(game) == Outcome(WHITE, Termination.RESIGNED)
    game.jump([h8, i9, _cell("a1")])
    assert _ended(game) is None
