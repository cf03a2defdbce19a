"""A session: a game, who plays it, and the program that thinks about it.

A front end calls the methods below, which return at once, shows the state that it finds here, and
asks `collect` from time to time what a program has found:

    session = GameSession(Game(15, 15, 0), {BLACK: None, WHITE: EnginePlayer("simple")})
    session.play((7, 7))
    session.start_move()
    while (event := session.collect(timeout_s=0.1)) is None:
        ...                        # show session.thinking; perhaps session.move_now() or undo()

Call all methods from one thread; programs search in threads of their own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from engine.model import Limits, Point
from protocol.choices import Question, balancing
from protocol.opening_rules import Ask, Opening, Talks
from protocol.pondering import expected_reply
from tengen.common.process import awake_s
from tengen.common.translation import tr
from tengen.game.played import Termination
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE, Cell, opponent_of
from tengen.people.session.agreeing import (
    Answering,
    Event,
    Failed,
    Hint,
    Moved,
    settle,
    to_do,
)
from tengen.people.session.engine_player import (
    TENGEN,
    EnginePlayer,
    Level,
    PendingSearch,
    PlayerFailed,
    Stopwatch,
    position_of,
)
from tengen.people.session.files import Loaded
from tengen.people.session.game import Game, Steps, steps_forward
from tengen.people.session.messages import hint_text, seats_text
from tengen.people.session.players import Players, Seats, key_of
from tengen.study.options import Resources

ALL_TURNS = 1_000_000
HINT_TIME_S = 2.0
# After each move where programs play each other, so that people can follow.
PAUSE_S = 0.5
# A hint must not change how the program plays, so another one gives it, with a small table.
_HINT_HASH_BYTES = 64 * 1024 * 1024
# On a clock a program takes at most such a part of what is left for a move.
_PARTS_OF_CLOCK = 15
# How long a program may take to end when the session ends.
_STOP_S = 5.0


class GameSession(Players):
    """A game with people and programs at the board.

    clock_s     how long each side may think about the whole game; None = without limit.
    level       how long the programs may think about a move.
    hint_level  how long Tengen may think about a hint.
    opening     how a game begins; None = with an empty board.
    on_news     called, in the thread of a search, when it has something new to show or to collect.
    resources   what Tengen may use for hints and openings.
    is_waiting  programs wait until `go`: after one failed, and where programs play each other
                after moves were taken back or brought back.
    thinking    the search under way for a move or a hint, until `collect` has returned its event;
                `is_hinting` where it is for a hint.
    """

    def __init__(
        self,
        game: Game,
        seats: Seats,
        level: Level | None = None,
        opening: Opening | None = None,
        seed: int = 0,
        clock_s: float | None = None,
    ) -> None:
        super().__init__(game, seats, level or Level())
        self.clock_s = clock_s
        self.hint_level = Level(HINT_TIME_S)
        self.is_waiting = False
        self.on_news: Callable[[], None] = lambda: None
        self.resources = Resources()
        self._turn = Stopwatch()
        self._node: object = game.node  # the position of this turn
        self._thought_s: dict[object, float] = {}  # in the turns of each position so far
        self.thinking: PendingSearch | None = None
        self._pondering: PendingSearch | None = None
        self._expected: Point | None = None  # the reply to the move on the board
        self.is_hinting = False
        self._stopped: list[PendingSearch] = []  # given up, but perhaps still running
        self._hinter: EnginePlayer | None = None
        # The game before a restart, which redo brings back until a person has played.
        self._game_before: tuple[Steps, Game, Talks, int, bool] | None = None
        self.opening = opening
        self._seed = seed
        self._talks = Talks(opening)
        self._begin_opening()
        self._after_change()

    # -- state

    @property
    def program_to_move(self) -> EnginePlayer | None:
        """The program that is to move now; None if it is a person's turn, the game is over, or
        programs wait."""
        is_on = self.game.outcome is None and not self.is_waiting
        return self.acting if is_on else None

    @property
    def ask(self) -> Ask | None:
        """What the opening asks; None when the game itself has begun."""
        return self._talks.ask(len(self.game.moves))

    @property
    def may_swap(self) -> bool:
        """A person may change sides: in an opening where it is offered, else with the program."""
        ask = self.ask
        if ask is None or not self.game.moves:
            return len(self.people) == 1
        return ask.may_swap and self.acting is None

    @property
    def first_colour(self) -> int:
        """The colour now of who began an opening by which sides may be changed; else 0."""
        return 0 if not self._has_opening else WHITE if self._swaps % 2 else BLACK

    @property
    def acting(self) -> EnginePlayer | None:
        """The program that is to move, to put down the opening, or to choose; None for a person."""
        return self._actor(self._talks, len(self.game.moves), 0)

    def _actor(self, talks: Talks, count: int, swaps: int) -> EnginePlayer | None:
        """Who acts with so many stones on the board, after that many swaps from now on."""
        ask = talks.ask(count)
        if ask is not None and not ask.actor:
            return self._helper()
        colour = self.game.colour_of(count) if ask is None else ask.actor
        return self.seats[colour if swaps % 2 == 0 else opponent_of(colour)]

    @property
    def _is_turn_of_person(self) -> bool:
        return self.game.outcome is None and self.ask is None and self.acting is None

    def used_s(self, colour: int) -> float:
        """How long a side has thought about its moves on the board and the one to come."""
        used = sum(move.elapsed_s for move in self.game.moves if move.colour == colour)
        return used + (self._turn_s if colour == self.game.to_move else 0.0)

    @property
    def _turn_s(self) -> float:
        """How long the side to move has thought here; in an opening no time counts."""
        if self.ask is not None:
            return 0.0  # a player puts down stones of both colours there
        if self.acting is None or self.thinking is None or self.is_waiting:
            return self._turn.passed_s
        return self.thinking.elapsed_s

    def hold(self, is_held: bool) -> None:
        """Stops the clock of a person, where nobody sees the board, or lets it go on."""
        (self._turn.stop if is_held else self._turn.go_on)("unseen")

    def check_clock(self) -> bool:
        """Ends the game if the side to move has no time left; true if it did. To be called now and
        then."""
        loser = self.game.to_move
        is_on = self.game.outcome is None and self.ask is None
        if self.clock_s is None or not is_on or self.used_s(loser) <= self.clock_s:
            return False
        self._end(loser, Termination.TIMEOUT)
        return True

    def seats_text(self) -> str:
        """Who plays which colour, in a sentence."""
        first = self.first_colour
        if not first or len(self.people) < 2:
            return seats_text(self.seats)
        second = COLOUR_NAMES[opponent_of(first)]
        return f"The first player is {COLOUR_NAMES[first]}, the second one is {second}."

    def to_do(self, ways: Mapping[str, str]) -> list[str]:
        """What a person has to do next in the opening; empty if nothing. `ways` as in `to_do`."""
        if self.game.outcome is not None or self.program_to_move is not None:
            return []
        count, is_for_two = len(self.game.moves), len(self.people) == 2
        return to_do(self._talks, count, self.game.height, ways, names_side=is_for_two)

    # -- commands of people

    def play(self, cell: Cell) -> None:
        """Plays a move of the side to move, also for a program that does not think; in an opening
        it may be an offer. ValueError, and nothing has changed, if it cannot be played or a
        program thinks about its move."""
        self._refuse_while_thinking()
        ask = self.ask
        if ask is not None and self.game.board.legal(*cell):
            self._talks.check(self.game.cells, cell, self.game.width, self.game.height)
            if ask.offers:
                self._talks = self._talks.offer(cell)
                return
        self._put([cell], self._turn_s, may_foul=False)

    def add(self) -> None:
        """In swap2 the next two stones are put down by a person who could choose a side, and the
        other player chooses. ValueError if that is not possible."""
        self._say(lambda talks, count: talks.add(count))

    def name_fifths(self, number: int) -> None:
        """So many fifth moves are offered, in Soosyrv-8 and Taraguchi-10. ValueError if that cannot
        be said now."""
        self._say(lambda talks, count: talks.name_fifths(count, number))

    def _say(self, change: Callable[[Talks, int], Talks]) -> None:
        self._refuse_while_thinking()
        if (player := self.acting) is not None:
            raise ValueError(tr("{name} is to choose", name=player.name))
        self._talks = change(self._talks, len(self.game.moves))

    def undo(self, turns: int = 1) -> Steps:
        """Takes back the last turns of the people at the board, with the answers to them, or as
        many as there are; in an opening also what they said. A search under way is given up.
        Returns what was taken back; ValueError if there is nothing to take back."""
        steps, talks = self._steps_back(turns)
        if not steps.turns:
            if len(self.people) == 1:
                raise ValueError(tr("there is no move of yours to take back"))
            raise ValueError(tr("there is no move to take back"))
        self.stop_thinking()
        for _ in range(steps.stones):
            self.game.undo()
        if talks != self._talks:
            self._talks = talks
            self.game.forget_undone()  # they were played after what was said
        self.is_waiting = not self.people
        self._after_change()
        return steps

    @property
    def can_undo(self) -> bool:
        """There is something that `undo` takes back."""
        return self._steps_back(1)[0].turns > 0

    def _steps_back(self, turns: int) -> tuple[Steps, Talks]:
        """So many turns of the people back, where no people play all turns, and what is still said
        of the opening then: taking those stones back lets them play the turns again."""
        talks, count = self._talks, len(self.game.moves)
        swaps = talks.swaps(count)

        def acts(talks: Talks, count: int) -> bool:
            is_person = self._actor(talks, count, swaps - talks.swaps(count)) is None
            return is_person or not self.people

        found, to, left = talks.steps_back(count, turns, acts)
        return Steps(found, count - to), left

    def redo(self, turns: int = 1) -> Steps:
        """Brings back so many turns that were taken back, or as many as there are; after a restart
        the whole game. A search under way is given up. Returns what was brought back; ValueError
        if there is nothing to bring back."""
        before = self._game_before
        steps = before[0] if before else steps_forward(self.game, self.people, turns)
        if not steps.stones:
            raise ValueError(tr("there is no move to bring back"))
        self.stop_thinking()
        if before is not None:
            _, self.game, self._talks, self._swaps, self._has_opening = before
        else:
            for _ in range(steps.stones):
                self.game.redo()
        self._game_before, self.is_waiting = None, not self.people
        self._after_change()
        return steps

    def restart(self) -> None:
        """Begins a new game; `redo` brings the old one back until a person has played. A search
        under way is given up. ValueError if the board is empty."""
        old, ended = self.game, self._ended
        if not old.moves:
            raise ValueError("the board is empty")
        turns = self._steps_back(ALL_TURNS)[0].turns
        steps = Steps(turns, len(old.moves))
        before = steps, old, self._talks, self._swaps, self._has_opening
        self.stop_thinking()
        self._begin(Game(old.width, old.height, old.rule))
        self._game_before, self._ended = before, ended

    def resign(self) -> None:
        """Gives up: the person at the board, or of two people the one whose turn it is. A search
        under way is given up. ValueError if the game is over or only programs play."""
        if not self.people:
            raise ValueError(tr("no person plays who could resign"))
        asked = self.ask.actor if self.ask else 0  # in an opening not always the side to move
        (loser,) = self.people if len(self.people) == 1 else (asked or self.game.to_move,)
        self._end(loser, Termination.RESIGNED)

    def _end(self, loser: int, termination: Termination) -> None:
        turn_s = self._turn_s
        self.game.end(loser, termination)
        self.stop_thinking()
        self._turn.begin(turn_s)
        self._after_change()

    def jump(self, cells: Sequence[Cell]) -> None:
        """Goes to the position after these moves, as `Game.jump` does. A search under way is given
        up; a program that is to move then waits for `go`. ValueError, and nothing has changed, if a
        move cannot be played or the opening is not over."""
        if self.ask is not None:
            raise ValueError(tr("the opening is not over"))
        self.game.jump(cells)
        self.stop_thinking()
        self._game_before, self._talks = None, Talks(None)
        self.is_waiting = self.acting is not None
        self._after_change()

    def sit(self, seats: Seats, level: Level | None = None) -> None:
        """Others play on in this game, and the turn of a person who stays goes on; or the same ones
        do at another level, which changes nothing else. A search under way is given up where a
        program is another one, and programs that leave the board end. ValueError then if the game
        is over."""
        if seats == self.seats:
            self.level = level or self.level
            return
        if self.game.outcome is not None:
            raise ValueError(tr("the game is over; go back to a position before its end"))
        self.stop_thinking()
        ask, actor, before = self.ask, self.acting, self.seats
        for player in self.programs:
            if player not in seats.values():
                threading.Thread(target=player.close, name="ends a program").start()
        self.seats, self.level = seats, level or self.level
        if any(key_of(player) != key_of(before[colour]) for colour, player in seats.items()):
            self._talks, self._has_opening = Talks(None), False
            self.is_waiting = False
        if actor is not None or self.acting is not None or ask != self.ask:
            self._after_change()

    def swap(self) -> None:
        """Changes the sides, in an opening where it is offered; else with the program, after the
        end of a game for the next one. A search under way is given up. ValueError if there is
        nobody to change with, or the opening does not offer it."""
        if self.ask is not None and self.game.moves:
            self._say(lambda talks, count: talks.swap(count))
            self._after_change()
            return
        if len(self.people) == 2:
            raise ValueError(tr("there is no program to change sides with"))
        self.stop_thinking()
        self._exchange()
        self._after_change()
        self.is_waiting = self.is_waiting and not self.people

    def go(self) -> None:
        """Lets waiting programs continue. ValueError if the game is over or it is a person's
        turn."""
        if self.game.outcome is not None:
            raise ValueError(tr("the game is over"))
        if self.acting is None:
            text = tr("it is not a program's turn; hint shows a move, swap changes sides")
            raise ValueError(text)
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

    def start_move(self) -> PendingSearch:
        """Starts the program whose turn it is. ValueError if it is no program's turn, or one
        thinks already."""
        self._refuse_while_thinking()
        player = self.program_to_move
        if player is None:
            raise ValueError("it is not a program's turn")
        ask, opening = self.ask, self._talks.opening
        if ask is not None and opening is not None:
            choose = partial(Question, opening=opening, ask=ask, seed=self._seed)
            return self._consult(Answering(player.name, self.game, self.level.limits(), choose))
        position, limits, pondered = position_of(self.game), self._limits(), self._pondering
        if pondered is None or not pondered.take_over(position, limits, self.on_news):
            return self._await(player.start(position, limits, self.on_news))
        self._pondering = None
        return self._await(pondered)

    def start_hint(self, level: Level | None = None) -> PendingSearch:
        """Starts a search for a hint, by Tengen whoever plays; `level` is for this hint alone.
        ValueError if the game is over or a program thinks."""
        self._refuse_while_thinking()
        if self.game.outcome is not None:
            raise ValueError(tr("the game is over"))
        limits = (level or self.hint_level).limits(is_analysis=True)
        search = PendingSearch(TENGEN.capitalize(), position_of(self.game), limits)
        return self._consult(search, is_hint=True)

    def start_balance(self, count: int) -> PendingSearch:
        """Starts Tengen's search for one move or two after which neither side is better; they are
        played then. ValueError if the game or the opening is not at that, or a program thinks."""
        self._refuse_while_thinking()
        if self.game.outcome is not None:
            raise ValueError(tr("the game is over"))
        if self.ask is not None:
            raise ValueError(tr("the opening is not over"))
        self._seed += 1
        limits, balance = self.hint_level.limits(), partial(balancing, count=count, seed=self._seed)
        return self._consult(Answering(TENGEN.capitalize(), self.game, limits, balance))

    def move_now(self) -> None:
        """Ends the search under way, if there is one, with the best found so far. The result still
        comes from `collect`. ValueError if no program is thinking, and for one of the protocol,
        which has no word for that."""
        if self.thinking is None:
            raise ValueError(tr("no program is thinking"))
        if not self.thinking.can_hurry:
            raise ValueError(tr("{name} cannot be told to move now", name=self.thinking.name))
        self.thinking.stop()

    def stop_thinking(self) -> None:
        """Gives up the search under way, if there is one; its result is discarded."""
        self.ponder(False)
        if self.thinking is not None:
            self._give_up(self.thinking)
            self._forget_search()

    def ponder(self, is_wanted: bool = True) -> None:
        """While a person is to move against Tengen at its full strength, and the level has it so,
        Tengen thinks about its answer to the move that it expects; where it expects none, about the
        position. To be called when something has changed, and when that is wanted no longer."""
        player, search = self._ponderer() if is_wanted else None, self._pondering
        position = None if player is None else position_of(self.game, self._expected)
        if search is not None and search.position != position:
            self._give_up(search)
            self._pondering = None
        if player is not None and position is not None and self._pondering is None:
            with suppress(RuntimeError):  # no room for another thread
                self._pondering = player.ponder(position)

    def _ponderer(self) -> EnginePlayer | None:
        """Who is to think in the time of the person at the board; None for nobody."""
        is_free = self._is_turn_of_person and self.thinking is None
        if not (is_free and self.level.may_ponder):
            return None
        return next((each for each in self.programs if each.is_whole), None)

    def _give_up(self, search: PendingSearch) -> None:
        search.stop()
        self._stopped = [*(each for each in self._stopped if not each.is_over), search]

    def collect(self, timeout_s: float = 0.0) -> Event | None:
        """The result of the search under way: the program's move, which is now on the board, a
        hint, or a failure. None if the search is not over after `timeout_s` seconds, or there is
        none."""
        thinking = self.thinking
        if thinking is None or not thinking.wait(timeout_s):
            return None
        is_hint = self.is_hinting
        self._forget_search()
        try:
            if isinstance(thinking, Answering):
                agreed, stones, self._talks = settle(self._talks, self.game, thinking)
                self._put(stones)
                return agreed
            result = thinking.result()
        except PlayerFailed as failure:
            if failure.termination is not None and not is_hint:
                self.game.end(self.game.to_move, failure.termination, failure.detail)
                self._after_change()
            self.is_waiting = self.is_waiting or not is_hint
            return Failed(str(failure), is_hint)
        if is_hint:
            text = hint_text(self.game, result.move, result.info.score)
            return Hint(result.move, text, result.info)
        move = self.game.play(result.move, thinking.elapsed_s, may_foul=True)
        self._after_change()
        self._expected = expected_reply(result.info)
        return Moved(thinking.name, move, result.info)

    def close(self) -> None:
        """Ends all searches, and waits a few seconds for their threads."""
        self.stop_thinking()
        ends_at = awake_s() + _STOP_S
        for thinking in self._stopped:
            thinking.wait(max(0.0, ends_at - awake_s()))
        for player in self.programs:
            player.close()

    # -- files

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
        self._talks, self._has_opening = Talks(None), False
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
        self._begin_opening()
        self._seed += 1
        self.is_waiting = False
        for player in self.programs:
            player.new_game()
        self._after_change()

    def _begin_opening(self) -> None:
        self._talks = Talks(self.opening)
        self._has_opening = self.opening not in (None, Opening.BALANCE)
        self._swaps = 0  # those that the seats have seen

    def _after_change(self) -> None:
        if self._talks.opening is not None:
            swaps = self._talks.swaps(len(self.game.moves))
            if (swaps - self._swaps) % 2:
                self._exchange()
            self._swaps = swaps
        self._expected = None
        line = self.game.line()
        if self.game.outcome is not None and line != self._ended[0]:
            self._ended = line, dict(self.seats)
        # Whoever comes back to a position has thought there already; after the end nobody plays.
        self._thought_s[self._node] = self._turn.passed_s
        self._node = self.game.node
        self._turn.begin(self._thought_s.get(self._node, 0.0))
        is_running = self._is_turn_of_person and line != self._ended[0]
        (self._turn.go_on if is_running else self._turn.stop)("no turn of a person")

    def _refuse_while_thinking(self) -> None:
        if self.thinking is not None:
            raise ValueError(tr("{name} is thinking", name=self.thinking.name))

    def _forget_search(self) -> None:
        self._turn.go_on("asked")
        self.thinking, self.is_hinting = None, False

    def _await(self, search: PendingSearch, is_hint: bool = False) -> PendingSearch:
        self.ponder(False)
        self.thinking, self.is_hinting = search, is_hint
        return search

    def _helper(self) -> EnginePlayer:
        """Tengen, for hints and openings, which do not depend on who plays."""
        if self._hinter is None:
            self._hinter = EnginePlayer(TENGEN, None, _HINT_HASH_BYTES, resources=self.resources)
        return self._hinter

    def _consult(self, search: PendingSearch, is_hint: bool = False) -> PendingSearch:
        """Starts a search by Tengen, whoever plays: other programs do not value positions. The same
        question gets the same answer, whatever was asked before."""
        helper = self._helper()
        helper.new_game()
        self._turn.stop("asked")  # which takes no time of the side to move
        return self._await(helper.begin(search, self.on_news), is_hint)

    def _put(self, cells: Iterable[Cell], elapsed_s: float = 0.0, may_foul: bool = True) -> None:
        for cell in cells:
            self.game.play(cell, elapsed_s, may_foul=may_foul)
        self._game_before = None
        self._after_change()

    def _exchange(self) -> None:
        self.seats = {BLACK: self.seats[WHITE], WHITE: self.seats[BLACK]}
