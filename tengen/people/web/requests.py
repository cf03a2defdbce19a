"""What the page can ask for: one JSON object for each request, checked before anything is done.

`{"do": "play", "x": 7, "y": 7}` has a word and the values that a class below names. Other words,
such as `{"do": "undo"}`, come alone: see Room. A message of bytes is a request in its first line,
and the file that it is about.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from engine.model import MAX_LEVEL, Limits, Rule
from protocol.opening_rules import TEN, Opening
from tengen.game.referee import MAX_SIZE, MIN_SIZE
from tengen.people.session.engine_player import COMMAND, names
from tengen.people.session.players import YOU
from tengen.people.web.analysis import MOST_LINES
from tengen.study.options import LEAST_MEMORY_MIB, MOST_MEMORY_MIB, MOST_THREADS

# No message of text is longer, and no file.
MOST_OPENED = 4_000_000
MOST_FILE_BYTES = 50_000_000
# Of the first line of a message of bytes.
MOST_CHARACTERS = 10_000

Coordinate = Annotated[int, Meta(ge=0, lt=MAX_SIZE)]
Cells = Annotated[tuple[tuple[Coordinate, Coordinate], ...], Meta(max_length=MAX_SIZE**2)]
Side = Annotated[int, Meta(ge=MIN_SIZE, le=MAX_SIZE)]
Level = Annotated[int, Meta(ge=1, le=MAX_LEVEL)]
Seconds = Annotated[float, Meta(ge=0.01, le=3600)]
Clock = Annotated[float, Meta(ge=0.01, le=86_400)]
Name = Annotated[str, Meta(max_length=1000)]
Number = Annotated[int, Meta(ge=0, le=10_000_000)]


class BadRequest(ValueError):
    """A message that no page of ours sends."""


class Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower):
    """A request, by the word that is done."""


class Play(Request, frozen=True):
    """A stone of the side to move."""

    x: Coordinate
    y: Coordinate


class Analyse(Request, frozen=True):
    """Show so many of the best moves, and go on doing so; 0 = show none."""

    lines: Annotated[int, Meta(ge=0, le=MOST_LINES)]


class Use(Request, frozen=True):
    """What the search for the best moves may use from now on, and where it ends; without a limit it
    goes on while somebody looks. It looks at moves so `near` to a stone; 0 = at all."""

    threads: Annotated[int, Meta(ge=1, le=MOST_THREADS)]
    memory_mib: Annotated[int, Meta(ge=LEAST_MEMORY_MIB, le=MOST_MEMORY_MIB)]
    seconds: Seconds | None = None
    depth: Annotated[int, Meta(ge=1, le=1000)] | None = None
    nodes: Annotated[int, Meta(ge=1, le=10**12)] | None = None
    near: Annotated[int, Meta(ge=0, le=MAX_SIZE)] = 0

    def limits(self) -> Limits | None:
        """Where the search ends; None = nowhere."""
        turn_ms = None if self.seconds is None else round(self.seconds * 1000)
        if (turn_ms, self.depth, self.nodes) == (None, None, None):
            return None
        return Limits(turn_ms=turn_ms, depth_plies=self.depth, nodes=self.nodes)

    def limit(self) -> str:
        """The same as the page names it, such as `depth 16`; "" = nowhere."""
        named = {"seconds": self.seconds, "depth": self.depth, "nodes": self.nodes}
        return " ".join(f"{name} {value:.15g}" for name, value in named.items() if value)


class Fifths(Request, frozen=True):
    """So many fifth moves are offered in an opening of renju."""

    number: Annotated[int, Meta(ge=1, le=TEN)]


class Balance(Request, frozen=True):
    """Tengen plays so many moves after which neither side is better."""

    moves: Annotated[int, Meta(ge=1, le=2)]


class Show(Request, frozen=True):
    """The position after these moves."""

    cells: Cells


class Try(Request, frozen=True):
    """Say how good a move is after these moves, of which none is played."""

    cells: Cells
    x: Coordinate
    y: Coordinate


class Refute(Try, frozen=True):
    """Show the win against a move that does not stop it, as `defend` has found."""


class Comment(Request, frozen=True):
    """What is said of the position with that number in the tree; "" = nothing."""

    node: Number
    text: str


class Mark(Request, frozen=True):
    """A mark on a point, as for `Tree.mark`; `text` of a letter, or empty."""

    node: Number
    x: Coordinate
    y: Coordinate
    mark: Name
    text: Name


class Delete(Request, frozen=True):
    """A game of the library is to be no more."""

    name: Name


class Load(Request, frozen=True):
    """A game of the library, by its name."""

    name: Name


class Find(Request, frozen=True):
    """The newest games of the base that have all these words."""

    words: Name


class Known(Request, frozen=True):
    """A game of the base, by its id."""

    game: Number


class Gather(Request, frozen=True):
    """A file or a folder of this machine is read into the base."""

    path: Name


class Puzzle(Request, frozen=True):
    """A new puzzle of this kind, "" = of any; or one that was missed."""

    kind: Literal["", "fours", "threes", "defence"]
    is_missed: bool


class Resume(Request, frozen=True):
    """Go on with the last game; the rest as for `Sit`."""

    time_s: Seconds
    ponders: bool = False


class Sit(Request, frozen=True):
    """Others play on.

    black, white  YOU, the name of a program, or `cmd=COMMAND`.
    level         of Tengen's strength.
    time_s        how long programs may think about a move.
    ponders       Tengen thinks in a person's time too, at its full strength.
    """

    black: Name
    white: Name
    level: Level
    time_s: Seconds
    ponders: bool = False

    def __post_init__(self) -> None:
        for name in (self.black, self.white):
            if name not in (YOU, *names()) and not name.startswith(COMMAND):
                known = ", ".join((YOU, *names()))
                raise ValueError(
                    f"there is no player {name[:40]!r}; there are {known}, cmd=COMMAND"
                )


class New(Sit, frozen=True, kw_only=True):
    """A new game.

    clock_s   how long each side may think in all; None = without limit.
    handicap  so many black stones stand on the board, and White begins; 0 = none.
    opening   how it begins; None = with an empty board.
    """

    width: Side
    height: Side
    rule: Rule
    clock_s: Clock | None = None
    handicap: Annotated[int, Meta(ge=0, le=5)] = 0
    opening: Opening | None = None


class Setup(Request, frozen=True):
    """A position that was set up; `first` is to move."""

    width: Side
    height: Side
    rule: Rule
    black: Cells
    white: Cells
    first: Literal["black", "white"]


class Open(Request, frozen=True):
    """A game in a text, in any form that `tengen play` loads; `rule` where it names none, `game`
    from one where it holds several, 0 for the only one."""

    text: str
    rule: Rule
    game: Number


class File(Request, frozen=True):
    """A game in a file, by its name and its bytes, which come behind the request; the rest as for
    `Open`."""

    name: Name
    rule: Rule
    game: Number
    data: bytes = b""


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """A word without anything else."""

    do: str


class _Head(Struct):
    do: str


_KINDS: tuple[type[Request], ...] = (
    Play, Analyse, Use, Fifths, Balance, Show, Try, Refute, Comment, Mark, Sit, New, Setup, Open,
    File, Load, Resume, Delete, Find, Known, Gather, Puzzle,
)  # fmt: skip
# By the word that is done.
REQUESTS: dict[str, type[Request | Word]] = {kind.__name__.lower(): kind for kind in _KINDS}


def read_request(message: str | bytes) -> Request | Word:
    """The request in a message. BadRequest, in one line, for anything else."""
    if isinstance(message, str):
        text, data = message.encode("utf-8", "replace"), None
        if len(message) > MOST_OPENED:
            raise BadRequest(f"a message has at most {MOST_OPENED} characters")
    else:
        text, _, data = message.partition(b"\n")
        if len(text) > MOST_CHARACTERS:
            raise BadRequest(f"the request before a file has at most {MOST_CHARACTERS} bytes")
    try:
        word = msgspec.json.decode(text, type=_Head).do
        request = msgspec.json.decode(text, type=REQUESTS.get(word, Word))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(f"a message is refused: {error}") from None
    if isinstance(request, File) != (data is not None):
        raise BadRequest("a message is text, but for files, which come as bytes")
    return msgspec.structs.replace(request, data=data) if data is not None else request
