"""The folder of games: every game at the board is kept in a file there, and can be found again."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path

import click

from tengen.people.sitting.files import Loaded, load_game
from tengen.people.sitting.sitting import Sitting

# The names that the board gives; it reads and overwrites no others.
_NAME = re.compile(r"game-\d{8}-\d{6}(?:-\d{1,4})?\.sgf")
_MOST_LISTED = 200
# A game that goes on is written at most so often.
_PAUSE_S = 2.0


def default_folder() -> Path:
    """Where games are kept if nothing else was said."""
    return Path(click.get_app_dir("tengen")) / "games"


@dataclass(frozen=True)
class Kept:
    """A game in the folder. began: in local time, as `2026-11-24 13:05`."""

    name: str
    began: str


class Library:
    """The folder, which is made when the first game is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._sitting: Sitting | None = None
        self._path: Path | None = None
        self._written_at = 0.0
        # Why games cannot be written; "" while they can.
        self.problem = ""

    def keep(self, sitting: Sitting, is_last: bool = False) -> None:
        """Writes the game to its file if it has changed; at once if it is the last time, or when
        the game is over, unless it could not be written before."""
        if sitting is not self._sitting:
            self._sitting, self._path = sitting, None
        now = time.monotonic()
        is_over = sitting.game.outcome is not None and not self.problem
        is_due = is_last or is_over or now - self._written_at >= _PAUSE_S
        if not (is_due and sitting.is_unsaved):
            return
        self._written_at = now
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._path is None:
                self._path = self._new_path()
            sitting.save(str(self._path), overwrites=True)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else ""
            self.problem = f"The game cannot be kept: {reason or error}"
        else:
            self.problem = ""

    def due_s(self, sitting: Sitting) -> float | None:
        """In how many seconds `keep` will write the game; None if there is nothing to write."""
        if not sitting.is_unsaved:
            return None
        return max(0.0, self._written_at + _PAUSE_S - time.monotonic())

    def games(self) -> list[Kept]:
        """The games in the folder, the newest first."""
        try:
            names = [path.name for path in self.folder.iterdir() if _NAME.fullmatch(path.name)]
        except OSError:
            return []
        return [Kept(name, _began(name)) for name in sorted(names, reverse=True)[:_MOST_LISTED]]

    def load(self, name: str) -> Loaded:
        """A game of the folder. ValueError, in one line, if there is none of that name or it cannot
        be read."""
        if not _NAME.fullmatch(name) or not (self.folder / name).is_file():
            raise ValueError(f"there is no game {name[:60]!r}")
        try:
            return load_game(str(self.folder / name), 0)
        except ValueError as error:
            raise ValueError(str(error).replace(str(self.folder / name), name)) from None

    def _new_path(self) -> Path:
        stem = f"game-{time.strftime('%Y%m%d-%H%M%S')}"
        for suffix in ("", *(f"-{number}" for number in range(2, 1000))):
            path = self.folder / f"{stem}{suffix}.sgf"
            if not path.exists():
                return path
        raise ValueError("too many games began in this second")


def _began(name: str) -> str:
    digits = name.removeprefix("game-")
    day, clock = digits[:8], digits[9:13]
    return f"{day[:4]}-{day[4:6]}-{day[6:]} {clock[:2]}:{clock[2:]}"
