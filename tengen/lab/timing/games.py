"""The recorded games whose moves are timed: those of runs and of files of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.model import Placed, Position, Rule, Stone
from tengen.game.record.formats import is_saved_game
from tengen.game.record.positions import STDIN, read_text
from tengen.game.record.recorded import RecordedGame, read_saved_games
from tengen.game.record.run_folder import is_run, load_run, read_run
from tengen.game.rules.stones import set_up


@dataclass(frozen=True)
class OneSide:
    """The moves of one player in a game.

    name       of the game, for the user.
    colour     of the player.
    positions  before each of its own moves, the first own move first; moves of an opening are no
               own moves.
    """

    name: str
    colour: Stone
    positions: tuple[Position, ...]


def read_games(words: Sequence[str], rule: int | None = None) -> list[tuple[str, RecordedGame]]:
    """The games in these files, `-` for standard input, with a name for each.

    words  folders and games.jsonl of matches, files of games.
    rule   overrides what files of games say.
    ValueError in one line for a file without a game, OSError for one that cannot be read.
    """
    games: list[tuple[str, RecordedGame]] = []
    for word in words:
        if word != STDIN and Path(word).is_dir():
            found = load_run(Path(word)).games
            games += [(f"{word}, game {game.number}", game) for game in found]
            continue
        text = read_text(word)
        if is_run(text):
            games += [(f"{word}, game {game.number}", game) for game in read_run(text, word).games]
        elif is_saved_game(text):
            try:
                for game in read_saved_games(text, rule):
                    name = word if game.count == 1 else f"{word}, game {game.number}"
                    games.append((name, game))
            except ValueError as error:
                raise ValueError(f"{word}: {error}") from None
        else:
            raise ValueError(f"{word}: expected the folder of a match or a file of games")
    return games


def sides_of(name: str, game: RecordedGame) -> list[OneSide]:
    """Both players of a game, Black first, without a player that has no own move.

    ValueError, naming the game, for moves that are not possible.
    """
    stones = (*game.setup, *game.stones)
    try:
        set_up(game.width, game.height, game.rule, stones)
        rule = Rule(game.rule & ~2)  # without the bit for several games in a row
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    placed = tuple(Placed(x, y, Stone(colour)) for x, y, colour in stones)
    found: dict[Stone, list[Position]] = {Stone.BLACK: [], Stone.WHITE: []}
    for number in game.thought_moves():
        at = len(game.setup) + number
        colour = placed[at].stone
        before = Position(game.width, game.height, rule, placed[:at], colour)
        found[colour].append(before)
    return [OneSide(name, colour, tuple(own)) for colour, own in found.items() if own]
