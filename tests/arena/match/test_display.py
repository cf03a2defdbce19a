"""What a run shows while it is played and at its end."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import pytest
from rich.console import Console

from tengen.arena.match.display import Display, LiveDisplay, PlainDisplay
from tengen.arena.match.play_game import match_game
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.match.scoreboard import Scoreboard, game_line, state_line
from tengen.arena.match.summary import print_result
from tengen.arena.stats.sprt import Sprt
from tengen.game.played import Move, Termination
from tengen.game.referee import BLACK, WHITE, Referee

JOB = Job(2, 1, "Tengen", "Simple [x]", ((3, 2),))
SETTING = Setting(6, 5, 0)
GAME = match_game(JOB, SETTING, WHITE, Termination.TIMEOUT, "took 2 s", (Move(3, 2, BLACK),))
SPRT = Sprt(0, 10)


def _console() -> Console:
    return Console(file=io.StringIO(), width=100, force_terminal=False, legacy_windows=False)


def _shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _scores(names: Sequence[str], results: Sequence[tuple[str, str, int]]) -> Scoreboard:
    """Counts games given as (black, white, winner), each two a pair."""
    scores = Scoreboard(names)
    for index, (black, white, winner) in enumerate(results):
        end = Termination.FIVE if winner else Termination.FULL
        scores.add(
            match_game(Job(index, index // 2, black, white, ()), SETTING, winner, end, "", ())
        )
    return scores


def test_every_display_takes_a_game() -> None:
    scores = _scores(["A", "B"], [("A", "B", BLACK)])
    game = match_game(Job(1, 0, "B", "A", ()), SETTING, WHITE, Termination.TIMEOUT, "took 2 s", ())
    scores.add(game)
    line = game_line(game, 8, scores)
    assert line == (
        "game 2/8  B (black) - A (white): A wins, timeout (took 2 s), 0 stones   [A 2 - 0 B]"
    )
    for make, shown in (
        (Display, ()),
        (PlainDisplay, (line, "0 of 8 games were played before")),
        (LiveDisplay, (line, "0 of 8 games", "2/8 games, at most", "0 B   LLR ")),
    ):
        is_live = make is LiveDisplay
        console = Console(file=io.StringIO(), width=120, force_terminal=is_live, color_system=None)
        with make(console, 8, SPRT) as display:
            assert len(display.watchers(3)) == 3
            display.resumed(_scores(["A", "B"], []))
            display.game_counted(game, scores)
        assert all(each in _shown(console) for each in shown)
        assert bool(_shown(console)) == bool(shown)


def _printed(scores: Scoreboard, sprt: Sprt | None = None) -> str:
    console = _console()
    limits = [(name, "0.1 s/move") for name in scores.standings]
    print_result(console, scores, limits, sprt)
    return _shown(console)


def test_the_table_at_the_end() -> None:
    scores = Scoreboard(["Tengen", "Simple [x]"])
    assert _printed(scores, SPRT) == "0 games have ended, so there is no result\n"
    scores.add(GAME)
    shown = _printed(scores, SPRT)
    words = [line.split() for line in shown.splitlines()]
    assert ["Tengen", "0.1", "s/move", "0", "0", "1", "0", "0.000", "0.000"] in words
    assert ["Simple", "[x]", "0.1", "s/move", "1", "1", "0", "0", "0.000", "0.000"] in words
    assert "game 3: Tengen lost by timeout: took 2 s" in shown


def _failed_tally(names: str, pairs: Sequence[tuple[str, str]], bad: str) -> Scoreboard:
    """Pairs of games of which `bad` lost every one before its first move; others are played."""
    scores = Scoreboard(list(names))
    for number, (first, second) in enumerate(pairs):
        for black, white in ((first, second), (second, first)):
            job = Job(scores.games, number, black, white, ())
            if bad in (black, white):
                winner = WHITE if black == bad else BLACK
                how, detail = Termination.CRASH, f"ended with status {scores.games}"
            else:
                winner, how, detail = BLACK, Termination.FIVE, ""
            scores.add(match_game(job, SETTING, winner, how, detail, ()))
    return scores


def test_a_program_that_only_failed_has_no_elo_but_a_reason() -> None:
    scores = _failed_tally("AB", [("A", "B")] * 3, "B")
    shown = _printed(scores)
    assert (
        "no Elo: all games (6) ended by a failure: B lost 6 of them, the first by crash: ended"
        " with status 0" in " ".join(shown.split())
    )
    assert "Elo of" not in shown and "inf" not in shown and "superiority" not in shown
    assert "no Elo" in state_line(scores, SPRT) and "inf" not in state_line(scores, SPRT)
    assert scores.first_move is None
    # In a tournament the others are rated.
    three = _failed_tally("ABC", [("A", "B"), ("A", "C"), ("B", "C")] * 2, "C")
    shown = _printed(three)
    assert "no rating of C: all games (8) ended by a failure: C lost 8 of them" in shown
    rows = [line.split() for line in shown.splitlines() if " to " in line]
    assert [row[0] for row in rows if row[0] in "ABC"] == ["A", "B"]
    # After one game that ended otherwise all games count.
    scores.add(match_game(Job(6, 3, "A", "B", ()), SETTING, BLACK, Termination.FIVE, "", ()))
    assert scores.why_unrated("A") is None and scores.why_unrated("B") is None
    assert state_line(scores, None) == "A 7 - 0 B"


@pytest.mark.parametrize(
    ("games", "needed"), [("BB", 6), ("BW", 12), ("==", 6), ("B", 6), ("BBB", 6), ("BBBW", 8)]
)
def test_too_few_games_give_no_elo_and_say_how_many_would(games: str, needed: int) -> None:
    """A pair is two games with one opening; the games of B, W and = are won by A as black, by A as
    white, and drawn."""
    winners = {"B": BLACK, "W": WHITE, "=": 0}
    results = [("AB"[i % 2], "BA"[i % 2], winners[game]) for i, game in enumerate(games)]
    scores = _scores(["A", "B"], results)
    shown = _printed(scores, SPRT)
    assert f"no Elo: too few games; {needed} or more would give one" in shown
    assert "inf" not in shown and "playing first" not in shown and "superiority" not in shown
    assert ("1 game left out of Elo: it has no second one of the pair" in shown) == len(games) % 2
    assert "Elo" not in state_line(scores, None) and "inf" not in state_line(scores, SPRT)


def test_the_bar_and_a_line_follow_the_running_game() -> None:
    console = Console(file=io.StringIO(), width=120, force_terminal=True, color_system=None)
    display = LiveDisplay(console, 4)
    (follower,) = display.watchers(1)
    board = Referee(9, 9, 0)
    job = Job(0, 0, "A", "B", ())

    def shown() -> str:
        with console.capture() as capture:
            console.print(display._render())
        return capture.get()

    before = shown()
    assert "game 1" not in before and "0/4 games" in before
    follower.game_started(job, board)
    assert re.search(r"game 1  A \(black\) - B \(white\), 0 stones, \d+ s", shown())
    parts = [display._part_done()]
    for number in range(30):
        move = Move(number % 9, number // 9, BLACK)
        board.play(move.x, move.y, move.colour)
        follower.moved(job, board, move)
        parts.append(display._part_done())
    assert "B (white), 30 stones" in shown()
    # It advances with every stone, and a running game never counts as a finished one.
    assert parts[0] == 0 and parts == sorted(set(parts)) and parts[-1] < 1
    follower.game_ended(GAME)
    assert "game 1" not in shown() and display._part_done() == 0
