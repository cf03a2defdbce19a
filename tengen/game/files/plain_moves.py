"""Games as bare lists of moves.

text   what engine/text.py reads: moves or a picture, with the names and the rule above them.
pgn    texts with tags such as [Black "Ann"], one after the other.
.rec   Gomotur's, which Piskvork can write: the two names, that of the player who began first; a
       line for each move, column, row (from 0), milliseconds; and the code of the end. The
       board is 20x20.
.sav   Yixin-Board's: the board's rows, its columns, the number of moves, each on its line, and
       for each move row and column from 0.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from engine.pasted import tag_of
from engine.text import DEFAULT_SIZE, RULE_NAMES, read_position
from tengen.game.files.lazy import LazyGames
from tengen.game.game import RESULTS, Game
from tengen.game.node import first_properties
from tengen.game.played import MatchFacts
from tengen.game.referee import MAX_SIZE, MIN_SIZE, Cell, in_turns

_MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,9})?.*", re.ASCII)
# Written so that no long text of another kind takes long.
REC = re.compile(
    r"\ufeff?(?:[^\n,]{1,200}\n){2}(?:[ \t]*\d{1,3}[ \t]*,[ \t]*\d{1,3}[ \t]*,[^\n]*\n)+"
    r"[ \t]*-?\d{1,9}\s*\Z",
    re.ASCII,
)
SAV = re.compile(
    r"\ufeff?\s*\d{1,3}[ \t\r]*\n[ \t]*\d{1,3}[ \t\r]*\n[ \t]*\d{1,4}[ \t\r]*"
    r"(?:\n[ \t]*\d+[ \t]+\d+|\s*\Z)",
    re.ASCII,
)
_REC_SIZE = 20
PGN = re.compile(r"\ufeff?\s*\[\w{1,30}[ \t]+\"(?:\\\"|[^\"\n])*\"\s*\]")


def game_of_cells(
    form: str,
    info: Mapping[str, str],
    size: tuple[int, int],
    cells: Sequence[Cell],
    lines: Sequence[int],
    elapsed_s: Sequence[float | None] = (),
    people: frozenset[int] | None = None,
) -> Game:
    """The game of a list of moves, Black's first, up to the first one that is impossible.

    info   as for `first_properties`.
    lines  of the file, where the moves are, for the error.
    """
    (width, height), damage, taken = size, "", dict[Cell, None]()
    for (x, y), line in zip(cells, lines, strict=True):
        if not (0 <= x < width and 0 <= y < height):
            damage = f"{form}, line {line}: the move is outside the {width}x{height} board"
        elif (x, y) in taken:
            damage = f"{form}, line {line}: the move is played on a stone"
        if damage:
            break
        taken[x, y] = None
    game = Game.of(form, first_properties(info, size), in_turns(taken), people)
    game.damage = damage
    for node, time_s in zip([*game.root.main_line()][1:], elapsed_s, strict=False):
        node.time_s = time_s
    return game


def read_pgn(text: str) -> Sequence[Game]:
    """All games of a file of pgn, each read when it is asked for. One that cannot be read is empty,
    with a `damage`."""
    games: list[list[str]] = []
    has_moves = True
    for line in text.lstrip("\ufeff").splitlines():
        is_tag = tag_of(line.strip()) is not None
        if (is_tag and has_moves) or not games:
            games.append([])
        has_moves = not is_tag and (has_moves or bool(line.strip()))
        games[-1].append(line)
    return LazyGames(range(len(games)), lambda number: _pgn_game(games[number]))


def _pgn_game(lines: Sequence[str]) -> Game:
    try:
        parsed = read_position("\n".join(lines))
        game = Game.of_parsed(parsed, "pgn")
        said = {text: RESULTS[name] for name, text in _RESULTS.items()}
        if result := said.get(parsed.header.get("result", "").strip()):
            game.root.set("RE", result)
        return game
    except ValueError as error:
        game = Game.of("pgn", first_properties({}, DEFAULT_SIZE))
        game.damage = f"pgn: {error}"
        return game


def read_rec(text: str) -> list[Game]:
    """The game of a .rec file. ValueError, naming the line, for an impossible move before the
    end."""
    names, lines = text.lstrip("\ufeff").splitlines()[:2], text.splitlines()[2:]
    moves = [found for line in lines if (found := _MOVE.fullmatch(line))]
    cells = [(int(move[1]), int(move[2])) for move in moves]
    elapsed = tuple(None if move[3] is None else int(move[3]) / 1000 for move in moves)
    info = dict(zip(("PB", "PW"), (name.strip() for name in names), strict=True))
    size = _REC_SIZE, _REC_SIZE
    return [game_of_cells("rec", info, size, cells, range(3, 3 + len(cells)), elapsed)]


def read_sav(text: str) -> list[Game]:
    """The game of a .sav file. ValueError in one line if it is damaged."""
    try:
        height, width, count, *rest = (int(word) for word in text.lstrip("\ufeff").split())
    except ValueError:
        raise ValueError("sav: expected numbers: rows, columns, moves, and each move") from None
    if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE):
        raise ValueError(f"sav: {width}x{height} is not a board size")
    if len(rest) != 2 * count:
        raise ValueError(f"sav, line 3: says {count} moves, found {len(rest) // 2}")
    cells = list(zip(rest[1::2], rest[::2], strict=True))
    return [game_of_cells("sav", {}, (width, height), cells, range(4, 4 + count))]


# ---- pgn as it is written

_RESULTS = {"black": "0-1", "white": "1-0", "draw": "1/2-1/2"}
_COLUMNS = 79
# What readers take for the end of a text or undo, and blanks that they may drop.
_UNSAFE = re.compile(r'["\\%]|\A | \Z|(?<= ) ')


def write_pgn(game: Game) -> str:
    """The game, ASCII but for names, and an empty line, for programs that make ratings of games.

    Those read who played, and the result. The moves of this game are none of chess, so they stand
    in a comment, which every reader passes over. White is who plays the white stones; Black begins.
    Ordo and BayesElo compare names byte by byte and undo no backslashes, so names are in UTF-8, and
    signs that a reader could take for something else are written as `%` and two hexadecimal digits
    for each byte. So different names stay different.
    """
    match, end = game.match or MatchFacts(), game.termination
    result = _RESULTS.get(game.result or "", "*")
    rule = RULE_NAMES[game.rule_number]
    date = game.date
    if match.began_at is not None:
        date = f"{datetime.fromtimestamp(match.began_at, UTC):%Y.%m.%d}"
    tags = {
        "Event": game.event or f"Gomoku, {rule}",
        "Site": game.site or match.host or "?",
        "Date": date or "????.??.??",
        "Round": str(match.index + 1),
        "White": game.white,
        "Black": game.black,
        "Result": result,
        "Board": f"{game.width}x{game.height}",
        "Rule": rule,
        "Termination": "unterminated" if end is None else end.value,
    }
    lines = [f'[{name} "{_quoted(text)}"]' for name, text in tags.items()]
    comment = textwrap.wrap(f"{{{' '.join(game.moves)}}}", _COLUMNS, break_long_words=False)
    return "\n".join([*lines, "", *comment, result, "", ""])


def _quoted(text: str) -> str:
    """A text within a tag, in one line; no other text is written the same."""
    plain = _UNSAFE.sub(lambda found: _percent(found[0]), text)
    return "".join(c if c.isprintable() else _percent(c) for c in plain)


def _percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))
