"""How long the side to move has thought, without the time of a hint or while nobody looks."""

from __future__ import annotations

from collections.abc import Callable


class TurnClock:
    """The time since a turn began, in seconds of `clock`.

    ended_s  of the side that lost without a last move.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._held_at: float | None = None
        self._paused_at: float | None = None
        self.ended_s = 0.0

    @property
    def passed_s(self) -> float:
        """Since the turn began, also where the clock is held."""
        return self._clock() - self._began

    @property
    def thought_s(self) -> float:
        """Since the turn began, up to where the clock is held or paused."""
        stops = [at for at in (self._held_at, self._paused_at) if at is not None]
        return min([self._clock(), *stops]) - self._began

    def begin(self) -> None:
        """A turn begins; a clock that is held stays so."""
        self._began = self._clock()
        if self._held_at is not None:
            self._held_at = self._began

    def hold(self, is_held: bool, counts: bool) -> None:
        """Stops the clock of a person or lets it go on; where that `counts`, the time between is
        none of the turn's."""
        if is_held and self._held_at is None:
            self._held_at = self._clock()
        elif not is_held and self._held_at is not None:
            held_s, self._held_at = self._clock() - self._held_at, None
            if counts:
                self._began += held_s
                if self._paused_at is not None:
                    self._paused_at += held_s

    def pause(self) -> None:
        """A hint is being looked for."""
        self._paused_at = self._clock()

    def resume(self) -> None:
        """The search for a hint is over, if there was one; its time is none of the turn's."""
        if self._paused_at is not None:
            self._began += self._clock() - self._paused_at
            self._paused_at = None
