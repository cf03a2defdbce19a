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

import re
from collections.abc import Callable, Sequence

from tengen.game.record.encodings import decoded
from tengen.game.record.plain_moves import PGN, REC, SAV, read_pgn, read_rec, read_sav
from tengen.game.record.psq import read_psq
from tengen.game.record.renlib import MAGIC, read_renlib, renlib_text
from tengen.game.record.rif import read_rif
from tengen.game.record.sgf import WITHIN, decoded_sgf, read_sgf
from tengen.game.record.tree import GameTree

# The endings of the names of such files.
ENDINGS = (".sgf", ".psq", ".rec", ".sav", ".lib", ".rif", ".pgn")
_EXPECTED = "expected sgf ((;...), psq (Piskvorky ...), rec, sav, lib, rif or pgn"

_MAIL = re.compile("^(?:>[ \t]?)+", re.MULTILINE)
_XML_ENCODING = re.compile(rb"\s*<\?xml[^>]{0,100}encoding=[\"']([^\"']{1,40})[\"']")
_FORMATS: tuple[tuple[re.Pattern[str], Callable[[str], Sequence[GameTree]]], ...] = (
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


def read_trees(text: str) -> Sequence[GameTree]:
    """All games of a file of games, at least one. ValueError in one line if it holds none."""
    for beginning, read in _FORMATS:
        if beginning.match(text):
            return read(text)
    raise ValueError(f"holds no game; {_EXPECTED}")
