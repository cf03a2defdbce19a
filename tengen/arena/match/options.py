"""The options that `match`, `sprt`, `tune` and `openings` share, in groups, and options of several
words (`--engine name=A cmd=a`).

A config file holds the same options in TOML, a table for the words of one: docs/MATCH.md has an
example. Options of the command line come after those of the file.
"""

from __future__ import annotations

import math
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from engine.files import read_file
from tengen.arena.match.schedule import KINDS, ORDERS
from tengen.arena.programs.process import own_cores
from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import (
    ProgramSpec,
    Reader,
    has_limit,
    read_command,
    read_number,
    read_positive,
    read_positive_seconds,
    read_program,
    read_seconds,
    read_whole,
    read_words,
    split_words,
)
from tengen.arena.stats.sprt import Model, Sprt
from tengen.common.commands import (
    Command,
    Count,
    Read,
    Seconds,
    find_name,
    is_given,
    option,
    option_field,
    usage_errors,
)
from tengen.game.openings import NOTATIONS, Opening, check_openings, default_openings, load_openings

# Separates the words of one option. A word that contains it already is refused.
_WORD_END = "\n"
_MOST_BYTES = 1 << 20
_QUOTES = "; a name with \\ stands in single quotes"


class Words(click.ParamType[dict[str, Any]]):
    """The `key=value` words of an option; they become the values by key.

    readers  read the values.
    first    the key of a first word without one: `--schedule gauntlet seeds=2`.
    """

    name = "words"

    def __init__(self, readers: Mapping[str, Reader], first: str = "") -> None:
        self.readers = readers
        self.first = first

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        assert param is not None
        with usage_errors(ctx):
            return self.read(value, _called(param))

    def read(self, value: str | Mapping[str, object], what: str) -> dict[str, Any]:
        """The values of words in one text, or of a table. ValueError, naming `what`, for words that
        are not known."""
        words = _split(value)
        if self.first and words and "=" not in words[0]:
            words[0] = f"{self.first}={words[0]}"
        if self.first and not words:
            raise ValueError(f"{what}: expected {self.first.upper()} or key=value")
        return read_words(what, split_words(words, what), self.readers)


class ProgramWords(Words):
    """The words of a program, as they are; `option.KEY` may be a table in a config file."""

    name = "program"

    def __init__(self) -> None:
        super().__init__({})

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, Mapping):
            return _split(value)
        words = []
        for key, text in value.items():
            is_table = isinstance(text, Mapping)
            table = {f"{key}.{each}": text[each] for each in text} if is_table else {key: text}
            words += _split(table)
        return words


def _called(param: click.Parameter) -> str:
    """An option as its users write it: rare ones stand in a config file only."""
    name = param.opts[0]
    return name.lstrip("-") if isinstance(param, click.Option) and param.hidden else name


def _split(value: str | Mapping[str, object]) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={text}" for key, text in value.items()]
    return value.split(_WORD_END) if value else []


class ManyWordsCommand(Command):
    """A command whose options of the type Words take all `key=value` words up to the next option.
    Its hidden options are rare: they stand in a config file only."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Gathers words, then parses as usual."""
        rare = [p.opts[0] for p in self.params if isinstance(p, click.Option) and p.hidden]
        if found := next((name for name in rare for arg in args if arg.startswith(name)), None):
            raise click.UsageError(f"{found[2:]} is a setting for a file: --config", ctx)
        kinds = {
            name: param.type
            for param in self.params
            for name in param.opts
            if isinstance(param.type, Words)
        }
        gathered: list[str] = []
        kind: Words | None = None
        for arg in args:
            has_room = kind is not None and ("=" in arg or (kind.first and not gathered[-1]))
            if not has_room or arg.startswith("-"):
                kind = kinds.get(arg)
                gathered += [arg] if kind is None else [arg, ""]
            elif _WORD_END in arg:
                raise click.UsageError(f"{gathered[-2]} {arg!r}: expected one line", ctx)
            else:
                gathered[-1] += _WORD_END * bool(gathered[-1]) + arg
        try:
            return super().parse_args(ctx, gathered)
        except click.BadParameter as error:
            if error.param is not None:
                error.param_hint = f"'{_called(error.param)}'"
            raise


def _read_config(ctx: click.Context, param: click.Parameter, paths: Sequence[Path]) -> None:
    with usage_errors(ctx):
        if len(paths) > 1:
            raise ValueError("--config is given twice")
        for path in paths:
            try:
                config = tomllib.loads(read_file(path, _MOST_BYTES).decode("utf-8-sig"))
                ctx.default_map = dict(_values(ctx, key, value) for key, value in config.items())
            except ValueError as error:  # also: not TOML, not UTF-8
                hint = _QUOTES if isinstance(error, tomllib.TOMLDecodeError) else ""
                raise ValueError(f"--config {path}: {error}{hint}") from None


def _values(ctx: click.Context, key: str, value: Any) -> tuple[str, Any]:
    """The name of the parameter for a key of a config file, and what it would be given by the
    command line. ValueError for a key or a type that it does not take."""
    name = f"--{key.replace('_', '-')}"
    param = next((each for each in ctx.command.params if name in each.opts), None)
    if not isinstance(param, click.Option) or name == "--config":
        raise ValueError(f"{key} is not known; see {ctx.command_path} --help")
    if isinstance(value, list) and not param.multiple:
        raise ValueError(f"{key}: expected one value, not {value!r}")
    has_tables = isinstance(param.type, Words)
    values = [
        _plain(key, each, param.is_flag, has_tables)
        for each in (value if isinstance(value, list) else [value])
    ]
    return str(param.name), values if param.multiple else values[0]


def _plain(key: str, value: Any, is_flag: bool, has_tables: bool) -> Any:
    """A value as the command line would give it, which is a text."""
    if isinstance(value, Mapping) and has_tables:
        return {each: _plain(key, text, False, each == "option") for each, text in value.items()}
    if isinstance(value, bool) != is_flag or not isinstance(value, bool | str | int | float):
        expected = "true or false" if is_flag else "a text or a number"
        raise ValueError(f"{key}: expected {expected}, not {value!r}")
    if min(str(value), default=" ") < " ":
        raise ValueError(f"{key}: {value!r}: expected one line{_QUOTES}")
    return value if is_flag else str(value)


# Before other options, whose values it gives.
config_option = partial(
    option,
    "--config",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=_read_config,
    help="A TOML file with any of these options, and rarer ones.",
)


# -- groups of options

DEFAULT_TURN_S = 0.1
_DEFAULT_GAMES = 4
# A test that is not decided by then ends without a verdict.
_DEFAULT_SPRT_GAMES = 4000
_PATH = click.Path(path_type=Path)
_SIDES = {"both": 2, "one": 1}
# Options under the later heading of --help, and rare ones, which only a config file gives.
_rarer_option = partial(option_field, heading="Rarer options")
_config_option = partial(option_field, hidden=True)
_words_option = partial(_rarer_option, metavar="KEY=VALUE")


def _one_of(words: Sequence[str]) -> Reader:
    """Reads one of some words, in capitals or not."""
    return lambda text: find_name("word", text, words)


# The words of the options that take several, and how each is read.
SPRT_WORDS = Words(
    {
        **dict.fromkeys(("elo0", "elo1", "alpha", "beta"), read_number),
        "model": lambda text: Model(find_name("model", text, [model.value for model in Model])),
    }
)
_RESIGN: dict[str, Reader] = {
    "moves": read_positive,
    "value": read_whole,
    "sides": lambda text: _SIDES[find_name("word", text, [*_SIDES])],
}
_TIMEOUTS = {
    "tolerance": read_seconds,
    "start": read_positive_seconds,
    "late": read_seconds,
    "unlimited": read_positive_seconds,
    "exit": read_seconds,
}
_BOOK: dict[str, Reader] = {"file": Path, "notation": _one_of(("auto", *NOTATIONS))}
# Of commands that choose the order, or the programs, themselves.
BOOK_WORDS = Words(_BOOK, "file")
FOR_BOTH = {"help": "For both programs: memory= option.KEY= ..., as for match."}


@dataclass(frozen=True)
class ProgramOptions:
    """The programs of a match, and the limits of those that name none."""

    engines: tuple[Sequence[str], ...] = option_field(
        "--engine",
        multiple=True,
        type=ProgramWords(),
        metavar="KEY=VALUE",
        help="A program: cmd= name= turn= nodes= threads= memory= ...",
    )
    each: tuple[Sequence[str], ...] = option_field(
        "--each",
        multiple=True,
        type=ProgramWords(),
        metavar="KEY=VALUE",
        help="Words for every --engine without them.",
    )
    turn: float | None = option_field(
        "--turn", type=Seconds(0), help="Seconds for a move.  [default: 0.1]"
    )
    nodes: int | None = option_field("--nodes", type=Count(1), help="Nodes for a move.")

    def programs(self) -> tuple[ProgramSpec, ...]:
        """The programs, as far as they were given names. ValueError for words that do not describe
        a program, for fewer than two programs, and for two that were given the same name."""
        if (count := len(self.engines)) < 2:
            given = "once" if count == 1 else f"{count} times"
            raise ValueError(
                f"a match is played by two programs or more; --engine was given {given}"
            )
        programs = [read_program(words, self.shared()) for words in self.engines]
        names = [program.name for program in programs]
        for name in names:
            if name and names.count(name) > 1:
                raise ValueError(f"two programs are named {name}; give each its own name=")
        return tuple(programs)

    def shared(self) -> list[str]:
        """The words for every program that has none of its own."""
        words = [word for each in self.each for word in each]
        words += [f"nodes={self.nodes}"] if self.nodes is not None else []
        turn = self.turn
        if turn is None and not has_limit(words):
            turn = DEFAULT_TURN_S
        return words if turn is None else [*words, f"turn={turn}"]


@dataclass(frozen=True)
class PairingOptions:
    """Which program meets which, and how often."""

    games: int | None = option_field(
        "--games",
        type=Count(1),
        help="Games of each pairing.  [default: 4; --sprt: 4000]",
    )
    schedule: Mapping[str, Any] | None = _rarer_option(
        "--schedule",
        type=Words({"kind": _one_of(KINDS), "seeds": read_positive}, "kind"),
        metavar="KIND",
        help="roundrobin, or gauntlet: the first meets all others.",
    )

    def tournament(self) -> dict[str, Any]:
        """What --schedule says, as fields of `Plan`. ValueError where there is nothing to
        choose."""
        given = {"kind": "roundrobin"} | dict(self.schedule or {})
        if "seeds" in given and given["kind"] != "gauntlet":
            raise ValueError(f"--schedule: seeds= is for a gauntlet, not for {given['kind']}")
        return given

    def games_of(self, test: Sprt | None) -> int:
        """The number of games: the default depends on whether a test may end the run."""
        return self.games or (_DEFAULT_SPRT_GAMES if test else _DEFAULT_GAMES)


@dataclass(frozen=True)
class OpeningOptions:
    """What games begin with."""

    book: Mapping[str, Any] | None = option_field(
        "--openings",
        type=Words(_BOOK | {"order": _one_of(ORDERS), "start": read_positive}, "file"),
        metavar="FILE",
        help="One a line: h8i7, or 0,0 1,-1; order= start= notation=.",
    )
    opening_rule: str | None = _rarer_option(
        "--opening-rule",
        type=click.Choice(["swap2"]),
        metavar="swap2",
        help="The programs make their own openings, by SWAP2BOARD.",
    )
    seed: int = _rarer_option("--seed", type=Count(), default=1, help="For the draw of openings.")

    def order(self) -> dict[str, Any]:
        """In which order openings are played, as fields of `Plan`."""
        return {key: each for key, each in (self.book or {}).items() if key in ("order", "start")}

    def openings(self, size: tuple[int, int], rule: int) -> tuple[Opening, ...]:
        """The openings for a board of this size: those of the file, or the book of the rule.
        ValueError for openings that cannot be played."""
        book = self.book or {}
        if self.opening_rule is not None:
            if book:
                raise ValueError("--openings and --opening-rule exclude each other")
            return (Opening(()),)
        if "file" not in book:
            return tuple(default_openings(*size, rule))
        # A million openings take half a minute. Nothing is shown where there is no terminal.
        with Console(stderr=True).status("reading the openings"):
            openings = load_openings(book["file"], book.get("notation", "auto"), size)
            check_openings(openings, *size, rule)
        return tuple(openings)


@dataclass(frozen=True)
class SprtOptions:
    """The sequential test that may end a run."""

    sprt: Mapping[str, Any] | None = _words_option(
        "--sprt", type=SPRT_WORDS, help="End by a test: elo0=0 elo1=10 alpha=0.05 beta=0.05."
    )

    def test(self) -> Sprt | None:
        """The test that the words of --sprt describe; None without the option. ValueError for words
        that do not describe a test."""
        if self.sprt is None:
            return None
        try:
            return Sprt(**{"elo0": 0.0, "elo1": 10.0} | dict(self.sprt))
        except ValueError as error:
            raise ValueError(f"--sprt: {error}") from None


@dataclass(frozen=True)
class GameOptions:
    """How each game is played."""

    resign: Mapping[str, Any] | None = _words_option(
        "--resign",
        type=Words(_RESIGN),
        help="Won by values: moves=2 value=1000 sides=both (or one).",
    )
    draw: Mapping[str, Any] | None = _words_option(
        "--draw",
        type=Words(_RESIGN | {"from": read_whole, "after": read_positive}),
        help="moves=10 value=20 from=100 sides=both; after=STONES.",
    )
    waits: Mapping[str, Any] | None = _config_option(
        "--timeouts", type=Words(_TIMEOUTS), help="How long programs are waited for."
    )
    is_suspending: bool = _config_option(
        "--suspend", is_flag=True, help="Stop each program while its opponent thinks."
    )
    judge: str | None = _rarer_option(
        "--judge",
        type=Read("command", lambda text: shlex.join(read_command(text))),
        metavar="CMD",
        help="A program that ends games by proofs: docs/MATCH.md.",
    )
    tags: Mapping[str, Any] | None = _config_option(
        "--tags", type=Words({"event": str, "site": str}), help="For sgf and pgn files."
    )
    keeps_transcripts: bool = _rarer_option(
        "--transcripts", is_flag=True, help="Keep all lines of programs in --out."
    )

    def fields(self) -> dict[str, Any]:
        """What these options say, as fields of `Setting`."""
        found: dict[str, Any] = {
            "is_suspending": self.is_suspending,
            "keeps_transcripts": self.keeps_transcripts,
            "judge": self.judge,
            **(self.tags or {}),
        }
        if self.resign is not None:
            given: Mapping[str, Any] = {"moves": 2, "value": 1000, **self.resign}
            found |= {f"resign_{key}": value for key, value in given.items()}
        if self.draw is not None:
            given = {"moves": 10, "value": 20, "from": 100, **self.draw}
            if self.draw.keys() == {"after"}:  # the number of stones alone ends games
                given = self.draw
            found |= {f"draw_{key}": value for key, value in given.items()}
        return found

    def timeouts(self) -> Timeouts:
        """How long a run waits for its programs."""
        return Timeouts(**{f"{key}_s": value for key, value in (self.waits or {}).items()})


@dataclass(frozen=True)
class PlaceOptions:
    """Where the games of a run are kept."""

    out: Path | None = option_field(
        "--out", type=_PATH, metavar="FOLDER", help="A new folder, where the games are kept."
    )
    resume: Path | None = option_field(
        "--resume", type=_PATH, metavar="FOLDER", help="Continue the run in this folder."
    )


def _read_anchor(text: str) -> tuple[str, float]:
    name, _, elo = text.rpartition("=")
    rating = read_number(elo)
    if not (name and math.isfinite(rating)):
        raise ValueError(f"{text!r}: expected NAME=ELO")
    return name, rating


def _read_core(text: str) -> int:
    core, own = read_whole(text), own_cores()
    if core not in own:
        raise ValueError(f"there is no core {core} to use; there are {own}")
    return core


@dataclass(frozen=True)
class Execution:
    """How a run is carried out, and not what is played: a run that is resumed may have others."""

    jobs: int = option_field(
        "--jobs", type=Count(1, 256), default=1, help="How many games are played at a time."
    )
    display: str | None = _rarer_option(
        "--display",
        type=click.Choice(["bar", "lines", "result"]),
        help="What is shown while games are played.",
    )
    is_json: bool = option_field(
        "--json", is_flag=True, help="Print the result as a JSON document."
    )
    cluster: str | None = _rarer_option(
        "--cluster", metavar="ADDRESS", help="A dask cluster; local:N starts workers here."
    )
    cores: tuple[int, ...] = _config_option(
        "--cores", multiple=True, type=Read("core", _read_core), help="One for each running game."
    )
    is_fatal: bool = _config_option(
        "--fatal", is_flag=True, help="End the run at the first failure of a program."
    )
    anchors: tuple[tuple[str, float], ...] = _config_option(
        "--anchor",
        multiple=True,
        type=Read("rating", _read_anchor),
        help="A known rating; ratings are counted from these.",
    )

    def __post_init__(self) -> None:
        """UsageError for options that exclude each other."""
        if self.cluster is None:
            return
        for name, is_chosen, why in (
            ("--jobs", self.jobs > 1, "the workers' threads say how many games are played at once"),
            ("cores", bool(self.cores), "the cores are those of other machines"),
        ):
            if is_chosen:
                raise click.UsageError(f"{name} and --cluster exclude each other: {why}")

    @property
    def is_quiet(self) -> bool:
        """Only the result is printed."""
        return self.display == "result"

    def check(self, names: Sequence[str], games: int) -> None:
        """ValueError for settings that do not fit these programs, or so many games at a time."""
        if self.cores and games > len(self.cores):
            raise ValueError(f"cores: {games} games at a time need as many cores")
        for name, _ in self.anchors:
            if name not in names:
                raise ValueError(f"anchor: no program {name!r}; there are {', '.join(names)}")
        if self.anchors and len(names) == 2:
            raise ValueError("anchor needs a tournament: three programs or more")


def refuse_on_resume(ctx: click.Context, *free: str) -> None:
    """ValueError for an option that says what is played: the folder of a run has that already.
    `free` are the parameters, besides those of `Execution`, that may be given."""
    how = [each.name for each in fields(Execution)]
    refuse_but(ctx, "--resume continues the run as it was started", "resume", *how, *free)


def refuse_but(ctx: click.Context, why: str, *free: str) -> None:
    """ValueError, with the reason, for an option that is given and not among the parameters
    `free`."""
    for param in ctx.command.params:
        name = param.name or ""
        # The options in a config file are looked at one by one.
        if name not in (*free, "config") and is_given(ctx, name):
            raise ValueError(f"{why}; leave out {param.opts[0]}")
