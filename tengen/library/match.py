"""Matches of programs, played by the arena as `tengen match` plays them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from engine.text import read_rule
from tengen.arena.match.display import Display
from tengen.arena.match.plan import Plan, introduce
from tengen.arena.match.records import RunFolder
from tengen.arena.match.schedule import Setting
from tengen.arena.match.scoreboard import MatchResult, Scoreboard
from tengen.arena.match.tournament import LocalRunner, Tournament
from tengen.arena.programs.process import remove_leftovers
from tengen.arena.programs.spec import ProgramSpec, has_limit, read_program
from tengen.arena.stats.sprt import MAX_ELO, Sprt
from tengen.game.arguments import file_name, function, of_type, real, seconds, shown, whole
from tengen.game.game import Game
from tengen.game.openings import check_openings, default_openings, load_openings
from tengen.game.position import Position, Size

# The time for a move where no program has a limit.
_TURN_S = 0.1
_MOST_GAMES, _MOST_JOBS = 1_000_000, 1024


class Match:
    """A match or a tournament between programs.

        match = Match({"A": "pbrain-a", "B": "python b.py"}, games=100, turn_s=0.1)
        print(match.play())

    programs  by name, each the command that starts it, or a mapping of the words that `tengen match
              --engine` takes: {"cmd": "pbrain-a", "nodes": 20_000, "threads": 2}.
    games     of each two programs, in pairs of one opening with both colours.
    turn_s    for each move, 0.1 if nothing is given; `nodes`, a limit instead of it.
    size, rule   as for Position.
    openings  a file of openings; None = the book of the rule.
    seed      decides the order of the openings.
    schedule  "roundrobin", or "gauntlet": the first program against all others.
    sprt      (elo0, elo1): the match of two programs ends when the test has decided.
    jobs      how many games are played at once.
    out       a new folder, where the games are kept as by `tengen match --out`.

    Raises ValueError, in one line, for what cannot be played.
    """

    def __init__(
        self,
        programs: Mapping[str, str | Mapping[str, object]],
        *,
        games: int = 4,
        turn_s: float | None = None,
        nodes: int | None = None,
        size: Size = 15,
        rule: str | int = "freestyle",
        openings: str | Path | None = None,
        seed: int = 1,
        schedule: str = "roundrobin",
        sprt: tuple[float, float] | None = None,
        jobs: int = 1,
        out: str | Path | None = None,
    ) -> None:
        board = Position(size=size, rule=rule)
        sides, number = (board.width, board.height), read_rule(board.rule)
        named = of_type("programs", programs, Mapping, "the commands of programs by their names")
        each = [] if turn_s is None else [f"turn={seconds('turn_s', turn_s)}"]
        each += [] if nodes is None else [f"nodes={whole('nodes', nodes, 1)}"]
        if not has_limit(each):
            each.append(f"turn={_TURN_S}")
        found = (
            default_openings(*sides, number)
            if openings is None
            else load_openings(Path(file_name("openings", openings)), "auto", sides)
        )
        check_openings(found, *sides, number)
        self._plan = Plan(
            programs=tuple(_program(name, words, each) for name, words in named.items()),
            setting=Setting(*sides, number),
            openings=tuple(found),
            games=whole("games", games, 1, _MOST_GAMES),
            kind=schedule,
            seed=whole("seed", seed, 0),
            sprt=None if sprt is None else _test(sprt),
        )
        self._plan.schedule()
        self._jobs = whole("jobs", jobs, 1, _MOST_JOBS)
        self._out = None if out is None else Path(file_name("out", out))

    def play(self, on_game: Callable[[Game], None] | None = None) -> MatchResult:
        """Plays all games. Ctrl-C ends the match and all its programs, as does what `on_game`
        raises.

        on_game  called with each game, in order, in the thread that called.
        ValueError if a program cannot be started or the folder holds another match.
        """
        function("on_game", on_game)
        remove_leftovers()
        plan = introduce(self._plan)
        display = _Collector(plan, on_game)
        workers = min(self._jobs, plan.schedule().total)
        runner = LocalRunner(plan, display.watchers(workers))
        if self._out is None:
            result = Tournament(plan, display).play(runner)
        else:
            with RunFolder.create(self._out, plan) as folder:
                result = Tournament(plan, display, folder).play(runner)
        if result.signal is not None:
            raise KeyboardInterrupt if result.signal == signal.SIGINT else SystemExit(128 + 15)
        return replace(result, games=tuple(display.games))


class _Collector(Display):
    """Keeps the games, and passes them on."""

    def __init__(self, plan: Plan, on_game: Callable[[Game], None] | None) -> None:
        super().__init__(Console(), plan.schedule().total, plan.sprt)
        self.games: list[Game] = []
        self._on_game = on_game

    def game_counted(self, game: Game, scores: Scoreboard) -> None:
        self.games.append(game)
        if self._on_game is not None:
            self._on_game(game)


def _test(bounds: object) -> Sprt:
    if not isinstance(bounds, Sequence) or isinstance(bounds, str | bytes) or len(bounds) != 2:
        raise TypeError(f"sprt={shown(bounds)}: expected two numbers, such as (0, 5)")
    elo0, elo1 = (real("sprt", bound, -MAX_ELO, MAX_ELO) for bound in bounds)
    return Sprt(elo0, elo1)


def _program(name: str, words: object, each: Sequence[str]) -> ProgramSpec:
    place = f"programs[{name!r}]"
    asked = {"cmd": words} if isinstance(words, str) else words
    named = of_type(place, asked, Mapping, "a command, or a mapping of words")
    try:
        return read_program([f"name={name}", *(f"{k}={v}" for k, v in named.items())], each)
    except ValueError as error:
        raise ValueError(str(error).replace("--engine", place)) from None
