"""The options that `match`, `sprt`, `ladder` and `openings` share, in groups.

A group is a dataclass whose fields are options. `@takes("how", Execution)` adds its options to a
command, which then gets one argument, `how`, instead of one for each option.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from tengen.arena.match.command import words_of
from tengen.arena.match.names import with_names
from tengen.arena.match.schedule import KINDS, ORDERS
from tengen.arena.programs.player import Patience
from tengen.arena.programs.program import Program, read_program, split_words
from tengen.arena.stats.sprt import Model, Sprt
from tengen.common.terminal.options import Count, Seconds, find_name
from tengen.game.record.books import default_openings
from tengen.game.record.openings import NOTATIONS, Notation, Opening, check_openings, load_openings

DEFAULT_TURN_S = 0.1
_DEFAULT_GAMES = 4
# A test that is not decided by then ends without a verdict.
_DEFAULT_SPRT_GAMES = 4000
_PATH = click.Path(path_type=Path)

_Command = Callable[..., Any]


def option(*names: str, **attributes: Any) -> Any:
    """A field of a group: the option of these names, with the attributes of `click.option`."""
    if attributes.get("multiple"):
        default: Any = ()
    else:
        default = attributes.get("default", False if attributes.get("is_flag") else None)
    return field(default=default, metadata={"names": names, "attributes": attributes})


def takes(
    argument: str, group: type[Any], *only: str, **changes: Mapping[str, Any]
) -> Callable[[_Command], _Command]:
    """Adds the options of a group to a command, which gets them as one value of the group.

    argument  the name of the command's argument.
    only      the fields that become options; without them all do. The others keep their defaults.
    changes   other attributes of `click.option`, by field.
    """
    chosen = [each for each in fields(group) if each.name in only or not only]

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def grouped(*args: Any, **given: Any) -> Any:
            values = {each.name: given.pop(each.name) for each in chosen}
            return command(*args, **given, **{argument: group(**values)})

        # Decorators nearest to the function come last in the help.
        for each in reversed(chosen):
            attributes = {**each.metadata["attributes"], **changes.get(each.name, {})}
            grouped = click.option(*each.metadata["names"], each.name, **attributes)(grouped)
        return grouped

    return decorate


@dataclass(frozen=True)
class ProgramOptions:
    """The programs of a match, and the limits of those that name none."""

    engines: tuple[str, ...] = option(
        "--engine",
        multiple=True,
        metavar="KEY=VALUE...",
        help=(
            "A program: cmd=COMMAND, and optionally name=NAME (otherwise its answer to ABOUT),"
            " tc=MATCH/TURN+INCREMENT or turn=SECONDS match=SECONDS, nodes=N depth=N memory=MIB"
            " threads=N dir=FOLDER tolerance=SECONDS start=SECONDS option.KEY=VALUE. Give two"
            " programs or more."
        ),
    )
    each: tuple[str, ...] = option(
        "--each",
        multiple=True,
        metavar="KEY=VALUE...",
        help="The same words for every program that does not have them itself.",
    )
    turn: float | None = option(
        "--turn", type=Seconds(0), help="Seconds for a move.  [default: 0.1]"
    )
    match_s: float | None = option(
        "--match", type=Seconds(0, min_open=True), help="Seconds for all moves of a game."
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
        keys = {word.partition("=")[0] for word in words}
        turn = self.turn
        if turn is None and self.match_s is None:
            if not keys & {"tc", "turn", "match", "nodes", "depth"}:
                turn = DEFAULT_TURN_S
        if turn is not None:
            words.append(f"turn={turn}")
        if self.match_s is not None:
            words.append(f"match={self.match_s}")
        return words


@dataclass(frozen=True)
class PairingOptions:
    """Which program meets which, and how often."""

    games: int | None = option(
        "--games",
        type=Count(1),
        help=(
            "Games of each pairing; of each pairing and round in a Swiss tournament."
            "  [default: 4; with --sprt at most 4000]"
        ),
    )
    schedule: str = option(
        "--schedule",
        type=click.Choice(KINDS),
        default="roundrobin",
        show_default=True,
        help=(
            "Every program meets every other, or the first one meets all others (gauntlet), or"
            " programs with equal points meet (swiss), or who loses is out (knockout)."
        ),
    )
    rounds: int | None = option(
        "--rounds",
        type=click.IntRange(1),
        help=(
            "Rounds of a Swiss tournament (5), or how often a round robin or a gauntlet is played"
            " (1). A knockout ends by itself."
        ),
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


@dataclass(frozen=True)
class OpeningOptions:
    """What games begin with."""

    openings_file: Path | None = option(
        "--openings",
        type=_PATH,
        metavar="FILE",
        help=("Openings, one a line: 0,0, 1,-1 counted from the centre, or points such as h8i7."),
    )
    notation: Notation | Literal["auto"] = option(
        "--notation",
        type=click.Choice(("auto", *NOTATIONS)),
        default="auto",
        show_default=True,
        help=(
            "The notation of --openings. auto tells offset from pos by the first line; give pos-top"
            " for points with rows counted from the top, as c-gomoku-cli writes them."
        ),
    )
    order: str = option(
        "--order",
        type=click.Choice(ORDERS),
        default="random",
        show_default=True,
        help="The order of openings: drawn by --seed, or as they are listed.",
    )
    opening_rule: str | None = option(
        "--opening-rule",
        type=click.Choice(["swap2"]),
        help="The programs make their own openings by this rule.",
    )
    seed: int = option(
        "--seed",
        type=int,
        default=1,
        show_default=True,
        help="Decides the order of openings and how each is turned and mirrored.",
    )

    def openings(self, size: tuple[int, int], rule: int) -> tuple[Opening, ...]:
        """The openings for a board of this size: those of the file, or the book of the rule.
        ValueError for openings that cannot be played."""
        if self.opening_rule is not None:
            if self.openings_file is not None:
                raise ValueError("--openings and --opening-rule exclude each other")
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

    sprt: str | None = option(
        "--sprt",
        metavar="KEY=VALUE...",
        help=(
            "A sequential test, which ends the run when it is decided: elo0=0 elo1=10 alpha=0.05"
            " beta=0.05, or some of these."
        ),
    )
    model: str = option(
        "--model",
        type=click.Choice([model.value for model in Model]),
        default="logistic",
        show_default=True,
        help="The Elo of --sprt: as in ratings, or in units of the deviation of a game.",
    )

    def test(self) -> Sprt | None:
        """The test that the words of --sprt describe; None without the option. ValueError for words
        that do not describe a test."""
        if self.sprt is None:
            return None
        given: dict[str, float] = {"elo0": 0.0, "elo1": 10.0}
        for key, text in split_words(self.sprt.split(), "--sprt").items():
            if key not in ("elo0", "elo1", "alpha", "beta"):
                raise ValueError(f"--sprt: {key}= is not a key; expected elo0, elo1, alpha or beta")
            try:
                given[key] = float(text)
            except ValueError:
                raise ValueError(f"--sprt: {key}={text}: expected a number") from None
        try:
            return Sprt(**given, model=Model(self.model))
        except ValueError as error:
            raise ValueError(f"--sprt: {error}") from None


@dataclass(frozen=True)
class GameOptions:
    """How each game is played."""

    draw_after: int | None = option(
        "--draw-after",
        type=click.IntRange(1),
        metavar="STONES",
        help="A game with this many stones on the board is a draw.",
    )
    resign: str | None = option(
        "--resign",
        metavar="KEY=VALUE...",
        help=(
            "A game is won when both programs have valued it so for some moves of each:"
            " moves=2 value=1000, or one of these. Values are those that the programs report."
        ),
    )
    draw: str | None = option(
        "--draw",
        metavar="KEY=VALUE...",
        help=(
            "A game is drawn when both programs have valued it about even for some moves of each:"
            " moves=10 value=20 from=100 (stones on the board), or some of these."
        ),
    )
    is_suspending: bool = option(
        "--suspend", is_flag=True, help="Stop each program while its opponent thinks."
    )
    keeps_transcripts: bool = option(
        "--transcripts",
        is_flag=True,
        help="Keep every line to and from the programs, in the folder of --out.",
    )

    def adjudication(self) -> dict[str, int]:
        """What --resign and --draw say, as fields of `Setting`. ValueError for words that they do
        not know."""
        found: dict[str, int] = {}
        for option_name, text, defaults in (
            ("resign", self.resign, {"moves": 2, "value": 1000}),
            ("draw", self.draw, {"moves": 10, "value": 20, "from": 100}),
        ):
            if text is None:
                continue
            given = dict(defaults)
            for key, value in split_words(text.split(), f"--{option_name}").items():
                if key not in defaults:
                    known = ", ".join(defaults)
                    raise ValueError(f"--{option_name}: {key}= is not a key; expected {known}")
                if not (value.isascii() and value.isdigit()) or (key == "moves" and not int(value)):
                    raise ValueError(f"--{option_name}: {key}={value}: expected a whole number")
                given[key] = int(value)
            found |= {f"{option_name}_{key}": value for key, value in given.items()}
        return found


@dataclass(frozen=True)
class PatienceOptions:
    """How long a run waits for its programs."""

    tolerance: float = option(
        "--tolerance",
        type=Seconds(0),
        default=Patience.tolerance_s,
        show_default=True,
        help="Seconds that a move may come late.",
    )
    start_patience: float = option(
        "--start-patience",
        type=Seconds(0, min_open=True),
        default=Patience.start_s,
        show_default=True,
        help="Seconds that a program may take to start.",
    )
    late_patience: float = option(
        "--late-patience",
        type=Seconds(0),
        default=Patience.late_s,
        show_default=True,
        help="Seconds to wait for a late move, after the tolerance.",
    )
    unlimited_patience: float = option(
        "--unlimited-patience",
        type=Seconds(0, min_open=True),
        default=Patience.unlimited_s,
        show_default=True,
        help="Seconds to wait for a move that has no time limit.",
    )
    exit_patience: float = option(
        "--exit-patience",
        type=Seconds(0),
        default=Patience.exit_s,
        show_default=True,
        help="Seconds that a program may take to exit.",
    )

    def patience(self) -> Patience:
        """The same as the value that players take."""
        return Patience(
            start_s=self.start_patience,
            tolerance_s=self.tolerance,
            late_s=self.late_patience,
            unlimited_s=self.unlimited_patience,
            exit_s=self.exit_patience,
        )


@dataclass(frozen=True)
class PlaceOptions:
    """Where the games of a run are kept."""

    out: Path | None = option(
        "--out",
        type=_PATH,
        metavar="FOLDER",
        help=(
            "A new folder for the games: games.jsonl, psq and sgf files. Without it they are not"
            " kept."
        ),
    )
    resume: Path | None = option(
        "--resume",
        type=_PATH,
        metavar="FOLDER",
        help="Continue the run in this folder. Leave out the options that say what is played.",
    )


@dataclass(frozen=True)
class Execution:
    """How a run is carried out, and not what is played: a run that is resumed may have others."""

    concurrency: int = option(
        "--concurrency",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        help="How many games are played at a time.",
    )
    cluster: str | None = option(
        "--cluster",
        metavar="ADDRESS",
        help=(
            "Play on a dask.distributed cluster: the address of its scheduler, or local:N to start"
            " N workers here."
        ),
    )
    watch: bool | None = option(
        "--watch/--no-watch",
        default=None,
        help=(
            "--watch draws the boards of running games, --no-watch prints one line a game and no"
            " progress bar.  [default: a bar on a terminal]"
        ),
    )
    is_live: bool = option(
        "--live",
        is_flag=True,
        help="Serve the report page of the run while it goes on, to a browser on this machine.",
    )
    is_quiet: bool = option("--quiet", is_flag=True, help="Print only the result at the end.")
    has_own_cores: bool = option(
        "--affinity",
        is_flag=True,
        help="Each game that is played at the same time gets a processor core of its own.",
    )
    has_samples: bool = option(
        "--samples",
        is_flag=True,
        help="Write samples for training at the end, into the folder samples of --out.",
    )
    is_fatal: bool = option("--fatal", is_flag=True, help="End the run at the first failure.")
    anchors: tuple[str, ...] = option(
        "--anchor",
        multiple=True,
        metavar="NAME=ELO",
        help="A known rating; the ratings of a tournament are counted from these.",
    )

    def __post_init__(self) -> None:
        """UsageError for options that exclude each other."""
        if self.concurrency > 1 and self.cluster is not None:
            raise click.UsageError(
                "--concurrency and --cluster exclude each other: the threads of the workers say how"
                " many games are played at a time"
            )
        if self.has_own_cores and self.cluster is not None:
            raise click.UsageError("--affinity and --cluster exclude each other")
        if self.watch and self.cluster is not None:
            raise click.UsageError(
                "--watch and --cluster exclude each other: the boards are on other machines"
            )

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
