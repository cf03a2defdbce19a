"""Everything that a report shows, as one JSON value, which the page only displays; the same of the
review of one game; and the positions of a run as a table (csv)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.arena.match.scoreboard import Scoreboard
from tengen.arena.report import figures
from tengen.game.files.jsonl import find_run
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.played import Report, Termination
from tengen.game.referee import BLACK, WHITE, Cell, in_turns
from tengen.game.rules import RULE_TITLES
from tengen.game.values import Record, counted

if TYPE_CHECKING:  # the library shows reviews, and has no packages that plans of matches need
    from tengen.arena.match.plan import Plan

_KINDS = {"roundrobin": "round robin"}

# Keys of a plan that the page shows elsewhere.
_PLACED = {
    "format", "programs", "versions", "rule", "width", "height", "sprt", "openings", "schedule",
}  # fmt: skip


def load_match(folder: Path) -> tuple[Plan, list[Game]]:
    """The plan of a run and its games so far. ValueError in one line for what `tengen match --out`
    has not written."""
    from tengen.arena.match.records import read_match

    folder = find_run(folder)
    try:
        return read_match(folder)
    except ValueError as error:
        raise ValueError(f"{folder}: {error}") from None


def report_data(plan: Plan, games: Sequence[Game]) -> Record:
    """The value for a run, valid as JSON. Programs are listed in the order of `programs`
    everywhere, the strongest first."""
    scores = Scoreboard(plan.names, games)
    ratings = figures.ratings(plan.names, scores)
    names = [str(rating["name"]) for rating in ratings]
    return {
        "title": _title(plan),
        "date": next((began[:10] for began in _played(games)), None),
        "conditions": _conditions(plan, games) + _unrated(scores),
        "programs": [_program(plan, name) for name in names],
        "ratings": [
            rating | figures.score_record(own) | {"games": own.games}
            for rating, own in zip(ratings, map(scores.standings.__getitem__, names), strict=True)
        ],
        "cross": figures.cross_table(names, scores),
        "head_to_head": figures.head_to_head(plan.names, scores),
        "sprt": figures.sequential_test(plan.sprt, plan.names, games),
        "endings": figures.endings(names, scores),
        "failures": [
            {"game": number, "loser": names.index(loser), "why": why}
            for number, loser, why in scores.failures
        ],
        "colour": figures.by_colour(names, scores),
        "pairs": figures.pairs(games),
        "usage": figures.usage(names, games, scores),
        "scales": figures.value_scales(names, games),
        "lengths": figures.lengths(games),
        "board": [plan.setting.width, plan.setting.height],
        "games": [compact_game(game, names) for game in games],
    }


def _title(plan: Plan) -> str:
    if len(plan.names) == 2:
        return " – ".join(plan.names)
    return f"{len(plan.names)} programs, {_KINDS.get(plan.kind, plan.kind)}"


def rule_name(rule: int) -> str:
    """The name of the rule, with a note if games continue after a five."""
    name = RULE_TITLES.get(rule & ~2, f"rule {rule}")
    return f"{name}, continuous" if rule & 2 else name


def _played(games: Sequence[Game]) -> list[str]:
    """When the games began, in UTC and in order, as far as that is known."""
    known = sorted(each.match.began_at for each in games if each.match and each.match.began_at)
    return [f"{datetime.fromtimestamp(began, UTC):%Y-%m-%d %H:%M}" for began in known]


def _conditions(plan: Plan, games: Sequence[Game]) -> list[list[str]]:
    """The conditions of the games, as pairs of a label and a text."""
    from tengen.arena.match.plan import plan_record

    limits = {program.limits_text for program in plan.programs}
    kind = _KINDS.get(plan.kind, plan.kind)
    found = [
        ["Rule", rule_name(plan.setting.rule)],
        ["Board", f"{plan.setting.width} × {plan.setting.height}"],
        *([["Limits", limits.pop()]] if len(limits) == 1 else []),
        ["Openings", str(len(plan.openings))],
        ["Schedule", f"{kind}, {counted(plan.games, 'game')} for each pairing"],
    ]
    if dates := _played(games):
        found.append(["Played", f"{dates[0]} to {dates[-1]} UTC"])
    for key, value in plan_record(plan).items():
        if key not in _PLACED and value not in (None, False, "", [], {}):
            found.append([_label(key).capitalize(), _words(value)])
    return found


def _unrated(scores: Scoreboard) -> list[list[str]]:
    """Why programs have no Elo, and how many games are equal to an earlier one, if there are any,
    as labels and words."""
    reasons = {name: why for name in scores.standings if (why := scores.why_unrated(name))}
    found = [[f"No rating of {name}", reason] for name, reason in reasons.items()]
    if len(scores.standings) == 2:
        found = [["No Elo", reason] for reason in list(reasons.values())[:1]]
    return found + ([["Equal games", str(scores.repeats)]] if scores.repeats.count else [])


def _program(plan: Plan, name: str) -> Record:
    program = plan.by_name[name]
    memory = program.memory_bytes
    return {
        "name": name,
        "version": _version(dict(plan.versions).get(name) or ""),
        "command": " ".join(program.command),
        "limits": program.limits_text,
        "memory_mib": round(memory / 2**20) if memory else None,
        "threads": program.threads,
        "options": _words(dict(program.options)),
    }


def _version(about: str) -> str:
    """Name and version from a program's answer to ABOUT; the whole answer if it has no such
    keys."""
    said = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', about))
    return " ".join(said[key] for key in ("name", "version") if said.get(key)) or about


def _words(value: Any) -> str:
    """Any JSON value as text."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{_label(str(key).removesuffix('_s'))} {_words(part)}{' s' * str(key).endswith('_s')}"
            for key, part in value.items()
        )
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _label(key: object) -> str:
    return str(key).removeprefix("is_").replace("_", " ")


@dataclass(frozen=True)
class Remark:
    """What a review says about a move.

    number  of the move, from one.
    mark    one or two signs, such as `?`, and `text`, a sentence.
    better  a line that would have been better, the same side's move first; may be empty.
    """

    number: int
    mark: str
    text: str
    better: tuple[Cell, ...] = ()


def compact_game(game: Game, names: Sequence[str]) -> Record:
    """One game as short values, for a page that holds thousands. The keys are letters; unknown and
    empty values are left out:

        g  number        b, w  indices of the programs     r  result: b, w or d
        t  termination   x     the failure in words        p  pair, counted from one
        f  the game as the text of an sgf file
        o  stones of the opening
        m  moves, two letters each: column and row from the top left, a = 0
        l  cells of the winning line, written as moves
        a  what a review says about moves, by their numbers: {mark, text, better}, the last one a
           line that would have been better, written as moves
        v, d, n, e   value, depth in plies, nodes and milliseconds of each move, joined by commas.
                     The value is that of the side that moved; M5 is a win with the fifth stone from
                     there, -M4 a loss.
    """
    reports = [node.report or Report() for node in game]
    pair = game.pair
    record: Record = {
        "g": game.number,
        "b": names.index(game.black),
        "w": names.index(game.white),
        "r": {BLACK: "b", WHITE: "w"}.get(game.winner, "d"),
        "t": game.ending,
        "o": game.opening_moves,
        "m": _letters(stone[:2] for stone in game.stones),
        "p": None if pair is None else pair + 1,
        "l": _letters(winning_line(game)),
        "x": game.detail,
        "f": write_sgf(game),
        "v": _joined([report.score_text for report in reports]),
        "d": _joined([report.depth_plies for report in reports]),
        "n": _joined([report.nodes for report in reports]),
        "q": _joined([report.line for report in reports]),
        "e": _joined([_milliseconds(game, i) for i in range(len(game))]),
    }
    return {key: value for key, value in record.items() if value not in (None, "")}


def compact_remarks(remarks: Iterable[Remark]) -> dict[str, dict[str, str]]:
    """Remarks as a game's short values have them."""
    return {
        str(each.number): {"mark": each.mark, "text": each.text, "better": _letters(each.better)}
        for each in remarks
    }


def winning_line(game: Game) -> list[Cell]:
    """The cells of the winning line, found by the referee; empty for games that ended otherwise,
    and for records with impossible moves."""
    if game.termination is not Termination.FIVE:
        return []
    try:
        line = game.end.position().winning_line()
    except ValueError:
        return []
    return [(point.x, point.y) for point in line]


def _letters(cells: Iterable[Cell]) -> str:
    return "".join(chr(ord("a") + x) + chr(ord("a") + y) for x, y in cells)


def _joined(values: Sequence[object]) -> str:
    """The values joined by commas, empty where unknown; an empty text if all are unknown."""
    words = ["" if value is None else str(value).removeprefix("+") for value in values]
    return ",".join(words) if any(words) else ""


def _milliseconds(game: Game, i: int) -> str | None:
    elapsed_s = game[i].time_s
    if elapsed_s is None or i < game.opening_moves:
        return None
    return f"{elapsed_s * 1000:.{0 if elapsed_s >= 0.1 else 1}f}"


# Values are drawn in a chart whose middle half is about so many centi-stones to either side.
_SCALE = 220


def review_data(
    game: Game,
    analyst: str,
    title: str,
    lead: str,
    sentences: Sequence[str],
    remarks: Sequence[Remark],
) -> Record:
    """The value for a game, valid as JSON.

    game        whose nodes have by `report` the value of each move for the side that played it.
    analyst     whose values they are; the page shows all of them as Black's.
    lead        a line below the title, and `sentences`, what the review has found.
    ValueError for a game that the page cannot show (`require_shown`).
    """
    require_shown(game)
    game = game.copy()
    game.black, game.white = game.black or "Black", game.white or "White"
    names = list(dict.fromkeys(game.names))
    return {
        "title": title,
        "analyst": analyst,
        "lead": lead,
        "sentences": list(sentences),
        "programs": [{"name": name} for name in names],
        "endings": figures.endings(names, Scoreboard(names, [game])),
        "scales": [_SCALE] * len(names),
        "board": [game.width, game.height],
        "games": [compact_game(game, names) | {"a": compact_remarks(remarks)}],
    }


def require_shown(game: Game) -> None:
    """ValueError for a game that the page cannot show: it shows games that begin with Black on the
    empty board, in turns."""
    in_order = in_turns(stone[:2] for stone in game.stones)
    if game.setup or in_order != game.stones or game.said_side not in (None, BLACK):
        raise ValueError("the page shows games that begin with Black on the empty board")


COLUMNS = (
    "game", "rule", "width", "height", "position", "side", "program", "move", "value",
    "mate_plies", "depth_plies", "nodes", "elapsed_s", "points",
)  # fmt: skip


def positions_csv(games: Iterable[Game]) -> str:
    """The text of the table, with a line of COLUMNS first. What is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        points, nodes = game.moves, [*game]
        for i in range(game.opening_moves, len(game)):
            report, name = nodes[i].report or Report(), game.names[i % 2]
            writer.writerow(
                [
                    game.number, game.rule_number, game.width, game.height, "".join(points[:i]),
                    ("black", "white")[i % 2], name, points[i], report.value, report.mate_plies,
                    report.depth_plies, report.nodes, nodes[i].time_s, game.points_of(name),
                ]
            )  # fmt: skip
    return text.getvalue()
