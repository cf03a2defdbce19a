"""The running programs of one worker, kept alive from game to game."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Mapping
from dataclasses import replace

from tengen.arena.match.story import Watcher, play_game
from tengen.arena.programs.judge import Judge
from tengen.arena.programs.player import Patience, Player
from tengen.arena.programs.program import Program
from tengen.game.record.game import Game, Job, Setting
from tengen.game.referee import BLACK, WHITE, opponent_of

# The most programs kept running; beyond it the one that has not played for longest is ended.
_KEPT = 4


class Players:
    """Plays one game at a time. Programs are given by name and started when they are needed.

    core  the processor core that they run on; None = any.
    """

    def __init__(
        self,
        programs: Mapping[str, Program],
        setting: Setting,
        patience: Patience,
        core: int | None = None,
    ) -> None:
        self._programs = programs
        self._setting = setting
        self._patience = patience
        self._core = core
        self._judge = None if setting.judge is None else Judge(shlex.split(setting.judge))
        # In the order of their last game.
        self._players: dict[str, Player] = {}
        self._interrupted = threading.Event()

    def play(self, job: Job, watcher: Watcher, stop: threading.Event) -> Game:
        """Plays a game; INTERRUPTED when `stop` is set."""
        by_colour = {colour: self._ready(job, colour) for colour in (BLACK, WHITE)}
        while len(self._players) > _KEPT:
            self._players.pop(next(iter(self._players))).dispose()
        game = play_game(job, self._setting, by_colour, watcher, stop, self._judge)
        if game.termination.is_failure:
            # Its state is unknown, so the next game starts a new process.
            self._players[game.job.name_of(opponent_of(game.winner))].close()
        for player in by_colour.values():
            if player.program.restarts:
                player.close()
        return game

    def interrupt(self) -> None:
        """Kills all programs, those being started included, from any thread."""
        self._interrupted.set()
        for player in list(self._players.values()):
            player.interrupt()
        if self._judge is not None:
            self._judge.interrupt()

    def close(self) -> None:
        """Ends all programs."""
        for player in self._players.values():
            player.dispose()
        self._players.clear()
        if self._judge is not None:
            self._judge.close()

    def _ready(self, job: Job, colour: int) -> Player:
        name = job.name_of(colour)
        program = self._programs[name]
        if options := dict(job.options).get(name):
            program = replace(program, options=program.options + options)
        player = self._players.pop(name, None) or Player(program, self._patience)
        player.core = self._core
        player.program = program
        self._players[name] = player
        if self._interrupted.is_set():
            player.interrupt()
        return player
