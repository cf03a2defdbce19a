"""Reads a game from any kind of record.

    a line of games.jsonl   `tengen match` writes it, with its line of timing.jsonl if there is one
    files of games          of `tengen play`, a match, or other programs: record/formats.py

What a record does not say is unknown (None or empty), never an error. Runs that are resumed need
complete records and use `read_game` of games_jsonl.py instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tengen.game.played import Report, Termination
from tengen.game.record.formats import read_trees
from tengen.game.record.main_line import main_line
from tengen.game.record.tree import GameTree, Node, shown
from tengen.game.referee import BLACK, RENJU, WHITE, Cell, Stone, in_turns
from tengen.game.rules import read_said_rule

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

    number       from one, as people count, of the `count` games of its file (1 in a run).
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
    passes       for each pass, which renju allows, the number of moves before it; passes at the end
                 are left out, and passes are no moves.
    tree         the game with its variations and comments, as the file has it.
    """

    black: str
    white: str
    width: int
    height: int
    rule: int
    moves: tuple[Cell, ...]
    number: int = 1
    count: int = 1
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
    passes: tuple[int, ...] = ()
    tree: GameTree | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        # One entry for each move, also where a record has fewer or more.
        for name in ("reports", "elapsed_s"):
            object.__setattr__(self, name, _padded(getattr(self, name), len(self.moves)))

    @property
    def names(self) -> tuple[str, str]:
        """Black's program and White's."""
        return self.black, self.white

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not read as it stands in the record, each in one line."""
        return () if self.tree is None else self.tree.notes

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


def read_saved_game(
    text: str, rule: int | None = None, is_cut: bool = False, number: int = 1
) -> RecordedGame:
    """A game of a file of games, the one with that number. `rule`, if given, overrides what the
    file says. If it `is_cut`, the game ends before the first move that is impossible, and its
    `fault` says why. ValueError if the text is no such file or has not so many games, or names an
    unknown rule and none is given, or if a move is impossible and it is not cut."""
    trees = read_trees(text)
    if number > len(trees):
        raise ValueError(f"--game {number}: there {count_text(len(trees))}")
    return replace(game_of(trees[number - 1], rule, is_cut), number=number, count=len(trees))


def game_of(tree: GameTree, rule: int | None = None, is_cut: bool = False) -> RecordedGame:
    """The main line of a game as a record; `rule`, `is_cut` and errors as for `read_saved_game`."""
    root = tree.root
    said = (root.text("RU") or "").strip()
    kind = (root.text("GM") or "").strip() or "4"
    if kind not in ("1", "4"):
        raise ValueError(f"{tree.form}: GM[{shown(kind)}] is another game; expected GM[4]")
    if kind == "1" and rule is None and not said:
        raise ValueError(f"{tree.form}: GM[1] is Go: name the rule with --rule if it is not")
    if rule is None:
        rule = rule_of(root) if said else 0
        if rule is None:
            raise ValueError(
                f"{tree.form}: RU[{shown(said)}] is not a known rule: name one with --rule"
            )
    line = main_line(tree, has_passes=rule & ~2 == RENJU, is_cut=is_cut)
    names = root.text("PB") or "", root.text("PW") or ""
    people = _colours_of(names, PERSON_NAME) if tree.people is None else tree.people
    return RecordedGame(
        black=names[0],
        white=names[1],
        width=line.width,
        height=line.height,
        rule=rule,
        moves=tuple((x, y) for x, y, _ in line.moves),
        winner=_WINNERS.get((root.text("RE") or "").strip()[:2].upper()),
        elapsed_s=tree.elapsed_s,
        says_rule=bool(said),
        setup=line.setup,
        colours=tuple(colour for _, _, colour in line.moves),
        side=_COLOURS.get((root.text("PL") or "").strip().lower()),
        people=people,
        fault=line.fault,
        passes=line.passes,
        tree=tree,
    )


def rule_of(root: Node) -> int | None:
    """The rule that a first node names; None for none, and for one that is not known."""
    try:
        return read_said_rule((root.text("RU") or "").strip())
    except ValueError:
        return None


def count_text(count: int) -> str:
    """`is 1 game`, `are 2 games`."""
    return "is 1 game" if count == 1 else f"are {count} games"


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


def _colours_of(players: tuple[_T, _T], wanted: _T) -> frozenset[int]:
    """The colours, of Black and White, whose player is the one wanted."""
    both = zip((BLACK, WHITE), players, strict=True)
    return frozenset(colour for colour, player in both if player == wanted)
