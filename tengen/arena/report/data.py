"""Everything that a report shows, as one JSON value; the page only displays it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tengen.arena.programs.spec import ProgramSpec, as_record, from_record
from tengen.arena.report import compact, results, strength, usage
from tengen.arena.stats.score import Repeats
from tengen.game.files.jsonl import Run
from tengen.game.files.psq import time_level
from tengen.game.json_text import Record
from tengen.game.numbers import counted
from tengen.game.rules import RULE_TITLES

_KINDS = {"roundrobin": "round robin", "gauntlet": "gauntlet", "swiss": "Swiss tournament"}

# Keys of the header that the page shows elsewhere.
_PLACED = {"format", "programs", "rule", "width", "height", "sprt", "openings", "schedule"}


def report_data(run: Run) -> Record:
    """The value for a run, valid as JSON. Programs are listed in the order of `programs`
    everywhere, the strongest first.

    ValueError if the description of the run, its header, is inconsistent.
    """
    ratings = strength.ratings(run.names, run.games)
    names = [str(rating["name"]) for rating in ratings]
    games = run.games
    scores = results.scores(names, games)
    common = compact.common_setting(games)
    return {
        "title": _title(run),
        "date": min((began[:10] for game in games if (began := game.date)), default=None),
        "conditions": _conditions(run, common) + _unrated(run) + _repeats(run),
        "programs": [_program(run, name) for name in names],
        "ratings": [
            rating | results.score_record(scores[name]) | {"games": scores[name].games}
            for name, rating in zip(names, ratings, strict=True)
        ],
        "cross": results.cross_table(names, games),
        "head_to_head": strength.head_to_head(run.names, games),
        "sprt": strength.sequential_test(run.header, run.names, games),
        "endings": results.endings(names, games),
        "failures": results.failures(names, games),
        "colour": results.by_colour(names, games) | {"elo": strength.first_move(games)},
        "pairs": results.pairs(games),
        "usage": usage.usage(names, games),
        "scales": usage.value_scales(names, games),
        "lengths": results.lengths(games),
        "setting": common,
        "rules": {
            str(rule): RULE_TITLES.get(rule & ~2, str(rule))
            for rule in sorted({common[2], *(game.rule_number for game in games)})
        },
        "games": [compact.compact_game(game, names, common) for game in games],
    }


def _title(run: Run) -> str:
    if len(run.names) == 2:
        return " – ".join(run.names)
    schedule = run.header.get("schedule")
    kind = schedule.get("kind") if isinstance(schedule, Mapping) else None
    return f"{len(run.names)} programs{f', {_KINDS.get(str(kind), kind)}' if kind else ''}"


def rule_name(rule: int) -> str:
    """The name of the rule, with a note if games continue after a five."""
    name = RULE_TITLES.get(rule & ~2, f"rule {rule}")
    return f"{name}, continuous" if rule & 2 else name


def _conditions(run: Run, common: compact.Setting) -> list[list[str]]:
    """The conditions of the games, as pairs of a label and a text."""
    width, height, rule = common
    rules = {game.rule_number for game in run.games} or {rule}
    boards = {(game.width, game.height) for game in run.games} or {(width, height)}
    limits = {_limits(run.program(name)) for name in run.names}
    found = [
        ["Rule", ", ".join(rule_name(rule) for rule in sorted(rules))],
        ["Board", ", ".join(f"{w} × {h}" for w, h in sorted(boards))],
    ]
    if len(limits) == 1:
        found.append(["Limits", limits.pop()])
    openings = run.header.get("openings")
    if openings:
        is_list = isinstance(openings, list)
        found.append(["Openings", str(len(openings)) if is_list else _words(openings)])
    if isinstance(run.header.get("schedule"), Mapping):
        found.append(["Schedule", _schedule(run.header["schedule"])])
    dates = sorted(game.date[:16].replace("T", " ") for game in run.games if game.date)
    if dates:
        found.append(["Played", f"{dates[0]} to {dates[-1]} UTC"])
    for key, value in run.header.items():
        if key == "versions" and isinstance(value, Mapping):
            value = {name: text for name, text in value.items() if name not in run.names}
        if key not in _PLACED and value not in (None, False, "", [], {}):
            found.append([_label(key).capitalize(), _words(value)])
    return found


def _unrated(run: Run) -> list[list[str]]:
    """Why programs have no Elo, as labels and words."""
    reasons = strength.failure_reasons(run.games)
    if len(run.names) == 2:
        return [["No Elo", reason] for reason in list(reasons.values())[:1]]
    return [[f"No rating of {name}", reason] for name, reason in reasons.items()]


def _repeats(run: Run) -> list[list[str]]:
    """How many games are equal to an earlier one, if there are any, as label and words."""
    repeats = Repeats()
    for game in run.games:
        if not game.is_failure:
            repeats.add(game.names, (stone[:2] for stone in game.stones))
    return [["Equal games", str(repeats)]] if repeats.count else []


def _schedule(schedule: Mapping[str, Any]) -> str:
    """A schedule as text: `round robin, 4 games for each pairing`."""
    kind, games, rounds = (schedule.get(key) for key in ("kind", "games", "rounds"))
    parts = [_KINDS.get(str(kind), str(kind))] if kind else []
    parts += [f"{rounds} rounds"] if rounds else []
    parts += [f"{counted(games, 'game')} for each pairing"] if games else []
    return ", ".join(parts) or _words(schedule)


def _program(run: Run, name: str) -> Record:
    """A program as the header describes it."""
    header = run.program(name)
    versions = run.header.get("versions")
    version = versions.get(name) if isinstance(versions, Mapping) else None
    memory = header.get("memory_bytes")
    return {
        "name": name,
        "version": _version(_words(version or "")),
        "command": " ".join(map(str, header.get("command") or ())),
        "limits": _limits(header),
        "psq_level": time_level(_described(header).control if header else None),
        "memory_mib": round(memory / 2**20) if memory else None,
        "threads": header.get("threads"),
        "options": _words(header.get("options") or ""),
    }


def _version(about: str) -> str:
    """Name and version from a program's answer to ABOUT; the whole answer if it has no such
    keys."""
    said = dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', about))
    return " ".join(said[key] for key in ("name", "version") if said.get(key)) or about


def _limits(header: Mapping[str, Any]) -> str:
    """A program's limits as a match prints them; empty if unknown."""
    return _described(header).limits_text if header else ""


def _described(header: Mapping[str, Any]) -> ProgramSpec:
    """The program that the header of a run describes."""
    # Records of another version can lack fields or have more.
    known = as_record(ProgramSpec("", ()))
    return from_record(known | {key: header[key] for key in known.keys() & header})


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
