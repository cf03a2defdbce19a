"""Games as PGN, read again by python-chess, whose reader is the strictest about the form."""

from __future__ import annotations

import io
from dataclasses import replace

import chess.pgn
import pytest

from tengen.record.game import Game, Job, Move, Setting
from tengen.record.pgn import to_pgn
from tengen.record.termination import Termination
from tengen.rules.referee import BLACK, WHITE

GAME = Game(
    Job(4, 2, "Tengen", "Simple 2", ()),
    Setting(20, 15, 4),
    WHITE,
    Termination.FIVE,
    "",
    tuple(Move(i % 20, i // 20, WHITE if i % 2 else BLACK) for i in range(120)),
    began_at=1_790_000_000.0,
    host="machine",
)


def _read(text: str) -> list[chess.pgn.Game]:
    file = io.StringIO(text)
    games = []
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors
        games.append(game)
    return games


@pytest.mark.parametrize(
    ("winner", "termination", "result"),
    [
        (WHITE, Termination.FIVE, "1-0"),
        (BLACK, Termination.CRASH, "0-1"),
        (0, Termination.FULL, "1/2-1/2"),
        (0, Termination.INTERRUPTED, "*"),
    ],
)
def test_who_played_and_who_won(winner: int, termination: Termination, result: str) -> None:
    (game,) = _read(to_pgn(replace(GAME, winner=winner, termination=termination)))
    headers = game.headers
    assert (headers["White"], headers["Black"], headers["Result"]) == ("Simple 2", "Tengen", result)
    assert headers["Event"] == "Gomoku, renju" and headers["Date"] == "2026.09.21"
    assert (headers["Round"], headers["Board"]) == ("5", "20x15")
    assert headers["Termination"] == termination.value
    assert list(game.mainline()) == []
    assert game.comment.split()[:3] == ["a15", "b15", "c15"] and len(game.comment.split()) == 120


def test_any_name_can_be_read_again() -> None:
    names = ['A "B" \\ C', "五子棋", "a]b{c}d;e", "-"]
    games = _read(
        "".join(to_pgn(replace(GAME, job=replace(GAME.job, black=name))) for name in names)
    )
    assert [game.headers["Black"] for game in games] == ["A 'B' / C", "???", *names[2:]]


def test_lines_are_short_and_ascii() -> None:
    text = to_pgn(GAME)
    assert text.isascii() and max(map(len, text.splitlines())) < 80
