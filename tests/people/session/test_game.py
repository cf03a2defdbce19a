"""A game being played: moves accepted and refused, how it ends, undo and redo, in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Score
from engine.text import read_point
from tengen.game.played import Termination
from tengen.game.referee import BLACK, WHITE, Referee
from tengen.people.session.engine_player import EnginePlayer
from tengen.people.session.game import Game, Outcome
from tengen.people.session.messages import value_text, what_it_does
from tengen.people.session.session import GameSession

BLACK_ONLY, WHITE_ONLY = frozenset({BLACK}), frozenset({WHITE})
BOTH, NOBODY = BLACK_ONLY | WHITE_ONLY, frozenset[int]()


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
        (0, "- e4 - e5 - e6 - e7 - e8", (WHITE, "e8 e7 e6 e5 e4")),
        (1, "e8 - f8 - g8 - i8 - j8 - h8", None),
        (4, "- e8 - f8 - g8 - i8 - j8 - h8", (WHITE, "e8 f8 g8 h8 i8 j8")),
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


@pytest.mark.parametrize(
    ("people", "count", "turns", "steps"),
    [
        (BLACK_ONLY, 6, 1, (1, 2)),
        (BLACK_ONLY, 6, 3, (3, 6)),
        (BLACK_ONLY, 5, 1, (1, 1)),  # the program has not answered
        (BLACK_ONLY, 5, 2, (2, 3)),
        (WHITE_ONLY, 7, 3, (3, 6)),
        (BOTH, 7, 3, (3, 3)),
        (NOBODY, 7, 3, (3, 3)),
        # More than there are; the program's first stone stays.
        (BLACK_ONLY, 4, 3, (2, 4)),
        (WHITE_ONLY, 4, 99, (2, 3)),
        (BOTH, 4, 5, (4, 4)),
        (NOBODY, 4, 5, (4, 4)),
    ],
)
def test_turns_of_people(
    people: frozenset[int], count: int, turns: int, steps: tuple[int, int]
) -> None:
    game = _game("a1 b3 c5 d1 e3 f5 g1 h3"[: 3 * count - 1])
    programs = dict.fromkeys({BLACK, WHITE} - people, EnginePlayer("simple"))
    session = GameSession(game, {BLACK: None, WHITE: None} | programs)
    assert session.undo(turns) == steps
    assert len(people) != 1 or game.to_move in people
    assert session.redo(turns) == steps


_STEPS = st.lists(
    st.one_of(st.tuples(st.integers(0, 6), st.integers(0, 5)), st.sampled_from(["undo", "redo"])),
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
    game.play(i9)  # the last move of that end, after others
    assert _ended(game) is None
    game.jump([h8, i9, j10])
    assert _ended(game) is None
    game.jump([h8, i9])
    assert _ended(game) == Outcome(WHITE, Termination.RESIGNED)
    game.jump([h8, i9, _cell("a1")])
    assert _ended(game) is None


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
