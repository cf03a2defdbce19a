"""Games in files. They are written as psq, the format of Piskvork, or sgf, by the ending of the
name; they are read in every format of `tengen.game.files.positions` that has an order of moves.

An sgf file names its rule, a psq file does not. A game that is from a file is written to sgf with
all that the file has: variations, comments, names.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.files import replace_file
from engine.text import RULE_NAMES
from tengen.game.files.positions import Choice, StoredPosition, find_position, read_position
from tengen.game.files.psq import write_psq
from tengen.game.files.sgf import result_of, write_sgf
from tengen.game.game import PERSON_NAME, RESULTS
from tengen.game.game import Game as FileGame
from tengen.game.played import Move, Termination, TimeControl
from tengen.game.referee import BLACK, COLOUR_NAMES, WALL, WHITE, Stone, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.people.session.game import Game

ENDINGS = (".psq", ".sgf")
_ENDINGS = {termination.value for termination in Termination}
_WINNERS = {BLACK: "black", WHITE: "white", 0: "draw"}


class FileIsThere(ValueError):
    """A file of that name exists, and overwriting was not asked for."""


@dataclass(frozen=True)
class Loaded:
    """A game from a file.

    game       at its last move.
    people     the colours that people played, as far as the file says.
    says_rule  the file names the rule; the game is played by it.
    notes      which game of the file it is, where the file has several; and what was not read as it
               stands there.
    """

    game: Game
    people: frozenset[int]
    says_rule: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Snapshot:
    """A game as it is to be saved, which goes on meanwhile.

    players  the names by colour, PERSON_NAME for a person.
    control  the time of the programs.
    kept     what is saved then, as `Game.kept` says it.
    """

    game: Game
    players: Mapping[int, str]
    control: TimeControl | None = None
    kept: tuple[object, ...] = ()

    def save(self, name: str, *, overwrites: bool = False) -> Path:
        """Writes the game to a file, as psq or sgf by its ending; returns its path. FileIsThere if
        the file exists, unless `overwrites`; ValueError in one line for another ending and if the
        file cannot be written. An existing file of that name is then unchanged."""
        path = path_of(name)
        if path.suffix.lower() not in ENDINGS:
            raise ValueError(f"{name}: expected a name that ends in {' or '.join(ENDINGS)}")
        try:
            if path.is_dir():
                raise ValueError(f"{name}: this is a folder")
            if path.exists() and not overwrites:
                raise FileIsThere(f"{name}: the file exists")
            if path.exists() and not path.is_file():
                raise ValueError(f"{name}: this is not an ordinary file")
            replace_file(path, self.text(path.suffix.lower()))
        except OSError as error:
            raise ValueError(f"{name}: {error.strerror or error}") from None
        return path

    def text(self, ending: str) -> str:
        """The text of a file with that ending, one of ENDINGS. ValueError for a psq of a game that
        did not begin on the empty board, or has passes."""
        game = self.game
        if ending == ".psq" and game.setup:
            raise ValueError(
                "a psq file cannot hold stones that were set up or passes; save it as sgf"
            )
        file = _file_of(game, self.players)
        if ending == ".sgf":
            return write_sgf(file)
        file.termination = game.outcome.termination if game.outcome else Termination.INTERRUPTED
        controls = {} if self.control is None else dict.fromkeys(file.names, self.control)
        return write_psq(file, controls)

    def save_unsaved(self) -> Path:
        """Writes an unsaved game to `tengen-unsaved-DATE-TIME.sgf` and returns its path. The folder
        is the current one, or if that is not possible the home folder or the one for temporary
        files. ValueError if the game can be written to none of them."""
        name = f"tengen-unsaved-{time.strftime('%Y%m%d-%H%M%S')}"
        folders = ["", "~"]
        with contextlib.suppress(OSError):  # no folder for temporary files can be used
            folders.append(tempfile.gettempdir())
        for attempt, folder in enumerate(folders, start=1):
            for suffix in ("", *(f"-{number}" for number in range(2, 100))):
                file = os.path.join(folder, f"{name}{suffix}.sgf")
                if os.path.exists(os.path.expanduser(file)):
                    continue
                try:
                    return self.save(file)
                except ValueError:
                    if attempt == len(folders):
                        raise
                    break
        raise ValueError(f"{name}.sgf: there are too many files of that name")


def _file_of(game: Game, players: Mapping[int, str]) -> FileGame:
    """The game's tree, with the moves of the game as its main line, and who played it."""
    # A person goes on with the game of those whom the file names.
    players = {c: n if n != PERSON_NAME else game.names.get(c, n) for c, n in players.items()}
    file, outcome = game.record.copy(), game.outcome
    before = _stones_of(file)
    file.lead([*game.before, *((move.x, move.y, move.colour) for move in game.moves)])
    root = file.root
    # The result that the file names is of its own last move, and may say more.
    if outcome is not None or not game.record.form or _stones_of(file) != before:
        file.termination = outcome.termination if outcome else Termination.INTERRUPTED
        if root.text("GC") in _ENDINGS:
            root.put("GC", [])
        winner = "draw" if outcome is None else _WINNERS[outcome.winner]
        if outcome is None or not (root.text("RE") or "").startswith(RESULTS[winner]):
            root.put("RE", [])
            file.result = winner
            root.set("RE", result_of(file))
    if root.text("PB") is None or any(name != PERSON_NAME for name in players.values()):
        root.set("PB", players[BLACK])
        root.set("PW", players[WHITE])
    if file.said_rule != game.rule:
        root.set("RU", RULE_TITLES[game.rule])
    return file


def _stones_of(file: FileGame) -> list[Stone]:
    """The stones that the main line plays, possible or not."""
    return [stone for node in file.root.main_line() if (stone := node.stone) is not None]


def load_game(name: str, rule: int, choice: Choice = Choice()) -> Loaded:  # noqa: B008
    """Reads a game from a file, or from points such as `h8i9`.

    rule    for a game that names none, where `choice` has none for every game.
    ValueError in one line if the file cannot be read, holds no game, or holds one that cannot be
    continued: with walls, on an impossible size of board, or with moves after its end.
    """
    try:
        # A path would lose a slash of a link.
        word = str(path_of(name)) if name.startswith("~") else name
        position = find_position(word, choice=choice)
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror or error}") from None
    return _loaded(position, name, rule, choice)


def read_loaded(text: str, name: str, rule: int, number: int | None = None) -> Loaded:
    """The game in a text of any of those forms, `name` being where it comes from; of several the
    one with that number, from one. The rest, errors included, as for `load_game`."""
    choice = Choice(game=number)
    return _loaded(read_position(text, name, choice), name, rule, choice)


def _loaded(stored: StoredPosition, name: str, rule: int, choice: Choice) -> Loaded:
    is_said = stored.says_rule or choice.rule is not None
    try:
        game = _replay(stored, stored.position.rule_number if is_said else rule)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    people = frozenset[int]() if stored.game is None else stored.game.people_sides
    return Loaded(game, people, stored.says_rule, stored.notes)


def _replay(stored: StoredPosition, rule: int) -> Game:
    position, record = stored.position, stored.game
    # Turns that were passed, which a game at the board does not know: it begins after them.
    passed = record.line.passes[-1] if record is not None and record.line.passes else 0
    stones = position.all_stones
    start = len(stones) - len(position.moves) + passed
    setup, played = stones[:start], stones[start:]
    if any(colour == WALL for _, _, colour in setup):
        raise ValueError("has walls, which a game at the board has not")
    first = BLACK if not setup else played[0][2] if played else position.side
    # Of a match only the moves are taken.
    own = record if record is not None and record.match is None else None
    moves = []
    times = [] if record is None else [node.time_s for node in record[passed:]]
    times += [None] * (len(played) - len(times))
    for number, ((x, y, colour), elapsed_s) in enumerate(zip(played, times, strict=False)):
        expected = opponent_of(first) if number % 2 else first
        if colour != expected:
            raise ValueError(
                f"move {number + 1} is {COLOUR_NAMES[colour]}'s, but it is"
                f" {COLOUR_NAMES[expected]}'s turn"
            )
        moves.append(Move(x, y, colour, elapsed_s or 0.0))
    size = position.width, position.height
    before = () if own is None else own.stones[:passed]
    try:
        return Game(*size, rule, setup, first, own, before).replay(moves)
    except ValueError as error:
        raise ValueError(f"{error} ({RULE_NAMES[rule]}, {size[0]}x{size[1]})") from None


def path_of(name: str) -> Path:
    """The path of that name, where `~` is the home folder. ValueError if there is no such home."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ValueError(f"{name}: no such home folder") from None
