"""A sitting: a game, who plays it, and the program that thinks about it.

A front end calls the methods below, which return at once, shows the state that it finds here, and
asks `collect` from time to time what a program has found:

    sitting = Sitting(Game(15, 15, 0), {BLACK: None, WHITE: Machine("simple")})
    sitting.play((7, 7))
    sitting.start_move()
    while (event := sitting.collect(timeout_s=0.1)) is None:
        ...                        # show sitting.thinking; perhaps sitting.move_now() or undo()

Call all methods from one thread; programs search in threads of their own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from engine.model import Info, Limits
from engine.text import point_name
from tengen.game.record.game import Move
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, WHITE, Cell
from tengen.people.sitting.events import Event, Failed, Hint, Moved
from tengen.people.sitting.files import PLAYER, Loaded, Snapshot, save_unsaved
from tengen.people.sitting.game import Game, Steps, steps_back, steps_forward
from tengen.people.sitting.machine import (
    TENGEN,
    Level,
    Machine,
    MachineFailed,
    Thinking,
    position_of,
)
from tengen.people.sitting.opening import Agreed, Opening, OpeningThinking, Stage, to_do_text
from tengen.people.sitting.words import hint_text, outcome_text, seats_text
from tengen.study.resources import Resources

# By colour: the program that plays it, None for a person.
Seats = dict[int, Machine | None]
ALL_TURNS = 1_000_000
HINT_TIME_S = 2.0
# After each move where programs play each other, so that people can follow.
PAUSE_S = 0.5
# A hint must not change how the program plays, so another one gives it, with a small table.
_HINT_HASH_BYTES = 64 * 1024 * 1024
# On a clock a program takes at most such a part of what is left for a move.
_PARTS_OF_CLOCK = 15
# How long a program may take to end when the sitting ends.
_STOP_S = 5.0


class Sitting:
    """A game with people and programs at the board.

    clock_s     how long each side may think about the whole game; None = without limit.
    level       how long the programs may think about a move.
    hint_level  how long Tengen may think about a hint.
    opening     how a game begins; None = with an empty board.
    on_news     called, in the thread of a search, when it has something new to show or to collect.
    saved       what of the game is saved, as `Game.kept` says it.
    resources   what Tengen may use for hints and openings.
    is_waiting  programs wait until `go`: after one failed, and where programs play each other
                after moves were taken back or brought back.
    """

    def __init__(
        self,
        game: Game,
        seats: Seats,
        level: Level | None = None,
        hint_level: Level | None = None,
        clock: Callable[[], float] = time.monotonic,
        opening: Opening | None = None,
        seed: int = 0,
        clock_s: float | None = None,
    ) -> None:
        self.game = game
        self.clock_s = clock_s
        self.seats = seats
        self.level = level or Level()
        self.hint_level = hint_level or Level(HINT_TIME_S)
        self.is_waiting = False
        self.on_news: Callable[[], None] | None = None
        self.resources = Resources()
        self._clock = clock
        self._thinking: Thinking | None = None
        self._is_hint = False
        self._held_at: float | None = None  # the clock of a person stands since then
        # `_last_turn_s`: of the side that lost without a last move.
        self._hint_began = self._last_turn_s = 0.0
        self._stopped: list[Thinking] = []  # given up, but perhaps still running
        self._hinter: Machine | None = None
        self.saved = game.kept()
        # The line of the last game that ended, and who played it.
        self._ended: tuple[object, Seats] = None, seats
        # The game before a restart, which redo brings back until a person has played.
        self._game_before: Game | None = None
        self.opening = opening
        self._seed = seed
        self._is_agreed = opening is None
        # In swap2, the stones on the board after two were added; the other player chooses then.
        self._added: int | None = None
        self._after_change()

    # -- state

    @property
    def people(self) -> frozenset[int]:
        """The colours that people play."""
        return frozenset(colour for colour, machine in self.seats.items() if machine is None)

    @property
    def thinking(self) -> Thinking | None:
        """The search under way for a move or a hint, until `collect` has returned its event."""
        return self._thinking

    @property
    def is_hinting(self) -> bool:
        """The search under way is for a hint."""
        return self._thinking is not None and self._is_hint

    @property
    def program_to_move(self) -> Machine | None:
        """The program that is to move now; None if it is a person's turn, the game is over, or
        programs wait."""
        is_on = self.game.outcome is None and not self.is_waiting
        return self._acting if is_on else None

    @property
    def stage(self) -> Stage:
        """What is next in the opening; OVER when the game itself has begun."""
        if self._is_agreed or self.opening is None:
            return Stage.OVER
        count, wanted = len(self.game.moves), self.opening.stones
        if count < wanted:
            return Stage.PUT
        if self.opening is not Opening.BALANCE and count in (wanted, self._added):
            return Stage.CHOOSE
        return Stage.OVER

    @property
    def can_add(self) -> bool:
        """In swap2, a person who has to choose may put down two more stones instead."""
        is_choice = self.stage is Stage.CHOOSE and self.seats[WHITE] is None
        return self.opening is Opening.SWAP2 and is_choice and self._added is None

    @property
    def _acting(self) -> Machine | None:
        """The program that is to move, to put down the opening, or to choose; None for a person."""
        if self.stage is not Stage.PUT:
            return self.seats[self.game.to_move]
        return self._helper() if self.opening is Opening.BALANCE else self.seats[BLACK]

    @property
    def is_unsaved(self) -> bool:
        """The game, with the moves that can be brought back, has not been saved; one without
        any has something to save when its tree has changed."""
        kept = self.game.kept()
        return (bool(kept[0]) or self.game.origin is not None) and kept != self.saved

    def used_s(self, colour: int) -> float:
        """How long a side has thought about its moves on the board and the one to come."""
        used = sum(move.elapsed_s for move in self.game.moves if move.colour == colour)
        if colour != self.game.to_move:
            return used
        if self.game.outcome is not None:
            return used + self._last_turn_s
        # The time of a program begins with its search.
        is_on = not self.is_waiting and (self._acting is None or self._thinking is not None)
        return used + (self._turn_s if is_on else 0.0)

    @property
    def _turn_s(self) -> float:
        """How long the side to move has thought about this move."""
        now = self._hint_began if self.is_hinting else self._clock()
        return (now if self._held_at is None else min(now, self._held_at)) - self._turn_began

    def hold(self, is_held: bool) -> None:
        """Stops the clock of a person, where nobody sees the board, or lets it go on."""
        if is_held and self._held_at is None:
            self._held_at = self._clock()
        elif not is_held and self._held_at is not None:
            held_s, self._held_at = self._clock() - self._held_at, None
            if self._acting is None:
                self._turn_began += held_s
                self._hint_began += held_s

    def check_clock(self) -> bool:
        """Ends the game if the side to move has no time left; true if it did. To be called now and
        then."""
        loser = self.game.to_move
        if self.clock_s is None or self.game.outcome is not None or self.stage is not Stage.OVER:
            return False
        if self.used_s(loser) <= self.clock_s:
            return False
        self.stop_thinking()
        self._last_turn_s = self._turn_s
        self.game.end(loser, Termination.TIMEOUT)
        self._after_change()
        return True

    def outcome_text(self) -> str:
        """Who won, and by what, in a sentence; "" while the game goes on."""
        game = self.game
        if game.outcome is None:
            return ""
        last = game.moves[-1] if game.moves else None
        return outcome_text(game.outcome, last, game.height, self._seats_of_game)

    def seats_text(self) -> str:
        """Who plays which colour, in a sentence."""
        return seats_text(self.seats)

    def opening_text(self, swap: str, add: str) -> str:
        """What a person has to do next in the opening; "" if nothing. `swap` and `add` say how to
        be Black, and how to add two stones."""
        if self.game.outcome is not None or self.program_to_move is not None:
            return ""
        return to_do_text(self.opening, self.stage, swap, add if self.can_add else "")

    # -- commands of people

    def play(self, cell: Cell) -> Move:
        """Plays a move of the side to move, also for a program that does not think. ValueError,
        and nothing has changed, if it cannot be played or a program thinks about its move."""
        self._refuse_while_thinking()
        is_choice = self.stage is Stage.CHOOSE
        move = self.game.play(cell, self._clock() - self._turn_began)
        self._is_agreed = self._is_agreed or is_choice
        self._game_before = None
        self._after_change()
        return move

    def add(self, cells: Sequence[Cell]) -> None:
        """Puts down White's and Black's next stones in swap2, so that the other player chooses.
        ValueError, and nothing has changed, if that is not possible."""
        self._refuse_while_thinking()
        if not self.can_add:
            raise ValueError("two stones can be added only in swap2, after the first three")
        if len(set(cells)) != 2 or len(cells) != 2:
            raise ValueError("the two stones need different points")
        for cell in cells:
            if not self.game.board.legal(*cell):
                raise ValueError(f"{point_name(cell, self.game.height)} is taken")
        self._put(cells, self._clock() - self._turn_began)
        self._added = len(self.game.moves)
        self._exchange()

    def undo(self, turns: int = 1) -> Steps:
        """Takes back the last turns of the people at the board, with the answers to them, or as
        many as there are; a search under way is given up. Returns what was taken back; ValueError
        if there is nothing to take back."""
        steps = steps_back(self.game, self.people, turns)
        if not steps.stones:
            whose = "of yours " if len(self.people) == 1 else ""
            raise ValueError(f"there is no move {whose}to take back")
        self.stop_thinking()
        for _ in range(steps.stones):
            self.game.undo()
        self._after_jump()
        return steps

    def redo(self, turns: int = 1) -> Steps:
        """Brings back so many turns that were taken back, or as many as there are; after a restart
        the whole game. A search under way is given up. Returns what was brought back; ValueError
        if there is nothing to bring back."""
        before = self._game_before
        if before is not None:
            all_turns = steps_back(before, self.people, ALL_TURNS).turns
            steps = Steps(all_turns, len(before.moves))
        else:
            steps = steps_forward(self.game, self.people, turns)
        if not steps.stones:
            raise ValueError("there is no move to bring back")
        self.stop_thinking()
        if before is not None:
            self.game, self._game_before = before, None
        else:
            for _ in range(steps.stones):
                self.game.redo()
        self._after_jump()
        return steps

    def restart(self) -> None:
        """Begins a new game; `redo` brings the old one back until a person has played. A search
        under way is given up. ValueError if the board is empty."""
        old = self.game
        if not old.moves:
            raise ValueError("the board is empty")
        self.stop_thinking()
        ended = self._ended
        self._begin(Game(old.width, old.height, old.rule))
        self._game_before, self._ended = old, ended

    def resign(self) -> int:
        """Gives up: the person at the board, or where two people play the side to move. Returns
        the colour that has lost; a search under way is given up. ValueError if the game is over or
        only programs play."""
        if not self.people:
            raise ValueError("no person plays who could resign")
        return self._end(Termination.RESIGNED)

    def _end(self, termination: Termination) -> int:
        (loser,) = self.people if len(self.people) == 1 else (self.game.to_move,)
        if self.game.outcome is None:
            self.stop_thinking()
            self._last_turn_s = self._turn_s
        self.game.end(loser, termination)
        self._after_change()
        return loser

    def jump(self, cells: Sequence[Cell]) -> None:
        """Goes to the position after these moves, as `Game.jump` does. A search under way is given
        up; a program that is to move then waits for `go`. ValueError, and nothing has changed, if a
        move cannot be played or the opening is not over."""
        if self.stage is not Stage.OVER:
            raise ValueError("the opening is not over")
        self.game.jump(cells)
        self.stop_thinking()
        self._game_before = None
        self.is_waiting = self._acting is not None
        self._after_change()

    def sit(self, seats: Seats, level: Level | None = None) -> None:
        """Others play on in this game. A search under way is given up, and programs that leave the
        board end. ValueError if the game is over."""
        if self.game.outcome is not None:
            raise ValueError("the game is over; go back to a position before its end")
        self.stop_thinking()
        for machine in self.seats.values():
            if machine is not None and machine not in seats.values():
                threading.Thread(target=machine.close, name="ends a program").start()
        self.seats = seats
        self.level = level or self.level
        self._is_agreed = True
        self.is_waiting = False
        self._after_change()

    def swap(self) -> None:
        """Changes the sides; after the end of a game, for the next one. A search under way is
        given up. ValueError where two people play."""
        if len(self.people) == 2:
            raise ValueError("there is no program to change sides with")
        is_choice = self.stage is Stage.CHOOSE and self.seats[WHITE] is None
        self.stop_thinking()
        self._exchange()
        self._is_agreed = self._is_agreed or is_choice
        if self.people:
            self.is_waiting = False

    def go(self) -> None:
        """Lets waiting programs continue. ValueError if the game is over or it is a person's
        turn."""
        if self.game.outcome is not None:
            raise ValueError("the game is over")
        if self._acting is None:
            raise ValueError("it is not a program's turn; hint shows a move, swap changes sides")
        self.is_waiting = False

    def wait(self) -> None:
        """Makes programs wait from now on; a search under way still ends with a move."""
        self.is_waiting = True

    def set_level(self, level: Level) -> None:
        """Sets the level of the programs from their next move on; of hints where two people
        play."""
        if len(self.people) == 2:
            self.hint_level = level
        else:
            self.level = level

    # -- thinking

    def start_move(self) -> Thinking:
        """Starts the program whose turn it is. ValueError if it is no program's turn, or one
        thinks already."""
        self._refuse_while_thinking()
        machine = self.program_to_move
        if machine is None:
            raise ValueError("it is not a program's turn")
        self._turn_began = self._clock()
        if self.stage is not Stage.OVER:
            return self._start_opening(machine.name)
        return self._start(machine, self._limits(), is_hint=False)

    def start_hint(self, level: Level | None = None) -> Thinking:
        """Starts a search for a hint, by Tengen whoever plays; `level` is for this hint alone.
        ValueError if the game is over or a program thinks."""
        self._refuse_while_thinking()
        if self.game.outcome is not None:
            raise ValueError("the game is over")
        limits = (level or self.hint_level).limits(is_analysis=True)
        helper = self._helper()
        # The same question gets the same answer, whatever was asked before.
        helper.new_game()
        return self._start(helper, limits, is_hint=True)

    def move_now(self) -> None:
        """Ends the search under way, if there is one, with the best found so far. The result still
        comes from `collect`. ValueError if no program is thinking, and for one of the protocol,
        which has no word for that."""
        if self._thinking is None:
            raise ValueError("no program is thinking")
        if not self._thinking.can_hurry:
            raise ValueError(f"{self._thinking.name} cannot be told to move now")
        self._thinking.stop()

    def stop_thinking(self) -> None:
        """Gives up the search under way, if there is one; its result is discarded."""
        if self._thinking is not None:
            self._thinking.stop()
            running = [thinking for thinking in self._stopped if not thinking.is_over]
            self._stopped = [*running, self._thinking]
            self._forget_search()

    def collect(self, timeout_s: float = 0.0) -> Event | None:
        """The result of the search under way: the program's move, which is now on the board, a
        hint, or a failure. None if the search is not over after `timeout_s` seconds, or there is
        none."""
        thinking = self._thinking
        if thinking is None or not thinking.wait(timeout_s):
            return None
        self._forget_search()
        try:
            if isinstance(thinking, OpeningThinking):
                return self._settle(thinking)
            result = thinking.result()
        except MachineFailed as failure:
            if failure.termination is not None and not self._is_hint:
                self.game.end(self.game.to_move, failure.termination, failure.detail)
                self._after_change()
            self.is_waiting = self.is_waiting or not self._is_hint
            return Failed(str(failure), self._is_hint)
        cell = (result.move.x, result.move.y)
        if self._is_hint:
            return self._hint(cell, result.info)
        move = self.game.play(cell, thinking.elapsed_s, may_foul=True)
        self._after_change()
        return Moved(thinking.name, move, result.info)

    def close(self) -> None:
        """Ends all searches, and waits a few seconds for their threads."""
        self.stop_thinking()
        ends_at = time.monotonic() + _STOP_S
        for thinking in self._stopped:
            thinking.wait(max(0.0, ends_at - time.monotonic()))
        for machine in self.seats.values():
            if machine is not None:
                machine.close()

    # -- files

    def snapshot(self) -> Snapshot:
        """The game as it is now, with the moves that can be brought back, to be written later."""
        return Snapshot(self.game.whole(), self._players(), self.level.control(), self.game.kept())

    def save(self, name: str, *, overwrites: bool = False) -> Path:
        """Writes the game to a file and returns its path; ValueError as in `save_game`."""
        snapshot = self.snapshot()
        path = snapshot.save(name, overwrites=overwrites)
        self.saved = snapshot.kept
        return path

    def save_unsaved(self) -> Path | None:
        """Writes a game that is not saved to a new file, so that it is not lost, and returns its
        path. None if there is nothing to save; ValueError if the game cannot be written."""
        if not self.is_unsaved:
            return None
        path = save_unsaved(self.game.whole(), self._players())
        self.saved = self.game.kept()
        return path

    def take_over(self, loaded: Loaded, keeps_sides: bool = False) -> None:
        """Goes on with a game from a file. Against a program the person plays the colour that the
        file gives to a person, or is to move if it gives none or both; with `keeps_sides` the
        person keeps the colour. A search under way is given up."""
        self.stop_thinking()
        if len(self.people) == 1 and not keeps_sides:
            wanted = loaded.people if len(loaded.people) == 1 else {loaded.game.to_move}
            if wanted != self.people:
                self.swap()
        self._begin(loaded.game)
        self._is_agreed = True
        self.saved = loaded.game.kept()

    # -- inside

    def _limits(self) -> Limits:
        """For a move of the program whose turn it is."""
        limits = self.level.limits()
        if self.clock_s is None or limits.turn_ms is None:
            return limits
        left_ms = round((self.clock_s - self.used_s(self.game.to_move)) * 1000)
        turn_ms = max(1, min(limits.turn_ms, left_ms // _PARTS_OF_CLOCK))
        return limits._replace(turn_ms=turn_ms)

    def _begin(self, game: Game) -> None:
        self.game = game
        self._game_before, self._ended = None, (None, self.seats)
        self._is_agreed, self._added = self.opening is None, None
        self._seed += 1
        self.is_waiting = False
        for machine in self.seats.values():
            if machine is not None:
                machine.new_game()
        self._after_change()

    def _after_jump(self) -> None:
        """After moves were taken back or brought back."""
        self.is_waiting = not self.people
        self._after_change()

    def _after_change(self) -> None:
        self._turn_began = self._clock()
        if self._held_at is not None:
            self._held_at = self._turn_began
        if self.game.outcome is None:
            self._last_turn_s = 0.0
        if self.game.outcome is not None and self.game.line() != self._ended[0]:
            self._ended = self.game.line(), dict(self.seats)

    @property
    def _seats_of_game(self) -> Seats:
        line, seats = self._ended  # what steps back, a swap or others at the board do not change
        return seats if self.game.line() == line else self.seats

    def _players(self) -> dict[int, str]:
        return {
            colour: PLAYER if machine is None else machine.name
            for colour, machine in self._seats_of_game.items()
        }

    def _refuse_while_thinking(self) -> None:
        if self._thinking is not None:
            raise ValueError(f"{self._thinking.name} is thinking")

    def _forget_search(self) -> None:
        if self.is_hinting:  # which takes no time of the side to move
            self._turn_began += self._clock() - self._hint_began
        self._thinking = None

    def _start(self, machine: Machine, limits: Limits, is_hint: bool) -> Thinking:
        self._thinking = machine.start(position_of(self.game), limits, self.on_news)
        self._is_hint, self._hint_began = is_hint, self._clock()
        return self._thinking

    def _helper(self) -> Machine:
        """Tengen, for hints and openings, which do not depend on who plays."""
        if self._hinter is None:
            self._hinter = Machine(TENGEN, None, _HINT_HASH_BYTES, resources=self.resources)
        return self._hinter

    def _start_opening(self, name: str) -> Thinking:
        """Starts the search for the next step of the opening, by Tengen whoever plays: other
        programs do not value positions."""
        assert self.opening is not None
        helper = self._helper()
        helper.new_game()
        limits = self.level.limits()
        self._thinking = helper.begin(
            OpeningThinking(name, self.game, limits, self.opening, self.stage, self._seed),
            self.on_news,
        )
        self._is_hint = False
        return self._thinking

    def _settle(self, thinking: OpeningThinking) -> Agreed:
        """Carries out what a program has answered in the opening."""
        answer = thinking.answer()
        stage = self.stage
        is_balance = self.opening is Opening.BALANCE  # nobody at the board thought about it
        self._put(answer.stones, 0.0 if is_balance else thinking.elapsed_s)
        if stage is Stage.CHOOSE:
            if len(answer.stones) == 2:
                self._added = len(self.game.moves)
            else:
                self._is_agreed = True
            if len(answer.stones) != 1:
                self._exchange()
        elif is_balance:
            self._is_agreed = True
        return Agreed(thinking.name, answer.stones, answer.is_swap)

    def _put(self, cells: Iterable[Cell], elapsed_s: float) -> None:
        """Puts stones down in turn; the time counts for the first one."""
        for cell in cells:
            self.game.play((cell[0], cell[1]), elapsed_s, may_foul=True)
            elapsed_s = 0.0
        self._game_before = None
        self._after_change()

    def _exchange(self) -> None:
        self.seats = {BLACK: self.seats[WHITE], WHITE: self.seats[BLACK]}

    def _hint(self, cell: Cell, info: Info) -> Hint:
        return Hint(cell, hint_text(self.game, cell, info.score), info)
