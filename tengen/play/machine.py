"""The programs at the board: Tengen itself, or any of the opponents by name.

A program thinks in a thread of its own, so that Ctrl-C is heard at once and what one waits for can
be shown meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.model import Limits, Placed, Position, Result, Rule, Stone
from protocol.brain import Brain
from tengen.opponents.registry import BRAINS, create
from tengen.play.game import Game

TENGEN = "tengen"
DEFAULT_TIME_S = 1.0
# How often who waits is called, and how long a program may take to stop when it is asked to.
_TICK_S = 0.1
_STOP_S = 5.0


@dataclass(frozen=True)
class Level:
    """How long a program may think about a move: seconds, or nodes where those are given."""

    time_s: float = DEFAULT_TIME_S
    nodes: int | None = None

    def limits(self, is_analysis: bool = False) -> Limits:
        """The same for a brain, whose move is wanted or, with `is_analysis`, its value as well."""
        if self.nodes is not None:
            return Limits(nodes=self.nodes, is_analysis=is_analysis)
        return Limits(turn_ms=round(self.time_s * 1000), is_analysis=is_analysis)

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes:,} nodes a move"
        return f"{self.time_s:g} s a move"


class MachineFailed(Exception):
    """A program has given no move; the text says why, in one line."""


def names() -> list[str]:
    """Everybody one can play against."""
    return [TENGEN, *(name for name in BRAINS if name != TENGEN)]


class Machine:
    """A program at the board.

    name   as in `names()`, in any case; ValueError, with the list, if there is none of it.
    seed   decides where an opponent leaves something to chance.
    hash_bytes  Tengen's table; None = as large as in a tournament.
    """

    def __init__(self, name: str, seed: int = 0, hash_bytes: int | None = None) -> None:
        key = self.check_name(name)
        self.name = key.capitalize()
        self._brain: Brain
        if key == TENGEN:
            from engine.api import Engine

            self._brain = Engine()
            self._brain.set_memory(None, hash_bytes)
        else:
            self._brain = create(key, seed)

    @staticmethod
    def check_name(name: str) -> str:
        """The name as the list has it; ValueError if it is not in the list."""
        key = name.strip().lower()
        if key not in names():
            raise ValueError(f"there is no opponent {name!r}; there are {', '.join(names())}")
        return key

    def new_game(self) -> None:
        """Forgets what was learned."""
        self._brain.new_game()

    def think(
        self,
        game: Game,
        limits: Limits,
        waiting: Callable[[float], None] = lambda elapsed_s: None,
    ) -> Result:
        """The program's move for the side to move; `waiting` is called every now and then.

        MachineFailed when no move comes of it, or none that can be played. An exception that comes
        while one waits, such as KeyboardInterrupt, stops the program first.
        """
        answers: list[Result | Exception] = []
        # Not the end of the thread: an exception in Thread.join() makes Python 3.11 and 3.12 take a
        # thread for ended that still runs.
        is_over = threading.Event()

        def run() -> None:
            try:
                self._brain.set_position(position_of(game))
                answers.append(self._brain.think(limits))
            except Exception as error:  # whatever it is, people at the board hear of it in a line
                answers.append(error)
            finally:
                is_over.set()

        self._brain.clear_stop()
        thread = threading.Thread(target=run, name=self.name, daemon=True)
        began = time.monotonic()
        try:
            thread.start()
            while not is_over.wait(_TICK_S):
                waiting(time.monotonic() - began)
        except BaseException:
            self._brain.request_stop()
            if is_over.wait(_STOP_S):
                thread.join()
            raise
        thread.join()
        answer = answers[0] if answers else RuntimeError("it ended without an answer")
        if isinstance(answer, Exception):
            said = " ".join(str(answer).split())
            raise MachineFailed(f"{self.name} has failed: {type(answer).__name__}: {said}")
        if not game.board.legal(*answer.move):
            x, y = answer.move
            raise MachineFailed(f"{self.name} has answered {x},{y}, which is no empty point")
        return answer


def position_of(game: Game) -> Position:
    """What stands on the board, as a brain wants it."""
    stones = tuple(Placed(move.x, move.y, Stone(move.colour)) for move in game.moves)
    rule, side = Rule(game.rule), Stone(game.to_move)
    return Position(game.width, game.height, rule, stones, side)
