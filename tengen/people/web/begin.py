"""Sessions as the page requests them: new games, positions set up, games from texts and files."""

from __future__ import annotations

from engine.model import MAX_LEVEL
from protocol.opening_rules import check_opening
from tengen.common.translation import tr
from tengen.game.files.formats import text_of
from tengen.game.referee import BLACK, WHITE, Cell, Stone
from tengen.game.values import Record
from tengen.people.session.engine_player import COMMAND, TENGEN, EnginePlayer, Level, names
from tengen.people.session.files import Loaded, read_loaded
from tengen.people.session.game import Game
from tengen.people.session.players import YOU, Seats, key_of
from tengen.people.session.session import GameSession
from tengen.people.web.requests import File, Gather, New, Open, Request, Setup, Sit, Word
from tengen.people.web.view import runs_in
from tengen.study.options import Resources

# A session, or a list of games as `runs_in` makes it.
Opened = GameSession | list[Record]


def new_session(new: New, resources: Resources = Resources()) -> GameSession:  # noqa: B008
    """A session for a new game, where Tengen may use the resources. ValueError for what is not
    possible."""
    if new.opening is not None:
        check_opening(new.opening, new.rule, new.width, new.height)
        if new.handicap:
            raise ValueError(tr("a game has an opening or handicap stones, not both"))
    setup = handicap_stones(new.width, new.height, new.handicap)
    game = Game(new.width, new.height, new.rule, setup, WHITE if setup else BLACK)
    seats = seats_of(new, resources)
    level = Level(new.time_s, ponders=new.ponders)
    return GameSession(game, seats, level, opening=new.opening, clock_s=new.clock_s)


def seats_of(request: Sit, resources: Resources, here: Seats | None = None) -> Seats:
    """The players, each with a program of its own; who is `here` already, at that level, stays.
    ValueError for a program that cannot be found."""
    seats: Seats = {}
    for colour, name in ((BLACK, request.black), (WHITE, request.white)):
        player = None if here is None else here[colour]
        if player is not None and player.key == name and player.level in (None, request.level):
            seats[colour] = player
        elif name == TENGEN:
            seats[colour] = EnginePlayer(name, strength_level=request.level, resources=resources)
        else:
            seats[colour] = None if name == YOU else EnginePlayer(name, seed=colour)
    return seats


def refuse_guest(request: Request | Word, seats: Seats) -> None:
    """ValueError for what a page on another device may not do: start a program by its command, and
    read files of this machine. `seats`: who plays already."""
    if isinstance(request, Gather):
        raise ValueError(tr("files can be added only on the machine itself"))
    if not isinstance(request, Sit):
        return
    here = () if isinstance(request, New) else [(c, key_of(seats[c])) for c in seats]
    asked = {(BLACK, request.black), (WHITE, request.white)}.difference(here)
    if any(name.startswith(COMMAND) for _, name in asked):
        raise ValueError(tr("a program can be started by its command only on the machine itself"))


def set_up_session(request: Setup) -> GameSession:
    """A session of two people with the stones. ValueError for stones that cannot stand there."""
    colours = ((request.black, BLACK), (request.white, WHITE))
    stones = [(x, y, colour) for cells, colour in colours for x, y in cells]
    first = WHITE if stones and request.first == "white" else BLACK
    return for_two(Game(request.width, request.height, request.rule, stones, first))


def opened(request: Open | File) -> Opened:
    """The game of a text or a file; of one with several games their list, until one is chosen.
    ValueError, in one line, if it has none."""
    text, name = _text_of(request)
    if not request.game and (runs := runs_in(text, name)) is not None:
        return runs
    try:
        return for_two(read_loaded(text, name, request.rule, request.game or None).game)
    except ValueError as error:
        # The page has no options; the command that serves it has this one.
        if "--rule" in str(error):
            raise ValueError(f"{error}, as in tengen board --rule renju FILE") from None
        raise


def _text_of(request: Open | File) -> tuple[str, str]:
    if isinstance(request, Open):
        return request.text, "the text"
    name = request.name[:60]
    try:
        return text_of(request.data, name), name
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def resumed_session(loaded: Loaded, level: Level, resources: Resources) -> GameSession:
    """A session with a game and those who played it, as far as its names tell: programs that are
    known play on."""
    seats, strength = {BLACK: YOU, WHITE: YOU}, MAX_LEVEL
    for colour, name in loaded.game.names.items():
        word, _, number = name.lower().partition(" ")
        if word in names():
            seats[colour] = word
            is_weak = number.isdecimal() and int(number) < MAX_LEVEL
            strength = int(number) if is_weak else strength
    sit = Sit(seats[BLACK], seats[WHITE], max(1, strength), level.time_s)
    return GameSession(loaded.game, seats_of(sit, resources), level)


def handicap_stones(width: int, height: int, count: int) -> tuple[Stone, ...]:
    """So many black stones, at most five: the centre for one, else points in the corners, opposite
    ones first, and the centre for the fifth."""
    margin = 3 if min(width, height) >= 13 else 2 if min(width, height) >= 9 else 1
    right, bottom = width - 1 - margin, height - 1 - margin
    centre = (width // 2, height // 2)
    corners: list[Cell] = [(margin, margin), (right, bottom), (right, margin), (margin, bottom)]
    points = [centre] if count == 1 else [*corners, centre][:count]
    return tuple((x, y, BLACK) for x, y in points)


def handicap_of(game: Game) -> int | None:
    """How many handicap stones a game has; None if other stones were set up."""
    stones = handicap_stones(game.width, game.height, len(game.setup))
    return len(stones) if game.setup == stones else None


def for_two(game: Game) -> GameSession:
    """A session of two people."""
    return GameSession(game, {BLACK: None, WHITE: None})
