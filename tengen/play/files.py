"""Games written to files and read from them: psq, as Piskvork has it, and sgf.

A psq file does not name its rule; an sgf file does. Which of them it is shows by the name's ending
when it is written, and by the text itself when it is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tengen.play.game import Game, replay
from tengen.record.game import Game as Record
from tengen.record.game import Job, Move, Setting
from tengen.record.psq import PERSON, read_psq, to_psq
from tengen.record.sgf import read_sgf, to_sgf
from tengen.record.termination import Termination
from tengen.record.time_control import TimeControl
from tengen.rules.names import RULE_NAMES, read_rule
from tengen.rules.referee import BLACK, COLOUR_NAMES, WHITE

# How a person is called in a file.
PLAYER = "Player"
ENDINGS = (".psq", ".sgf")
# More than any game can have, with a comment at every move.
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Loaded:
    """A game from a file.

    game       at its last move.
    people     the colours that people played, as far as the file tells.
    says_rule  the file names the rule, which is the game's then.
    """

    game: Game
    people: frozenset[int]
    says_rule: bool


def save_game(
    game: Game,
    name: str,
    players: Mapping[int, str],
    control: TimeControl | None = None,
    *,
    overwrites: bool = False,
) -> Path:
    """Writes the game to a file, by its ending as psq or sgf; returns its path.

    players   by colour, PLAYER for a person.
    control   the time of programs.
    ValueError for another ending, for a file that is there already unless `overwrites`, and
    OSError when it cannot be written; a file that was there is then as it was.
    """
    path = _path(name)
    if path.suffix.lower() not in ENDINGS:
        raise ValueError(f"{name}: expected a name that ends in {' or '.join(ENDINGS)}")
    if path.is_dir():
        raise ValueError(f"{name}: is a folder")
    if path.exists() and not overwrites:
        raise ValueError(f"{name}: is there already; save! {name} writes over it")
    record = _record(game, players)
    if path.suffix.lower() == ".sgf":
        text = to_sgf(record)
    else:
        controls = {} if control is None else dict.fromkeys(players.values(), control)
        text = to_psq(record, controls, people=[PLAYER])
    target = Path(os.path.realpath(path))  # the file, where the path is a link
    new = target.with_name(f".tengen-{os.getpid()}.new")
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        new.replace(target)
    except OSError:
        new.unlink(missing_ok=True)
        raise
    return path


def load_game(name: str, rule: int, is_rule_wished: bool = False) -> Loaded:
    """Reads a game.

    rule   for a file that names none; for every file if it `is_rule_wished`.
    ValueError in one line if the file holds no game, or one that cannot be played on from here:
    with stones set up or turns passed, on another size of board, or with moves after its end.
    OSError if it cannot be read.
    """
    path = _path(name)
    if not path.is_file():
        raise ValueError(f"{name}: {'is no file' if path.exists() else 'there is no such file'}")
    with path.open("rb") as file:
        data = file.read(_MAX_BYTES + 1)
    try:
        if len(data) > _MAX_BYTES:
            raise ValueError("is too large for a game")
        # Names alone can hold anything but ASCII, and they decide nothing.
        text = data.decode("utf-8-sig", errors="replace").strip()
        if text.startswith("Piskvorky"):
            return _load_psq(text, rule)
        if text.startswith("("):
            return _load_sgf(text, rule if is_rule_wished else None)
        raise ValueError("holds no game as psq (Piskvorky ...) or sgf ((;...) does")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _load_psq(text: str, rule: int) -> Loaded:
    file = read_psq(text)
    moves = [
        Move(move.x, move.y, WHITE if i % 2 else BLACK, move.ms / 1000)
        for i, move in enumerate(file.moves)
    ]
    black, white = file.levels[file.starter], file.levels[1 - file.starter]
    people = {colour for colour, level in ((BLACK, black), (WHITE, white)) if level == PERSON}
    return Loaded(_replay(file.width, file.height, rule, moves), frozenset(people), False)


def _load_sgf(text: str, wished_rule: int | None) -> Loaded:
    file = read_sgf(text)
    if file.setup:
        raise ValueError("begins with stones set up; only games from the empty board are taken")
    said = file.info.get("RU")
    rule = wished_rule
    if rule is None:
        rule = 0 if said is None else read_rule(said)
    moves = []
    for number, stone in enumerate(file.moves):
        colour = WHITE if number % 2 else BLACK
        if stone.colour != colour:
            raise ValueError(
                f"move {number + 1} is {COLOUR_NAMES[stone.colour]}'s, but it is"
                f" {COLOUR_NAMES[colour]}'s turn"
            )
        moves.append(Move(stone.x, stone.y, colour))
    names = {BLACK: file.info.get("PB"), WHITE: file.info.get("PW")}
    people = frozenset(colour for colour, name in names.items() if name == PLAYER)
    return Loaded(_replay(file.width, file.height, rule, moves), people, said is not None)


def _replay(width: int, height: int, rule: int, moves: list[Move]) -> Game:
    try:
        return replay(width, height, rule, moves)
    except ValueError as error:
        raise ValueError(f"{error} ({RULE_NAMES[rule]}, {width}x{height})") from None


def _record(game: Game, players: Mapping[int, str]) -> Record:
    """The game as the arena has it."""
    outcome = game.outcome
    return Record(
        Job(0, 0, players[BLACK], players[WHITE], ()),
        Setting(game.width, game.height, game.rule),
        outcome.winner if outcome else 0,
        outcome.termination if outcome else Termination.INTERRUPTED,
        outcome.foul if outcome else "",
        game.moves,
    )


def _path(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise ValueError(f"{name}: there is no such home folder") from None
