"""What Tengen thinks of the position on the board, move by move, while people look at it."""

from __future__ import annotations

from collections.abc import Callable

from engine.model import Info, Limits, Line, win_chance
from tengen.game.referee import BLACK, Cell, Stone
from tengen.game.values import Record
from tengen.people.session.engine_player import TENGEN, EnginePlayer, PendingSearch, position_of
from tengen.people.session.game import Game
from tengen.people.session.messages import value_text
from tengen.study.options import Resources

MOST_LINES = 9
# A position is searched without end: no search gets so deep.
_ENDLESS = Limits(depth_plies=1000, is_analysis=True)
# What is known is told again after so long, because the time goes on.
TICK_S = 0.18
# Positions whose reports are known again.
_MOST_KNOWN = 1000
# Moves of a line that are shown.
_SHOWN_MOVES = 8

_Key = tuple[int, int, int, tuple[Stone, ...], int]


class Analyst:
    """Searches the position that it is shown until it is shown another one, and tells what it has
    found so far. While people step through a game, what it has found is known again, and what it
    has learned stays in its table.

    on_news    called, in any thread, when more was found than before.
    resources  of its searches.
    """

    def __init__(
        self,
        on_news: Callable[[], None] = lambda: None,
        resources: Resources = Resources(),  # noqa: B008
    ) -> None:
        self._on_news = on_news
        self.resources = resources
        # Moves are looked at that are so near to a stone; 0 = all.
        self.near = 0
        # How many of the best moves are wanted; 0 = nothing is searched.
        self.line_count = 0
        self._limits = _ENDLESS
        self._player: EnginePlayer | None = None
        self._thinking: PendingSearch | None = None
        self._key: _Key | None = None
        self._told: Info | None = None
        self._told_s = 0.0
        # The deepest reports on positions, with their depth in plies, the last position last.
        self._known: dict[_Key, tuple[int, Record]] = {}

    @property
    def is_searching(self) -> bool:
        """The position that it was shown last is searched."""
        return self._thinking is not None and not self._thinking.is_over

    def set_lines(self, count: int) -> None:
        """How many of the best moves are wanted from now on, at most MOST_LINES."""
        if count != self.line_count:
            self._known.clear()
        self.line_count = count
        self.stop()

    def use(self, resources: Resources, limits: Limits | None = None, near: int = 0) -> None:
        """What its searches may use from now on, where they end, and how near to a stone moves are
        looked at; with other resources what was learned is lost. ValueError, and nothing has
        changed, for too little memory."""
        if self._player is None or resources != self.resources:
            self._player = EnginePlayer(TENGEN, resources=resources)
        self.resources = resources
        self._limits = limits or _ENDLESS
        if near != self.near:
            self._known.clear()
        self.near = near
        self.stop()

    def look(self, game: Game, is_busy: bool) -> Record | None:
        """What is new about the position since the last call, how much time has passed, `now`, the
        move that is searched, and `lost`, those that are proved to lose; None if nothing is to be
        told.

        is_busy   a program thinks about its move, and nothing else may slow it down
        """
        if not self.line_count or is_busy or game.outcome is not None:
            self.stop()
            return None
        key = (game.width, game.height, game.rule, game.stones, game.to_move)
        known = self._known.pop(key, None)
        if known is not None:
            self._known[key] = known
        if key != self._key:
            self.stop()
            self._start(game)
            self._key = key
            return None if known is None else known[1]
        assert self._thinking is not None
        info, elapsed_s = self._thinking.info, self._thinking.elapsed_s
        if info is None or (info is self._told and elapsed_s - self._told_s < TICK_S):
            return None
        self._told, self._told_s = info, elapsed_s
        root = None if self._player is None else self._player.root
        live: Record = {"now": root and root.move, "lost": root.lost if root is not None else ()}
        if known is not None and info.depth_plies < known[0] and not self._thinking.is_over:
            return known[1] | live
        report = _report(info, game) | {"elapsed_s": round(elapsed_s, 1)} | live
        self._known[key] = info.depth_plies, report | {"now": None}
        if len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return report

    def _start(self, game: Game) -> None:
        if self._player is None:
            self._player = EnginePlayer(TENGEN, resources=self.resources)
        far = self._far(game)
        limits = self._limits._replace(is_analysis=True, lines=self.line_count, excluded=far)
        self._thinking = self._player.start(position_of(game), limits, self._on_news)

    def _far(self, game: Game) -> tuple[Cell, ...]:
        """The empty points where no stone is near, unless all are such."""
        taken = [stone[:2] for stone in game.stones]
        empty = {(x, y) for x in range(game.width) for y in range(game.height)}.difference(taken)
        far = tuple(
            (x, y)
            for x, y in empty
            if all(max(abs(x - i), abs(y - j)) > self.near for i, j in taken)
        )
        return far if self.near and len(far) < len(empty) else ()

    def stop(self) -> None:
        """Ends the search."""
        if self._thinking is not None:
            self._thinking.stop()
        self._thinking = self._key = self._told = None


def _report(info: Info, game: Game) -> Record:
    """`chance` is Black's chance to win, from 0 to 1; `value` is in words, `at` the depth of a line
    and that of its longest branch."""
    lines = info.lines or (Line(info.score, info.depth_plies, info.seldepth_plies, info.pv),)
    return {
        "depth_plies": info.depth_plies,
        "seldepth_plies": info.seldepth_plies,
        "speed_nps": info.speed_nps,
        "chance": _chance_of_black(lines[0], game),
        "lines": [_line(line, game) for line in lines if line.pv],
    }


def _line(line: Line, game: Game) -> Record:
    cells = line.pv[:_SHOWN_MOVES]
    return {
        "cells": cells,
        "score": str(line.score) if line.score.mate_plies else f"{line.score.value:+d}",
        "value": value_text(line.score, game.to_move),
        "at": f"{line.depth_plies}/{line.seldepth_plies}",
        "chance": _chance_of_black(line, game),
    }


def _chance_of_black(line: Line, game: Game) -> float:
    chance = win_chance(line.score)
    return round(chance if game.to_move == BLACK else 1 - chance, 4)
