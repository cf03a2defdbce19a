"""Libraries of RenLib and databases of RenjuNet: what they hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.files.formats import parse_games, text_of
from tengen.game.files.sgf import read_sgf, write_sgf
from tengen.game.game import Game
from tengen.game.node import Node
from tengen.game.referee import BLACK, WHITE
from tests.game.sample_games import cells, read_saved_game

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


PGN = """[Event "Cup \\"A\\" \\\\B"]
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
    assert first.count == 3 and first.root.text("EV") == 'Cup "A" \\B'
    assert (third.width, cells(third), third.names) == (20, ((0, 0), (19, 19)), ("Cy", ""))
    assert cells(read_saved_game('[Black "A"]x\n\n1. h8')) == ((7, 7),), "no tag, but a game"
    with pytest.raises(ValueError, match="pgn: move 2: 'zz' is not a point"):
        read_saved_game(PGN, number=2)
