"""Reads positions that are typed, in files, or on standard input.

    h8i9g7            points, Black's first, or a picture, read by engine/text.py
    a file of games   of a kind that formats.py names: the last position of a game, or the one
                      after some moves
    JSON lines        puzzles, one a line: rule, size, moves, and if known best and mate
    games.jsonl       of `tengen match`, or its folder: one of the games, likewise

The form is recognised from the text.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.files import read_file
from engine.text import are_points, pair_text, quoted, read_moves
from engine.text import read_position as parse_position
from tengen.game.files.formats import count_text, games_in, is_saved_game, text_of
from tengen.game.files.jsonl import GAMES, is_run
from tengen.game.game import Game
from tengen.game.position import Position
from tengen.game.proof_file import read_cell
from tengen.game.referee import BLACK, WHITE, Cell, in_turns, side_to_move
from tengen.game.values import counted

STDIN = "-"
SIDES = {"black": BLACK, "white": WHITE}
# More than any game or file of puzzles needs.
_MAX_BYTES = 100_000_000

_FILE_NAME = re.compile(r".*[./\\].*\D.*")
_NO_GAMES = f"--game is for the {GAMES} of a match and files of games"
_EXAMPLE = "expected points such as h8i9 or 7,7 8,8, or a file"


@dataclass(frozen=True)
class Choice:
    """What the user says about a position besides naming it; None = not given.

    rule, side  override what the text says.
    size        width and height of the board of a list of points.
    after       the position after this many moves of a game or a list of points.
    game        which game of a match or a file of several, counted from one.
    from_top    rows of h8 are counted from the top, as some programs write.
    """

    rule: int | None = None
    size: tuple[int, int] | None = None
    side: int | None = None
    after: int | None = None
    game: int | None = None
    from_top: bool = False


AS_IT_IS = Choice()


@dataclass(frozen=True)
class StoredPosition:
    """A position that was read.

    position   with the moves that led to it, as far as they are known.
    name       where it comes from, for the user.
    says_rule  the source names the rule.
    best       the winning move that a puzzle names; mate: stones until its win, both sides'.
    game       that the position is of, None where it is of none.
    """

    position: Position
    name: str = "position"
    says_rule: bool = False
    best: Cell | None = None
    mate: int | None = None
    game: Game | None = field(default=None, compare=False, repr=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell the user of how the position was found: which game it is of, where there are
        several, and what was not read as it stands there."""
        if self.game is None:
            return ()
        return (self.name,) * (self.game.count > 1) + self.game.notes

    def require_open(self) -> None:
        """ValueError, with the name, if the game is over in this position."""
        if self.position.is_over:
            winner = self.position.winner()
            won = f"the game is over, {winner.capitalize()} has won" if winner else ""
            raise ValueError(f"{self.name}: {won or 'the board is full'}")


@dataclass(frozen=True)
class Found:
    """What was named: one position, or a batch of puzzles."""

    positions: tuple[StoredPosition, ...]
    is_batch: bool


def find_positions(words: Sequence[str], choice: Choice = AS_IT_IS) -> Found:
    """The positions that the words of a command line name: files, `-` for standard input, or
    points. ValueError in one line for bad input, OSError for a file that cannot be read."""
    if not words:
        raise ValueError(f"no position is given; {_EXAMPLE}")
    # Not Path.exists, which fails for what is too long for a name, such as many moves.
    files = [word == STDIN or os.path.exists(word) for word in words]
    if not any(files):
        return Found((_read_typed(words, choice),), False)
    if not all(files):
        raise ValueError(f"{words[files.index(False)]}: No such file or directory")
    texts = [(word, read_text(word)) for word in words]
    if choice.game is not None:
        if len(texts) > 1 or not (is_run(texts[0][1]) or is_saved_game(texts[0][1])):
            raise ValueError(_NO_GAMES)
    if any(_is_json(text) for _, text in texts):
        for word, text in texts:
            if not _is_json(text):
                raise ValueError(f"{word}: expected puzzles as JSON lines, like the other files")
        return Found(
            tuple(p for word, text in texts for p in read_puzzles(text, word, choice)), True
        )
    if len(texts) > 1:
        raise ValueError(
            f"{words[1]}: expected one position; only files of puzzles (JSON lines)"
            " may be given together"
        )
    return Found((read_position(texts[0][1], texts[0][0], choice),), False)


def find_position(*words: str, choice: Choice = AS_IT_IS) -> StoredPosition:
    """The one position that the words name, for commands that take one. Errors as of
    `find_positions`, and ValueError for several puzzles."""
    found = find_positions(words, choice).positions
    if len(found) != 1:
        raise ValueError(f"{', '.join(words)}: holds {len(found)} puzzles; expected one position")
    return found[0]


def read_text(word: str) -> str:
    """The text of a file, of the games.jsonl in a folder, or of standard input for `-`. ValueError
    if it is not text, OSError if it cannot be read."""
    if word == STDIN:
        data = sys.stdin.buffer.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise ValueError(f"{word}: is too large")
    else:
        path = Path(word)
        if path.is_dir() and (path / GAMES).is_file():
            path /= GAMES
        data = read_file(path, _MAX_BYTES)
    try:
        return text_of(data, word)
    except ValueError as error:
        raise ValueError(f"{word}: {error}") from None


def read_position(text: str, source: str, choice: Choice = AS_IT_IS) -> StoredPosition:
    """The one position that the text shows, in any form; the game may be over in it. ValueError,
    naming the source, if it shows none or an impossible one."""
    try:
        return _read(text, source, choice)
    except ValueError as error:
        raise ValueError(f"{source}: {without_source(source, error)}") from None


def choose_game(text: str, source: str, choice: Choice) -> tuple[str, Game] | None:
    """The game of a file of games or a match, the chosen one where there are several, with its
    name; None for a text of another form. ValueError, naming the source, for a bad file or
    choice."""
    try:
        games = games_in(text, source)
        if games is None:
            return None
        if choice.size is not None:
            raise ValueError("gives the size of its board: leave out --size")
        if choice.from_top:
            raise ValueError("--from-top is for points such as h8")
        number = choice.game or 1
        if not 1 <= number <= len(games):
            raise ValueError(f"--game {number}: there {count_text(len(games))}")
        game = games[number - 1].by_rule(choice.rule)
        game.number, game.count = number, len(games)
        if game.match is not None:
            if choice.game is None and len(games) > 1:
                raise ValueError(f"holds {len(games)} games: choose one with --game")
            return f"{source}, game {number}", game
    except ValueError as error:
        raise ValueError(f"{source}: {without_source(source, error)}") from None
    if game.count == 1:
        return source, game
    more = "; --game 2 for the next" if choice.game is None else ""
    return f"{source}, game {number} of {game.count}{more}", game


def without_source(source: str, error: Exception) -> str:
    """An error without the name of its source, which some begin with."""
    return str(error).removeprefix(f"{source}, ").removeprefix(f"{source}: ")


def _read(text: str, source: str, choice: Choice) -> StoredPosition:
    if found := choose_game(text, source, choice):
        return _of_game(found[1], found[0], choice)
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise ValueError(f"is empty; {_EXAMPLE}")
    return _of_parsed(text, source, choice)


def _read_typed(words: Sequence[str], choice: Choice) -> StoredPosition:
    text = " ".join(words).strip()
    if choice.game is not None and not is_saved_game(text):
        raise ValueError(_NO_GAMES)
    if are_points(text):
        return read_position(text, "position", choice)
    if not is_saved_game(text):
        try:
            parse_position(text, choice.size, choice.from_top)
        except ValueError as error:
            missing = next((word for word in words if _FILE_NAME.fullmatch(word)), None)
            if missing is not None and not any(sign in missing for sign in ("\n", "(", "://")):
                raise ValueError(f"{missing}: No such file or directory") from None
            raise ValueError(f"{quoted(text)} is neither a file nor a position: {error}") from None
    # A picture, psq or sgf in quotes.
    return read_position(text, "position", choice)


def _of_parsed(text: str, source: str, choice: Choice) -> StoredPosition:
    parsed = parse_position(text, choice.size, choice.from_top)
    says_rule = parsed.rule is not None
    if parsed.is_picture:
        if choice.after is not None:
            raise ValueError("a picture has no order of moves, which --after needs")
        rule = (parsed.rule or 0) if choice.rule is None else choice.rule
        size, side = (parsed.width, parsed.height), choice.side or parsed.side
        return StoredPosition(Position.begin(size, rule, parsed.stones, side), source, says_rule)
    return _of_game(Game.of_parsed(parsed).by_rule(choice.rule), source, choice)


def _of_game(game: Game, source: str, choice: Choice) -> StoredPosition:
    count = len(game) if choice.after is None else choice.after
    if game.fault and (choice.after is None or count > len(game)):
        raise ValueError(game.fault)
    if count > len(game):
        raise ValueError(f"--after {count}: the game has {counted(len(game), 'move')}")
    position, side = game.position(count), choice.side
    if side is None and count in game.line.passes:
        side = game.stones[count][2]
    elif side is None and not count and game.setup and game.said_side is None:
        if (side := side_to_move(game.setup)) is None:
            raise ValueError("the stones do not show whose turn it is: give --side")
    if side is not None:
        position.give_turn(side)
    return StoredPosition(position, source, game.says_rule, game=game)


# -- puzzles


def read_puzzles(text: str, source: str, choice: Choice) -> tuple[StoredPosition, ...]:
    """The puzzles of JSON lines; ValueError, naming the line, where one is bad."""
    puzzles = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            name = f"{source}, line {number}"
            try:
                puzzle = _read_puzzle(line, name, choice)
                if puzzle.best is not None and not puzzle.position.is_empty(*puzzle.best):
                    raise ValueError(f"best {pair_text(puzzle.best)} is not an empty cell")
                puzzles.append(puzzle)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{name}: {error}") from None
    if not puzzles:
        raise ValueError(f"{source}: holds no puzzles")
    return tuple(puzzles)


def _read_puzzle(line: str, name: str, choice: Choice) -> StoredPosition:
    if choice != Choice(rule=choice.rule):
        raise ValueError("--size, --side, --after and --from-top are not for puzzles")
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(record, dict):
        raise ValueError("expected an object with rule, size and moves")
    rule = _whole_number(record, "rule", 0) if choice.rule is None else choice.rule
    size = record.get("size")
    width, height = read_cell(size) if isinstance(size, list) else (size, size)
    if type(width) is not int or type(height) is not int:
        raise ValueError("size: expected a number such as 15, or [20, 15]")
    moves = record.get("moves")
    if isinstance(moves, str):
        moves = read_moves(moves, width, height)
    if not isinstance(moves, list):
        raise ValueError("moves: expected a list such as [[7, 7], [8, 8]], or h8i9")
    stones = in_turns(read_cell(move) for move in moves)
    best = None if record.get("best") is None else read_cell(record["best"])
    mate = None if record.get("mate") is None else _whole_number(record, "mate", None)
    position = Position.begin((width, height), rule)
    position.play_stones(stones)
    return StoredPosition(position, name, "rule" in record, best, mate)


def _whole_number(record: Mapping[str, Any], key: str, default: int | None) -> int:
    number = record.get(key, default)
    if type(number) is not int or number < 0:
        raise ValueError(f"{key}: expected a whole number")
    return number


def _is_json(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("{") and not is_run(text)
