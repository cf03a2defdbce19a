"""The encodings of files of games: named, named wrongly, and not named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.encodings import codec_of, decoded
from tengen.game.files.formats import text_of
from tengen.game.files.sgf import read_sgf, write_sgf
from tests.game.sample_games import cells, read_saved_game

# In these encodings the second byte of the first character is `\`, `]` or `|` of ASCII.
SHIFT_JIS = "表ゾ能の手は良いです"
BIG5 = "許功蓋，黑棋的勝著"
GBK = "誠繺，黑棋先手"
JAPANESE = "この手は良い手です。白の勝ち"
SIMPLIFIED = "黑棋先手，白棋应对。这一步是胜着"
TRADITIONAL = "黑棋先手，白棋應對。這一步是勝著"
KOREAN = "흑이 이겼습니다. 좋은 수"
FRENCH = "François a gagné"
CZECH = "Šimon Dvořák, Jiří"

NAMED = [
    ("Shift_JIS", "cp932", SHIFT_JIS), ("SJIS", "cp932", SHIFT_JIS), ("x-sjis", "cp932", SHIFT_JIS),
    ("windows-31j", "cp932", "①髙"), ("Big5", "cp950", BIG5), ("big5", "cp950", BIG5),
    ("GBK", "gbk", GBK), ("GB18030", "gb18030", GBK), ("gb2312", "gb2312", SIMPLIFIED),
    ("GB2312", "gbk", GBK), ("EUC-JP", "euc_jp", JAPANESE), ("EUC-KR", "euc_kr", KOREAN),
    ("ks_c_5601-1987", "cp949", KOREAN), ("ISO-2022-JP", "iso2022_jp", "表の手"),
    ("HZ-GB-2312", "hz", SIMPLIFIED), ("ISO-8859-1", "latin-1", FRENCH),
    ("latin1", "latin-1", FRENCH),
    ("windows-1250", "cp1250", CZECH), ("ISO-8859-2", "iso8859-2", CZECH),
    ("windows-1251", "cp1251", "Виктор выиграл"), ("KOI8-R", "koi8-r", "Виктор выиграл"),
    ("UTF-8", "utf-8", SHIFT_JIS), (" utf8 ", "utf-8", CZECH), ("utf-8", "utf-8-sig", BIG5),
]  # fmt: skip
UNNAMED = [
    ("cp932", JAPANESE), ("cp932", SHIFT_JIS), ("cp950", TRADITIONAL), ("cp950", BIG5),
    ("gbk", SIMPLIFIED), ("gb18030", SIMPLIFIED), ("euc_jp", JAPANESE), ("euc_kr", KOREAN),
    ("iso2022_jp", JAPANESE), ("latin-1", FRENCH), ("latin-1", "Åsa Öst"),
    ("latin-1", "Jürgen Müller"),
    ("utf-8", SIMPLIFIED), ("utf-8", FRENCH), ("utf-8-sig", CZECH), ("utf-16", KOREAN),
]  # fmt: skip
TEXT = "(;GM[4]SZ[15]{}PB[{}]PW[Li];B[hh]C[{}];W[ih]N[{}];B[hg];W[ii])"


# What CA says rightly; nothing, what is unknown, and what the bytes refute; UTF-8 under another
# name.
SAID = [
    *((f"CA[{said}]", codec, text) for said, codec, text in NAMED),
    *((said, codec, text) for codec, text in UNNAMED for said in (
        "", "CA[]", "CA[no-such]", "CA[hex]", "CA[utf-7]", "CA[cp037]", "CA[unicode_escape]",
        "CA[UTF-16]", "CA[UTF-8]", "CA[ASCII]", "CA[ISO-2022-JP]")),
    *((f"CA[{said}]", "utf-8", text) for text in (JAPANESE, SIMPLIFIED, TRADITIONAL, KOREAN)
      for said in ("Shift_JIS", "Big5", "GBK", "EUC-KR", "ISO-8859-1", "windows-1252")),
]  # fmt: skip


@pytest.mark.parametrize(("said", "codec", "text"), SAID)
def test_sgf_under_any_name_of_its_encoding(said: str, codec: str, text: str) -> None:
    game = read_saved_game(text_of(TEXT.format(said, text, text, text).encode(codec)))
    assert cells(game) == ((7, 7), (8, 7), (7, 6), (8, 8))
    assert (game.black, game.white) == (text, "Li")
    assert [node.text("C") for node in game.root.main_line()][1] == text
    # It is written in UTF-8, and says so.
    again = write_sgf(game)
    assert "CA[UTF-8]" in again and again.count("CA[") == 1
    assert read_saved_game(text_of(again.encode())).black == text


@pytest.mark.parametrize(
    ("said", "codec", "text"),
    [
        ("ISO-8859-1", "cp932", "山本ソ"), ("ISO-8859-1", "cp932", "先手の表"),
        ("windows-1252", "cp950", "黑棋許功蓋"), ("gb2312", "latin-1", "Anne, René"),
        ("Shift_JIS", "latin-1", "Müller, André"), ("Big5", "latin-1", "José"),
    ],
)  # fmt: skip
def test_no_move_is_lost_by_a_wrong_name_that_the_bytes_allow(
    said: str, codec: str, text: str
) -> None:
    game = TEXT.format(f"CA[{said}]", text, text, text).encode(codec)
    assert cells(read_saved_game(text_of(game))) == ((7, 7), (8, 7), (7, 6), (8, 8))


def test_games_of_several_encodings_in_one_file() -> None:
    parts = (("Shift_JIS", "cp932", SHIFT_JIS), ("GBK", "gbk", GBK), ("UTF-8", "utf-8", KOREAN))
    data = b"\n".join(
        TEXT.format(f"CA[{said}]", text, text, text).encode(codec) for said, codec, text in parts
    )
    names = [game.root.text("PB") for game in read_sgf(text_of(data))]
    assert names == [SHIFT_JIS, GBK, KOREAN]


@pytest.mark.parametrize(
    ("codec", "name"),
    [("cp1250", CZECH), ("cp1250", "Łukasz Żółw"), ("gbk", SIMPLIFIED), ("cp932", JAPANESE),
     ("cp950", TRADITIONAL), ("euc_kr", KOREAN), ("utf-8", CZECH), ("utf-8-sig", SIMPLIFIED),
     ("utf-16", CZECH), ("latin-1", "Jürgen")],
)  # fmt: skip
def test_names_in_psq_files(codec: str, name: str) -> None:
    data = f"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n{name}\r\nX\r\n0\r\n".encode(codec)
    assert read_saved_game(text_of(data, "a.psq")).names == (name, "X")


def test_what_is_not_text_is_said_to_be_none() -> None:
    for data in (b"\x80\x81\xff\xfe", b"h8\0i9", "Jürgen".encode("latin-1")):
        with pytest.raises(ValueError, match="is not text"):
            text_of(data, "positions.txt")
    assert text_of("h8i9".encode("utf-16"), "x.txt") == "h8i9", "as PowerShell writes"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gbk"])
def test_texts_of_moves(codec: str) -> None:
    text = "Rule: renju\r\n黑方：张三\r\n棋谱：h8i9"
    assert text_of(text.encode(codec), "x.txt") == text


def test_codecs_of_python_that_are_no_encoding_of_a_file() -> None:
    for said in ("hex", "rot13", "zlib", "utf-7", "utf-16", "idna", "punycode", "unicode_escape",
                 "raw_unicode_escape", "undefined", "cp037", "", "a\0b", "x" * 400):  # fmt: skip
        assert codec_of(said) is None


@given(st.binary(max_size=60), st.none() | st.text(max_size=12))
def test_any_bytes_are_some_text(data: bytes, said: str | None) -> None:
    text = decoded(data, said)
    assert isinstance(text, str)
    if data.isascii() and b"\x1b" not in data and b"~" not in data:
        assert text == data.decode()


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "iso2022_kr"])
@pytest.mark.parametrize("said", ["", "CA[UTF-8]", "CA[no-such]"])
def test_sgf_in_encodings_with_wide_or_shifted_characters(said: str, codec: str) -> None:
    data = TEXT.format(said, KOREAN, KOREAN, KOREAN).encode(codec)
    assert read_sgf(text_of(data, "a.sgf"))[0].root.text("PB") == KOREAN
