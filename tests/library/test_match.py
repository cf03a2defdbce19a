"""`tengen.Match`: matches of programs from Python, with the arena's statistics."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tengen.arena.stats.elo import elo_estimate
from tengen.arena.stats.pentanomial import Pentanomial
from tengen.game.files.formats import read_games
from tengen.game.game import Game
from tengen.library.match import Match
from tests.acting import command_of
from tests.paths import ROOT
from tests.processes import POSIX_ONLY

Programs = dict[str, str | Mapping[str, object]]
PLAIN = shlex.join(command_of())
SLOW = shlex.join(command_of("on move time.sleep(0.05)"))
SIMPLE = f"{shlex.quote(sys.executable)} -m tengen brain simple"
LOSES: Programs = {"A": PLAIN, "B": f"{PLAIN} pass 'die()'"}


def test_a_match_counts_games_and_tells_elo() -> None:
    heard: list[Game] = []
    result = Match(LOSES, games=20, turn_s=5, jobs=2).play(on_game=heard.append)
    assert (result.standings["A"].wins, result.standings["B"].losses) == (20, 20)
    assert len(result.games) == 20 and list(result.games) == heard
    assert {game.result for game in heard} == {"black", "white"} and heard[0].black == "A"
    assert result.pairs == Pentanomial(ww=10) and result.elo == elo_estimate(result.pairs)
    assert result.elo.is_known and result.los > 0.99 and result.verdict == "undecided"
    number, name, why = result.failures[0]
    assert (number, name) == (1, "B") and why.startswith("crash: ended with status 3")
    assert str(result) == "A 20 - 0 B   no Elo: all games ended by a failure"


def test_a_test_ends_a_match_and_boards_of_any_size_are_played(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("a1\na2\n", encoding="ascii")
    match = Match(
        LOSES, games=200, turn_s=5, size="6x7", rule="standard", sprt=(0, 400), openings=openings
    )
    result = match.play()
    assert result.verdict == "H1 accepted" and 2 <= len(result.games) < 200
    game = result.games[0]
    assert (game.width, game.height, game.rule) == (6, 7, "standard")
    assert str(game).split()[0] in ("a1", "a2", "a6", "a7", "f1", "f2", "f6", "f7")


def test_a_tournament_has_ratings(tmp_path: Path) -> None:
    programs: Programs = {"simple": SIMPLE, "B": {"cmd": PLAIN, "turn": 5}, "C": PLAIN}
    result = Match(programs, games=2, nodes=100, out=tmp_path / "run", size=9).play()
    assert [rating.name for rating in result.ratings][0] == "simple"
    assert sum(standing.points for standing in result.standings.values()) == 6
    with pytest.raises(ValueError, match="three programs or more has ratings"):
        _ = result.elo
    kept = read_games(tmp_path / "run")
    assert [str(game) for game in kept] == [str(game) for game in result.games]


def test_equal_games_are_counted(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("d4\n", encoding="ascii")  # looks the same in every symmetry
    programs: Programs = {"A": PLAIN, "B": PLAIN}
    result = Match(programs, games=6, nodes=100, size=7, openings=openings).play()
    assert (len(result.games), result.repeated_games) == (6, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"programs": {"A": PLAIN}}, "two programs or more"),
        ({"programs": {"A": PLAIN, "B": "no-such-program"}}, "engine B: there is no program"),
        ({"programs": {"A": PLAIN, "B": {"cmd": PLAIN, "cores": 2}}}, "cores= is not a key"),
        ({"games": 0}, "games=0: expected a whole number from 1"),
        ({"turn_s": -1}, "turn_s=-1: expected seconds from 0 to 1,000,000"),
        ({"schedule": "swiss"}, "there is no schedule 'swiss'; there are roundrobin, gauntlet"),
        ({"sprt": (5, 0)}, "a test needs elo0 < elo1"),
        ({"size": 4}, "is not a board size"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        Match(**({"programs": LOSES} | options))  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_what_on_game_raises_ends_the_match(tmp_path: Path) -> None:
    def refuse(game: Game) -> None:
        raise KeyError(game.black)

    with pytest.raises(KeyError):
        Match(LOSES, games=100, turn_s=5, out=tmp_path / "run").play(on_game=refuse)
    assert len(read_games(tmp_path / "run")) == 1
    with pytest.raises(ValueError, match="holds the games of another run"):
        Match(LOSES, out=tmp_path / "run").play()


@POSIX_ONLY
def test_ctrl_c_ends_the_match_and_its_programs() -> None:
    code = (
        "from tengen import Match\n"
        f"match = Match({{'A': {PLAIN!r}, 'B': {SLOW!r}}}, games=10000)\n"
        "match.play(on_game=lambda game: print(len(game), flush=True))\n"
    )
    command = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as caller:
        assert caller.stdout is not None and caller.stdout.readline()
        caller.send_signal(signal.SIGINT)
        # The end of both outputs: nobody holds them any more.
        _, errors = caller.communicate(timeout=60)
    assert errors.endswith("KeyboardInterrupt\n")
