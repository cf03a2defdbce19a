"""The options that `match`, `sprt`, `ladder`, `tune` and `openings` share, in groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource
from rich.console import Console

from tengen.arena.match.command import words_of
from tengen.arena.match.schedule import KINDS, ORDERS
from tengen.arena.match.versions import with_names
from tengen.arena.programs.player import Patience
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
from tengen.common.terminal.options import Count, Seconds, find_name
from tengen.game.record.books import default_openings
from tengen.game.record.openings import NOTATIONS, Notation, Opening, check_openings, load_openings

DEFAULT_TURN_S = 0.1
_DEFAULT_GAMES = 4
# A test that is not decided by then ends without a verdict.
_DEFAULT_SPRT_GAMES = 4000
_PATH = click.Path(path_type=Path)
# Options under the later headings of --help.
_pairing_option = partial(option, heading="Pairings, openings and the end of games")
_display_option = partial(option, heading="Display, records and machines")
# Options of before, and what is written now.
REPLACED = {
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
_RESIGN = {"moves": read_positive, "value": read_whole}
_DRAW = {**_RESIGN, "from": read_whole, "after": read_positive}
_PATIENCE = {
    "tolerance": read_seconds,
    "start": read_positive_seconds,
    "late": read_seconds,
    "unlimited": read_positive_seconds,
    "exit": read_seconds,
}


def _words(option_name: str, text: str, readers: Mapping[str, Reader]) -> Any:
    return read_words(option_name, split_words(text.split(), option_name), readers)


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
    schedule: str = _pairing_option(
        "--schedule",
        type=click.Choice(KINDS),
        metavar="KIND",
        default="roundrobin",
        help="Also gauntlet, swiss, knockout.",
    )
    rounds: int | None = _pairing_option(
        "--rounds", type=click.IntRange(1), help="Rounds of a tournament.  [default: 1; swiss: 5]"
    )

    def rounds_of(self) -> int:
        """The number of rounds. ValueError where there is nothing to choose."""
        if self.schedule == "knockout":
            if self.rounds is not None:
                raise ValueError("--rounds: a knockout goes on until one program is left")
            return 0
        return self.rounds or (5 if self.schedule == "swiss" else 0)

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
    notation: Notation | Literal["auto"] = _pairing_option(
        "--notation",
        type=click.Choice(("auto", *NOTATIONS)),
        metavar="KIND",
        default="auto",
        help="Of --openings: offset, pos, pos-top.",
    )
    order: str = _pairing_option(
        "--order",
        type=click.Choice(ORDERS),
        metavar="ORDER",
        default="random",
        help="Of openings: random or sequential.",
    )
    seed: int = _pairing_option(
        "--seed", type=int, default=1, help="Decides how openings are drawn."
    )

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

    sprt: str | None = _pairing_option(
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

    resign: str | None = _pairing_option(
        "--resign",
        metavar="KEY=VALUE",
        help="Won if both programs say so: moves=2 value=1000.",
    )
    draw: str | None = _pairing_option(
        "--draw",
        metavar="KEY=VALUE",
        help="Drawn: moves=10 value=20 from=100, or after=STONES.",
    )
    patience_words: str | None = _pairing_option(
        "--patience",
        metavar="KEY=VALUE",
        help="Waits: tolerance=1 start=10 late=2 exit=1 ...",
    )
    is_suspending: bool = _pairing_option(
        "--suspend", is_flag=True, help="Stop each program while its opponent thinks."
    )
    keeps_transcripts: bool = _display_option(
        "--transcripts", is_flag=True, help="Keep every line to and from programs in --out."
    )

    def ends(self) -> dict[str, int]:
        """What --resign and --draw say, as fields of `Setting`. ValueError for words that they do
        not know."""
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


DISPLAYS = ("bar", "boards", "lines", "result")


@dataclass(frozen=True)
class Execution:
    """How a run is carried out, and not what is played: a run that is resumed may have others."""

    jobs: int = option(
        "--jobs",
        type=click.IntRange(1, 256),
        default=1,
        help="How many games are played at a time.",
    )
    display: str | None = _display_option(
        "--display",
        type=click.Choice(DISPLAYS),
        metavar="WHAT",
        help="bar (on a terminal), boards, lines or result.",
    )
    is_live: bool = _display_option(
        "--live",
        is_flag=True,
        help="Serve the report of the run to a browser meanwhile.",
    )
    cluster: str | None = _display_option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on this dask cluster; local:N starts workers here.",
    )
    has_own_cores: bool = _display_option(
        "--affinity",
        is_flag=True,
        help="Give each running game a processor core of its own.",
    )
    is_fatal: bool = _pairing_option(
        "--fatal",
        is_flag=True,
        help="End the run at the first failure of a program.",
    )
    anchors: tuple[str, ...] = _display_option(
        "--anchor",
        multiple=True,
        metavar="NAME=ELO",
        help="A known rating; ratings are counted from these.",
    )

    def __post_init__(self) -> None:
        """UsageError for options that exclude each other."""
        if self.cluster is None:
            return
        for name, is_given, why in (
            ("--jobs", self.jobs > 1, "the workers' threads say how many games are played at once"),
            ("--affinity", self.has_own_cores, "the cores are those of other machines"),
            ("--display boards", self.display == "boards", "the boards are on other machines"),
        ):
            if is_given:
                raise click.UsageError(f"{name} and --cluster exclude each other: {why}")

    @property
    def is_quiet(self) -> bool:
        """Only the result is printed."""
        return self.display == "result"

    def display_on(self, console: Console) -> str:
        """The one of DISPLAYS that is shown on this console."""
        return self.display or ("bar" if console.is_terminal else "lines")

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
