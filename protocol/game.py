"""What the commands of a conversation share: the brain, the settings, the board and the clock.

Squares are written as the manager writes them, except in what is passed to the brain and comes from
it: see `exchange`.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.model import MAX_STRENGTH, Point, Position, Score, Stone
from protocol.brain import Asked, Brain, CanPonder
from protocol.choices import Question, balancing
from protocol.commands import Block
from protocol.messages import Refusal, Reply, counted
from protocol.opening_rules import Ask, Opening
from protocol.pondering import Ponderer
from protocol.settings import MAX_REMARKS, FileSettings, Settings
from protocol.stones import Blocked, Stones, finished_lines


class Game:
    """The state between commands.

    notices      for MESSAGE lines with the next answer.
    stones       the board; None before the first START.
    blocked      squares that the manager has blocked; `excluded` are those of the board thought
                 about.
    considered   the board thought about, which becomes the board when our move has been found.
    question     what is asked where that is not a move.
    may_swap     the search may be answered by SWAP.
    last_score   what the last search of the game saw, from our view.
    height       rows of the board of the last search.
    started_ns   when the clock of the running search began; used_ns is what all searches of the
                 game took, less their increments; search_end_ns is when the last one ended.
    """

    def __init__(self, make_brain: Callable[[], Brain], file_settings: FileSettings) -> None:
        self.settings = Settings(file_settings)
        self.notices = list(file_settings.notices)
        self.stones: Stones | None = None
        self.blocked = Blocked()
        self.excluded: tuple[Point, ...] = ()
        self.considered: Stones | None = None
        self.question: Asked | None = None
        self.may_swap = False
        self.is_analysis = False
        self.last_score: Score | None = None
        self.height = 0
        self.started_ns = self.used_ns = self.search_end_ns = 0
        self._make_brain = make_brain
        self._ponderer: Ponderer | None = None
        # The settings that the brain was last told.
        self._told: dict[str, object] = {
            "threads": 1,
            "strength": (MAX_STRENGTH, None),
            "pondering": False,
        }

    @property
    def ponderer(self) -> Ponderer:
        """What searches for moves. It is made when the first game begins, so that ABOUT is answered
        without a brain."""
        if self._ponderer is None:
            self._ponderer = Ponderer(self._make_brain())
        return self._ponderer

    @property
    def brain(self) -> Brain:
        """The brain, which does not think in the opponent's time any longer."""
        return self.ponderer.idle()

    @property
    def has_brain(self) -> bool:
        """The brain has been made."""
        return self._ponderer is not None

    def board(self, word: str) -> Stones:
        """The board for a command; Refusal where there is none."""
        if self.stones is None:
            raise Refusal(f"{word} needs a board: send START 20 or START 15 first")
        return self.stones

    def begin(self, stones: Stones) -> None:
        """A game on an empty board begins."""
        self.used_ns = 0
        self.last_score = None
        self.stones = stones
        self.prepare()

    def prepare(self) -> None:
        """Show the brain an empty board of each rule as soon as it is known: it makes the tables of
        a rule when it first sees one, which takes long on a busy machine, and no clock runs."""
        stones, rule = self.stones, self.settings.rule
        if stones is not None and self._is_new("rule", rule):
            try:
                self._note(self.brain.set_position(Position(stones.width, stones.height, rule)))
            except (MemoryError, ValueError):
                pass  # told when a move is asked for

    def place(self, stones: Stones, point: Point, colour: Stone) -> None:
        """Put a stone down; in a continuous game a line that it completes becomes walls."""
        stones.put(point, colour)
        if self.settings.is_continuous:
            stones.wall_in(finished_lines(stones, point, self.settings.rule))

    def stones_of(self, block: Block) -> Stones:
        """The board that a block describes; Refusal for the first error in it."""
        stones = self.board(block.word)
        # The stones come before an entry that could not be read.
        stones = Stones.from_entries(stones.width, stones.height, block.entries)
        block.check()
        return stones

    def exchange(self, point: Point) -> Point:
        """A point of the engine as the manager writes it, and the other way round."""
        return Point(point.y, point.x) if self.settings.is_row_first else point

    def exchange_all(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """exchange() for each."""
        return tuple([self.exchange(point) for point in points])

    def position(self, stones: Stones) -> Position:
        """A board as a position for the brain."""
        if self.settings.is_row_first:
            stones = stones.transposed()
        return stones.position(self.settings.rule)

    def set_position(self, stones: Stones) -> Position:
        """Give the brain a board. Refusal where it cannot be played."""
        position = self.position(stones)
        try:
            self._note(self.ponderer.set_position(position))
        except ValueError as problem:
            raise Refusal(f"this position cannot be played: {problem}") from problem
        return position

    def tell_settings(self) -> None:
        """Before a request to think: tell the brain what has changed, and take back a stop."""
        self.ponderer.clear_stop()
        settings = self.settings
        memory = (settings.memory_bytes, settings.hash_bytes)
        has_changed = self._is_new("memory", memory)
        if has_changed:
            self._note(self.brain.set_memory(*memory))
        # What the memory allows may have changed as well.
        if self._is_new("threads", settings.threads) or (has_changed and settings.threads > 1):
            self._note(self.brain.set_threads(settings.threads))
        strength = (settings.strength, settings.seed)
        if self._is_new("strength", strength):
            self._note(self.brain.set_strength(*strength))
        self._tell_parameters()
        is_wanted = self._is_new("pondering", settings.is_pondering) and settings.is_pondering
        if is_wanted and not isinstance(self.brain, CanPonder):
            reason = "this program does not think in the opponent's time"
            self._note(f"INFO pondering has no effect: {reason}")

    def _tell_parameters(self) -> None:
        wrong = []
        for name, value in self.settings.parameters.items():
            if self._is_new(f"param.{name}", value):
                try:
                    self.brain.set_parameter(name, value)
                except ValueError as problem:
                    wrong.append(f"INFO param.{name}: {problem}")
        self.notices += wrong[:MAX_REMARKS]
        if len(wrong) > MAX_REMARKS:
            more = counted(len(wrong) - MAX_REMARKS, "more parameter")
            self._note(f"{more} cannot be set")

    def _is_new(self, name: str, value: object) -> bool:
        """Note a value; False if it is the one that the brain was told last."""
        is_new = name not in self._told or self._told[name] != value
        self._told[name] = value
        return is_new

    def _note(self, notice: str | None) -> None:
        if notice is not None:
            self.notices.append(notice)

    def think(self, stones: Stones, read_ns: int) -> Reply:
        """Ask for a move on `stones`, our side to move; they become the board when it is found."""
        if stones.is_full:
            raise Refusal("no square would be left for a move: the game is over")
        excluded = self.blocked.excluded(stones)
        if len(excluded) == stones.free_count:
            raise Refusal("all free squares are blocked: send YXBLOCKRESET or YXBLOCKPATHRESET")
        self.tell_settings()
        position = self.set_position(stones)
        self.considered = stones
        self.may_swap = self.settings.may_swap and len(stones.placed) == 1
        if self.settings.may_swap and stones.is_empty:
            # The opponent may take what is put down.
            empty = stones.position(self.settings.rule)
            self.question = balancing(self.brain, empty, 1, excluded=excluded)
        self.is_analysis = False
        self.excluded = excluded
        self.height = position.height
        # If the manager wrote ahead, the time of the search before is not part of this move.
        self.started_ns = max(read_ns, self.search_end_ns)
        points = self.exchange_all(excluded)
        return Reply(limits=self.settings.limits(self.started_ns, self.used_ns, points))

    def ask(self, stones: Stones, read_ns: int, word: str, opening: Opening, ask: Ask) -> Reply:
        """Ask for a choice in an opening, after stones in their order."""
        reply = self.think(stones, read_ns)
        position = stones.position(self.settings.rule)
        self.question = Question(self.brain, position, opening, ask, word=word)
        return reply
