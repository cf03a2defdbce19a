"""A session as a front end uses it: no method blocks, and state and events show everything."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from engine.model import Limits, Point
from engine.text import point_name, read_point
from protocol.opening_rules import Opening
from tengen.game.game import PERSON_NAME
from tengen.game.referee import BLACK, WHITE
from tengen.people.session import engine_player
from tengen.people.session.agreeing import Event, Failed, Hint, Moved
from tengen.people.session.engine_player import EnginePlayer, Level, PendingSearch, position_of
from tengen.people.session.files import load_game
from tengen.people.session.game import Game
from tengen.people.session.session import ALL_TURNS, HINT_TIME_S, GameSession
from tests.acting import command_of
from tests.people.conftest import Clock
from tests.people.session.brains import Endless
from tests.processes import PATIENCE_S, own_children
from tests.stopwatch import Stopwatch, in_time, timed


def _against(name: str, colour: int = WHITE, rule: int = 0, size: int = 9) -> GameSession:
    """A session where a program plays that colour, with a low limit."""
    seats = {BLACK: None, WHITE: None, colour: EnginePlayer(name)}
    return GameSession(Game(size, size, rule), seats, Level(nodes=300))


def _for_two(rule: int = 0, size: int = 9) -> GameSession:
    return GameSession(Game(size, size, rule), {BLACK: None, WHITE: None})


def _play(session: GameSession, words: str) -> None:
    for word in words.split():
        session.play(read_point(word, session.game.width, session.game.height))


def _names(session: GameSession) -> str:
    moves = session.game.moves
    return " ".join(point_name((move.x, move.y), session.game.height) for move in moves)


def _event(session: GameSession) -> Event:
    event = session.collect(PATIENCE_S)
    assert event is not None
    return event


def _answer(session: GameSession) -> None:
    """The program's move."""
    session.start_move()
    assert isinstance(_event(session), Moved)


def _endless(session: GameSession) -> Endless:
    """The brain of the endless program, which has begun to think."""
    [player] = [player for player in session.seats.values() if player is not None]
    assert isinstance(player._brain, Endless) and player._brain.has_begun.wait(PATIENCE_S)
    return player._brain


def test_what_is_given_up_never_reaches_the_board() -> None:
    session = _against("endless")
    _play(session, "e5")
    given_up = session.start_move()
    _endless(session)
    assert session.undo() == (1, 1)
    assert given_up.wait(PATIENCE_S)
    assert session.collect() is None and _names(session) == ""
    # It can be asked again, about another position.
    _play(session, "d4")
    session.start_move()
    _endless(session)
    session.move_now()
    event = _event(session)
    assert isinstance(event, Moved) and _names(session) == "d4 a9"


def test_nothing_to_undo_does_not_disturb_the_program() -> None:
    session = _against("endless", colour=BLACK)
    thinking = session.start_move()
    with pytest.raises(ValueError, match="^there is no move of yours to take back$"):
        session.undo()
    assert session.thinking is thinking and not thinking.wait(0.2)
    session.close()
    assert thinking.wait(PATIENCE_S)


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_restart_and_redo_bring_the_whole_game_back(colour: int) -> None:
    """Also where the program begins, which then plays another first move."""
    session = _against("random", colour)
    if colour == BLACK:
        _answer(session)
    for _ in range(3):
        cell = session.game.board.empties()[-1]
        session.play(cell)
        _answer(session)
    old = _names(session)
    session.undo()  # one turn is taken back already
    shorter = _names(session)
    session.restart()
    assert _names(session) == ""
    if colour == BLACK:
        _answer(session)
    steps = session.redo()
    assert _names(session) == shorter and steps.stones == len(shorter.split())
    session.redo()
    assert _names(session) == old


def test_redo_after_restart_until_a_move() -> None:
    session = _for_two()
    _play(session, "a1 b2 c3")
    session.restart()
    assert session.redo() == (3, 3) and _names(session) == "a1 b2 c3"
    session.restart()
    _play(session, "e5")
    with pytest.raises(ValueError, match="^there is no move to bring back$"):
        session.redo()
    session.undo()
    with pytest.raises(ValueError, match="^the board is empty$"):
        session.restart()


WON = "e8 a1 f8 a2 g8 a3 h8 a4 i8"


def test_a_swap_after_the_end_credits_those_who_played(tmp_path: Path) -> None:
    session = _against("simple", size=15)
    session.is_waiting = True  # the person plays both sides
    _play(session, WON)
    said = "Black (you) wins with five in a row: e8-i8."
    assert session.outcome_text() == said
    session.swap()
    assert session.outcome_text() == said
    assert session.seats_text() == "You are White, Simple is Black."
    path = session.save(str(tmp_path / "game.sgf"))
    assert load_game(str(path), 0).people == {BLACK}
    assert f"PB[{PERSON_NAME}]" in path.read_text() and "PW[Simple]" in path.read_text()
    # The next game is played with the sides changed.
    session.restart()
    assert session.program_to_move is session.seats[BLACK] is not None
    session.redo()
    assert session.outcome_text() == said
    session.undo()
    assert session.outcome_text() == ""


def test_others_who_play_on_are_credited_only_for_another_end(tmp_path: Path) -> None:
    session = _against("simple", size=15)
    session.is_waiting = True
    _play(session, WON)
    said = session.outcome_text()
    session.undo()
    session.sit({BLACK: EnginePlayer("random"), WHITE: None})
    assert load_game(str(session.save(str(tmp_path / "a.sgf"))), 0).people == {BLACK}
    session.redo(ALL_TURNS)
    assert session.outcome_text() == said
    session.undo(ALL_TURNS)
    session.is_waiting = True
    _play(session, "a5 f8 a6 g8 a7 h8 a8 d8")  # after e8
    assert session.outcome_text() == "Black (Random) wins with five in a row: d8-h8."
    assert load_game(str(session.save(str(tmp_path / "b.sgf"))), 0).people == {WHITE}


@pytest.mark.parametrize("level", [Level(nodes=1), Level(0.01)])
def test_hints_do_not_depend_on_the_level_of_the_opponent(level: Level) -> None:
    """A search of one node finds next to nothing."""
    session = _against("random", size=15)
    session.set_level(level)
    session.is_waiting = True
    _play(session, "h8 i9 g9")
    assert session.hint_level == Level(HINT_TIME_S)
    session.hint_level = Level(600.0)
    thinking = session.start_hint()
    assert session.is_hinting and thinking.limits == Level(600.0).limits(is_analysis=True)
    while thinking.info is None or thinking.info.depth_plies <= 2:
        assert not thinking.wait(0.01) and thinking.elapsed_s < PATIENCE_S
    session.move_now()
    hint = _event(session)
    assert isinstance(hint, Hint) and hint.info.nodes > 100 and hint.info.depth_plies > 2
    assert session.level == level and not session.is_hinting


# -- resigning, jumps, other players, clocks


def test_who_resigns_while_a_program_thinks() -> None:
    session = _against("endless")
    _play(session, "e5")
    session.start_move()
    session.resign()
    assert session.thinking is None
    assert session.outcome_text() == "White (Endless) wins: Black has resigned."
    session.close()


def test_a_program_waits_after_a_jump_to_its_turn() -> None:
    session = _against("simple")
    _play(session, "e5")
    _answer(session)
    cells = [(move.x, move.y) for move in session.game.moves]
    session.jump(cells[:1])
    assert session.is_waiting and session.program_to_move is None
    session.go()
    _answer(session)
    session.jump(cells)
    assert not session.is_waiting


def test_nobody_plays_on_after_the_end() -> None:
    """Or another player would have won."""
    session = _for_two()
    _play(session, "e5 e6")
    session.resign()
    with pytest.raises(ValueError, match="the game is over; go back"):
        session.sit({BLACK: EnginePlayer("simple"), WHITE: None})
    assert session.outcome_text() == "White wins: Black has resigned."
    session.undo()
    session.sit({BLACK: EnginePlayer("simple"), WHITE: None})


def test_the_clock_ends_a_game(clock: Clock) -> None:
    session = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock_s=60)
    clock.now_s += 20
    _play(session, "e5")
    clock.now_s += 30
    assert (session.used_s(BLACK), session.used_s(WHITE)) == (20, 30) and not session.check_clock()
    _play(session, "e6")
    clock.now_s += 30
    session.jump([(4, 4)])  # which gives no time back, and neither does undo
    assert (session.used_s(BLACK), session.used_s(WHITE)) == (20, 30)
    session.redo()
    clock.now_s += 11
    assert session.check_clock() and not session.check_clock()
    assert session.outcome_text() == "White wins: Black has no time left."
    for act in (lambda: None, session.undo, session.redo):
        act()
        clock.now_s += 100
        assert not session.check_clock()
    assert (session.used_s(BLACK), session.used_s(WHITE)) == (61, 30)
    session.undo(2)
    assert (session.used_s(BLACK), session.used_s(WHITE)) == (20, 0)
    _play(session, "d4")
    clock.now_s += 61
    assert session.used_s(BLACK) == 20 and session.check_clock()


def test_the_clock_stands_while_a_program_has_not_begun(clock: Clock) -> None:
    """Because programs were paused, or no page is open that shows the game."""
    session = GameSession(Game(9, 9, 0), {c: EnginePlayer("endless") for c in (1, 2)}, clock_s=60)
    session.wait()
    clock.now_s += 100
    session.go()
    assert not session.check_clock() and session.used_s(BLACK) == 0
    clock.now_s += 100
    assert not session.check_clock() and session.used_s(BLACK) == 0
    session.start_move()
    clock.now_s += 50
    assert not session.check_clock() and session.used_s(BLACK) == 50
    clock.now_s += 11
    assert session.check_clock()
    session.close()


@pytest.mark.parametrize("is_given_up", [False, True])
def test_a_hint_takes_no_time_of_the_clock(clock: Clock, is_given_up: bool) -> None:
    session = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock_s=60)
    clock.now_s += 20
    session.start_hint(Level(nodes=100))
    clock.now_s += 100
    assert session.used_s(BLACK) == 20 and not session.check_clock()
    if is_given_up:
        session.stop_thinking()
    else:
        assert isinstance(_event(session), Hint)
    assert session.used_s(BLACK) == 20 and not session.check_clock()
    clock.now_s += 5
    _play(session, "e5")
    assert session.used_s(BLACK) == 25


@pytest.mark.parametrize(
    ("act", "given"),
    [("start_hint", ()), ("start_balance", (1,)), ("play", ((4, 5),)), ("swap", ())],
)
def test_the_clock_of_a_program_that_waits_stands(
    clock: Clock, act: str, given: tuple[object, ...]
) -> None:
    """And a person who takes over from it has all the time that is left."""
    seats = {BLACK: None, WHITE: EnginePlayer("simple")}
    session = GameSession(Game(9, 9, 0), seats, clock_s=60)
    _play(session, "e5")
    session.jump([(4, 4)])
    clock.now_s += 100
    getattr(session, act)(*given)
    assert (session.used_s(BLACK), session.used_s(WHITE)) == (0, 0)
    clock.now_s += 50
    assert session.used_s(WHITE) == (50 if act == "swap" else 0)
    assert session.used_s(BLACK) == (50 if act == "play" else 0) and not session.check_clock()
    session.close()


def test_looking_for_balanced_moves_and_an_opening_take_no_time(clock: Clock) -> None:
    session = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock_s=60)
    session.start_balance(1)
    clock.now_s += 100
    assert session.used_s(BLACK) == 0 and not session.check_clock()
    session.close()
    session = GameSession(Game(15, 15, 0), session.seats, clock_s=60, opening=Opening.SWAP2)
    for cell in ((7, 7), (8, 8), (9, 7)):
        session.play(cell)
        clock.now_s += 100
    session.play((5, 5))
    clock.now_s += 10
    assert (session.used_s(WHITE), session.used_s(BLACK)) == (0, 10)


def test_what_is_not_possible_is_refused() -> None:
    two = _for_two()
    programs = GameSession(Game(9, 9, 0), dict.fromkeys((1, 2), EnginePlayer("simple")))
    opening = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: None}, opening=Opening.BALANCE)
    programs.start_move()
    for act, wrong in (
        (programs.resign, "no person plays who could resign"),
        (lambda: programs.play((0, 0)), "Simple is thinking"),
        (lambda: opening.jump([]), "the opening is not over"),
        (two.start_move, "it is not a program's turn"),
        (two.go, "it is not a program's turn; hint shows a move"),
    ):
        with pytest.raises(ValueError, match=wrong):
            act()
    programs.close()


def test_the_clock_of_who_stays_goes_on_when_others_sit_down(clock: Clock) -> None:
    seats = {BLACK: None, WHITE: EnginePlayer("random")}
    session = GameSession(Game(9, 9, 0), seats, clock_s=60)
    clock.now_s += 20
    session.sit({BLACK: None, WHITE: EnginePlayer("simple")}, Level(0.5))
    assert session.used_s(BLACK) == 20
    session.sit({BLACK: EnginePlayer("simple"), WHITE: None})
    clock.now_s += 20
    session.sit(seats)
    assert session.used_s(BLACK) == 20


def test_a_program_on_a_clock_keeps_time_for_later_moves(clock: Clock) -> None:
    seats: dict[int, EnginePlayer | None] = {BLACK: EnginePlayer("tengen"), WHITE: None}
    session = GameSession(Game(9, 9, 0), seats, Level(5.0), clock_s=3)
    assert session.start_move().limits.turn_ms == 200
    session.close()


# -- thinking in a person's time


def _whole(level: Level, colour: int = WHITE, strength: int = 10) -> GameSession:
    """A session with Tengen in which Black is to move, and Tengen may think meanwhile."""
    seats = {BLACK: None, WHITE: None, colour: EnginePlayer("tengen", 0, 1 << 20, strength)}
    session = GameSession(Game(15, 15, 0, SETUP), seats, level)
    session.hint_level = Level(nodes=50)
    session.ponder()
    return session


PONDERS = Level(600.0, ponders=True)
SETUP = [(7, 7, BLACK), (8, 6, WHITE), (6, 6, BLACK), (8, 8, WHITE)]
ENDS: tuple[Callable[[GameSession], object], ...] = (
    GameSession.start_hint, GameSession.swap, GameSession.resign, GameSession.close,
    lambda session: session.ponder(False), lambda session: session.start_balance(1),
    lambda session: session.jump([]), lambda session: session.sit({BLACK: None, WHITE: None}),
)  # fmt: skip


@pytest.mark.parametrize("end", ENDS)
def test_pondering_ends_before_anything_else(end: Callable[[GameSession], object]) -> None:
    session = _whole(PONDERS)
    search = session._pondering
    assert search is not None and search.position == position_of(session.game)
    session.ponder()
    assert session._pondering is search and not search.wait(0.05)
    end(session)
    assert session._pondering is None and search.wait(PATIENCE_S)
    session.close()
    assert all(each.wait(PATIENCE_S) for each in session._stopped)


def test_who_does_not_ponder(monkeypatch: pytest.MonkeyPatch) -> None:
    for session in (
        _whole(Level(600)), _whole(Level(nodes=300, ponders=True)), _whole(PONDERS, BLACK),
        _whole(PONDERS, strength=9), GameSession(Game(9, 9, 0), dict.fromkeys((1, 2))),
    ):  # fmt: skip
        session.ponder()
        assert session._pondering is None
        session.close()
    monkeypatch.setattr(EnginePlayer, "begin", lambda *_: (_ for _ in ()).throw(RuntimeError))
    assert _whole(PONDERS)._pondering is None  # there is no room for another thread


def _deep(search: PendingSearch | None) -> int:
    """The depth that a search has reached, from 8 on."""
    assert search is not None
    while search.info is None or search.info.depth_plies < 8:
        assert not search.wait(0.01) and search.elapsed_s < PATIENCE_S
    return search.info.depth_plies


def test_the_answer_to_the_expected_move_goes_on_from_where_it_was_pondered() -> None:
    session, cell = _whole(PONDERS), (7, 6)
    for is_expected in (False, True):
        pondering = session._pondering
        reached = _deep(pondering)
        session.play(cell)
        thinking = session.start_move()
        assert (thinking is pondering) == is_expected and session._pondering is None
        assert is_expected or (pondering and pondering.wait(PATIENCE_S))
        _deep(thinking)
        thinking.end_pondering(0.0)  # it does so no more
        assert not thinking.wait(0.05)
        session.move_now()
        moved = _event(session)
        assert isinstance(moved, Moved)
        session.ponder()
        cell = moved.info.pv[1]
        assert not is_expected or moved.info.depth_plies >= reached
    assert thinking.limits == PONDERS.limits()
    session.close()


def test_pondering_takes_nothing_from_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends by itself, and the answer is searched anew then."""
    monkeypatch.setattr(engine_player, "PONDER_S", 0.0)
    session = _whole(PONDERS)
    session._expected = Point(7, 6)
    session.ponder()
    pondered = session._pondering
    assert pondered is not None and pondered.wait(PATIENCE_S)
    session.ponder()
    assert session._pondering is pondered and pondered.limits == Limits(is_ponder=True)
    session.play((7, 6))
    thinking = session.start_move()
    assert thinking is not pondered and thinking.limits == PONDERS.limits()
    _deep(thinking)
    session.close()


# -- programs by command


def _by_command(*acts: str) -> GameSession:
    player = EnginePlayer(f"cmd={shlex.join(command_of(*acts, row=0))}")
    return GameSession(Game(9, 9, 0), {BLACK: None, WHITE: player}, Level(30.0))


def test_a_protocol_program_plays_and_ends_with_the_session() -> None:
    player, others = EnginePlayer(f"cmd={sys.executable} -m tengen.pbrain"), own_children()
    session = GameSession(Game(9, 9, 0), {BLACK: None, WHITE: player}, Level(nodes=500))
    _play(session, "e5")
    _answer(session)
    _play(session, "a1")
    _answer(session)
    session.undo()
    _play(session, "b1")  # now the program must be shown the whole board
    _answer(session)
    assert len(session.game.moves) == 4
    children = [each for each in psutil.Process().children() if each not in others]
    assert len(children) == 1
    session.close()
    assert not psutil.wait_procs(children, PATIENCE_S)[1]


def test_a_protocol_program_that_leaves_the_board_ends() -> None:
    others = own_children()
    session = _by_command()
    _play(session, "e5")
    _answer(session)
    children = [each for each in psutil.Process().children() if each not in others]
    assert len(children) == 1
    session.sit({BLACK: None, WHITE: None})
    assert not psutil.wait_procs(children, PATIENCE_S)[1]
    _play(session, "e6")


def test_what_a_protocol_program_does_wrong_loses_the_game() -> None:
    for act, reason in (
        ("die()", "ended with status 3: something broke"),
        ("cell = 99, 99", "played 99,99, off the board"),
        ("cell = 4, 4", "played e5, a cell that is not empty"),
        ("on START die()", "ended with status 3: something broke"),
        ("cell = 'ERROR no idea'", "answered TURN 4,4 with 'ERROR no idea'"),
    ):
        session = _by_command(act)
        _play(session, "e5")
        session.start_move()
        event = _event(session)
        assert isinstance(event, Failed), act
        text = session.outcome_text()
        assert text.startswith("Black (you) wins: ") and reason in text.replace("BOARD", "TURN 4,4")
        session.close()


@timed
def test_a_protocol_program_is_given_up_at_once_but_cannot_be_hurried() -> None:
    session = _by_command("time.sleep(600)")
    _play(session, "e5")
    session.start_move()
    with pytest.raises(ValueError, match="cannot be told to move now"):
        session.move_now()
    watch = Stopwatch()
    session.undo()
    took_ms = watch.ms()
    assert session.thinking is None
    session.close()
    in_time(took_ms, 1000)
