"""A sitting as a front end uses it: no method blocks, and state and events show everything."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import psutil
import pytest

from engine.text import point_name, read_point
from tengen.game.referee import BLACK, WHITE
from tengen.people.sitting.agreeing import Agreed
from tengen.people.sitting.events import Event, Failed, Hint, Moved
from tengen.people.sitting.files import PLAYER, load_game
from tengen.people.sitting.game import Game
from tengen.people.sitting.machine import Level, Machine
from tengen.people.sitting.opening import Opening
from tengen.people.sitting.sitting import ALL_TURNS, HINT_TIME_S, Sitting
from tests.people.sitting.brains import Endless
from tests.processes import own_children
from tests.scripted import SCRIPTED
from tests.stopwatch import Stopwatch, in_time, timed

PATIENCE_S = 60.0  # for a busy machine


def _against(name: str, colour: int = WHITE, rule: int = 0, size: int = 9) -> Sitting:
    """A sitting where a program plays that colour, with a low limit."""
    seats: dict[int, Machine | None] = {BLACK: None, WHITE: None}
    seats[colour] = Machine(name)
    return Sitting(Game(size, size, rule), seats, Level(nodes=300))


def _for_two(rule: int = 0, size: int = 9) -> Sitting:
    return Sitting(Game(size, size, rule), {BLACK: None, WHITE: None})


def _play(sitting: Sitting, words: str) -> None:
    for word in words.split():
        sitting.play(read_point(word, sitting.game.width, sitting.game.height))


def _names(sitting: Sitting) -> str:
    moves = sitting.game.moves
    return " ".join(point_name((move.x, move.y), sitting.game.height) for move in moves)


def _event(sitting: Sitting) -> Event:
    event = sitting.collect(PATIENCE_S)
    assert event is not None
    return event


def _answer(sitting: Sitting) -> None:
    """The program's move."""
    sitting.start_move()
    assert isinstance(_event(sitting), Moved)


def _endless(sitting: Sitting) -> Endless:
    """The brain of the endless program, which has begun to think."""
    [machine] = [machine for machine in sitting.seats.values() if machine is not None]
    assert isinstance(machine._brain, Endless) and machine._brain.has_begun.wait(PATIENCE_S)
    return machine._brain


def test_what_is_given_up_never_reaches_the_board() -> None:
    sitting = _against("endless")
    _play(sitting, "e5")
    given_up = sitting.start_move()
    _endless(sitting)
    assert sitting.undo() == (1, 1)
    assert given_up.wait(PATIENCE_S)
    assert sitting.collect() is None and _names(sitting) == ""
    # It can be asked again, about another position.
    _play(sitting, "d4")
    sitting.start_move()
    _endless(sitting)
    sitting.move_now()
    event = _event(sitting)
    assert isinstance(event, Moved) and _names(sitting) == "d4 a9"


def test_nothing_to_undo_does_not_disturb_the_program() -> None:
    sitting = _against("endless", colour=BLACK)
    thinking = sitting.start_move()
    with pytest.raises(ValueError, match="^there is no move of yours to take back$"):
        sitting.undo()
    assert sitting.thinking is thinking and not thinking.wait(0.2)
    sitting.close()
    assert thinking.is_over


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_restart_and_redo_bring_the_whole_game_back(colour: int) -> None:
    """Also where the program begins, which then plays another first move."""
    sitting = _against("random", colour)
    if colour == BLACK:
        _answer(sitting)
    for _ in range(3):
        cell = sitting.game.board.empties()[-1]
        sitting.play(cell)
        _answer(sitting)
    old = _names(sitting)
    sitting.undo()  # one turn is taken back already
    shorter = _names(sitting)
    sitting.restart()
    assert _names(sitting) == ""
    if colour == BLACK:
        _answer(sitting)
    steps = sitting.redo()
    assert _names(sitting) == shorter and steps.stones == len(shorter.split())
    sitting.redo()
    assert _names(sitting) == old


def test_redo_after_restart_until_a_move() -> None:
    sitting = _for_two()
    _play(sitting, "a1 b2 c3")
    sitting.restart()
    assert sitting.redo() == (3, 3) and _names(sitting) == "a1 b2 c3"
    sitting.restart()
    _play(sitting, "e5")
    with pytest.raises(ValueError, match="^there is no move to bring back$"):
        sitting.redo()
    sitting.undo()
    with pytest.raises(ValueError, match="^the board is empty$"):
        sitting.restart()


WON = "e8 a1 f8 a2 g8 a3 h8 a4 i8"


def test_a_swap_after_the_end_credits_those_who_played(tmp_path: Path) -> None:
    sitting = _against("simple", size=15)
    sitting.is_waiting = True  # the person plays both sides
    _play(sitting, WON)
    said = "Black (you) wins with five in a row: e8 f8 g8 h8 i8."
    assert sitting.outcome_text() == said
    sitting.swap()
    assert sitting.outcome_text() == said
    assert sitting.seats_text() == "You are White, Simple is Black."
    path = sitting.save(str(tmp_path / "game.sgf"))
    assert load_game(str(path), 0).people == {BLACK}
    assert f"PB[{PLAYER}]" in path.read_text() and "PW[Simple]" in path.read_text()
    # The next game is played with the sides changed.
    sitting.restart()
    assert sitting.program_to_move is sitting.seats[BLACK] is not None
    sitting.redo()
    assert sitting.outcome_text() == said
    sitting.undo()
    assert sitting.outcome_text() == ""


def test_others_who_play_on_are_credited_only_for_another_end(tmp_path: Path) -> None:
    sitting = _against("simple", size=15)
    sitting.is_waiting = True
    _play(sitting, WON)
    said = sitting.outcome_text()
    sitting.undo()
    sitting.sit({BLACK: Machine("random"), WHITE: None})
    assert load_game(str(sitting.save(str(tmp_path / "a.sgf"))), 0).people == {BLACK}
    sitting.redo(ALL_TURNS)
    assert sitting.outcome_text() == said
    sitting.undo(ALL_TURNS)
    sitting.is_waiting = True
    _play(sitting, "a5 f8 a6 g8 a7 h8 a8 d8")  # after e8
    assert sitting.outcome_text() == "Black (Random) wins with five in a row: d8 e8 f8 g8 h8."
    assert load_game(str(sitting.save(str(tmp_path / "b.sgf"))), 0).people == {WHITE}


@pytest.mark.parametrize("level", [Level(nodes=1), Level(0.01)])
def test_hints_do_not_depend_on_the_level_of_the_opponent(level: Level) -> None:
    """A search of one node finds next to nothing."""
    sitting = _against("random", size=15)
    sitting.set_level(level)
    sitting.is_waiting = True
    _play(sitting, "h8 i9 g9")
    thinking = sitting.start_hint()
    assert sitting.is_hinting and thinking.limits == Level(HINT_TIME_S).limits(is_analysis=True)
    assert not thinking.wait(0.3)
    sitting.move_now()
    hint = _event(sitting)
    assert isinstance(hint, Hint) and hint.info.nodes > 100 and hint.info.depth_plies > 2
    assert sitting.level == level and not sitting.is_hinting


# -- resigning, jumps, other players, clocks


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_who_resigns_while_a_program_thinks() -> None:
    sitting = _against("endless")
    _play(sitting, "e5")
    sitting.start_move()
    assert sitting.resign() == BLACK and sitting.thinking is None
    assert sitting.outcome_text() == "White (Endless) wins: Black has resigned."
    sitting.close()


def test_a_program_waits_after_a_jump_to_its_turn() -> None:
    sitting = _against("simple")
    _play(sitting, "e5")
    _answer(sitting)
    cells = [(move.x, move.y) for move in sitting.game.moves]
    sitting.jump(cells[:1])
    assert sitting.is_waiting and sitting.program_to_move is None
    sitting.go()
    _answer(sitting)
    sitting.jump(cells)
    assert not sitting.is_waiting
    sitting.jump([(0, 0)])
    assert _names(sitting) == "a9"
    with pytest.raises(ValueError, match="move 2: a9 is taken"):
        sitting.jump([(0, 0), (0, 0)])
    assert _names(sitting) == "a9"


def test_nobody_plays_on_after_the_end() -> None:
    """Or another player would have won."""
    sitting = _for_two()
    _play(sitting, "e5 e6")
    sitting.resign()
    with pytest.raises(ValueError, match="the game is over; go back"):
        sitting.sit({BLACK: Machine("simple"), WHITE: None})
    assert sitting.outcome_text() == "White wins: Black has resigned."
    sitting.undo()
    sitting.sit({BLACK: Machine("simple"), WHITE: None})


def test_the_clock_ends_a_game() -> None:
    clock = Clock()
    sitting = Sitting(Game(9, 9, 0), {BLACK: None, WHITE: None}, clock=clock, clock_s=60)
    clock.now_s += 20
    _play(sitting, "e5")
    clock.now_s += 30
    assert (sitting.used_s(BLACK), sitting.used_s(WHITE)) == (20, 30)
    assert not sitting.check_clock()
    _play(sitting, "e6")
    clock.now_s += 41
    assert sitting.check_clock() and not sitting.check_clock()
    assert sitting.outcome_text() == "White wins: Black has no time left."
    clock.now_s += 100
    assert (sitting.used_s(BLACK), sitting.used_s(WHITE)) == (61, 30)
    sitting.undo(2)
    assert (sitting.used_s(BLACK), sitting.used_s(WHITE)) == (0, 0)


def test_the_clock_stands_while_a_program_has_not_begun() -> None:
    """Because programs were paused, or no page is open that shows the game."""
    clock, seats = Clock(), {BLACK: Machine("endless"), WHITE: Machine("endless")}
    sitting = Sitting(Game(9, 9, 0), {**seats}, clock=clock, clock_s=60)
    sitting.wait()
    clock.now_s += 100
    sitting.go()
    assert not sitting.check_clock() and sitting.used_s(BLACK) == 0
    clock.now_s += 100
    assert not sitting.check_clock() and sitting.used_s(BLACK) == 0
    sitting.start_move()
    clock.now_s += 50
    assert not sitting.check_clock() and sitting.used_s(BLACK) == 50
    clock.now_s += 11
    assert sitting.check_clock()
    sitting.close()


@pytest.mark.parametrize("is_given_up", [False, True])
def test_a_hint_takes_no_time_of_the_clock(is_given_up: bool) -> None:
    clock = Clock()
    seats: dict[int, Machine | None] = {BLACK: None, WHITE: None}
    sitting = Sitting(Game(9, 9, 0), seats, clock=clock, clock_s=60)
    clock.now_s += 20
    sitting.start_hint(Level(nodes=100))
    clock.now_s += 100
    assert sitting.used_s(BLACK) == 20 and not sitting.check_clock()
    if is_given_up:
        sitting.stop_thinking()
    else:
        assert isinstance(_event(sitting), Hint)
    assert sitting.used_s(BLACK) == 20 and not sitting.check_clock()
    clock.now_s += 5
    _play(sitting, "e5")
    assert sitting.used_s(BLACK) == 25


def test_what_is_not_possible_is_refused() -> None:
    two, programs = _for_two(), Sitting(Game(9, 9, 0), dict.fromkeys((1, 2), Machine("simple")))
    opening = Sitting(Game(9, 9, 0), {BLACK: None, WHITE: None}, opening=Opening.BALANCE)
    programs.start_move()
    for act, wrong in (
        (programs.resign, "no person plays who could resign"),
        (lambda: programs.play((0, 0)), "Simple is thinking"),
        (lambda: opening.jump([]), "the opening is not over"),
        (two.swap, "there is no program to change sides with"),
        (two.start_move, "it is not a program's turn"),
        (two.go, "it is not a program's turn; hint shows a move"),
    ):
        with pytest.raises(ValueError, match=wrong):
            act()
    programs.close()


def test_balanced_stones_take_no_time_of_the_clock() -> None:
    seats: dict[int, Machine | None] = {BLACK: None, WHITE: None}
    sitting = Sitting(Game(9, 9, 0), seats, Level(nodes=100), opening=Opening.BALANCE, clock_s=60)
    sitting.start_move()
    assert isinstance(_event(sitting), Agreed)
    assert [move.elapsed_s for move in sitting.game.moves] == [0.0] * 3


def test_a_program_on_a_clock_keeps_time_for_later_moves() -> None:
    clock = Clock()
    seats: dict[int, Machine | None] = {BLACK: Machine("tengen"), WHITE: None}
    sitting = Sitting(Game(9, 9, 0), seats, Level(5.0), clock=clock, clock_s=3)
    assert sitting.start_move().limits.turn_ms == 200
    sitting.close()


# -- programs by command


def _by_command(*words: str) -> Sitting:
    command = shlex.join([sys.executable, "-c", SCRIPTED, *words])
    machine = Machine(f"cmd={command}")
    return Sitting(Game(9, 9, 0), {BLACK: None, WHITE: machine}, Level(0.2))


def test_a_protocol_program_plays_and_ends_with_the_sitting() -> None:
    seats: dict[int, Machine | None] = {
        BLACK: None,
        WHITE: Machine(f"cmd={sys.executable} -m tengen.pbrain"),
    }
    others = own_children()
    sitting = Sitting(Game(9, 9, 0), seats, Level(0.2))
    _play(sitting, "e5")
    _answer(sitting)
    _play(sitting, "a1")
    _answer(sitting)
    sitting.undo()
    _play(sitting, "b1")  # now the program must be shown the whole board
    _answer(sitting)
    assert len(sitting.game.moves) == 4
    children = [each for each in psutil.Process().children() if each not in others]
    assert len(children) == 1
    sitting.close()
    assert not psutil.wait_procs(children, PATIENCE_S)[1]


def test_a_protocol_program_that_leaves_the_board_ends() -> None:
    others = own_children()
    sitting = _by_command("OK", "0,0")
    _play(sitting, "e5")
    _answer(sitting)
    children = [each for each in psutil.Process().children() if each not in others]
    assert len(children) == 1
    sitting.sit({BLACK: None, WHITE: None})
    assert not psutil.wait_procs(children, PATIENCE_S)[1]
    _play(sitting, "e6")


def test_what_a_protocol_program_does_wrong_loses_the_game() -> None:
    for words, reason in (
        (("OK", "crash"), "ended with status 3: something broke"),
        (("OK", "99,99"), "played 99,99, off the board"),
        (("OK", "4,4"), "played e5, a cell that is not empty"),
        (("crash", "4,4"), "ended with status 3: something broke"),
        (("OK", "ERROR no idea"), "answered TURN 4,4 with 'ERROR no idea'"),
    ):
        sitting = _by_command(*words)
        _play(sitting, "e5")
        sitting.start_move()
        event = _event(sitting)
        assert isinstance(event, Failed), words
        text = sitting.outcome_text()
        assert text.startswith("Black (you) wins: ") and reason in text.replace("BOARD", "TURN 4,4")
        sitting.close()


@timed
def test_a_protocol_program_is_given_up_at_once_but_cannot_be_hurried() -> None:
    sitting = _by_command("OK", "stall")
    _play(sitting, "e5")
    sitting.start_move()
    with pytest.raises(ValueError, match="cannot be told to move now"):
        sitting.move_now()
    watch = Stopwatch()
    sitting.undo()
    took_ms = watch.ms()
    assert sitting.thinking is None
    sitting.close()
    in_time(took_ms, 1000)
