"""The formats of other programs: what they hold, and what is wrong with a damaged one."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.files.formats import ENDINGS, is_saved_game, parse_games, text_of
from tengen.game.files.plain_moves import write_pgn
from tengen.game.files.positions import Choice, find_position
from tengen.game.files.psq import write_psq
from tengen.game.files.sgf import read_sgf, write_sgf
from tengen.game.game import Game
from tengen.game.node import Node
from tengen.game.played import MatchFacts, Termination
from tengen.game.referee import BLACK, WHITE, in_turns
from tests.game.sample_games import Move, cells, game, read_saved_game, times

# ---- RenLib. The bytes are put together here by the published layout, not by code of ours.

HEADER = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
SIBLING, LEAF, OLD, MARK, COMMENT, START, NO_MOVE, EXTENSION = (
    0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
)  # fmt: skip
ROOT = b"\x00\x00"


def point(name: str) -> int:
    """`h8` is 8 + 7 * 16: columns from 1, rows from 0 at the top."""
    return ord(name[0]) - ord("a") + 1 + (15 - int(name[1:])) * 16


def node(name: str, flags: int = 0, comment: bytes = b"", label: bytes = b"") -> bytes:
    flags |= (COMMENT if comment else 0) | (EXTENSION if label else 0)
    data = bytes([point(name) if name else 0, flags])
    if label:
        data += b"\x00\x01"
    for text in filter(None, (comment, label)):
        data += text + b"\0" * (2 - len(text) % 2)
    return data


LIBRARY = (
    HEADER
    + node("", comment=b"all of it")
    + node("h8", comment=b"centre\x08of the board")
    + node("i9", SIBLING)
    + node("j7", MARK | LEAF | SIBLING, comment="良い手".encode("cp932"))
    + node("a15", LEAF, label=b"A")
    + node("h9", START)
    + node("", 0)
    + node("o1", LEAF | SIBLING)
    + node("b14", NO_MOVE | LEAF, label=b"here")
)


def game_of(data: bytes, name: str = "", **choice: bool) -> Game:
    return read_saved_game(text_of(data, name), **choice)


def test_a_library_is_a_tree() -> None:
    game = game_of(LIBRARY)
    assert (game.width, game.height, game.rule) == (15, 15, "renju")
    assert game.stones == ((7, 7, BLACK), (8, 6, WHITE), (9, 8, BLACK))
    assert write_sgf(game) == (
        "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]C[all of it]\n;B[hh]C[centre\nof the board]\n(\n"
        ";W[ig]LB[aa:A]\n(\n;B[ji]MA[ji]C[良い手])\n(\n;B[aa]))\n(\n;W[hg]HO[1]\n;B[]LB[bb:here]\n"
        ";W[oo]))\n"
    )
    # It stays what it is as sgf.
    (again,) = read_sgf(write_sgf(game))
    assert write_sgf(again) == write_sgf(game)


def test_libraries_of_old_versions() -> None:
    body = bytes([point("h8"), OLD]) + b"ol" + bytes([ord("d") | 0x80, 0]) + node("i9", LEAF)
    for data in (body, HEADER[:9] + b"\x00" + HEADER[10:] + body):
        game = game_of(data, "old.lib")
        assert cells(game) == ((7, 7), (8, 6))
        assert next(iter(game.root.children)).text("C") == "old"


def test_a_library_that_begins_with_a_move_and_an_empty_one() -> None:
    assert cells(game_of(HEADER + node("h8") + node("i9", LEAF))) == ((7, 7), (8, 6))
    assert cells(game_of(HEADER)) == () == cells(game_of(HEADER + ROOT))


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"RenLib", "is not a file of RenLib"),
        (b"", "is not a file of RenLib"),
        (HEADER[:15], "renlib: ends within its header"),
        (
            HEADER[:8] + b"\x04\x00" + HEADER[10:],
            "renlib: is of version 4.0; expected one up to 3.4",
        ),
        (HEADER + ROOT + node("h8") + b"\x79", "renlib: ends too early"),
        (HEADER + ROOT + node("h8", COMMENT) + b"no end", "renlib: ends within a text"),
        (HEADER + ROOT + node("h8", OLD) + b"no end", "renlib: ends within a text"),
        (HEADER + ROOT + node("h8", EXTENSION), "renlib: ends too early"),
        (HEADER + ROOT + node("h8") + b"\x10\x40", "renlib: 16 is not a point"),
        (HEADER + ROOT + node("h8") + b"\xf8\x40", "renlib: 248 is not a point"),
        (HEADER + ROOT + node("h8") + node("h8", LEAF), "renlib: move 2 is played on a stone"),
    ],
)
def test_a_damaged_library(data: bytes, wrong: str) -> None:
    with pytest.raises(ValueError) as caught:
        game_of(data, "a.lib")
    assert str(caught.value) == wrong


def test_damage_beyond_the_main_line_and_within_it() -> None:
    whole = HEADER + ROOT + node("h8") + node("i9", LEAF | SIBLING)
    assert cells(game_of(whole + b"\x10\x40")) == ((7, 7), (8, 6))
    cut = game_of(HEADER + ROOT + node("h8") + b"\x79", is_cut=True)
    assert cells(cut) == ((7, 7),) and cut.fault == "renlib: ends too early"


def test_deep_and_broad_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hostile file is deeper than any board, or hangs all its texts on one node."""
    deep = parse_games(text_of(HEADER + ROOT + node("h8") * 30_000))[0].root
    assert sum(1 for _ in deep.main_line()) == 30_001
    labels = (node("h8", NO_MOVE | LEAF | SIBLING, label=b"x")) * 30_000
    broad = parse_games(text_of(HEADER + ROOT + labels))[0].root
    assert len(broad.properties["LB"]) == 30_000
    monkeypatch.setattr("tengen.game.files.renlib.MOST_NODES", 10)
    (tree,) = parse_games(text_of(HEADER + ROOT + node("h8") * 11))
    assert tree.damage == "renlib: holds more than 10 nodes"


@given(st.binary(max_size=80))
def test_any_bytes_are_a_library_or_refused(data: bytes) -> None:
    try:
        read_saved_game(text_of(HEADER + data))
    except ValueError as error:
        assert str(error).startswith("renlib: ") and "\n" not in str(error)


# A tree without properties: the trees after its first node.
_TREES: st.SearchStrategy[list[Any]] = st.recursive(
    st.just([]), lambda below: st.lists(below, max_size=3), max_leaves=15
)


@given(_TREES)
def test_every_form_of_tree_is_found(shape: list[Any]) -> None:
    """Siblings and leaves are flags of the nodes."""

    def written(below: list[Any], depth: int) -> bytes:
        data = b""
        for number, after in enumerate(below):
            name = f"{'abcdefghijklmno'[number]}{15 - depth}"
            more = SIBLING if number < len(below) - 1 else 0
            data += node(name, more | (0 if after else LEAF))
            data += written(after, depth + 1)
        return data

    def shape_of(read: Node) -> list[Any]:
        return [*map(shape_of, read.children)]

    read = parse_games(text_of(HEADER + ROOT + written(shape, 0)))[0]
    assert shape_of(read.root) == shape and not read.damage


# ---- RenjuNet

RIF = """<?xml version="1.0" encoding="UTF-8"?>
<database>
 <rules><rule id="1" name="RIF"/><rule id="2" name="Soosyrv-8"/></rules>
 <rules><rule id="3" name="Gomoku-X"/></rules>
 <openings><opening id="8" abr="8d" name="Kagetsu"/></openings>
 <players>
  <player id="1" name="Ando" surname="Meritee &amp; Co" country="1"/>
  <player id="2" name="村" surname="中"/>
 </players>
 <tournaments><tournament id="5" name="Cup" year="2001" city="1"/></tournaments>
 <games>
  <game id="11" publisher="1" tournament="5" round="3" rule="2" black="1" white="2" bresult="0"
   btime="0" wtime="0" opening="8" alt="i7 g7" swap="yes"><move>h8 i9
   j10 a1</move><info>a fine &lt;game&gt;</info></game>
  <game id="12" rule="1" black="2" white="9" bresult="0.5"><move></move></game>
  <game id="13" rule="3" black="2" white="1" bresult="1"><move>h8 h8</move></game>
  <game id="14" bresult=""><move>h8 z99</move></game>
 </games>
</database>
"""


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_database_of_games(codec: str) -> None:
    text = text_of(RIF.replace("UTF-8", codec.replace("-sig", "")).encode(codec), "a.rif")
    trees = parse_games(text)
    assert len(trees) == 4 and len(trees[1:]) == 3
    game = read_saved_game(text)
    assert game.stones == ((7, 7, 1), (8, 6, 2), (9, 5, 1), (0, 14, 2))
    assert game.names == ("Ando Meritee & Co", "村 中")
    assert (game.rule, game.result, game.says_rule, game.count) == ("renju", "white", True, 4)
    root = trees[0].root
    said = {name: root.text(name) for name in ("EV", "DT", "RO", "RU", "ON", "SO", "GC")}
    assert said == {
        "EV": "Cup", "DT": "2001", "RO": "3", "RU": "Soosyrv-8", "ON": "Kagetsu",
        "SO": "RenjuNet, game 11", "GC": "move 5 could be: i7 g7\nswap: yes\na fine <game>",
    }  # fmt: skip
    (again,) = read_sgf(write_sgf(game))
    assert write_sgf(again) == write_sgf(game)
    second = read_saved_game(text, number=2)
    assert (cells(second), second.names, second.said_result) == ((), ("村 中", ""), "draw")
    for number, rule, wrong in (
        (3, None, r"rif: RU\[Gomoku-X\] is not a known rule"),
        (3, 1, "rif: move 2 is played on a stone"),
        (4, None, r"rif: \[z99\] is not a point|rif: \[z99\] is outside"),
        (5, None, "--game 5: there are 4 games"),
    ):
        with pytest.raises(ValueError, match=wrong):
            read_saved_game(text, rule, number=number)


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    "<database><game><move>&b;</move></game></database>"
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (BOMB, "rif, line 1: declares a document type, which is not read"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><a/>', "rif, line 1: declares a document type"),
        ("<database></database>", "rif: holds no game"),
        (RIF[:700], "is not xml: "),
        ("<html><body>No such page<br></body></html>", "rif, line 1: is not xml: mismatched tag"),
        ("<database><game><move>h8 &x;</move></game></database>", "is not xml: undefined entity"),
        ("<" * 1000, "is not xml"),
        ("<a>" * 50_000, "is not xml"),
    ],
)
def test_a_database_that_is_none(text: str, wrong: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_games(text)
    assert str(caught.value).startswith("rif") and wrong in str(caught.value)
    assert "\n" not in str(caught.value)


OFFLINE = """<renjuoffline><games>
<game><id>7</id><black>Ann</black><white>Bob</white><rule>sosorov</rule><winner>white</winner>
<board>h8 i9 g8 </board></game>
<game><id>8</id><rule>renju</rule><board/></game>
</games></renjuoffline>"""


def test_the_other_database_has_all_in_the_game() -> None:
    first, second = (read_saved_game(OFFLINE, number=number) for number in (1, 2))
    assert first.stones == ((7, 7, 1), (8, 6, 2), (6, 7, 1)) and first.names == ("Ann", "Bob")
    assert (first.rule, first.result, first.says_rule) == ("renju", "white", True)
    assert (cells(second), second.names, second.result) == ((), ("", ""), None)
    with pytest.raises(ValueError, match="rif: game 2 has no <move> and no <board>"):
        parse_games(OFFLINE.replace("<board/>", "<stones>h8</stones>"))


PGN = """[Event "Cup"]
[Black "b12"]
[White "Bob"]
[Result "0-1"]

1. h8 i9 2. h9 {or i10,
[not a tag]} 0-1

[Event "?"]
[Black "Ann"]

1. h8 zz

[Black "Cy"]
[Board "20x20"]
{a20 t1} 1-0
"""


def test_a_file_of_pgn_has_games_one_after_the_other() -> None:
    first, third = (read_saved_game(PGN, number=number) for number in (1, 3))
    assert first.names == ("b12", "Bob") and cells(first) == ((7, 7), (8, 6), (7, 6))
    assert first.count == 3 and first.root.text("EV") == "Cup"
    assert (third.width, cells(third), third.names) == (20, ((0, 0), (19, 19)), ("Cy", ""))
    with pytest.raises(ValueError, match="pgn: move 2: 'zz' is not a point"):
        read_saved_game(PGN, number=2)


# ---- lists of moves

REC = "A b\nhomo-1\n10,10,0\n9,11,1500\n0,19,-3\n0\n"
SAV = "15\n20\n3\n7 7\n8 9\n14 19\n"


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


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (REC.replace("0,19", "0,20"), "rec, line 5: the move is outside the 20x20 board"),
        (REC.replace("0,19", "10,10"), "rec, line 5: the move is played on a stone"),
        (SAV.replace("8 9", "15 9"), "sav, line 5: the move is outside the 20x15"),
        (SAV.replace("8 9", "7 7"), "sav, line 5: the move is played on a stone"),
        (SAV.replace("14 19\n", ""), "sav, line 3: says 3 moves, found 2"),
        (SAV.replace("14 19", "14 x"), "sav: expected numbers"),
        (SAV.replace("15", "99", 1), "sav: 20x99 is not a board size"),
    ],
)
def test_a_list_of_moves_that_is_damaged(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong) as caught:
        read_saved_game(text)
    assert "\n" not in str(caught.value)


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


def test_every_ending_has_a_sample() -> None:
    assert tuple(SAMPLES) == ENDINGS


@pytest.mark.parametrize("ending", ENDINGS)
def test_content_decides_and_every_command_can_name_the_file(ending: str, tmp_path: Path) -> None:
    for name in (f"game{ending}", f"GAME{ending.upper()}", "game", "game.txt"):
        path = tmp_path / name
        path.write_bytes(SAMPLES[ending])
        assert find_position(str(path), choice=Choice(after=1)).position.all_stones[0][2] == BLACK
    assert is_saved_game(text_of(SAMPLES[ending]))


@pytest.mark.parametrize("ending", ENDINGS)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_in_one_line(ending: str, data: st.DataObject) -> None:
    sample = bytearray(SAMPLES[ending])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(sample)))
        sample[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=3))
    try:
        read_saved_game(text_of(bytes(sample), f"game{ending}"), is_cut=data.draw(st.booleans()))
    except ValueError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text",
    ["h8i9", "7,7 8,8", "7,7,8,8", "X . O\n. . .\n", "rule: 4\nto move: black\n. X .", "", "x . ."],
)
def test_other_texts_are_no_files_of_games(text: str) -> None:
    assert not is_saved_game(text)


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
