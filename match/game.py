"""One game, as one story from the opening to its end."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from match.clockbook import ClockBook
from match.messages import Report
from match.player import Player, PlayerFailed
from match.referee import BLACK, WHITE, Referee
from match.schedule import Job
from match.termination import Termination


@dataclass(frozen=True)
class Setting:
    """What all games of a run share: the board and the rule."""

    width: int
    height: int
    rule: int


@dataclass(frozen=True)
class Move:
    """A stone as it was played. `elapsed_s` is 0 and `report` None for moves of the opening."""

    x: int
    y: int
    colour: int
    elapsed_s: float = 0.0
    report: Report | None = None


@dataclass(frozen=True)
class Game:
    """A game that has ended.

    winner       BLACK, WHITE, or 0: a draw, or nobody (INTERRUPTED).
    termination  why; unless it is FIVE or FULL, the loser is who failed.
    detail       the reason in words, for people; empty after FIVE and FULL.
    moves        all stones on the board; an illegal move is not among them, a forbidden one is.
    """

    job: Job
    setting: Setting
    winner: int
    termination: Termination
    detail: str
    moves: tuple[Move, ...]


class Watcher(Protocol):
    """Someone who follows the games. Called from the thread that plays the game."""

    def game_started(self, job: Job, board: Referee) -> None:
        """The opening stands on `board`, which stays the board of this game."""

    def report(self, job: Job, colour: int, report: Report) -> None:
        """The program of `colour` has said something new about the move it thinks about."""

    def moved(self, job: Job, board: Referee, move: Move) -> None:
        """A move has been played on the board."""

    def game_ended(self, game: Game) -> None:
        """The game is over."""


def play_game(
    job: Job,
    setting: Setting,
    players: Mapping[int, Player],
    watcher: Watcher,
    stop: threading.Event,
) -> Game:
    """Plays a game and judges it; `players` by colour.

    A program that fails is only told by the result: its player must be closed before it plays
    again. When `stop` is set (and the programs killed) the game ends as INTERRUPTED.
    """
    board = Referee(setting.width, setting.height, setting.rule)
    clocks = ClockBook(players[BLACK].program.control, players[WHITE].program.control)
    moves: list[Move] = []

    def ended(winner: int, termination: Termination, detail: str = "") -> Game:
        if stop.is_set():
            winner, termination, detail = 0, Termination.INTERRUPTED, "the run was stopped"
        game = Game(job, setting, winner, termination, detail, tuple(moves))
        watcher.game_ended(game)
        return game

    # The opening.
    colour = BLACK
    for x, y in job.opening:
        board.play(x, y, colour)
        moves.append(Move(x, y, colour))
        colour = _other(colour)
    watcher.game_started(job, board)

    # Both programs get ready; who cannot has lost.
    for side in (BLACK, WHITE):
        try:
            players[side].new_game(setting.width, setting.height, setting.rule)
        except PlayerFailed as failure:
            return ended(_other(side), failure.termination, failure.detail)

    while True:
        # Ask for a move, on the mover's clock.
        clock = clocks.of(colour)

        def on_report(report: Report, side: int = colour) -> None:
            watcher.report(job, side, report)

        try:
            answer = players[colour].ask_move(
                board, colour, clock.limit_s, clock.left_line(), on_report
            )
        except PlayerFailed as failure:
            return ended(_other(colour), failure.termination, failure.detail)
        clock.spend(answer.elapsed_s)

        # Is it a move at all?
        x, y = answer.x, answer.y
        if not board.legal(x, y):
            where = "a cell that is not empty" if _is_inside(setting, x, y) else "off the board"
            return ended(_other(colour), Termination.ILLEGAL, f"played {x},{y}, {where}")

        # Is it allowed, and does it end the game?
        foul = board.foul(x, y) if colour == BLACK else None
        move = Move(x, y, colour, answer.elapsed_s, answer.report)
        board.play(x, y, colour)
        moves.append(move)
        watcher.moved(job, board, move)
        if foul is not None:
            return ended(_other(colour), Termination.FORBIDDEN, f"played {x},{y}: {foul}")
        if board.winner():
            return ended(colour, Termination.FIVE)
        if board.is_full():
            return ended(0, Termination.FULL)
        colour = _other(colour)


def _other(colour: int) -> int:
    return BLACK + WHITE - colour


def _is_inside(setting: Setting, x: int, y: int) -> bool:
    return 0 <= x < setting.width and 0 <= y < setting.height
