"""Games as PGN, read again by python-chess, whose reader is the strictest about the form."""

from __future__ import annotations

import io
from urllib.parse import unquote

import chess.pgn
import pytest

from tengen.game.files.pgn import write_pgn
from tengen.game.files.psq import write_psq
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.played import MatchFacts, Termination
from tengen.game.referee import in_turns
from tests.game.sample_games import Move, game, read_saved_game


def played(
    result: str = "white", termination: Termination = Termination.FIVE, black: str = "Tengen"
) -> Game:
    moves = tuple(
        Move(x, y, colour) for x, y, colour in in_turns((i % 20, i // 20) for i in range(120))
    )
    made = game(result, termination, (black, "Simple 2"), (20, 15), 4, moves)
    made.match = MatchFacts(4, 2, began_at=1_790_000_000.0, host="machine")
    return made


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
        ("white", Termination.FIVE, "1-0"),
        ("black", Termination.CRASH, "0-1"),
        ("draw", Termination.FULL, "1/2-1/2"),
        ("draw", Termination.INTERRUPTED, "*"),
    ],
)
def test_who_played_and_who_won(winner: str, termination: Termination, result: str) -> None:
    (read,) = _read(write_pgn(played(winner, termination)))
    headers = read.headers
    assert (headers["White"], headers["Black"], headers["Result"]) == ("Simple 2", "Tengen", result)
    assert headers["Event"] == "Gomoku, renju" and headers["Date"] == "2026.09.21"
    assert (headers["Round"], headers["Board"]) == ("5", "20x15")
    assert headers["Termination"] == termination.value
    assert list(read.mainline()) == []
    assert read.comment.split()[:3] == ["a15", "b15", "c15"] and len(read.comment.split()) == 120


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
    return played(black=name)


def test_different_names_stay_different_and_can_be_read_again() -> None:
    names = NAMES + ODD_NAMES
    text = "".join(write_pgn(_named(name)) for name in names)
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
    assert len({write_sgf(game) for game in games}) == len(NAMES)
    read = [read_saved_game(write_psq(game), is_cut=True) for game in games]
    assert len({psq.names for psq in read}) == len(NAMES)


def test_lines_are_short_and_ascii() -> None:
    text = write_pgn(played())
    assert text.isascii() and max(map(len, text.splitlines())) < 80
