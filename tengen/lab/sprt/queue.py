"""A queue of tests: changes of the search against a commit, one after the other.

A test plays turns. In each turn every league (a rule and a size) gets PAIRS_A_TURN pairs of games,
and when the turn is over the sequential test looks at the pairs of all leagues together. So no
change is tuned to one rule. The turn of a league is a run in a folder of its own, with openings
drawn anew; a queue that was stopped goes on where it was.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from engine.files import read_file
from engine.parameters import PARAMS
from engine.text import RULE_NAMES, read_rule, read_size
from tengen.arena.match.display import Display
from tengen.arena.match.options import SPRT_WORDS, SprtOptions, Words
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder
from tengen.arena.match.schedule import Setting
from tengen.arena.match.scoreboard import MatchResult
from tengen.arena.match.tournament import Tournament, open_runner
from tengen.arena.programs.spec import read_positive, read_program
from tengen.arena.stats.elo import elo_estimate
from tengen.arena.stats.pentanomial import Pentanomial
from tengen.arena.stats.sprt import Sprt, Verdict
from tengen.common.commands import find_name
from tengen.game.files.jsonl import GAMES
from tengen.game.openings import Opening, check_openings, default_openings, load_openings

PAIRS_A_TURN = 20
# Instead of a revision.
WORKING_TREE = "."
_MAX_BYTES = 1 << 20
_NEW, _BASE = "new", "base"
_LEAGUES = ["freestyle 15", "freestyle 20", "standard 15", "renju 15"]
# The keys of a test, which may also be given for all tests.
_KEYS = Words(
    {"new": str, **dict.fromkeys(("nodes", "memory", "games"), read_positive)},
)
_DEFAULTS = {"nodes": 20_000, "memory": 64, "games": 12_000, "sprt": {"elo0": 0, "elo1": 6}}


@dataclass(frozen=True)
class League:
    """A rule and a size, and what its games begin with."""

    rule: int
    size: tuple[int, int]
    openings: tuple[Opening, ...]

    def __str__(self) -> str:
        return f"{RULE_NAMES[self.rule]}-{self.size[0]}x{self.size[1]}"


@dataclass(frozen=True)
class Change:
    """What one test of the queue tests.

    new         the revision that has the change, WORKING_TREE for the working tree; that of the
                base if the sides differ in parameters only.
    parameters  of the new side.
    nodes, memory_mib  of each program, for a move and as a whole.
    games       the most that are played.
    sprt        ends the test.
    """

    name: str
    new: str
    parameters: Mapping[str, int]
    nodes: int
    memory_mib: int
    games: int
    sprt: Sprt


@dataclass(frozen=True)
class Queue:
    """Changes to be tested against the revision `base` in the same leagues."""

    base: str
    leagues: tuple[League, ...]
    changes: tuple[Change, ...]


@dataclass
class Standing:
    """The pairs of a change so far, by league, and the number of the signal that stopped it."""

    change: Change
    pairs: dict[str, Pentanomial]
    failures: list[str] = field(default_factory=list)
    signal: int | None = None

    @property
    def total(self) -> Pentanomial:
        """The pairs of all leagues."""
        return sum(self.pairs.values(), Pentanomial())

    @property
    def verdict(self) -> Verdict:
        """What the sequential test says."""
        return self.change.sprt.verdict(self.total)

    def text(self) -> str:
        """The standing in one line."""
        test, total = self.change.sprt, self.total
        leagues = ", ".join(f"{name} {_elo(pairs)}" for name, pairs in self.pairs.items())
        return (
            f"{self.change.name}: {_elo(total)}, {2 * total.pairs} games, pairs {total},"
            f" LLR {test.llr(total):z.2f} for [{test.elo0:g}, {test.elo1:g}],"
            f" {self.verdict.value}; {leagues}"
        )


def read_queue(path: Path) -> Queue:
    """Reads a file of tests. ValueError, in one line, for a file that is not one."""
    try:
        given = tomllib.loads(read_file(path, _MAX_BYTES).decode("utf-8-sig"))
        tests, base = _table(given, "test"), str(given.pop("base", "main"))
        books = {
            read_rule(rule): path.parent / str(file)
            for rule, file in _table(given, "openings").items()
        }
        if not tests:
            raise ValueError("has no test; expected tables such as [test.razor-100]")
        if not isinstance(names := given.pop("leagues", _LEAGUES), list):
            raise ValueError(f"leagues = {names!r}: expected a list")
        leagues = {str(league): league for league in (_league(str(each), books) for each in names)}
        if not 0 < len(leagues) == len(names):
            raise ValueError("leagues: expected one or more, each once")
        shared = _DEFAULTS | given
        changes = [_change(name, shared | _table(tests, name)) for name in [*tests]]
        return Queue(base, tuple(leagues.values()), tuple(changes))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def play_change(
    change: Change,
    leagues: Sequence[League],
    commands: tuple[str, str],
    folder: Path,
    jobs: int,
    tell: Callable[[Standing], None],
) -> Standing:
    """Plays the test of a change to its end, going on where it was stopped.

    commands  of the new side and the base.
    folder    of this test: it gets a folder for each turn of a league.
    jobs      how many games are played at a time.
    tell      is called with the standing after each turn.

    ValueError, in one line, if the folder holds another test.
    """
    standing = Standing(change, {str(league): Pentanomial() for league in leagues})
    turn = 0
    while standing.verdict is Verdict.UNDECIDED and 2 * standing.total.pairs < change.games:
        turn += 1
        for league in leagues:
            plan = _plan(change, league, commands, turn)
            result = _play_turn(plan, folder / f"{turn:04d}-{league}", jobs)
            if result.signal is not None:
                standing.signal = result.signal
                return standing
            for pairing in result.scores.pairings.values():
                standing.pairs[str(league)] += pairing.pentanomial
            standing.failures += [
                f"{league}, turn {turn}, game {number}: {loser} lost by {why}"
                for number, loser, why in result.scores.failures
            ]
        tell(standing)
    return standing


def _plan(change: Change, league: League, commands: tuple[str, str], turn: int) -> Plan:
    limits = [f"nodes={change.nodes}", f"memory={change.memory_mib}"]
    words = [f"option.param.{name}={value}" for name, value in change.parameters.items()]
    return Plan(
        programs=(
            read_program([f"name={_NEW}", f"cmd={commands[0]}", *limits, *words]),
            read_program([f"name={_BASE}", f"cmd={commands[1]}", *limits]),
        ),
        setting=Setting(*league.size, league.rule),
        openings=league.openings,
        games=2 * PAIRS_A_TURN,
        seed=turn,
    )


def _play_turn(plan: Plan, place: Path, jobs: int) -> MatchResult:
    is_new = not (place / GAMES).exists()
    with RunFolder.create(place, plan) if is_new else RunFolder.resume(place) as folder:
        if _what_is_played(folder.plan) != _what_is_played(plan):
            raise ValueError(f"{place} holds games of another test; give this one another name")
        display = Display(Console(), 2 * PAIRS_A_TURN)
        with open_runner(plan, display.watchers, jobs, None) as runner:
            return Tournament(plan, display, folder, folder.games).play(runner)


def _what_is_played(plan: Plan) -> Plan:
    """The plan without what a folder does not keep: where its openings come from."""
    return replace(plan, openings=tuple(Opening(each.offsets) for each in plan.openings))


def _table(table: dict[str, Any], key: str) -> dict[str, Any]:
    """Takes a table out of another; an empty one if it is not there. ValueError for a value that is
    no table."""
    value = table.pop(key, {})
    if not isinstance(value, dict):
        raise ValueError(f"{key} = {value!r}: expected a table")
    return value


def _league(text: str, books: Mapping[int, Path]) -> League:
    """`renju 15`, `freestyle 20`: a rule and a size."""
    rule_name, _, size_text = text.rpartition(" ")
    try:
        rule, size = read_rule(rule_name), read_size(size_text)
    except ValueError as error:
        raise ValueError(f"leagues: {text[:40]!r}: expected a rule and a size; {error}") from None
    book = books.get(rule)
    openings = load_openings(book, "auto", size) if book else default_openings(*size, rule)
    check_openings(openings, *size, rule)
    return League(rule, size, tuple(openings))


def _change(name: str, table: dict[str, Any]) -> Change:
    where = f"test.{name}"
    if not name.replace("-", "").replace("_", "").isalnum():
        raise ValueError(f"{where}: expected a name of letters, digits, - and _")
    parameters, sprt = _table(table, "param"), _table(table, "sprt")
    given = {"new": "", **_KEYS.read(table, where)}
    known = {row.name: row for row in PARAMS}
    for each, value in parameters.items():
        if type(value) is not int:
            raise ValueError(f"{where}: param.{each} = {value!r}: expected a whole number")
        if given["new"]:
            continue  # the revision may have parameters of its own
        row = known[find_name("parameter", each, [*known])]
        if not row.low <= value <= row.high:
            raise ValueError(f"{where}: {each} = {value} is out of range, {row.low} to {row.high}")
    if not given["new"] and not parameters:
        raise ValueError(f"{where}: expected new = REVISION, or param.NAME = NUMBER")
    test = SprtOptions(SPRT_WORDS.read(sprt, f"{where}: sprt")).test()
    assert test is not None  # there are words
    return Change(
        name, given["new"], parameters, given["nodes"], given["memory"], given["games"], test
    )


def _elo(pairs: Pentanomial) -> str:
    estimate = elo_estimate(pairs)
    return str(estimate) if estimate.is_known else "no Elo yet"
