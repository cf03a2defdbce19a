"""Sittings as the page wishes them: new games, positions set up, games from texts and files."""

from __future__ import annotations

from tengen.common.translation import tr
from tengen.game.json_text import Record
from tengen.game.record.formats import text_of
from tengen.game.referee import BLACK, WHITE, Cell, Stone
from tengen.people.sitting.files import Loaded, read_loaded
from tengen.people.sitting.game import Game
from tengen.people.sitting.machine import COMMAND, MAX_LEVEL, TENGEN, Level, Machine, names
from tengen.people.sitting.opening import check_opening
from tengen.people.sitting.seated import Seats
from tengen.people.sitting.sitting import Sitting
from tengen.people.web.tree import Tree
from tengen.people.web.view import runs_in
from tengen.people.web.wishes import YOU, File, New, Open, Setup, Sit
from tengen.study.resources import Resources

# A sitting with the tree of its game, or a list of games as `runs_in` makes it.
Opened = tuple[Sitting, Tree] | list[Record]


def new_sitting(new: New, resources: Resources = Resources()) -> Sitting:  # noqa: B008
    """A sitting for a new game, where Tengen may use the resources. ValueError for what is not
    possible."""
    if new.opening is not None:
        check_opening(new.opening, new.rule, new.width, new.height)
        if new.handicap:
            raise ValueError(tr("a game has an opening or handicap stones, not both"))
    setup = handicap_stones(new.width, new.height, new.handicap)
    game = Game(new.width, new.height, new.rule, setup, WHITE if setup else BLACK)
    seats = seats_of(new, resources)
    return Sitting(game, seats, Level(new.time_s), opening=new.opening, clock_s=new.clock_s)


def seats_of(wish: New | Sit, resources: Resources) -> Seats:
    """The players, each with a program of its own. ValueError for a program that cannot be
    found."""
    seats: Seats = {}
    for colour, name in ((BLACK, wish.black), (WHITE, wish.white)):
        if name == TENGEN:
            seats[colour] = Machine(name, strength_level=wish.level, resources=resources)
        else:
            seats[colour] = None if name == YOU else Machine(name, seed=colour)
    return seats


def refuse_commands(wish: New | Sit) -> None:
    """ValueError if a player is a program by its command."""
    if any(name.startswith(COMMAND) for name in (wish.black, wish.white)):
        raise ValueError(tr("a program can be started by its command only on the machine itself"))


def set_up_sitting(wish: Setup) -> Sitting:
    """A sitting of two people with the stones. ValueError for stones that cannot stand there."""
    colours = ((wish.black, BLACK), (wish.white, WHITE))
    stones = [(x, y, colour) for cells, colour in colours for x, y in cells]
    first = wish.first if stones else BLACK
    return _for_two(Game(wish.width, wish.height, wish.rule, stones, first))


def opened(wish: Open | File) -> Opened:
    """The game of a text or a file; of one with several games their list, until one is chosen.
    ValueError, in one line, if it has none."""
    text, name = _text_of(wish)
    runs = None if wish.game else runs_in(text, name)
    return with_tree(opened_sitting(text, name, wish.rule, wish.game)) if runs is None else runs


def with_tree(sitting: Sitting) -> tuple[Sitting, Tree]:
    """A sitting with the tree of its game, which takes a while for a large one."""
    return sitting, Tree(sitting.game)


def _text_of(wish: Open | File) -> tuple[str, str]:
    if isinstance(wish, Open):
        return wish.text, "the text"
    name = wish.name[:60]
    try:
        return text_of(wish.data, name), name
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def opened_sitting(text: str, name: str, rule: int, game: int) -> Sitting:
    """A sitting of two people with the game of a text. ValueError, in one line, if it has none."""
    try:
        return loaded_sitting(read_loaded(text, name, rule, game or None))
    except ValueError as error:
        # The page has no options; the command that serves it has this one.
        if "--rule" in str(error):
            raise ValueError(f"{error}, as in tengen board --rule renju FILE") from None
        raise


def loaded_sitting(loaded: Loaded) -> Sitting:
    """A sitting of two people with a game."""
    sitting = _for_two(Game(loaded.game.width, loaded.game.height, loaded.game.rule))
    sitting.take_over(loaded)
    return sitting


def resumed_sitting(loaded: Loaded, time_s: float, resources: Resources) -> Sitting:
    """A sitting with a game and those who played it, as far as its names tell: programs that are
    known play on, with `time_s` for each move."""
    origin, seats, level = loaded.game.origin, {BLACK: YOU, WHITE: YOU}, MAX_LEVEL
    for colour, name in (origin.names if origin else {}).items():
        word, _, number = name.lower().partition(" ")
        if word in names():
            seats[colour] = word
            level = int(number) if number.isdecimal() and int(number) < MAX_LEVEL else level
    sit = Sit(seats[BLACK], seats[WHITE], max(1, level), time_s)
    game = Game(loaded.game.width, loaded.game.height, loaded.game.rule)
    sitting = Sitting(game, seats_of(sit, resources), Level(time_s))
    sitting.take_over(loaded, keeps_sides=True)
    return sitting


def handicap_stones(width: int, height: int, count: int) -> tuple[Stone, ...]:
    """So many black stones, at most five: the centre for one, else points in the corners, opposite
    ones first, and the centre for the fifth."""
    margin = 3 if min(width, height) >= 13 else 2 if min(width, height) >= 9 else 1
    right, bottom = width - 1 - margin, height - 1 - margin
    centre = (width // 2, height // 2)
    corners: list[Cell] = [(margin, margin), (right, bottom), (right, margin), (margin, bottom)]
    points = [centre] if count == 1 else [*corners, centre][:count]
    return tuple((x, y, BLACK) for x, y in points)


def _for_two(game: Game) -> Sitting:
    return Sitting(game, {BLACK: None, WHITE: None})
