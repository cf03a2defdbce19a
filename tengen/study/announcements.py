"""Announced mates: the positions of games in which the engine says that a side wins by force.

The engine searches every position of a game in turn, as it does when it plays, so that its table
holds what earlier positions have left there. The games are recorded ones, or the engine plays them
itself from a few random stones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.model import Limits
from engine.text import RULE_NAMES
from tengen.game.record.formats import ENDINGS, is_saved_game
from tengen.game.record.positions import read_text
from tengen.game.record.recorded import RecordedGame, read_saved_games
from tengen.game.record.run_folder import is_run, read_run
from tengen.game.rules.referee import BLACK, RENJU, Cell, Referee, opponent_of
from tengen.game.rules.stones import Stone, in_turns, set_up
from tengen.study.puzzle import Puzzle
from tengen.study.solver import Brain

# Stones of a self-game that are placed at random, in a square of so many cells in the middle.
_OPENING_STONES = (3, 8)
_OPENING_SIDE = 7


@dataclass(frozen=True)
class Source:
    """A game in which announced mates are looked for.

    name    of the game, for the user and to find it again in the log of a run.
    stones  before the first position that is searched, walls first; `side` is to move then.
    moves   the rest of a recorded game; None = the engine plays on from there itself.
    """

    name: str
    width: int
    height: int
    rule: int
    stones: tuple[Stone, ...]
    side: int
    moves: tuple[Stone, ...] | None = None


@dataclass(frozen=True)
class Announcement:
    """The engine says in this position that the side to move wins within `plies` stones (those of
    both sides) or, where plies is below zero, that it loses within so many.

    line   the moves that it expects.
    after  how many stones of its game are on the board.
    """

    puzzle: Puzzle
    plies: int
    line: tuple[Cell, ...]
    after: int

    @property
    def winner(self) -> int:
        """The colour that wins, as announced."""
        return self.puzzle.side if self.plies > 0 else opponent_of(self.puzzle.side)


def announcements(brain: Brain, source: Source, limits: Limits) -> Iterator[Announcement]:
    """The mates that the brain announces in a game, searching each position within the limits.

    A five that can be made at once is none. An announcement is left out where an earlier one says
    the same: that this colour wins with the same stone of the game.
    """
    brain.new_game()
    board = set_up(source.width, source.height, source.rule, source.stones)
    stones, side = list(source.stones), source.side
    known: set[tuple[int, bool, int]] = set()
    for number in range(len(board.empties())):
        puzzle = Puzzle(
            source.width, source.height, source.rule, tuple(stones), side, name=source.name
        )
        brain.set_position(puzzle.position())
        result = brain.think(limits)
        plies = result.info.score.mate_plies
        if plies is not None and abs(plies) > 1:
            said = Announcement(puzzle, plies, _cells(result.info.pv), len(board.stones()))
            key = (said.winner, plies > 0, said.after + abs(plies))
            if key not in known:
                known.add(key)
                yield said
        stone = _next_stone(source, number, (result.move.x, result.move.y, side))
        if stone is None or not _go_on(board, stone):
            return
        stones.append(stone)
        following = _next_stone(source, number + 1, None)
        side = opponent_of(stone[2]) if following is None else following[2]


def self_games(
    rules: Sequence[int], size: tuple[int, int], seed: int, first: int = 1
) -> Iterator[Source]:
    """Games for the engine to play with itself, without end, each rule in turn. A game depends on
    its number and the seed only."""
    number = first
    while True:
        rule = rules[(number - 1) % len(rules)]
        name = f"self-game {number}, {RULE_NAMES[rule]} {size[0]}x{size[1]}, seed {seed}"
        rnd = random.Random(name)
        sides = [min(_OPENING_SIDE, length) for length in size]
        cells = [
            ((size[0] - sides[0]) // 2 + x, (size[1] - sides[1]) // 2 + y)
            for x in range(sides[0])
            for y in range(sides[1])
        ]
        stones = in_turns(rnd.sample(cells, rnd.randrange(*_OPENING_STONES)))
        yield Source(name, *size, rule, stones, opponent_of(stones[-1][2]))
        number += 1


def recorded_games(words: Iterable[str], rule: int | None = None) -> list[Source]:
    """The games of files and folders: of a match (its folder or its games.jsonl), files of games,
    or a folder with such files. `rule` overrides what they say. ValueError, naming the file, for
    one that holds no game, OSError for one that cannot be read."""
    return [source for word in words for source in _games_of(word, rule)]


def _games_of(word: str, rule: int | None) -> Iterator[Source]:
    path = Path(word)
    if path.is_dir() and not (path / "games.jsonl").is_file():
        files = sorted(p for p in path.iterdir() if p.suffix.lower() in ENDINGS)
        if not files:
            raise ValueError(f"{word}: holds no games.jsonl and no files of games")
        for file in files:
            yield from _games_of(str(file), rule)
        return
    text = read_text(word)
    if is_run(text):
        for game in read_run(text, word).games:
            yield _source(game, f"{word}, game {game.number}", rule)
    elif is_saved_game(text):
        try:
            for game in read_saved_games(text, rule):
                name = word if game.count == 1 else f"{word}, game {game.number}"
                yield _source(game, name, rule)
        except ValueError as error:
            raise ValueError(f"{word}: {error}") from None
    else:
        raise ValueError(f"{word}: expected the games.jsonl of a match or a file of games")


def _source(game: RecordedGame, name: str, rule: int | None) -> Source:
    moves = game.stones
    opening = min(game.opening_moves, len(moves))
    before = game.setup + moves[:opening]
    if opening < len(moves):
        side = moves[opening][2]
    elif before:
        side = opponent_of(before[-1][2])
    else:
        side = game.side or BLACK
    source = Source(
        name, game.width, game.height, game.rule if rule is None else rule, before, side,
        moves[opening:],
    )  # fmt: skip
    _require_open(source)
    return source


def _require_open(source: Source) -> None:
    """ValueError, naming the game, where its first position cannot be searched or its moves cannot
    be played."""
    start = Puzzle(
        source.width, source.height, source.rule, source.stones, source.side, name=source.name
    )
    board = start.referee()
    for x, y, colour in source.moves or ():
        try:
            board.play(x, y, colour)
        except ValueError as error:
            raise ValueError(f"{source.name}: {error}") from None


def _next_stone(source: Source, number: int, chosen: Stone | None) -> Stone | None:
    """The stone that follows `number` others: that of the record, or the one that was chosen."""
    if source.moves is None:
        return chosen
    return source.moves[number] if number < len(source.moves) else None


def _go_on(board: Referee, stone: Stone) -> bool:
    """Plays a stone; False if the game is over with it."""
    x, y, colour = stone
    if board.rule == RENJU and colour == BLACK and board.foul(x, y) is not None:
        return False
    board.play(*stone)
    return not board.winner()


def _cells(points: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    return tuple((x, y) for x, y in points)
