"""Databases of games as xml. RenjuNet's (.rif) has tables of players, tournaments, rules and
openings, and games that name their rows by number; Renju Offline's has all of a game in the game.

    <game id="1" tournament="1" round="2" rule="1" black="1" white="2" bresult="1" opening="8" ...>
      <move>h8 i9 j10</move>
    </game>
    <game><id>1</id><black>Ann</black>...<winner>black</winner><board>h8 i9 j10</board></game>

`bresult` is Black's share of the point. Such a file has a hundred thousand games, so each becomes a
`Game` only when it is asked for. Xml that declares entities is refused: they can grow without end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple
from xml.parsers import expat

from tengen.game.files.lazy import LazyGames
from tengen.game.files.psq import require_turns
from tengen.game.game import RESULTS, Game
from tengen.game.node import escaped, first_properties, move_properties, point_of
from tengen.game.referee import BLACK
from tengen.game.rules import RULE_TITLES

_SIZE = 15
_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RESULTS = {"1": "B+", "0": "W+", "0.5": "0"}
_TABLES = ("rule", "player", "tournament", "opening")
# Texts within a game; others are not kept.
_TEXTS = ("move", "board", "info", "id", "black", "white", "rule", "winner")

_Row = Mapping[str, str]


class _Game(NamedTuple):
    """A game as the file has it: its attributes, and the texts within it."""

    row: _Row
    texts: _Row


def read_rif(text: str) -> Sequence[Game]:
    """All games of the text of such a file. ValueError in one line, naming the line of the file, if
    it is damaged or has none."""
    reading = _Reading()
    try:
        reading.parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise ValueError(f"rif, line {error.lineno}: is not xml: {reason}") from None
    if not reading.games:
        raise ValueError("rif: holds no game")
    games = reading.games
    return LazyGames(range(len(games)), lambda number: _made(games[number], reading.tables))


class _Reading:
    """The tables and games that have been read so far."""

    def __init__(self) -> None:
        self.tables: dict[str, dict[str, _Row]] = {name: {} for name in _TABLES}
        self.games: list[_Game] = []
        self._row: _Row | None = None
        self._texts: dict[str, list[str]] = {}
        self._within = ""
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._take
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _refuse(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise ValueError(f"rif, line {line}: declares a document type, which is not read")

    def _begin(self, name: str, row: dict[str, str]) -> None:
        if name == "game":
            self._row, self._texts = row, {}
        elif name in self.tables and "id" in row:
            self.tables[name][row["id"]] = row
        elif self._row is not None and name in _TEXTS:
            self._texts.setdefault(name, [])
        self._within = name

    def _end(self, name: str) -> None:
        self._within = ""
        if name == "game" and self._row is not None:
            texts = {text: " ".join("".join(parts).split()) for text, parts in self._texts.items()}
            if not {"move", "board"} & texts.keys():
                raise ValueError(f"rif: game {len(self.games) + 1} has no <move> and no <board>")
            self.games.append(_Game(self._row, texts))
            self._row = None

    def _take(self, text: str) -> None:
        if self._row is not None and self._within in self._texts:
            self._texts[self._within].append(text)


def _made(game: _Game, tables: Mapping[str, Mapping[str, _Row]]) -> Game:
    row, texts = game.row, game.texts

    def named(table: str, by: str, *columns: str) -> str:
        found = tables[table].get(row.get(by, ""), {})
        names = (found.get(column, "").strip() for column in columns)
        return " ".join(filter(None, names)) or texts.get(by, "")

    said = (("move 5 could be", row.get("alt", "")), ("swap", row.get("swap", "")))
    share = row.get("bresult", "").strip()
    remarks = [f"{what}: {text.strip()}" for what, text in said if text.strip()]
    info = {
        "RU": named("rule", "rule", "name") or "renju",
        "PB": named("player", "black", "name", "surname"),
        "PW": named("player", "white", "name", "surname"),
        "RE": _RESULTS.get(share) or RESULTS.get(texts.get("winner", ""), ""),
        "EV": named("tournament", "tournament", "name"),
        "DT": named("tournament", "tournament", "year"),
        "RO": row.get("round", "").strip(),
        "ON": named("opening", "opening", "name"),
        "SO": f"RenjuNet, game {row['id']}" if "id" in row else f"game {texts.get('id', '?')}",
        "GC": "\n".join(filter(None, (*remarks, texts.get("info")))),
    }
    made = Game.of("rif", first_properties(info, (_SIZE, _SIZE)), people=frozenset())
    node = made.root
    for number, word in enumerate((texts.get("move") or texts.get("board", "")).split()):
        colour, point = BLACK + number % 2, point_of(word, _SIZE)
        if point is not None and 0 <= point[0] < _SIZE and 0 <= point[1] < _SIZE:
            node = node.append(move_properties(*point, colour))
        else:  # as it is, so that an error can show it
            node = node.append({"BW"[number % 2]: (escaped(word),)})
    return made


# ---- writing


def write_rif(game: Game) -> str:
    """A game as such a file: its moves, and what its first node says of players, rule, tournament
    and result. ValueError for other boards than 15x15, stones that were set up, and moves that are
    not in turns."""
    if game.size != (_SIZE, _SIZE) or game.setup:
        raise ValueError("a .rif file holds games on the empty 15x15 board; write it as sgf")
    require_turns(game, ".rif file")

    def said(name: str) -> str:
        return (game.root.text(name) or "").strip()

    shares = {result: share for share, result in _RESULTS.items()}
    players = [_element("player", id="1", name="", surname=said("PB"))]
    players.append(_element("player", id="2", name="", surname=said("PW")))
    tournament = _element("tournament", id="1", name=said("EV"), year=said("DT"))
    row = _element(
        "game", id="1", tournament="1", round=said("RO"), rule="1", black="1", white="2",
        bresult=shares.get(RESULTS.get(game.result or "", ""), ""),
    )  # fmt: skip
    rule = said("RU") or RULE_TITLES[game.rule_number]
    about = "\n".join(filter(None, (said("GC"), said("C"))))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<database>",
        f"<rules>{_element('rule', id='1', name=rule)}</rules>",
        f"<players>{''.join(players)}</players>",
        f"<tournaments>{tournament}</tournaments>",
        f"<games>{row.removesuffix('/>')}>",
        f"<move>{' '.join(game.moves)}</move>",
        f"<info>{escape(_plain(about))}</info>",
        "</game></games>",
        "</database>",
    ]
    return "\n".join(lines) + "\n"


def _element(tag: str, /, **attributes: str) -> str:
    # A reader of xml takes a line end in an attribute for a blank, unless it is written by number.
    quoted = {key: escape(_plain(text)).replace("\n", "&#10;") for key, text in attributes.items()}
    texts = "".join(f' {key}="{text}"' for key, text in quoted.items())
    return f"<{tag}{texts}/>"


def _plain(text: str) -> str:
    """The text without signs that xml has not."""
    return _NOT_XML.sub("", text)
