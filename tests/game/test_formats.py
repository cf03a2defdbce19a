"""The formats of games: what is written is read, and what is refused is said in one line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.sgf import Sgf_game

from tengen.game.files.formats import ENDINGS, is_saved_game, parse_games, text_of
from tengen.game.files.jsonl import (
    game_record,
    load_run,
    parse_records,
    read_record,
    read_whole_record,
    timing_record,
)
from tengen.game.files.plain_moves import write_pgn
from tengen.game.files.positions import Choice, find_position, read_position, read_puzzles
from tengen.game.files.psq import read_psq, write_psq
from tengen.game.files.sgf import write_sgf
from tengen.game.game import PERSON_NAME, Game
from tengen.game.played import MatchFacts, Move, Termination, TimeControl
from tengen.game.proof_file import read_proof
from tengen.game.referee import BLACK, WHITE, in_turns
from tests.game.sample_games import MOVES, cells, games, read_saved_game, times
from tests.game.sample_games import game as sample
from tests.game.test_libraries import (
    COMMENT,
    EXTENSION,
    HEADER,
    LEAF,
    LIBRARY,
    OLD,
    RIF,
    ROOT,
    game_of,
    node,
)

PISKVORK = "Piskvorky 15x15, 11:11, 0\n"
REC = "A b\nhomo-1\n10,10,0\n9,11,1500\n0,19,-3\n0\n"
SAV = "15\n20\n3\n7 7\n8 9\n14 19\n"
LIB = HEADER + ROOT + node("h8")
BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    "<database><game><move>&b;</move></game></database>"
)

# ---- what is refused, and what is said

REFUSED: list[tuple[str | bytes, str]] = [
    ("(", "is no file of games"),
    ("(;GM[2];B[hh])", "sgf: GM[2] is another game"),
    ("(;GM[1];B[hh])", "sgf: GM[1] is Go: name the rule with --rule"),
    ("(;GM[1]RU[Japanese];B[hh])", "sgf: RU[Japanese] is not a known rule"),
    ("(;SZ[0])", "sgf: SZ[0] is not a board size"),
    ("(;SZ[big])", "sgf: SZ[big] is not a board size"),
    ("(;SZ[15];B[pp])", "[pp] is outside the 15x15 board"),
    ("(;SZ[15];B[h16])", "[h16] is outside"),
    ("(;SZ[15];B[hhh])", "[hhh] is not a point"),
    ("(;SZ[15];B[hh];W[hh])", "move 2 is played on a stone"),
    ("(;SZ[15]AB[hh];W[hh])", "move 1 is played on a stone"),
    ("(;SZ[15];B[hh];AW[ii])", "set-up stones after move 1"),
    ("(;SZ[15];B[hh]", "ends too early"),
    ("(;SZ[15];B[hh", "cannot be read from '[hh' on"),
    ("(;SZ[15];B[h\nh])", "[h h] is not a point"),
    ("(;[15])", "[15] does not follow a property"),
    ("(;SZ[\x1b\x07x])", "SZ[??x] is not a board size"),
    ("Piskvorky\n", "psq, line 1: expected a header"),
    ("Piskvorky 15x15, 11:11, 2\n", "psq, line 1: player 2 began"),
    (PISKVORK + "8,8,0\n16,1,0\n", "psq, line 3: the move is outside the 15x15 board"),
    (PISKVORK + "0,1,0\n", "psq, line 2: the move is outside"),
    (PISKVORK + "8,8,0\n8,8,0\n", "psq, line 3: the move is played on a stone"),
    (PISKVORK + "8;8\n", "psq, line 2: expected a move, or the code"),
    (PISKVORK + "8,8,0\n9,x,0\n10,10,0\n", "psq, line 3: expected a move, found '9,x,0'"),
    (PISKVORK + "8,8,0\nx\n10,10,0\nA\nB\n0\n", "psq, line 3: expected a move, found 'x'"),
    (PISKVORK + "8,8,0\n-1,9,0\n10,10,0\n0\n", "psq, line 3: expected a move, found '-1,9,0'"),
    (PISKVORK + "A\nB\nC\n", "psq, line 4: expected the code of the end"),
    (PISKVORK + "A\nB\n0\n1,x\nmore\n", "psq, line 6: nothing may follow"),
    (b"RenLib", "is not a file of RenLib"),
    (b"", "is not a file of RenLib"),
    (HEADER[:15], "renlib: ends within its header"),
    (HEADER[:8] + b"\x04\x00" + HEADER[10:], "is of version 4.0; expected one up to 3.4"),
    (LIB + b"\x79", "renlib: ends too early"),
    (HEADER + ROOT + node("h8", COMMENT) + b"no end", "renlib: ends within a text"),
    (HEADER + ROOT + node("h8", OLD) + b"no end", "renlib: ends within a text"),
    (HEADER + ROOT + node("h8", EXTENSION), "renlib: ends too early"),
    (LIB + b"\x10\x40", "renlib: 16 is not a point"),
    (LIB + b"\xf8\x40", "renlib: 248 is not a point"),
    (LIB + node("h8", LEAF), "renlib: move 2 is played on a stone"),
    (BOMB, "rif, line 1: declares a document type, which is not read"),
    ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><a/>', "rif, line 1: declares a document type"),
    ("<database></database>", "rif: holds no game"),
    (RIF[:700], "is not xml: "),
    ("<html><body>No such page<br></body></html>", "rif, line 1: is not xml: mismatched tag"),
    ("<database><game><move>h8 &x;</move></game></database>", "is not xml: undefined entity"),
    ("<" * 1000, "is not xml"),
    ("<a>" * 50_000, "is not xml"),
    (REC.replace("0,19", "0,20"), "rec, line 5: the move is outside the 20x20 board"),
    (REC.replace("0,19", "10,10"), "rec, line 5: the move is played on a stone"),
    (SAV.replace("8 9", "15 9"), "sav, line 5: the move is outside the 20x15"),
    (SAV.replace("8 9", "7 7"), "sav, line 5: the move is played on a stone"),
    (SAV.replace("14 19\n", ""), "sav, line 3: says 3 moves, found 2"),
    (SAV.replace("14 19", "14 x"), "sav: expected numbers"),
    (SAV.replace("15", "99", 1), "sav: 20x99 is not a board size"),
]


@pytest.mark.parametrize(("content", "wrong"), REFUSED)
def test_what_is_wrong_is_named(content: str | bytes, wrong: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_saved_game(text_of(content, "a.lib") if isinstance(content, bytes) else content)
    assert wrong in str(caught.value) and "\n" not in str(caught.value)


# ---- what is written is read

# Also names that look like moves.
ANY_NAME = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(
    lambda text: text.split()
) | st.sampled_from(["1,2", "3,4,5", "7"])


@given(games(ANY_NAME))
def test_what_is_written_is_read(game: Game) -> None:
    read = read_saved_game(write_psq(game))
    assert (read.size, read.stones) == (game.size, game.stones)
    assert times(read) == tuple(round((s or 0) * 1000) / 1000 for s in times(game))
    for written, name in zip(read.names, game.names, strict=True):
        # A name is one line, and has quotes where it would look like a move.
        assert written.strip('"') == " ".join(name.split()).strip('"')
    text = write_sgf(game)
    read = read_saved_game(text)
    assert (read.size, read.stones) == (game.size, game.stones)
    assert [name.split() for name in read.names] == [name.split() for name in game.names]
    if game.width == game.height:
        other = Sgf_game.from_string(text)
        assert other.get_size() == game.width
        for colour, name in (("b", read.black), ("w", read.white)):
            assert (other.get_player_name(colour) or "").split() == name.split()
        # That reader counts rows from the bottom.
        moves = [node.get_move()[1] for node in other.get_main_sequence()[1:]]
        assert moves == [(game.height - 1 - y, x) for x, y, _ in game.stones]


# How a game ends: as sgf, psq and pgn have it.
ENDS = [
    ("white", Termination.FIVE, "W+", 0, "1-0"),
    ("white", Termination.TIMEOUT, "W+T", 15, "1-0"),
    ("white", Termination.CRASH, "W+F", -2, "1-0"),
    ("black", Termination.FORBIDDEN, "B+F", -2, "0-1"),
    ("black", Termination.RESIGNED, "B+R", None, "0-1"),
    ("white", Termination.ADJUDICATED, "W+", -1, "1-0"),
    ("draw", Termination.FULL, "0", None, "1/2-1/2"),
    ("draw", Termination.INTERRUPTED, "Void", -1, "*"),
]


@pytest.mark.parametrize(("winner", "termination", "result", "code", "score"), ENDS)
def test_how_a_game_ended(
    winner: str, termination: Termination, result: str, code: int | None, score: str
) -> None:
    game = sample(winner, termination)
    assert f"RE[{result}]" in write_sgf(game)
    assert code is None or write_psq(game).endswith(f"\n{code}\n")
    # Black, who begins, is White in chess.
    text = write_pgn(played(winner, termination))
    assert text.isascii() and max(map(len, text.splitlines())) < 80
    (read,) = _read(text)
    headers = read.headers
    assert (headers["White"], headers["Black"], headers["Result"]) == ("Simple 2", "Tengen", score)
    assert headers["Event"] == "Gomoku, renju" and headers["Date"] == "2026.09.21"
    assert [headers[name] for name in ("Round", "Board", "Rule")] == ["5", "20x15", "renju"]
    assert headers["Termination"] == termination.value
    assert not list(read.mainline()) and read_saved_game(text, is_cut=True).rule == "renju"
    assert read.comment.split()[:3] == ["a15", "b15", "c15"] and len(read.comment.split()) == 120


# ---- Piskvork's files


def test_as_piskvork_writes_it() -> None:
    assert write_psq(sample()) == (
        f"{PISKVORK}8,8,0\n9,9,12\n7,1,1500\n15,15,250\n"
        "Tengen\nSimple\n0\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "people", "levels"),
    [
        ((0.1, 1.2), (), "1:4"),
        ((0.01, None), (), "1:11"),
        ((0.1, 1.2), ("Simple",), "1:0"),
    ],
)
def test_levels_of_time(
    turns: tuple[float | None, ...], people: Collection[str], levels: str
) -> None:
    controls = {
        name: TimeControl(turn, 60) for name, turn in zip(("Tengen", "Simple"), turns, strict=True)
    }
    text = write_psq(sample(), controls, people)
    assert text.startswith(f"Piskvorky 15x15, {levels}, 0\n")
    assert read_psq(text).people == frozenset({WHITE} if people else ())


def test_who_began_is_black() -> None:
    text = "Piskvorky 15x15, 0:3, 1\n8,8,900\nhomo-1\npbrain\n0\n"
    game = read_saved_game(text)
    assert (game.names, game.people) == (("pbrain", "homo-1"), frozenset([WHITE]))
    assert read_saved_game(text.replace("0:3", "3:0")).people_sides == {BLACK}


@pytest.mark.parametrize(
    ("tail", "names"),
    [
        ("", ""),
        ("-1\n\n", ""),
        ("A\nB\n", "A B"),
        ("7\n8\n0\n", "7 8"),
        ("-1\n2,Renju\n", ""),
        ("0\n1,2\n", ""),
        ("A\nB\n-1\n1,2,3\n", "A B"),
        ("A\r\nB\r\n-1\r\n1,Freestyle1\r\n", "A B"),
    ],
)
def test_names_a_code_and_the_line_of_a_manager_may_follow(tail: str, names: str) -> None:
    game = read_saved_game(f"\ufeffPiskvorky 15x12, 11:11, 0\n 8, 8\n{tail}")
    assert (game.width, game.height, cells(game), times(game)) == (15, 12, ((7, 7),), (None,))
    assert " ".join(filter(None, game.names)) == names


@pytest.mark.parametrize(
    ("time", "ms"),
    [
        ("", None), (",", None), (",12", 12), (",0", 0), (", 12 ", 12), (",-15", None),
        (",12.5", None), (",4294967295", None), (",-2147483648", None), (",1e3", None),
        (",soon", None), (",12,13", None), (",+5", None), (",99999999999999999999", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_move_with_any_time_is_a_move(time: str, ms: int | None, end: str) -> None:
    lines = ("Piskvorky 15x15, 11:11, 0", "8,8,0", f" 9 , 9{time}", "", "10,10,7", "A", "B", "0")
    game = read_saved_game(end.join(lines))
    assert cells(game) == ((7, 7), (8, 8), (9, 9)) and game.names == ("A", "B")
    assert times(game) == (0, None if ms is None else ms / 1000, 0.007)


# ---- the same game from every record


PLAYED = sample(names=("Tengen", PERSON_NAME), rule=4)
STONES = tuple((move.x, move.y, move.colour) for move in MOVES)


def test_the_same_game_from_every_record() -> None:
    line = read_record(game_record(PLAYED), timing_record(PLAYED))
    psq = read_saved_game(write_psq(PLAYED))
    sgf = read_saved_game(write_sgf(PLAYED))
    for found in (line, psq, sgf):
        assert found.stones == STONES
        assert (found.width, found.height) == (15, 15)
        assert found.names == ("Tengen", PERSON_NAME)
        assert len(found) == len(MOVES)
    assert (line.rule_number, psq.rule_number, sgf.rule_number) == (4, 0, 4)
    assert (line.says_rule, psq.says_rule, sgf.says_rule) == (True, False, True)
    assert psq.people_sides == sgf.people_sides == {WHITE}
    assert times(line)[1] == 0.0124 and times(psq)[1] == 0.012 and times(sgf)[1] is None
    assert read_saved_game(write_sgf(PLAYED), rule=1).rule_number == 1


def test_what_a_record_leaves_out_is_unknown() -> None:
    found = read_record({"game": 4, "moves": [[7, 7], [8, 8]]})
    assert (found.number, found.pair, found.winner, found.ending) == (5, None, 0, "UNKNOWN")
    assert [node.report for node in found] == [None, None]
    assert times(found) == (None, None)
    assert not found.says_rule
    # A game is finished before its time is known in full, and the other way round.
    assert read_record({"game": 0, "moves": [[1, 1]]}, {"elapsed_s": [1, 2, 3]})[0].time_s == 1.0


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"moves": []}, "is not a game: 'game' is missing"),
        ({"game": 0}, "is not a game: 'moves' is missing"),
        ({"game": 0, "moves": [7]}, "is not a game: "),
        ({"game": 0, "moves": [[7, "x"]]}, "is not a game: "),
        ({"game": 0, "moves": [[1, 1]], "reports": [3]}, "is not a game: "),
        ({"game": 0, "moves": [], "opening": []}, "is not a game: "),
        ({"game": 0, "moves": [[10**12, 0]]}, "is not a game: "),
        ({"game": float("inf"), "moves": []}, "is not a game: "),
    ],
)
def test_what_is_not_a_game(record: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:
        read_record(record)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


@pytest.mark.parametrize("key", ["pair", "black", "reports", "opening", "termination", "winner"])
def test_a_run_is_not_resumed_from_incomplete_records(key: str) -> None:
    record: dict[str, Any] = game_record(PLAYED)
    timing = timing_record(PLAYED)
    assert game_record(read_whole_record(record, timing)) == record
    with pytest.raises(ValueError, match="no record of a game"):
        read_whole_record({k: v for k, v in record.items() if k != key}, timing)
    for shorter in ({**record, "reports": []}, {**record, "moves": record["moves"][:2]}):
        with pytest.raises(ValueError, match="no record of a game"):
            read_whole_record(shorter, timing)


def test_the_lines_of_a_run(tmp_path: Path) -> None:
    head = '{"format":2,"programs":[{"name":"Tengen"}]}'
    line = json.dumps(game_record(PLAYED))
    (tmp_path / "games.jsonl").write_text(f"{head}\n{line}\n{line[:30]}", encoding="ascii")
    assert len(load_run(tmp_path)) == 1
    position = find_position(str(tmp_path)).position
    assert position.all_stones == STONES and position.side == BLACK and position.rule == "renju"
    with pytest.raises(ValueError, match="games, line 2: is not a record"):
        parse_records("{}\n[]\n", "games")


# ---- lists of moves


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_record_of_gomotur(end: str) -> None:
    game = game_of(REC.replace("\n", end).encode(), "a.rec")
    assert cells(game) == ((10, 10), (9, 11), (0, 19)) and (game.width, game.height) == (20, 20)
    assert game.names == ("A b", "homo-1") and times(game) == (0.0, 1.5, None)
    assert not game.says_rule


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_position_of_yixin_board(end: str) -> None:
    game = game_of(SAV.replace("\n", end).encode(), "a.sav")
    assert (game.width, game.height) == (20, 15)
    assert game.stones == ((7, 7, BLACK), (9, 8, WHITE), (19, 14, BLACK))
    assert cells(game_of(b"15\n15\n0\n")) == ()


# ---- all of them

SAMPLES = {
    ".sgf": b"(;GM[4]SZ[15];B[hh])",
    ".psq": b"Piskvorky 15x15, 11:11, 0\n8,8,0\nA\nB\n0\n",
    ".rec": REC.encode(),
    ".sav": SAV.encode(),
    ".lib": LIBRARY,
    ".rif": RIF.encode(),
    ".pgn": b'[Black "A"]\n\n1. h8 i9 2. h9 1-0\n',
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_content_decides_and_every_command_can_name_the_file(ending: str, tmp_path: Path) -> None:
    assert tuple(SAMPLES) == ENDINGS
    for name in (f"game{ending}", f"GAME{ending.upper()}", "game", "game.txt"):
        path = tmp_path / name
        path.write_bytes(SAMPLES[ending])
        assert find_position(str(path), choice=Choice(after=1)).position.all_stones[0][2] == BLACK
    assert is_saved_game(text_of(SAMPLES[ending]))


PUZZLE = '{"rule": 1, "size": 15, "moves": [[7, 7], [8, 8]], "best": [6, 6], "mate": 7}'
PROOF = (
    '{"format": 1, "rule": 4, "width": 15, "height": 15, "stones": [[7, 7, 1], [8, 8, 3]],'
    ' "attacker": 2, "plies": 3, "proof": {"move": [1, 1], "replies": [{"move": [2, 2],'
    ' "then": {"move": [3, 3]}}]}}'
)
# What else is read, each by its own reader.
TEXTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "points": ("h8i9 7,6", lambda text: read_position(text, "it", Choice(after=1))),
    "picture": (". . X\n" * 5, lambda text: read_position(text, "it", Choice(side=BLACK))),
    "puzzle": (PUZZLE, lambda text: read_puzzles(text, "it", Choice())),
    "proof": (PROOF, lambda text: read_proof(text).check()),
}
_PIECES = (
    st.binary(max_size=3)
    | st.text("();[]\\ABWSZaht18:<", max_size=40).map(str.encode)
    | st.sampled_from([b"-1", b"999", b"[]", b"null", b"1e9", b'""', "\xe9".encode()])
)


@pytest.mark.parametrize("kind", [*ENDINGS, *TEXTS])
@given(data=st.data())
def test_what_is_damaged_is_read_or_refused_in_one_line(kind: str, data: st.DataObject) -> None:
    text, read = TEXTS.get(kind, ("", None))
    sample = bytearray(SAMPLES.get(kind, text.encode()))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(sample)))
        sample[at : at + data.draw(st.integers(0, 5))] = data.draw(_PIECES)
    try:
        if read is not None:
            read(sample.decode("utf-8", "replace"))
        else:
            read_saved_game(text_of(bytes(sample), f"game{kind}"), is_cut=data.draw(st.booleans()))
    except ValueError as error:
        assert str(error).strip() and len(str(error).splitlines()) == 1


@pytest.mark.parametrize("bracket", ["[", '{"a":', '{"moves":[['])
def test_endless_brackets(bracket: str) -> None:
    for kind in ("puzzle", "proof"):
        with pytest.raises(ValueError):
            TEXTS[kind][1](bracket * 100_000)


@pytest.mark.parametrize(
    "piece", ["a", "a\n", "1\n", "1,1,1\n", " ", "\n", "15\n ", "(", "<", "[", "1 "]
)
def test_long_texts_are_told_apart_at_once(piece: str) -> None:
    """No pattern takes more than a few steps a character."""
    text = piece * (400_000 // len(piece))
    if is_saved_game(text):
        with pytest.raises(ValueError):
            parse_games(text)


# ---- pgn as it is written, read again by python-chess, whose reader is the strictest


def played(
    result: str = "white", termination: Termination = Termination.FIVE, black: str = "Tengen"
) -> Game:
    moves = tuple(
        Move(x, y, colour) for x, y, colour in in_turns((i % 20, i // 20) for i in range(120))
    )
    made = sample(result, termination, (black, "Simple 2"), (20, 15), 4, moves)
    made.match = MatchFacts(4, 2, began_at=1_790_000_000.0, host="machine")
    return made


def _read(text: str) -> list[chess.pgn.Game]:
    file = io.StringIO(text)
    games = []
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors
        games.append(game)
    return games


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


def test_different_names_stay_different_and_can_be_read_again() -> None:
    names = NAMES + ODD_NAMES
    text = "".join(write_pgn(played(black=name)) for name in names)
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
    games = [played(black=name) for name in NAMES]
    assert len({write_sgf(game) for game in games}) == len(NAMES)
    read = [read_saved_game(write_psq(game), is_cut=True) for game in games]
    assert len({psq.names for psq in read}) == len(NAMES)
