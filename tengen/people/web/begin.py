"""Sittings as the page wishes them: new games, positions set up, games from texts and files."""

from __future__ import annotations

from tengen.game.record.formats import text_of
from tengen.game.rules.referee import BLACK, WHITE, Cell
from tengen.game.rules.stones import Stone
from tengen.people.sitting.files import Loaded, read_loaded
from tengen.people.sitting.game import Game
from tengen.people.sitting.machine import TENGEN, Level, Machine
from tengen.people.sitting.sitting import Seats, Sitting
from tengen.people.web.wishes import YOU, Command, File, New, Open, Setup, Sit


def new_sitting(new: New) -> Sitting:
    """A sitting for a new game. ValueError for what is not possible."""
    setup = handicap_stones(new.width, new.height, new.handicap)
    game = Game(new.width, new.height, new.rule, setup, WHITE if setup else BLACK)
    seats = seats_of(new)
    return Sitting(game, seats, Level(new.time_s), opening=new.opening, clock_s=new.clock_s)


def seats_of(wish: New | Sit) -> Seats:
    """The players, each with a program of its own. ValueError for a program that cannot be
    found."""
    seats: Seats = {}
    for colour, seat in zip((BLACK, WHITE), wish.seats, strict=True):
        if isinstance(seat, Command):
            seats[colour] = Machine("program", command=seat.line)
        elif seat == YOU:
            seats[colour] = None
        elif seat == TENGEN:
            seats[colour] = Machine(seat, strength_level=wish.level)
        else:
            seats[colour] = Machine(seat, seed=colour)
    return seats


def set_up_sitting(wish: Setup) -> Sitting:
    """A sitting of two people with the stones. ValueError for stones that cannot stand there."""
    first = wish.first if wish.stones else BLACK
    return _for_two(Game(wish.width, wish.height, wish.rule, wish.stones, first))


def opened_file(wish: File) -> Open:
    """The text of a file. ValueError, naming the file, if it has none."""
    name = wish.name[:60]
    try:
        return Open(text_of(wish.data, name), wish.rule, wish.game, name)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def opened_sitting(wish: Open) -> Sitting:
    """A sitting of two people with the game of a text. ValueError, in one line, if it has none."""
    try:
        return loaded_sitting(read_loaded(wish.text, wish.name, wish.rule, wish.game))
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
