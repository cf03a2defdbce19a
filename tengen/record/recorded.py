"""Reads a game from any kind of record.

    a line of games.jsonl   `tengen match` writes it, with its line of timing.jsonl if there is one
    psq, sgf                files of single games, from `tengen play`, a match, or other programs

What a record does not say is unknown (None or empty), never an error. Runs that are resumed need
complete records and use `read_game` of games_jsonl.py instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tengen.record.move_report import Report
from tengen.record.psq import PERSON, read_psq
from tengen.record.sgf import read_sgf
from tengen.record.termination import Termination
from tengen.rules.names import read_rule
from tengen.rules.referee import BLACK, WHITE, Cell
from tengen.rules.stones import Stone, in_turns

# What `tengen play` calls a person in a file.
PERSON_NAME = "Player"

_T = TypeVar("_T")

_REPORT_FIELDS = ("value", "mate_plies", "depth_plies", "nodes", "line")
# How the result in an sgf file begins.
_WINNERS = {"B+": "black", "W+": "white"}
_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


@dataclass(frozen=True)
class RecordedGame:
    """One game as it was recorded.

    number       from one, as people count.
    pair         of two games from one opening, from zero; None if unknown.
    black, white   the players' names; empty if unknown.
    rule         its number, as chosen for the reader or as the record says; else 0.
    says_rule    the record names the rule.
    winner       "black", "white", or None for a draw and where it is not known.
    termination  the name of a `Termination`; perhaps one of a later version.
    reports, elapsed_s   one for each move; None where nothing is known.
    peak_bytes   the most memory that Black's program and White's had; None if unknown.
    began        when it was played, in the words of the record; empty if unknown.
    setup        stones on the board before the first move, as (x, y, colour).
    colours      of the moves; empty = Black and White in turns.
    side         whose turn it was at first where the record says so, else None.
    people       the colours that people played, as far as the record tells.
    fault        why the moves end before those of the record; empty where they do not.
    """

    black: str
    white: str
    width: int
    height: int
    rule: int
    moves: tuple[Cell, ...]
    number: int = 1
    pair: int | None = None
    opening_moves: int = 0
    winner: str | None = None
    termination: str = "UNKNOWN"
    detail: str = ""
    reports: tuple[Report | None, ...] = ()
    elapsed_s: tuple[float | None, ...] = ()
    peak_bytes: tuple[int | None, int | None] = (None, None)
    began: str = ""
    says_rule: bool = True
    setup: tuple[Stone, ...] = ()
    colours: tuple[int, ...] = ()
    side: int | None = None
    people: frozenset[int] = frozenset()
    fault: str = ""

    def __post_init__(self) -> None:
        # One entry for each move, also where a record has fewer or more.
        for name in ("reports", "elapsed_s"):
            object.__setattr__(self, name, _padded(getattr(self, name), len(self.moves)))

    @property
    def names(self) -> tuple[str, str]:
        """Black's program and White's."""
        return self.black, self.white

    @property
    def winner_name(self) -> str | None:
        """The program that won; None for a draw."""
        return {"black": self.black, "white": self.white}.get(self.winner or "")

    @property
    def loser_name(self) -> str | None:
        """The program that lost; None for a draw."""
        return {"black": self.white, "white": self.black}.get(self.winner or "")

    @property
    def is_failure(self) -> bool:
        """True when the loser lost by misbehaving."""
        known = Termination.__members__.get(self.termination)
        return known is not None and known.is_failure

    @property
    def stones(self) -> tuple[Stone, ...]:
        """The moves as (x, y, colour)."""
        if not self.colours:
            return in_turns(self.moves)
        return tuple((x, y, c) for (x, y), c in zip(self.moves, self.colours, strict=True))

    def points_of(self, name: str) -> float:
        """The points that one of the two programs got: 1, 0.5 or 0."""
        return 0.5 if self.winner_name is None else float(self.winner_name == name)

    def thought_moves(self) -> range:
        """The indices of the moves that programs have thought about."""
        return range(min(self.opening_moves, len(self.moves)), len(self.moves))


def read_record(record: Mapping[str, Any], timing: Mapping[str, Any] | None = None) -> RecordedGame:
    """The game of a line of games.jsonl, and of its line of timing.jsonl where there is one.
    ValueError if it is not a game."""
    try:
        return _read_record(record, timing or {})
    except KeyError as error:
        raise ValueError(f"is not a game: {error} is missing") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"is not a game: {error}") from None


def read_saved_game(text: str, rule: int | None = None, is_cut: bool = False) -> RecordedGame:
    """The game of a psq or sgf file, whichever it is. `rule`, if given, overrides what the file
    says. If it `is_cut`, the game ends before the first move that is impossible, and its `fault`
    says why. ValueError if the text is neither, or names an unknown rule and none is given, or if
    a move is impossible and it is not cut."""
    text = text.removeprefix("\ufeff").strip()
    if text.startswith("Piskvorky"):
        return _read_psq(text, rule, is_cut)
    if text.startswith("("):
        return _read_sgf(text, rule, is_cut)
    raise ValueError("holds no game; expected psq (Piskvorky ...) or sgf ((;...)")


def is_saved_game(text: str) -> bool:
    """Does the text look like a psq or sgf file?"""
    return text.removeprefix("\ufeff").lstrip().startswith(("Piskvorky", "("))


def _read_record(record: Mapping[str, Any], timing: Mapping[str, Any]) -> RecordedGame:
    black_bytes, white_bytes = timing.get("peak_bytes") or (None, None)
    moves = tuple((int(x), int(y)) for x, y in record["moves"])
    reports = tuple(_read_report(report) for report in record.get("reports") or ())
    elapsed = tuple(None if s is None else float(s) for s in timing.get("elapsed_s") or ())
    return RecordedGame(
        number=int(record["game"]) + 1,
        pair=record.get("pair"),
        black=str(record.get("black", "?")),
        white=str(record.get("white", "?")),
        width=int(record.get("width", 15)),
        height=int(record.get("height", 15)),
        rule=int(record.get("rule", 0)),
        says_rule="rule" in record,
        opening_moves=int(record.get("opening_moves", 0)),
        winner=record.get("winner"),
        termination=str(record.get("termination", "UNKNOWN")),
        detail=str(timing.get("detail") or ""),
        moves=moves,
        reports=reports,
        elapsed_s=elapsed,
        peak_bytes=(black_bytes, white_bytes),
        began=str(timing.get("began") or ""),
    )


def _read_report(record: Mapping[str, Any] | None) -> Report | None:
    return Report(**{key: record.get(key) for key in _REPORT_FIELDS}) if record else None


def _padded(values: Sequence[_T | None], length: int) -> tuple[_T | None, ...]:
    return (*values[:length], *[None] * (length - len(values)))


def _read_psq(text: str, rule: int | None, is_cut: bool) -> RecordedGame:
    file = read_psq(text, is_cut)
    levels = file.levels[file.starter], file.levels[1 - file.starter]
    return RecordedGame(
        black=file.black or "",
        white=file.white or "",
        width=file.width,
        height=file.height,
        rule=rule or 0,
        moves=tuple((move.x, move.y) for move in file.moves),
        elapsed_s=tuple(move.ms / 1000 for move in file.moves),
        says_rule=False,
        people=_colours_of(levels, PERSON),
        fault=file.fault,
    )


def _read_sgf(text: str, rule: int | None, is_cut: bool) -> RecordedGame:
    file = read_sgf(text, is_cut)
    names = file.info.get("PB", ""), file.info.get("PW", "")
    said = file.info.get("RU")
    if rule is None:
        try:
            rule = 0 if said is None else read_rule(said)
        except ValueError:
            shown = " ".join((said or "").split())[:20]
            raise ValueError(
                f"sgf: RU[{shown}] is not a known rule: name one with --rule"
            ) from None
    return RecordedGame(
        black=names[0],
        white=names[1],
        width=file.width,
        height=file.height,
        rule=rule,
        moves=tuple((move.x, move.y) for move in file.moves),
        winner=_WINNERS.get(file.info.get("RE", "").strip()[:2].upper()),
        says_rule=said is not None,
        setup=tuple((stone.x, stone.y, stone.colour) for stone in file.setup),
        colours=tuple(move.colour for move in file.moves),
        side=_COLOURS.get(file.info.get("PL", "").strip().lower()),
        people=_colours_of(names, PERSON_NAME),
        fault=file.fault,
    )


def _colours_of(players: tuple[_T, _T], wanted: _T) -> frozenset[int]:
    """The colours, of Black and White, whose player is the one wanted."""
    both = zip((BLACK, WHITE), players, strict=True)
    return frozenset(colour for colour, player in both if player == wanted)
