"""Games as PGN, read again by python-chess, whose reader is the strictest about the form."""

from __future__ import annotations

import io
from dataclasses import replace
from urllib.parse import unquote

import chess.pgn
import pytest

from tengen.game.played import Termination
from tengen.game.record.game import Game, Job, Move, Setting
from tengen.game.record.pgn import to_pgn
from tengen.game.record.psq import to_psq
from tengen.game.record.recorded import read_saved_game
from tengen.game.record.sgf import to_sgf
from tengen.game.referee import BLACK, WHITE

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


# Every two of them differ in what a writer could lose.
NAMES = (
    *r"""A a A_B A-B A/B A\B A\\B A"B A'B A\"B A%22B A%B A]B A"]B A\"]B [A] {A} A;B A:B A\:B A?B A??
    7,7,0 "7,7,0" ""7,7,0"" 7,7 "7,7" -1 0 ? - CON NUL.txt %E4""".split(),
    *"A\N{REPLACEMENT CHARACTER} 五子棋 五子碁 五子 é e\u0301 e Ё Е ä".split(),
    *("\U0001f600", "\U0001f601", "A B", "7 7 0", "", "x" * 60, "x" * 59 + "y"),
)
# Names that `read_program` refuses, but a record may have.
ODD_NAMES = (
    *("A ", " A", "  A", "A  B", "A   B", "A\tB", "A\nB", "A\x00B", "A\xa0B", "A\u2028B"),
    *("A\x1b[0m", "\udcff", " ", "  "),
)


def _named(name: str) -> Game:
    return replace(GAME, job=replace(GAME.job, black=name))


def test_different_names_stay_different_and_can_be_read_again() -> None:
    names = NAMES + ODD_NAMES
    text = "".join(to_pgn(_named(name)) for name in names)
    assert [unquote(game.headers["Black"], errors="surrogatepass") for game in _read(text)] == [
        *names
    ]
    # Ordo takes what comes before `"]`, and the simplest readers what comes before the next quote.
    for end in ('"]', '"'):
        read = [
            line.partition('"')[2].partition(end)[0]
            for line in text.splitlines()
            if line.startswith("[Black ")
        ]
        assert len(set(read)) == len(names)
    assert {"五子棋", "A/B", "é"} <= set(read)  # those need no escape


def test_different_names_stay_different_in_files_for_viewers() -> None:
    games = [*map(_named, NAMES)]
    assert len({to_sgf(game) for game in games}) == len(NAMES)
    read = [read_saved_game(to_psq(game)) for game in games]
    assert len({psq.names for psq in read}) == len(NAMES)
    assert {len(psq.moves) for psq in read} == {len(GAME.moves)}


def test_lines_are_short_and_ascii() -> None:
    text = to_pgn(GAME)
    assert text.isascii() and max(map(len, text.splitlines())) < 80
