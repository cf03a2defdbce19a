"""Files of games in every format that is read, told apart by their content.

sgf   games with variations, one or several          `(;GM[4]...`
psq   Piskvork's files                               `Piskvorky 15x15, ...`
rec   Gomotur's, which Piskvork writes too           two names, and moves from 0,0
sav   Yixin-Board's                                  15, 15, the number of moves, the moves
lib   RenLib's libraries                             binary; its text has a character a byte
rif   RenjuNet's database, and Renju Offline's       xml with `<game ...>`
pgn   of PlayOK and of a match, one or several       `[Event "..."]`
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.files import Name as FilePath
from engine.files import read_file, replace_file
from engine.text import DEFAULT_SIZE, read_position
from tengen.game.arguments import file_name, of_type, shown, whole
from tengen.game.encodings import decoded
from tengen.game.files.jsonl import is_run, load_run, read_run
from tengen.game.files.lazy import LazyGames
from tengen.game.files.plain_moves import (
    PGN,
    REC,
    SAV,
    read_pgn,
    read_rec,
    read_sav,
)
from tengen.game.files.psq import read_psq, require_turns, write_psq
from tengen.game.files.renlib import MAGIC, read_renlib, renlib_text, write_renlib
from tengen.game.files.rif import read_rif, write_rif
from tengen.game.files.sgf import WITHIN, decoded_sgf, read_sgf, write_sgf
from tengen.game.game import Game
from tengen.game.position import rule_of

# The endings of the names of such files.
ENDINGS = (".sgf", ".psq", ".rec", ".sav", ".lib", ".rif", ".pgn")
_EXPECTED = "expected sgf ((;...), psq (Piskvorky ...), rec, sav, lib, rif or pgn"

# More than any file of games needs.
MAX_BYTES = 100_000_000
_MAIL = re.compile("^(?:>[ \t]?)+", re.MULTILINE)
_XML_ENCODING = re.compile(rb"\s*<\?xml[^>]{0,100}encoding=[\"']([^\"']{1,40})[\"']")
_FORMATS: tuple[tuple[re.Pattern[str], Callable[[str], Sequence[Game]]], ...] = (
    (re.compile(r"\ufeff?\s*\(\s*;"), read_sgf),
    (re.compile(r"\ufeff?\s*Piskvorky"), lambda text: [read_psq(text)]),
    (re.compile(MAGIC), read_renlib),
    (re.compile(r"\ufeff?\s*<"), read_rif),
    (REC, read_rec),
    (SAV, read_sav),
    (PGN, read_pgn),
    # A letter with an sgf in it, and with the marks of those who answered it.
    (re.compile(f"[^\\0]*?{WITHIN.pattern}"), lambda text: read_sgf(_MAIL.sub("", text))),
)


def text_of(data: bytes, name: str = "") -> str:
    """The text of a file of games or positions, whose name may say what it is. ValueError if it is
    not text."""
    ending = name[name.rfind(".") :].lower()
    if ending == ".lib" or data.startswith(MAGIC.encode("latin-1")):
        return renlib_text(data)
    if ending == ".sgf" or re.match(rb"\s*\(\s*;", data):
        return decoded_sgf(data)
    if (xml := _XML_ENCODING.match(data)) or ending == ".rif":
        return decoded(data, xml[1].decode("latin-1") if xml else None)
    if ending in (".psq", ".rec") or re.match(rb"\s*Piskvorky", data):
        return decoded(data, otherwise="cp1250")  # Piskvork is Czech
    text = decoded(data)
    if "\0" in text or (text == data.decode("latin-1") and not data.isascii()):
        raise ValueError("is not text")
    return text


def is_saved_game(text: str) -> bool:
    """Does the text look like a file of games?"""
    return any(beginning.match(text) for beginning, _ in _FORMATS)


def parse_games(text: str) -> Sequence[Game]:
    """All games of a file of games, at least one. ValueError in one line if it holds none."""
    for beginning, read in _FORMATS:
        if beginning.match(text):
            return read(text)
    raise ValueError(f"holds no game; {_EXPECTED}")


def games_in(text: str, source: str) -> Sequence[Game] | None:
    """The games of a file of games or of a match, at least one; None for another text. ValueError
    in one line for a bad file."""
    if is_run(text):
        return read_run(text, source)
    return parse_games(text) if is_saved_game(text) else None


def count_text(count: int) -> str:
    """`is 1 game`, `are 2 games`."""
    return "is 1 game" if count == 1 else f"are {count} games"


# -- for people who write Python


def read_game(path: FilePath, number: int = 1, *, rule: str | int | None = None) -> Game:
    """A game of a file (sgf, psq, rec, sav, lib, rif, pgn, the games.jsonl of a match, or a text of
    moves), told by its content. `number` counts its games from one; `rule` overrides what the file
    says. ValueError, in one line with the name of the file, if it holds no such game; OSError if it
    cannot be read."""
    games = read_games(path, rule=rule)
    number = whole("number", number, 1)
    if number > len(games):
        raise ValueError(f"{os.fspath(path)}: there {count_text(len(games))}, not {number}")
    return games[number - 1]


def read_games(path: FilePath, *, rule: str | int | None = None) -> Sequence[Game]:
    """All games of a file, as for `read_game`, or of the folder of a match. Each is made when it is
    asked for, so a database of a hundred thousand games is one too."""
    name = file_name("path", path)
    if Path(name).is_dir():
        return _by_rule(load_run(Path(name)), rule)
    try:
        return games_of(read_file(name, MAX_BYTES), name, rule)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def games_of(data: bytes, name: str, rule: str | int | None = None) -> Sequence[Game]:
    """All games of the content of a file of that name, as for `read_games`. ValueError, in one
    line, if it holds none."""
    return _games(text_of(data, name), name, rule)


def parse_game(data: str | bytes, *, rule: str | int | None = None) -> Game:
    """The first game of the content of a file, as for `read_game`."""
    if not isinstance(data, str | bytes):
        raise TypeError(f"data={shown(data)}: expected a text or bytes")
    return _games(data if isinstance(data, str) else text_of(data), "", rule)[0]


def write_game(game: Game, path: FilePath) -> None:
    """Writes a file, as sgf, psq, lib, rif or txt by the ending of its name, in the place of one
    that is there. ValueError for another ending and for what the format cannot hold; OSError if it
    cannot be written. The file is then what it was."""
    name = file_name("path", path)
    ending = Path(name).suffix.lower()
    if ending not in _WRITERS:
        raise ValueError(f"{name}: expected a name that ends in {', '.join(_WRITERS)}")
    replace_file(name, format_game(game, ending))


def format_game(game: Game, ending: str) -> str | bytes:
    """The content of a file with this ending, bytes for ".lib". Errors as for `write_game`."""
    of_type("game", game, Game, "a tengen.Game")
    if (write := _WRITERS.get(ending)) is None:
        raise ValueError(f"ending={shown(ending)}: expected one of {', '.join(_WRITERS)}")
    return write(game)


def _moves_text(game: Game) -> str:
    """The moves, or the stones that were set up, as `Game` reads them."""
    if game.setup:
        if game.stones:
            raise ValueError(
                "a text holds moves or stones that were set up, not both; write it as sgf"
            )
        return f"{game}\n"  # a picture says the rest itself
    require_turns(game, "text")
    lines = []
    if game.size != DEFAULT_SIZE:
        lines.append(f"size: {game.width}x{game.height}")
    if game.rule_number:
        lines.append(f"rule: {game.rule}")
    return "\n".join([*lines, f"{game}\n"])


_WRITERS: dict[str, Callable[[Game], str | bytes]] = {
    ".sgf": write_sgf, ".psq": write_psq, ".lib": write_renlib, ".rif": write_rif,
    ".txt": _moves_text,
}  # fmt: skip


def _by_rule(games: Sequence[Game], rule: str | int | None, name: str = "") -> Sequence[Game]:
    """The games, played by a rule."""
    asked = None if rule is None else rule_of(rule)

    def make(number: int) -> Game:
        try:
            return games[number].by_rule(asked)
        except ValueError as error:
            where = [name] * bool(name) + [f"game {number + 1}"] * (len(games) > 1)
            before = ", ".join(where) + ": " * bool(where)
            raise ValueError(f"{before}{error}".replace(" with --rule", "")) from None

    return LazyGames(range(len(games)), make)


def _games(text: str, name: str, rule: str | int | None) -> Sequence[Game]:
    if (found := games_in(text, name)) is not None:
        return _by_rule(found, rule, name)
    games = _by_rule([Game.of_parsed(read_position(text))], rule)
    if fault := games[0].fault:
        raise ValueError(fault)
    return games
