"""Positions for the engine's tests: random games, boards drawn as text, and the boards that have
them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator

from engine.api import Engine
from engine.model import Placed, Point, Position, Rule, Stone
from tengen.game.referee import Referee
from tests.engine.probe import ProbeBoard
from tests.paths import ROOT

Cell = tuple[int, int]

# The shapes of board every check runs on, square and rectangular.
SHAPES = ((15, 15), (20, 20), (7, 5), (6, 9), (5, 5))

# On 20x20. Many first moves win, and many more take long.
BUSY = (
    "s3q5r6o3p7o6o5p8n8n7m8m6n6l8l5l7k7p4k8m5n4m3m4n3p3k5l4j4i6k4k3j7q6i3l6r5l10m9i9k9j10i"
    "10l12k11j12n9o9j8p10m7k13m11l11l13m10n10k12j9l9i12o11n12o12n11n13o10l3l2m12o14j13i14r"
    "12q11l15n2m1i11i13h2g1j6j5k16j14j11j15j16",
    "d17h15i15f19e20h17h16g16g17j14f17e17d15e16e15f15e14d14f13g12c16b17c15c14c17d18g13f14b"
    "15a15i14i12h13i13j16k17k15f12e13d13e12e11i17h18c19c18j18k19i16i18j19j15j12d11d10f10f1"
    "1h10g11h8g9h9h11i10g10h7h6g8j11i11i9",
)


def random_moves(
    width: int, height: int, rnd: random.Random, walls: tuple[Cell, ...] = ()
) -> Iterator[Cell]:
    """Every playable cell once, in an order that makes lines, blocks and fouls likely.

    Most stones are put on a line through an earlier one, at most four cells away, the rest
    anywhere. The sequence ends when the board is full.
    """
    free = [(x, y) for y in range(height) for x in range(width) if (x, y) not in walls]
    open_cells = set(free)
    placed: list[Cell] = []
    while open_cells:
        cell = None
        if placed and rnd.random() < 0.9:
            x, y = rnd.choice(placed[-12:])
            dx, dy = rnd.choice(((1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1)))
            reach = rnd.choice((1, 1, 1, 2, 2, 3, 4))
            cell = (x + dx * reach, y + dy * reach)
        if cell not in open_cells:
            cell = rnd.choice(free)
            if cell not in open_cells:
                continue
        open_cells.discard(cell)
        placed.append(cell)
        yield cell


def random_walls(width: int, height: int, rnd: random.Random) -> tuple[Cell, ...]:
    """No wall three times out of four, else a few."""
    if rnd.random() < 0.75:
        return ()
    cells = [(x, y) for y in range(height) for x in range(width)]
    return tuple(rnd.sample(cells, 3))


def random_position(
    rnd: random.Random,
    rule: Rule,
    size: tuple[int, int] | None = None,
    stones: tuple[int, int] = (0, 40),
    walls: bool = True,
) -> Position:
    """A position of a game that is not over and in which Black has made no foul. Now and then the
    wrong side is to move, as in a position set up by hand.

    size    one of SHAPES if it is None.
    stones  the least and the most; one cell at least stays empty.
    walls   now and then there are some.
    """
    width, height = size or rnd.choice(SHAPES)
    position = Position(width, height, rule)
    blocked = random_walls(width, height, rnd) if walls else ()
    placed = [Placed(x, y, Stone.WALL) for x, y in blocked]
    most = min(len(blocked) + rnd.randint(*stones), width * height - 1)
    referee, side = referee_of(position._replace(stones=tuple(placed))), Stone.BLACK
    for x, y in random_moves(width, height, rnd, blocked):
        if len(placed) >= most:
            break
        if not referee.makes_win(x, y, side) and (side is Stone.WHITE or not referee.foul(x, y)):
            referee.play(x, y, side)
            placed.append(Placed(x, y, side))
            side = side.opponent
    side = side.opponent if rnd.random() < 0.1 else side
    return position._replace(stones=tuple(placed), side_to_move=side)


def engine_at(position: Position, memory_bytes: int | None = None) -> Engine:
    """A new engine with the position."""
    engine = Engine()
    engine.set_memory(memory_bytes)
    engine.set_position(position)
    return engine


def _parts(position: Position) -> tuple[list[Cell], list[Placed]]:
    """The walls and the stones."""
    walls = [(x, y) for x, y, stone in position.stones if stone is Stone.WALL]
    return walls, [placed for placed in position.stones if placed.stone is not Stone.WALL]


def referee_of(position: Position) -> Referee:
    """A referee's board with the stones and walls of the position."""
    walls, stones = _parts(position)
    referee = Referee(position.width, position.height, position.rule, walls)
    for stone in stones:
        referee.play(*stone)
    return referee


def probe_of(position: Position) -> ProbeBoard:
    """The engine's board of the position, without a search."""
    walls, stones = _parts(position)
    board = ProbeBoard(position.width, position.height, position.rule, walls)
    for stone in stones:
        board.make(*stone)
    board.set_side(position.side_to_move)
    return board


def from_pos(text: str, rule: Rule = Rule.FREESTYLE, size: int = 15) -> Position:
    """A position from `h8i9...`: column letter and row number from the top, Black first."""
    stones: list[Placed] = []
    colour = Stone.BLACK
    for column, row in re.findall(r"([a-z])(\d+)", text.lower()):
        stones.append(Placed(ord(column) - ord("a"), int(row) - 1, colour))
        colour = colour.opponent
    return Position(size, size, rule, tuple(stones), colour)


def puzzle(name: str, line: int) -> Position:
    """The position of a line, counted from 1, of a file of puzzles."""
    path = ROOT / "tengen" / "lab" / "bench" / "puzzles" / f"{name}.jsonl"
    record = json.loads(path.read_text("ascii").splitlines()[line - 1])
    return Position.from_moves(map(tuple, record["moves"]), record["size"], record["rule"])


def turned(position: Position, way: int) -> tuple[Position, Callable[[int, int], Point]]:
    """One of the 8 symmetries: the position, and where a point goes."""
    width, height = position.width, position.height

    def move(x: int, y: int) -> Point:
        x = width - 1 - x if way & 1 else x
        y = height - 1 - y if way & 2 else y
        return Point(y, x) if way & 4 else Point(x, y)

    stones = tuple(Placed(*move(x, y), stone) for x, y, stone in position.stones)
    size = (height, width) if way & 4 else (width, height)
    return position._replace(width=size[0], height=size[1], stones=stones), move


def from_picture(
    picture: str, side: Stone = Stone.BLACK, rule: Rule = Rule.FREESTYLE
) -> tuple[Position, dict[str, set[Cell]]]:
    """A position drawn with `X` Black, `O` White, `#` wall, `.` empty; any other sign is an
    empty cell to be asked about. Returns the position and the cells of each such sign."""
    rows = [line.split() for line in picture.strip().splitlines()]
    stones: list[Placed] = []
    marks: dict[str, set[Cell]] = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign in "XO#":
                stones.append(Placed(x, y, Stone(" XO#".index(sign))))
            elif sign != ".":
                marks.setdefault(sign, set()).add((x, y))
    return Position(len(rows[0]), len(rows), rule, tuple(stones), side), marks
