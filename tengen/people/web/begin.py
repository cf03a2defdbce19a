"""Sessions as the page requests them: new games, positions set up, games from texts and files."""

from __future__ import annotations

from typing import TypeGuard

from engine.model import MAX_LEVEL
from protocol.opening_rules import check_opening
from tengen.common.translation import tr
from tengen.game.files.formats import text_of
from tengen.game.referee import BLACK, WHITE, Cell, Stone
from tengen.game.values import Record
from tengen.people.session.engine_player import COMMAND, TENGEN, EnginePlayer, Level, names
from tengen.people.session.files import Loaded, read_loaded
from tengen.people.session.game import Game
from tengen.people.session.players import Seats
from tengen.people.session.session import GameSession
from tengen.people.web.requests import YOU, File, Gather, New, Open, Request, Setup, Sit, Word
from tengen.people.web.view import key_of, runs_in
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


def seats_of(request: Sit, resources: Resources) -> Seats:
    """The players, each with a program of its own. ValueError for a program that cannot be
    found."""
    seats: Seats = {}
    for colour, name in ((BLACK, request.black), (WHITE, request.white)):
        if name == TENGEN:
            seats[colour] = EnginePlayer(name, strength_level=request.level, resources=resources)
        else:
            seats[colour] = None if name == YOU else EnginePlayer(name, seed=colour)
    return seats


def is_seated(request: Request | Word, session: GameSession) -> TypeGuard[Sit]:
    """Those who are to play on do so already, at that level: only how programs think may change."""
    if not isinstance(request, Sit) or isinstance(request, New):
        return False
    keys = [key_of(session.seats[colour]) for colour in (BLACK, WHITE)]
    levels = {player.level for player in session.programs} - {None}
    return keys == [request.black, request.white] and levels <= {request.level}


def refuse_guest(request: Request | Word) -> None:
    """ValueError for what a page on another device may not do: start a program by its command, and
    read files of this machine."""
    if isinstance(request, Gather):
        raise ValueError(tr("files can be added only on the machine itself"))
    if not isinstance(request, Sit):
        return
    if any(name.startswith(COMMAND) for name in (request.black, request.white)):
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
    runs = None if request.game else runs_in(text, name)
    return opened_session(text, name, request.rule, request.game) if runs is None else runs


def _text_of(request: Open | File) -> tuple[str, str]:
    if isinstance(request, Open):
        return request.text, "the text"
    name = request.name[:60]
    try:
        return text_of(request.data, name), name
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def opened_session(text: str, name: str, rule: int, game: int) -> GameSession:
    """A session of two people with the game of a text. ValueError, in one line, if it has none."""
    try:
        return loaded_session(read_loaded(text, name, rule, game or None))
    except ValueError as error:
        # The page has no options; the command that serves it has this one.
        if "--rule" in str(error):
            raise ValueError(f"{error}, as in tengen board --rule renju FILE") from None
        raise


def loaded_session(loaded: Loaded) -> GameSession:
    """A session of two people with a game."""
    session = for_two(Game(loaded.game.width, loaded.game.height, loaded.game.rule))
    session.take_over(loaded)
    return session


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
    game = Game(loaded.game.width, loaded.game.height, loaded.game.rule)
    session = GameSession(game, seats_of(sit, resources), level)
    session.take_over(loaded, keeps_sides=True)
    return session


def handicap_stones(width: int, height: int, count: int) -> tuple[Stone, ...]:
    """So many black stones, at most five: the centre for one, else points in the corners, opposite
    ones first, and the centre for the fifth."""
    margin = 3 if min(width, height) >= 13 else 2 if min(width, height) >= 9 else 1
    right, bottom = width - 1 - margin, height - 1 - margin
    centre = (width // 2, height // 2)
    corners: list[Cell] = [(margin, margin), (right, bottom), (right, margin), (margin, bottom)]
    points = [centre] if count == 1 else [*corners, centre][:count]
    return tuple((x, y, BLACK) for x, y in points)


def for_two(game: Game) -> GameSession:
    """A session of two people."""
    return GameSession(game, {BLACK: None, WHITE: None})
