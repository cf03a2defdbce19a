"""Text whose encoding is not known: the files of games that people have.

A file may name its encoding and be right, name it and be wrong, or name none. In the East Asian
encodings but UTF-8 the second byte of a character can be `\\` or `]`, which mean something in sgf.
So a file is decoded first, and read then.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What Windows means by these names: more characters, the others at the same places.
_LARGER = {
    "shift_jis": "cp932",
    "windows-31j": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "euc_kr": "cp949",
}
# Encodings of Python that no file of a game is in; they read `\` or `+` in their own way.
_NEVER = frozenset({"unicode_escape", "raw_unicode_escape", "utf-7", "punycode", "idna"})
_ASCII = bytes(range(0x20, 0x7E))
# Seven bits a byte, with a sign in front of the characters.
_SHIFTED = (b"\x1b$)C", "iso2022_kr"), (b"\x1b$", "iso2022_jp_2"), (b"~{", "hz")

# Characters that are in nearly every text of a language.
_SIMPLIFIED = frozenset(
    "的一是不了在有我他这个们中来上大为和国地到以说时要就出会可也你对生能子那得于着下"
    "黑白先后手棋胜局开珠五连四三活冲禁这步着点赢输对小王李张刘陈杨"
)
_TRADITIONAL = frozenset(
    "的一是不了在有我他這個們中來上大為和國地到以說時要就出會可也你對生能子那得於著下"
    "黑白先後手棋勝局開珠五連四三活衝禁步點贏輸小王李張劉陳楊"
)
_HANGUL = frozenset(
    "이다는에가하고지의은을를로서한기사도수나그리인자어있대니흑백오목승국김박최정강조"
)


def _is_japanese(char: str) -> bool:
    return "\u3041" <= char <= "\u30fe" or char in "先後手黒白勝局珠連四三五着点禁負田山本中"


# By the encoding: the first bytes of its ordinary characters, whether the second byte always has
# its high bit, and what is frequent. Between equals the first one is taken.
_EAST_ASIAN: tuple[tuple[str, range, bool, Callable[[str], bool]], ...] = (
    ("gb18030", range(0xB0, 0xD8), True, _SIMPLIFIED.__contains__),
    ("cp932", range(0x88, 0x99), False, _is_japanese),
    ("euc_jp", range(0xB0, 0xD0), True, _is_japanese),
    ("cp950", range(0xA4, 0xC7), False, _TRADITIONAL.__contains__),
    ("cp949", range(0xB0, 0xC9), True, _HANGUL.__contains__),
)
# The least mean of `_weight` with which a text counts as East Asian.
_LEAST = 0.75
# So much of a text is enough to guess.
_GUESSED_CHARACTERS = 20_000


def decoded(data: bytes, said: str | None = None, otherwise: str = "latin-1") -> str:
    """The text of a file.

    said       the encoding that the file names; one that is not known, and one that the bytes
               refute, is not taken.
    otherwise  the encoding of a text that is in none of those that can be recognised: UTF-8, UTF-16
               with its mark, and the usual ones of Chinese, Japanese and Korean.
    """
    if any(data.startswith(mark) for mark, _ in _MARKS) and (text := unicode_text(data)):
        return text
    named = None if said is None else codec_of(said)
    in_utf8 = unicode_text(data)
    if named in (None, "utf-8", "ascii") and in_utf8 is not None:
        shifted = next((name for sign, name in _SHIFTED if sign in data), None)
        in_shifted = None if shifted is None else _try(data, shifted)
        return in_utf8 if in_shifted is None else in_shifted
    if named is not None and (text := _try(data, named)) is not None:
        # UTF-8 that a file calls something else: chance makes no such sequences of three bytes, and
        # in an encoding of one byte a character not even of two.
        is_single = len(text) == len(data)
        if in_utf8 is None or not (is_single or any(char > "\u07ff" for char in in_utf8)):
            return text
    if in_utf8 is not None:
        return in_utf8
    for candidate in filter(None, (_guess(data), otherwise)):
        if (text := _try(data, candidate)) is not None:
            return text
    return data.decode("latin-1")


def unicode_text(data: bytes) -> str | None:
    """The text of UTF-8 or UTF-16, without its mark; UTF-16 may have none. None where it is not
    that."""
    # The first character of what is pasted is of one byte, and a zero is its other half.
    name = {0: "utf-16-be", 1: "utf-16-le"}.get(data[:2].find(0), "utf-8")
    name = next((name for mark, name in _MARKS if data.startswith(mark)), name)
    text = _try(data, name)
    return None if text is None else text.removeprefix("\ufeff")


def codec_of(said: str) -> str | None:
    """Python's name for an encoding in which ASCII is itself, or that shifts; None where there is
    no such encoding."""
    word = said.strip().lower()
    word = _LARGER.get(word, word)
    for attempt in (word, word.removeprefix("x-"), word.removeprefix("windows-").join(("cp", ""))):
        try:
            name = codecs.lookup(attempt).name
            name = name.replace("-", "_") if name.replace("-", "_") in _NEVER else name
            if name not in _NEVER and (name == "hz" or _ASCII.decode(name) == _ASCII.decode()):
                return _LARGER.get(name, name)
        except (LookupError, ValueError):
            continue
    return None


def _try(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return None


def _guess(data: bytes) -> str | None:
    """The East Asian encoding that makes the most ordinary text of the bytes; None where none
    does."""
    best, found = _LEAST, None
    for name, first_bytes, is_high, is_frequent in _EAST_ASIAN:
        text = _try(data, name)
        if text is None:
            continue
        shown = text if len(text) <= _GUESSED_CHARACTERS else text[:_GUESSED_CHARACTERS]
        weights = []
        for at, char in enumerate(shown):
            if char > "\x7f":
                beside = shown[at - 1 : at] + shown[at + 1 : at + 2]
                weight = 3.0 if is_frequent(char) else _weight(char, name, first_bytes, is_high)
                # In the encodings of Europe such a byte is within a word.
                weights.append(weight - any(c.isascii() and c.isalpha() for c in beside))
        mean = sum(weights) / len(weights) if weights else 0.0
        if mean > best:
            best, found = mean, name
    return found


def _weight(char: str, name: str, first_bytes: range, is_high: bool) -> float:
    """How ordinary a character is that is not frequent."""
    data = char.encode(name)
    if len(data) != 2 or "\ue000" <= char <= "\uf8ff":
        return -2.0  # half a character, or nobody's
    if is_high and data[1] < 0xA1:
        return -0.5
    if "\u3000" <= char <= "\u303f" or "\uff01" <= char <= "\uff5e":
        return 1.0  # punctuation
    if data[0] in first_bytes:
        return 1.0
    return 0.6 if is_high else 0.0
