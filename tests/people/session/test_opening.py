"""The opening rules: every course of an opening, what is refused in it, and at a board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Point
from engine.text import read_point
from protocol.opening_rules import TEN, Opening, Talks, check_opening, twins
from tengen.game.referee import BLACK, WHITE, Cell, opponent_of
from tengen.people.session.agreeing import Agreed, agreed_text, to_do
from tengen.people.session.engine_player import EnginePlayer, Level
from tengen.people.session.files import load_game
from tengen.people.session.game import Game
from tengen.people.session.players import Seats
from tengen.people.session.session import GameSession

SWAPS = [opening for opening in Opening if opening is not Opening.BALANCE]
WAYS = {word: word for word in ("swap", "add", "fifths", "ten")}
PATIENCE_S = 60.0
CELLS = st.tuples(st.integers(3, 11), st.integers(3, 11))
# The most stones, that which declines included, and the most that is said.
MOST_STONES, MOST_SAID = 6, 5 + TEN


def cells(words: str) -> list[Cell]:
    return [read_point(word, 15, 15) for word in words.split()]


class Walk:
    """An opening between two players, `first` and `second`, who do what is drawn for them."""

    def __init__(self, opening: Opening) -> None:
        self.talks = Talks(opening)
        self.cells: list[Cell] = []
        self.placed_by: list[str] = []
        self.before: list[tuple[int, Talks]] = []

    def player(self, colour: int) -> str:
        is_changed = self.talks.swaps(len(self.cells)) % 2
        return "first" if (colour == BLACK) != bool(is_changed) else "second"

    def step(self, data: st.DataObject) -> bool:
        """One thing is done; False when the opening is over."""
        talks, count = self.talks, len(self.cells)
        ask = talks.ask(count)
        if ask is None:
            return False
        assert ask.actor in (BLACK, WHITE)
        if ask.puts == 1 and not (ask.offered and not ask.offers):
            # Who makes a single stone plays the colour that is next.
            assert count < 1 or talks.opening is Opening.SWAP2 or ask.actor == 1 + count % 2
        if ask.may_swap and not any(said.at == count for said in talks.said):
            assert self.player(ask.actor) != self.placed_by[-1]
        ways = ["stone"] + ["swap"] * ask.may_swap + ["add"] * ask.may_add
        ways += ["fifths"] * bool(ask.fifths and not talks.named)
        if count == 3 and ask.fifths and not talks.named:
            ways.remove("stone")
        way = data.draw(st.sampled_from(ways))
        actor = self.player(ask.actor)
        was = (count, talks)
        if way == "stone":
            cell = self.draw(data)
            if cell is None:
                return True  # refused, and nothing has changed
            if ask.offers:
                self.talks = talks.offer(cell)
            else:
                assert not ask.offered or cell in ask.offered
                self.cells.append(cell)
                self.placed_by.append(actor)
        elif way == "fifths":
            self.talks = talks.name_fifths(count, data.draw(st.sampled_from(ask.fifths)))
        else:
            self.talks = talks.swap(count) if way == "swap" else talks.add(count)
        if way == "swap":
            assert self.player(ask.actor) != actor
        assert self.talks.back(len(self.cells)) == was
        return True

    def draw(self, data: st.DataObject) -> Cell | None:
        """A point that may be played; None where the drawn one is refused, in one line."""
        ask = self.talks.ask(len(self.cells))
        assert ask is not None
        points = CELLS.filter(lambda cell: cell not in self.cells)
        if ask.offered and not ask.offers:
            points = st.sampled_from(ask.offered) | points
        elif ask.reach is not None:
            near = st.integers(7 - ask.reach, 7 + ask.reach)
            points = st.tuples(near, near).filter(lambda cell: cell not in self.cells) | points
        cell = data.draw(points)
        try:
            self.talks.check(self.cells, cell, 15, 15)
        except ValueError as error:
            assert "\n" not in str(error)
            return None
        return cell


@pytest.mark.parametrize("opening", SWAPS)
@given(data=st.data())
def test_every_course_ends_and_can_be_taken_back(opening: Opening, data: st.DataObject) -> None:
    walk = Walk(opening)
    for _ in range(400):
        text = to_do(walk.talks, len(walk.cells), 15, WAYS)
        assert bool(text) == (walk.talks.ask(len(walk.cells)) is not None)
        if not walk.step(data):
            break
    else:
        pytest.fail("the opening goes on for ever")
    assert len(walk.cells) <= MOST_STONES and len(walk.talks.said) <= MOST_SAID
    offered = [Point(*said.cell) for said in walk.talks.said if said.cell is not None]
    four = tuple(Point(*cell) for cell in walk.cells[:4])
    for number, point in enumerate(offered):
        assert not twins(four, point) & {*offered[:number]}
    assert all(walk.talks.ask(count) is None for count in range(len(walk.cells), 30))
    count, talks = len(walk.cells), walk.talks
    while count or talks.said:
        count, talks = talks.back(count)
    assert talks == Talks(opening)


@pytest.mark.parametrize(
    ("opening", "words", "wrong"),
    [
        ("taraguchi10", "h9", "h9 is not possible: stone 1 stands in the middle"),
        ("taraguchi10", "h8 j9", "j9 is not possible: stone 2 stands in the central 3x3 square"),
        ("taraguchi10", "h8 h9 h10 h11 h13", "h13 is not possible: stone 5 stands in the central"),
        ("taraguchi10", "h8 h9 h10 h11 10 g8 i8", "i8 is the same as g8, turned or mirrored"),
        ("taraguchi10", "h8 h9 h10 h11 10 g8 g8", "g8 is offered already"),
        ("taraguchi10", "h8 h9 h10 3", "how many fifth moves are offered is said in Soosyrv-8"),
        ("taraguchi10", "h8 h9 h10 h11 9", "9 fifth moves cannot be offered here; say 10"),
        ("taraguchi10", "h8 h9 h10 h11 swap 10", "how many fifth moves are offered is said"),
        ("taraguchi10", "swap", "there is no program to change sides with"),
        ("taraguchi10", "h8 swap swap", "the opening does not let the players change sides now"),
        ("soosyrv8", "h8 h9 k8", "k8 is not possible: stone 3 stands in the central 5x5 square"),
        ("soosyrv8", "h8 h9 h10 a1", "say first how many fifth moves Black offers: 1 to 8"),
        ("soosyrv8", "h8 h9 h10 9", "9 fifth moves cannot be offered here; say 1 to 8"),
        ("soosyrv8", "h8 h9 h10 2 a1 h7 g8 h6", "h6 is not offered; take one of h7 g8"),
        ("soosyrv8", "h8 h9 h10 2 a1 h7 swap", "the opening does not let the players change"),
        ("swap1", "h8 add", "two stones can be added only in swap2, after the first three"),
        ("swap2", "h8 add", "two stones can be added only in swap2, after the first three"),
        ("swap2", "h8 a1 a2 add b1 b2 add", "two stones can be added only in swap2"),
        ("swap2", "h8 a1 a2 swap swap", "there is no program to change sides with"),
    ],
)
def test_what_an_opening_does_not_allow_is_refused(opening: str, words: str, wrong: str) -> None:
    session = for_two(Opening(opening))
    *good, bad = words.split()
    do(session, " ".join(good))
    stones, ask = session.game.moves, session.ask
    with pytest.raises(ValueError) as refused:
        do(session, bad)
    assert str(refused.value).startswith(wrong)
    assert (session.game.moves, session.ask) == (stones, ask)


def for_two(opening: Opening) -> GameSession:
    return GameSession(Game(15, 15, 4), {BLACK: None, WHITE: None}, opening=opening)


def do(session: GameSession, words: str) -> None:
    """Each word: a point to click on, a number of fifth moves, or what is said."""
    for word in words.split():
        if word.isdigit():
            session.name_fifths(int(word))
        elif word in ("swap", "add", "undo"):
            getattr(session, word)()
        else:
            session.play(read_point(word, 15, 15))


@pytest.mark.parametrize(
    ("opening", "words", "is_swapped", "stones"),
    [
        ("swap1", "a1 b2", False, "a1 b2"),
        ("swap1", "a1 swap b2", True, "a1 b2"),
        ("swap2", "a1 b2 c3 swap d4", True, "a1 b2 c3 d4"),
        ("swap2", "a1 b2 c3 d4", False, "a1 b2 c3 d4"),
        # Who has added two stones is Black, unless the other one takes Black.
        ("swap2", "a1 b2 c3 add d4 e5 f6", True, "a1 b2 c3 d4 e5 f6"),
        ("swap2", "a1 b2 c3 add d4 e5 swap f6", False, "a1 b2 c3 d4 e5 f6"),
        ("soosyrv8", "h8 i9 j10 1 a1 b2 c3", False, "h8 i9 j10 a1 b2 c3"),
        ("soosyrv8", "h8 i9 j10 swap 1 a1 swap b2", False, "h8 i9 j10 a1 b2"),
        ("soosyrv8", "h8 i9 j10 3 a2 swap b2 c3 d5 c3 e5", True, "h8 i9 j10 a2 c3 e5"),
        ("taraguchi10", "h8 i9 j10 k11 l12 a1", False, "h8 i9 j10 k11 l12 a1"),
        ("taraguchi10", "h8 swap i9 swap j10 swap k11 swap l12 swap a1", True,
         "h8 i9 j10 k11 l12 a1"),
        ("taraguchi10", "h8 h9 j10 k11 10 a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 a7 o15", False,
         "h8 h9 j10 k11 a7 o15"),
    ],
)  # fmt: skip
def test_two_people_agree_on_an_opening(
    opening: str, words: str, is_swapped: bool, stones: str
) -> None:
    session = for_two(Opening(opening))
    do(session, words)
    assert session.ask is None and session.to_do(WAYS) == []
    assert [(move.x, move.y) for move in session.game.moves] == cells(stones)
    assert (session.first_colour == WHITE) == is_swapped
    first = "White" if is_swapped else "Black"
    assert session.seats_text().startswith(f"The first player is {first}, ")
    while session.can_undo:
        session.undo()
    assert session.game.moves == () and session.first_colour == BLACK
    session.close()


@pytest.mark.parametrize("words", ["a1", "a1 b2", "a1 b2 c3 add d4", "a1 b2 c3 add d4 e5"])
def test_who_is_asked_in_an_opening_is_who_resigns(words: str) -> None:
    session = for_two(Opening.SWAP2)
    do(session, words)
    assert session.ask is not None
    loser = session.ask.actor
    session.resign()
    names = {BLACK: "White wins: Black", WHITE: "Black wins: White"}
    assert session.outcome_text() == f"{names[loser]} has resigned."


def test_who_was_first_is_of_no_matter_in_another_game() -> None:
    session = for_two(Opening.SWAP1)
    do(session, "a1 swap b2")
    session.jump(cells("a1"))
    assert session.first_colour == WHITE and session.ask is None
    session.restart()
    assert session.first_colour == BLACK and session.ask is not None
    session.redo()
    assert session.first_colour == WHITE and len(session.game.moves) == 1
    session.take_over(load_game("a1b2", 4))
    assert session.first_colour == 0 and session.ask is None
    session.close()


def test_each_step_back_takes_one_thing_back() -> None:
    session = for_two(Opening.SOOSYRV)
    do(session, "h8 i9 j10 swap 2 a2 c3")
    ask = session.ask
    assert ask is not None and (ask.offers, len(ask.offered)) == (1, 1)
    do(session, "undo d4 e5 e5 undo undo undo")
    ask = session.ask
    assert ask is not None and ask.offers == 2 and not ask.may_add
    do(session, "undo undo")
    assert len(session.game.moves) == 3 and session.first_colour == WHITE
    do(session, "undo")
    assert session.first_colour == BLACK and session.may_swap


def play_out(session: GameSession) -> list[Agreed]:
    """What the programs do up to the end of the opening, or until a person is asked."""
    agreed = []
    while session.ask is not None and session.program_to_move is not None:
        session.start_move()
        event = session.collect(PATIENCE_S)
        assert isinstance(event, Agreed)
        agreed.append(event)
        assert "\n" not in agreed_text(event, 15)
    return agreed


@pytest.mark.parametrize("opening", list(Opening))
def test_programs_agree_on_an_opening(opening: Opening) -> None:
    for seed in range(3):
        seats: Seats = {BLACK: EnginePlayer("random"), WHITE: EnginePlayer("simple")}
        session = GameSession(Game(15, 15, 4), seats, Level(nodes=400), opening=opening, seed=seed)
        agreed = play_out(session)
        assert session.ask is None
        swaps = sum(each.is_swap for each in agreed) + any(
            len(each.cells) == 2 for each in agreed if not each.is_offer
        )
        black = session.seats[BLACK]
        assert black is not None and black.name == ("Simple" if swaps % 2 else "Random")
        session.close()


@pytest.mark.parametrize("opening", SWAPS)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_a_program_and_a_person_agree_on_an_opening(opening: Opening, colour: int) -> None:
    seats: Seats = {BLACK: None, WHITE: None}
    seats[colour] = EnginePlayer("tengen")
    session = GameSession(Game(15, 15, 4), seats, Level(nodes=400), opening=opening)
    while session.ask is not None:
        play_out(session)
        ask = session.ask
        if ask is None:
            break
        if ask.fifths:
            session.name_fifths(ask.fifths[-1])
        before = session.game.moves, session.ask
        free = [*ask.offered] if not ask.offers else []
        free += [cell for cell in session.game.board.empties() if abs(cell[0] - 7) < 5]
        for cell in sorted(free, key=lambda cell: (cell not in ask.offered, abs(cell[1] - 7))):
            try:
                session.play(cell)
            except ValueError:
                continue
            break
        assert (session.game.moves, session.ask) != before
    assert len(session.people) == 1
    turn = opponent_of(next(iter(session.people)))
    assert session.seats[turn] is not None
    if session.can_undo:
        session.undo()
        assert session.ask is None or session.program_to_move is None
    session.close()


def test_balanced_stones_in_any_position() -> None:
    seats: Seats = {BLACK: None, WHITE: None}
    session = GameSession(Game(15, 15, 0, [(7, 7, BLACK)], WHITE), seats)
    session.hint_level = Level(nodes=3000)
    for count, colour in ((1, WHITE), (2, BLACK), (2, BLACK)):
        placed = len(session.game.moves)
        session.start_balance(count)
        with pytest.raises(ValueError, match="Tengen is thinking"):
            session.start_balance(1)
        event = session.collect(PATIENCE_S)
        assert isinstance(event, Agreed) and event.colour == colour
        assert len(session.game.moves) == placed + count
        assert ". The value for the side that played first is " in agreed_text(event, 15)
    assert [move.elapsed_s for move in session.game.moves] == [0.0] * 5
    assert session.undo().stones == 1
    opening = for_two(Opening.BALANCE)
    with pytest.raises(ValueError, match="the opening is not over"):
        opening.start_balance(1)
    for each in (session, opening):
        each.close()


@pytest.mark.parametrize("opening", [Opening.SOOSYRV, Opening.TARAGUCHI])
def test_openings_of_renju_are_for_its_board(opening: Opening) -> None:
    check_opening(opening, 4, 15, 15)
    check_opening(Opening.SWAP2, 0, 20, 15)
    for rule, width, height in ((0, 15, 15), (4, 19, 19), (4, 15, 13)):
        with pytest.raises(ValueError, match=f"{opening.value} is an opening of renju on 15x15"):
            check_opening(opening, rule, width, height)
