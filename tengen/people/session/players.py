"""A game and who plays it: the names, the result in words, and the file that keeps it."""

from __future__ import annotations

from pathlib import Path

from tengen.game.game import PERSON_NAME
from tengen.people.session.engine_player import EnginePlayer, Level
from tengen.people.session.files import Snapshot
from tengen.people.session.game import Game
from tengen.people.session.messages import outcome_text

# By colour: the program that plays it, None for a person.
Seats = dict[int, EnginePlayer | None]
# A person, among the names of players.
YOU = "you"


def key_of(player: EnginePlayer | None) -> str:
    """A player as a request names it."""
    return YOU if player is None else player.key


class Players:
    """A game, the players, and how long the programs may think about a move.

    saved    what of the game is saved, as `Game.kept` says it.
    is_kept  False for what a library is not to keep, such as a puzzle.
    """

    is_kept = True

    def __init__(self, game: Game, seats: Seats, level: Level) -> None:
        self.game = game
        self.seats = seats
        self.level = level
        self.saved = game.kept()
        # The line of the last game that ended, and who played it.
        self._ended: tuple[object, Seats] = None, seats

    @property
    def people(self) -> frozenset[int]:
        """The colours that people play."""
        return frozenset(colour for colour, player in self.seats.items() if player is None)

    @property
    def programs(self) -> list[EnginePlayer]:
        """The programs at the board."""
        return [player for player in self.seats.values() if player is not None]

    @property
    def is_unsaved(self) -> bool:
        """The game, with the moves that can be brought back, has not been saved; one without
        any has something to save when its tree has changed."""
        kept = self.game.kept()
        return bool(kept[0] or self.game.changes) and kept != self.saved

    def outcome_text(self) -> str:
        """Who won, and by what, in a sentence; "" while the game goes on."""
        game = self.game
        if game.outcome is None:
            return ""
        last = game.moves[-1] if game.moves else None
        return outcome_text(game.outcome, last, game.height, self._seats_of_game)

    def snapshot(self) -> Snapshot:
        """The game as it is now, with the moves that can be brought back, to be written later."""
        players = {
            colour: PERSON_NAME if player is None else player.name
            for colour, player in self._seats_of_game.items()
        }
        return Snapshot(self.game.whole(), players, self.level.control(), self.game.kept())

    def save(self, name: str, *, overwrites: bool = False) -> Path:
        """Writes the game to a file and returns its path; ValueError as in `Snapshot`."""
        snapshot = self.snapshot()
        path = snapshot.save(name, overwrites=overwrites)
        self.saved = snapshot.kept
        return path

    def save_unsaved(self) -> Path | None:
        """Writes a game that is not saved to a new file, so that it is not lost, and returns its
        path. None if there is nothing to save; ValueError if the game cannot be written."""
        if not self.is_unsaved:
            return None
        snapshot = self.snapshot()
        path = snapshot.save_unsaved()
        self.saved = snapshot.kept
        return path

    @property
    def _seats_of_game(self) -> Seats:
        line, seats = self._ended  # what steps back, a swap or others at the board do not change
        return seats if self.game.line() == line else self.seats
