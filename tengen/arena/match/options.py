"""The options that `match`, `sprt`, `ladder`, `tune` and `openings` share, in groups."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource
from rich.console import Console

from tengen.arena.match.command import words_of, words_of_option
from tengen.arena.match.schedule import KINDS, ORDERS
from tengen.arena.match.versions import with_names
from tengen.arena.programs.command_line import read_command
from tengen.arena.programs.player import Patience
from tengen.arena.programs.process import own_cores
from tengen.arena.programs.program import Program, has_limit, read_program
from tengen.arena.programs.words import (
    Reader,
    read_number,
    read_positive,
    read_positive_seconds,
    read_seconds,
    read_whole,
    read_words,
    split_words,
)
from tengen.arena.stats.sprt import Model, Sprt
from tengen.common.terminal.groups import option
from tengen.common.terminal.options import Count, Seconds, find_name, usage_errors
from tengen.game.record.books import default_openings
from tengen.game.record.openings import NOTATIONS, Notation, Opening, check_openings, load_openings

DEFAULT_TURN_S = 0.1
_DEFAULT_GAMES = 4
# A test that is not decided by then ends without a verdict.
_DEFAULT_SPRT_GAMES = 4000
_PATH = click.Path(path_type=Path)
# Options under the later heading of --help.
_rarer_option = partial(option, heading="Rarer options")
# Options of before, and of cutechess, fastchess and c-gomoku-cli, and what is written now.
REPLACED = {
    "--affinity": "--cores all",
    "--rounds": "--schedule KIND rounds=N",
    "--tournament": "--schedule KIND",
    "--gauntlet": "--schedule gauntlet",
    "--seeds": "--schedule gauntlet seeds=N",
    "--srand": "--seed",
    "--boardsize": "--size",
    "--maxmoves": "--draw after=STONES",
    "--drawafter": "--draw after=STONES",
    "--ratinginterval": "--display lines every=N",
    "--sendbyboard": "--each board=on",
    "--event": "--tags event=TEXT",
    "--site": "--tags site=TEXT",
    "--pgnout": "--out FOLDER",
    "--sgf": "--out FOLDER",
    "--debug": "--transcripts",
    "--log": "--transcripts",
    "--use-affinity": "--cores all",
    "--fatalerror": "--fatal",
    "--repeat": "nothing (every opening is played with both colours)",
    "--recover": "nothing (a program that fails is started again)",
    "--variant": "--rule",
    "--tb": "--judge CMD",
    "--concurrency": "--jobs",
    "--watch": "--display boards",
    "--no-watch": "--display lines",
    "--quiet": "--display result",
    "--samples": "`tengen lab data RUN --write FOLDER`, after the run",
    "--match": "--each match=SECONDS",
    "--model": "--sprt model=MODEL",
    "--opening-rule": "--openings swap2",
    "--draw-after": "--draw after=STONES",
    "--tolerance": "--patience tolerance=SECONDS",
    "--start-patience": "--patience start=SECONDS",
    "--late-patience": "--patience late=SECONDS",
    "--unlimited-patience": "--patience unlimited=SECONDS",
    "--exit-patience": "--patience exit=SECONDS",
}


def _read_model(text: str) -> Model:
    return Model(find_name("model", text, [model.value for model in Model]))


# The words of the options that take several, and how each is read.
_SPRT: dict[str, Reader] = dict.fromkeys(("elo0", "elo1", "alpha", "beta"), read_number)
_SPRT["model"] = _read_model


def _one_of(words: Sequence[str]) -> Reader:
    """Reads one of some words, in capitals or not."""
    return lambda text: find_name("word", text, words)


def _read_text(text: str) -> str:
    if not text.isprintable():
        raise ValueError("expected a text in one line")
    return text


_SIDES = {"both": 2, "one": 1}
_RESIGN = {
    "moves": read_positive,
    "value": read_whole,
    "sides": lambda text: _SIDES[find_name("word", text, [*_SIDES])],
}
_DRAW = {**_RESIGN, "from": read_whole, "after": read_positive}
_PATIENCE = {
    "tolerance": read_seconds,
    "start": read_positive_seconds,
    "late": read_seconds,
    "unlimited": read_positive_seconds,
    "exit": read_seconds,
}


_TAGS = {"event": _read_text, "site": _read_text}
_ORDER = {"order": _one_of(ORDERS), "start": read_positive}
_SCHEDULE = {"kind": _one_of(KINDS), "rounds": read_positive, "seeds": read_positive}
DISPLAYS = ("bar", "boards", "lines", "result")
_DISPLAY = {"what": _one_of(DISPLAYS), "every": read_positive}


def _words(option_name: str, text: str, readers: Mapping[str, Reader], first: str = "") -> Any:
    """The values of an option's words by key; `first` is the key of a first word without one."""
    words = words_of_option(text, readers if _read_text in readers.values() else None)
    found = {}
    if first and words and "=" not in words[0]:
        try:
            found[first] = readers[first](words.pop(0))
        except ValueError as error:
            raise ValueError(f"{option_name}: {error}") from None
    others = {key: reader for key, reader in readers.items() if key not in found}
    return found | read_words(option_name, split_words(words, option_name), others)


@dataclass(frozen=True)
class ProgramOptions:
    """The programs of a match, and the limits of those that name none."""

    engines: tuple[str, ...] = option(
        "--engine",
        multiple=True,
        metavar="KEY=VALUE",
        help="A program: cmd= name= turn= nodes= threads= memory= ...",
    )
    each: tuple[str, ...] = option(
        "--each", multiple=True, metavar="KEY=VALUE", help="Words for every --engine without them."
    )
    turn: float | None = option(
        "--turn", type=Seconds(0), help="Seconds for a move.  [default: 0.1]"
    )

    def programs(self) -> tuple[Program, ...]:
        """The programs; those without a name are asked for it. ValueError for words that do not
        describe a program, for fewer than two programs, and for two that were given the same
        name."""
        programs = [read_program(words_of(text), self._shared()) for text in self.engines if text]
        if len(programs) < 2 or len(self.engines) != len(programs):
            count = len(self.engines)
            given = "once" if count == 1 else f"{count} times"
            raise ValueError(
                f"a match is played by two programs or more; --engine was given {given}"
            )
        names = [program.name for program in programs]
        for name in names:
            if name and names.count(name) > 1:
                raise ValueError(f"two programs are named {name}; give each its own name=")
        return with_names(programs)

    def _shared(self) -> list[str]:
        words = [word for text in self.each for word in words_of(text)]
        turn = self.turn
        if turn is None and not has_limit(words):
            turn = DEFAULT_TURN_S
        return words if turn is None else [*words, f"turn={turn}"]


@dataclass(frozen=True)
class PairingOptions:
    """Which program meets which, and how often."""

    games: int | None = option(
        "--games",
        type=Count(1),
        help="Games of each pairing.  [default: 4; --sprt: 4000]",
    )
    schedule: str | None = _rarer_option(
        "--schedule",
        metavar="KIND",
        help="roundrobin, gauntlet seeds=1, swiss rounds=5 ...",
    )

    def tournament(self) -> dict[str, Any]:
        """What --schedule says, as fields of `Plan`. ValueError for words that it does not know,
        and where there is nothing to choose."""
        given = {"kind": "roundrobin"} | _words(
            "--schedule", self.schedule or "", _SCHEDULE, "kind"
        )
        kind = given["kind"]
        if "rounds" in given and kind == "knockout":
            raise ValueError("--schedule: rounds=: a knockout goes on until one program is left")
        if "seeds" in given and kind != "gauntlet":
            raise ValueError(f"--schedule: seeds= is for a gauntlet, not for {kind}")
        return dict({"rounds": 5 if kind == "swiss" else 0} | given)

    def games_of(self, test: Sprt | None) -> int:
        """The number of games: the default depends on whether a test may end the run."""
        return self.games or (_DEFAULT_SPRT_GAMES if test else _DEFAULT_GAMES)


# Instead of a file of openings: the programs make their own.
_SWAP2 = "swap2"


@dataclass(frozen=True)
class OpeningOptions:
    """What games begin with."""

    openings_file: Path | None = option(
        "--openings",
        type=_PATH,
        metavar="FILE",
        help="Openings, one a line: h8i7, or 0,0 1,-1. Or swap2.",
    )
    notation: Notation | Literal["auto"] = _rarer_option(
        "--notation",
        type=click.Choice(("auto", *NOTATIONS)),
        metavar="KIND",
        default="auto",
        help="Of --openings: offset, pos, pos-top.",
    )
    order: str | None = _rarer_option(
        "--order",
        metavar="ORDER",
        help="Of openings: random, sequential; start=N, the first.",
    )
    seed: int = _rarer_option(
        "--seed", type=Count(), default=1, help="Decides how openings are drawn."
    )

    def order_of(self) -> dict[str, Any]:
        """What --order says, as fields of `Plan`. ValueError for words that it does not know."""
        given: dict[str, Any] = _words("--order", self.order or "", _ORDER, "order")
        return given

    @property
    def opening_rule(self) -> str | None:
        """The rule by which programs make their own openings; None with openings of a file."""
        return _SWAP2 if self.openings_file == Path(_SWAP2) else None

    def openings(self, size: tuple[int, int], rule: int) -> tuple[Opening, ...]:
        """The openings for a board of this size: those of the file, or the book of the rule.
        ValueError for openings that cannot be played."""
        if self.opening_rule is not None:
            return (Opening(()),)
        openings = (
            load_openings(self.openings_file, self.notation, size)
            if self.openings_file
            else default_openings(*size, rule)
        )
        check_openings(openings, *size, rule)
        return tuple(openings)


@dataclass(frozen=True)
class SprtOptions:
    """The sequential test that may end a run."""

    sprt: str | None = _rarer_option(
        "--sprt", metavar="KEY=VALUE", help="End by a test: elo0=0 elo1=10 alpha=0.05 beta=0.05."
    )

    def test(self) -> Sprt | None:
        """The test that the words of --sprt describe; None without the option. ValueError for words
        that do not describe a test."""
        if self.sprt is None:
            return None
        given = _words("--sprt", self.sprt, _SPRT)
        try:
            return Sprt(**{"elo0": 0.0, "elo1": 10.0} | given)
        except ValueError as error:
            raise ValueError(f"--sprt: {error}") from None


@dataclass(frozen=True)
class GameOptions:
    """How each game is played."""

    resign: str | None = _rarer_option(
        "--resign",
        metavar="KEY=VALUE",
        help="Won by values: moves=2 value=1000 sides=both (or one).",
    )
    draw: str | None = _rarer_option(
        "--draw",
        metavar="KEY=VALUE",
        help="moves=10 value=20 from=100 sides=both; after=STONES.",
    )
    patience_words: str | None = _rarer_option(
        "--patience",
        metavar="KEY=VALUE",
        help="Waits: tolerance=1 start=10 late=2 exit=1 ...",
    )
    is_suspending: bool = _rarer_option(
        "--suspend", is_flag=True, help="Stop each program while its opponent thinks."
    )
    judge: str | None = _rarer_option(
        "--judge",
        metavar="CMD",
        help="A program that ends games by proofs: docs/MATCH.md.",
    )
    tags: str | None = _rarer_option(
        "--tags", metavar="KEY=VALUE", help="For sgf and pgn files: event=TEXT site=TEXT."
    )
    keeps_transcripts: bool = _rarer_option(
        "--transcripts", is_flag=True, help="Keep every line to and from programs in --out."
    )

    def fields(self) -> dict[str, Any]:
        """What these options say, as fields of `Setting`. ValueError for words that they do not
        know."""
        return {
            "is_suspending": self.is_suspending,
            "keeps_transcripts": self.keeps_transcripts,
            "judge": self._judge(),
            **self._ends(),
            **_words("--tags", self.tags or "", _TAGS),
        }

    def _judge(self) -> str | None:
        if self.judge is None:
            return None
        try:
            return shlex.join(read_command(self.judge))
        except ValueError as error:
            raise ValueError(f"--judge: {error}") from None

    def _ends(self) -> dict[str, int]:
        found: dict[str, int] = {}
        if self.resign is not None:
            given = _words("--resign", self.resign, _RESIGN)
            given = {"moves": 2, "value": 1000} | given
            found |= {f"resign_{key}": value for key, value in given.items()}
        if self.draw is not None:
            given = _words("--draw", self.draw, _DRAW)
            after = given.pop("after", None)
            if after is not None:
                found["draw_after"] = after
            if given or after is None:  # else the number of stones alone ends games
                given = {"moves": 10, "value": 20, "from": 100} | given
                found |= {f"draw_{key}": value for key, value in given.items()}
        return found

    def patience(self, **others: float) -> Patience:
        """How long a run waits for its programs, from --patience; `others` are defaults that
        differ from those of a match."""
        given = _words("--patience", self.patience_words or "", _PATIENCE)
        return Patience(**others | {f"{key}_s": value for key, value in given.items()})


@dataclass(frozen=True)
class PlaceOptions:
    """Where the games of a run are kept."""

    out: Path | None = option(
        "--out", type=_PATH, metavar="FOLDER", help="A new folder, where the games are kept."
    )
    resume: Path | None = option(
        "--resume", type=_PATH, metavar="FOLDER", help="Continue the run in this folder."
    )


@dataclass(frozen=True)
class Execution:
    """How a run is carried out, and not what is played: a run that is resumed may have others."""

    jobs: int = option(
        "--jobs",
        type=Count(1, 256),
        default=1,
        help="How many games are played at a time.",
    )
    display: str | None = _rarer_option(
        "--display",
        metavar="WHAT",
        help="bar, boards, lines, result; every=N games the score.",
    )
    output: str | None = _rarer_option(
        "--output",
        type=click.Choice(["cutechess"]),
        metavar="WHAT",
        help="cutechess: the lines that frameworks of chess read.",
    )
    is_json: bool = option("--json", is_flag=True, help="Print the result as a JSON document.")
    is_live: bool = _rarer_option(
        "--live",
        is_flag=True,
        help="Serve the report of the run to a browser meanwhile.",
    )
    cluster: str | None = _rarer_option(
        "--cluster",
        metavar="ADDRESS",
        help="A dask cluster; local:N starts workers here.",
    )
    cores: str | None = _rarer_option(
        "--cores",
        metavar="LIST",
        help="A core for each running game: 0,2-5, or all.",
    )
    is_fatal: bool = _rarer_option(
        "--fatal",
        is_flag=True,
        help="End the run at the first failure of a program.",
    )
    anchors: tuple[str, ...] = _rarer_option(
        "--anchor",
        multiple=True,
        metavar="NAME=ELO",
        help="A known rating; ratings are counted from these.",
    )

    def __post_init__(self) -> None:
        """UsageError for options that exclude each other, and for words of --display that are not
        known."""
        with usage_errors():
            shown = self._shown
        if self.is_json and self.output is not None:
            raise click.UsageError("--json and --output exclude each other")
        if self.cluster is None:
            return
        for name, is_given, why in (
            ("--jobs", self.jobs > 1, "the workers' threads say how many games are played at once"),
            ("--cores", self.cores is not None, "the cores are those of other machines"),
            ("--display boards", shown.get("what") == "boards", "the boards are elsewhere"),
        ):
            if is_given:
                raise click.UsageError(f"{name} and --cluster exclude each other: {why}")

    @property
    def _shown(self) -> dict[str, Any]:
        given: dict[str, Any] = _words("--display", self.display or "", _DISPLAY, "what")
        return given

    @property
    def is_quiet(self) -> bool:
        """Only the result is printed."""
        return self._shown.get("what") == "result"

    @property
    def score_every(self) -> int | None:
        """After how many games the score is printed; None = at the end only."""
        return self._shown.get("every")

    def display_on(self, console: Console) -> str:
        """The one of DISPLAYS that is shown on this console."""
        return self._shown.get("what") or ("bar" if console.is_terminal else "lines")

    def core_list(self, games: int) -> list[int] | None:
        """The cores of --cores, one for each of so many games at a time; None without the option.
        ValueError for cores that this process may not use, and for too few."""
        if self.cores is None:
            return None
        own = own_cores()
        chosen = own if self.cores.lower() == "all" else _read_cores(self.cores)
        if missing := [core for core in chosen if core not in own]:
            raise ValueError(f"--cores: there is no core {missing[0]} to use; there are {own}")
        if games > len(chosen):
            raise ValueError(
                f"--cores: {games} games at a time need {games} cores; the list has {len(chosen)}"
            )
        return chosen

    def anchor_ratings(self, names: list[str]) -> dict[str, float]:
        """The known ratings by name, in any case. ValueError for a name that is not in the match,
        and for what is no finite number."""
        ratings = {}
        for text in self.anchors:
            name, _, elo = text.rpartition("=")
            try:
                rating = float(elo)
            except ValueError:
                rating = math.nan
            if not math.isfinite(rating):
                raise ValueError(f"--anchor {text!r}: expected NAME=ELO")
            try:
                # Two programs may differ in capitals alone.
                known = name if name in names else find_name("program", name, names)
            except ValueError as error:
                raise ValueError(f"--anchor {text!r}: {error}") from None
            ratings[known] = rating
        return ratings


def _read_cores(text: str) -> list[int]:
    """The numbers of a list such as `0,2-5`, each once."""
    cores: dict[int, None] = {}
    for part in text.split(","):
        if not (found := re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", part.strip())):
            raise ValueError(f"--cores {text!r}: expected numbers, such as 0,2-5, or all")
        first, last = int(found[1]), int(found[2] or found[1])
        if first > last:
            raise ValueError(f"--cores {text!r}: expected the smaller number first")
        cores |= dict.fromkeys(range(first, last + 1))
    return list(cores)


def refuse_on_resume(ctx: click.Context, *free: str) -> None:
    """ValueError for an option on the command line that says what is played: the folder of a run
    has that already. `free` are the parameters, besides those of `Execution`, that may be given."""
    allowed: Set[str] = {"resume", *free, *(each.name for each in fields(Execution))}
    for param in ctx.command.params:
        name = param.name or ""
        if name not in allowed and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise ValueError(
                f"--resume continues the run as it was started; leave out {param.opts[0]}"
            )
