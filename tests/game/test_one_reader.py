"""Every part of the program reads positions by one grammar, with one set of sentences, and reads
what every other part prints."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console

import tengen as tengen_library
from engine.model import Position, Rule
from engine.text import BLACK, WHITE, read_point, read_position, read_rule, read_size
from tengen.game.files.positions import StoredPosition, find_position
from tengen.game.files.sgf import write_sgf
from tengen.game.openings import read_openings
from tengen.game.played import Move
from tengen.people.session.files import load_game
from tengen.people.session.game import Game
from tengen.people.terminal.commands import Command, parse
from tengen.people.terminal.table import Look, draw_game
from tengen.people.web import begin
from tengen.people.web.requests import Open
from tests.commands import Run

MOVES = ((7, 7, BLACK), (8, 6, WHITE), (6, 8, BLACK))
PICTURE = "\n".join(
    " ".join({(7, 7): "X", (8, 6): "O", (6, 8): "X"}.get((x, y), ".") for x in range(15))
    for y in range(15)
)
LETTERS = "   a b c d e f g h i j k l m n o"

# The same position, in the forms that people and programs write.
GOOD = [
    "h8i9g7",
    "H8 I9 G7",
    "h8,i9,g7",
    "h8_i9_g7",
    "h8-i9-g7",
    "h8; i9; g7",
    "7,7 8,6 6,8",
    "7,7;8,6;6,8",
    "7,7\n8,6\n6,8\n",
    "7, 7, 8, 6, 6, 8",
    "(7,7) (8,6) (6,8)",
    "[[7, 7], [8, 6], [6, 8]]",
    "1. h8 i9 2. g7",
    "h8 8,6 g7",
    "\uff48\uff18\u3000\uff49\uff19\u3001\uff47\uff17",
    "rule: renju\nto move: white\nh8 i9\ng7",
    "size: 15\nRule: 4\nh8i9g7",
    PICTURE,
    PICTURE.replace(" ", ""),
    PICTURE.replace("X", "x").replace("O", "o"),
    f"rule: renju\nto move: white\n\n{LETTERS}\n{PICTURE}\n{LETTERS}\n",
    f"Rule: 4\n{LETTERS.replace(' ', '')}\n{PICTURE}",
    "\n".join(f"{15 - y:2} {row}" for y, row in enumerate(PICTURE.splitlines())),
    "\n".join(f"{15 - y:2} {row}  {15 - y}" for y, row in enumerate(PICTURE.splitlines())),
    PICTURE.replace("\n", "\r\n"),
]

# What is refused, with what is said.
BAD = {
    "h8 z99": "move 2: 'z99' is not on this 15x15 board; try h8; the last column is o, rows are"
    " 1 to 15 from the bottom",
    "7,7 15,0": "move 2: '15,0' is not on this 15x15 board; try 7,7; x,y go from 0,0 at the top"
    " left to 14,14",
    "h8i9h8": "move 3: 'h8' is occupied by move 1; expected an empty point",
    "h8 h9 7,7": "move 3: '7,7' is occupied by move 1; expected an empty point",
    "h8i9 h8i9": "move 3: 'h8' is occupied by move 1; expected an empty point",
    "h8 now": "move 2: 'now' is not a point; expected points such as h8 i9 or 7,7 8,6",
    "7,7 8": "move 2: '8' is not a point; expected points such as h8 i9 or 7,7 8,6",
    "7,7,1 8,8,2": "move 1: '7,7,1' has 3 numbers, a point has two; expected points such as h8 i9"
    " or 7,7 8,6",
    f"rule: chess\n{PICTURE}": "there is no rule 'chess'; there are 0 or freestyle, 1 or standard,"
    " 4 or renju, 8 or caro, 9 or caro-exact",
    f"to move: red\n{PICTURE}": "to move: 'red' is not a colour; expected black or white",
    "to move: black\nh8": "to move: black does not fit the 1 moves that follow; leave it out, or"
    " draw a picture",
    "size: 99\nh8": "'99' is not a board size; expected 5 to 22, such as 15 or 20x15",
    ".....\n....\n": "line 2: '....' is a row of 4 cells, the rows above it have 5",
    ".....\n..a..\n": "line 2: '..a..' is not a row of a board; expected one sign for each cell:"
    " X Black, O White, . empty, # wall",
    ".....\n" * 4: "a 5x4 board is not supported: width and height are 5 to 22",
    "h8\n" + ".....\n" * 5: "line 1: 'h8' belongs to no picture of a board; expected `key: value`"
    " lines above the rows, or a list of moves without a picture",
    f"{PICTURE}\n\n{PICTURE}": "expected one picture, found 2",
    "X....\n" * 4 + ".....": "the picture has 4 black and 0 white stones, which leaves open whose"
    " turn it is; add a line `to move: black` or `to move: white`",
}


class Pasted(NamedTuple):
    """A text that people paste, and what is made of it.

    stones    with their colours; `is_moves`: in their order.
    refused   why the text is not read; empty where it is. `is_file`: it is a file of games.
    """

    text: str
    stones: tuple[tuple[str, int], ...]
    size: tuple[int, int]
    rule: int
    side: int
    refused: str
    is_moves: bool
    is_file: bool


def _pasted() -> Iterator[Any]:
    """The cases of pasted.txt."""
    text = Path(__file__).with_name("pasted.txt").read_text(encoding="utf-8")
    for case in text.split("\n=== ")[1:]:
        name, answer, body = case.split("\n", 2)
        is_refused, said = answer.startswith("!> "), answer[3:]
        points, *rest = [""] if is_refused else said.split("; ")
        stones = [
            (word.lstrip("XO"), "XO".index(word[0]) + 1 if word[0] in "XO" else 1 + number % 2)
            for number, word in enumerate(points.split())
        ]
        sizes = [read_size(word) for word in rest if "x" in word]
        rules = [read_rule(word) for word in rest if "x" not in word and word != "white"]
        side = WHITE if "white" in rest else 1 + len(stones) % 2
        yield pytest.param(
            Pasted(
                body, () if is_refused else tuple(stones), (sizes or [(15, 15)])[0],
                (rules or [0])[0], side, said * is_refused, points[:1] not in ("X", "O"),
                name.endswith("(file)"),
            ),
            id=name,
        )  # fmt: skip


Door = Callable[[str, Path], tuple[object, ...]]


def _model(at: Position) -> tuple[object, ...]:
    return *at[:3], int(at.side_to_move), *at.stones


def _stored(stored: StoredPosition) -> tuple[object, ...]:
    return _model(stored.position.to_model())


def _seated(game: Game) -> tuple[object, ...]:
    return game.width, game.height, game.rule, game.to_move, *game.stones


def _pasted_in_the_browser(text: str, _: Path) -> tuple[object, ...]:
    opened = begin.opened(Open(text, rule=Rule.FREESTYLE, game=0))
    assert not isinstance(opened, list)
    return _seated(opened.game)


def _parsed(text: str, _: Path) -> tuple[object, ...]:
    game = tengen_library.parse_game(text)
    assert not game.fault
    return _model(game.position().to_model())


# The ways into the program; each returns width, height, rule, the side to move and the stones.
DOORS: dict[str, Door] = {
    "command, a file": lambda text, folder: _stored(find_position(_file(text, folder))),
    "command, typed": lambda text, _: _stored(find_position(text)),
    "library, Position": lambda text, _: _model(tengen_library.Position(text).to_model()),
    "library, Game": _parsed,
    "board": _pasted_in_the_browser,
    "play --load": lambda text, _: _seated(load_game(text, 0).game),
    "engine": lambda text, _: _model(Position.from_text(text)),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("text", GOOD)
def test_every_door_reads_every_form(text: str, door: str, tmp_path: Path) -> None:
    assert set(DOORS[door](text, tmp_path)[4:]) == set(MOVES)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("text", "sentence"), BAD.items())
def test_every_door_refuses_in_the_same_words(
    text: str, sentence: str, door: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError) as refused:
        DOORS[door](text, tmp_path)
    assert str(refused.value).endswith(sentence)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", list(_pasted()))
def test_every_door_makes_the_same_of_what_is_pasted(
    case: Pasted, door: str, tmp_path: Path
) -> None:
    is_refused = bool(case.refused) or (case.is_file and door in ("engine", "library, Position"))
    if is_refused:
        with pytest.raises(ValueError) as refused:
            DOORS[door](case.text, tmp_path)
        sentence = str(refused.value)
        assert sentence and "\n" not in sentence
        assert case.is_file or sentence.endswith(case.refused)
        return
    width, height, rule, side, *stones = DOORS[door](case.text, tmp_path)
    wanted = [(*read_point(name, *case.size), colour) for name, colour in case.stones]
    assert (width, height, rule, side) == (*case.size, case.rule, case.side)
    assert stones == wanted or (not case.is_moves and set(stones) == set(wanted))


CROWDED = "(;SZ[15];B[hh]W[ig];B[gi])"
NOTE = "sgf: one node holds several moves; they are played in the order they are written"


def test_what_was_not_read_as_it_stands_is_said(tmp_path: Path, run: Run) -> None:
    file = _file(CROWDED, tmp_path)
    for words, said in (
        (["analyze", "--explain", file], NOTE),
        (["solve", "--nodes", "100", CROWDED], NOTE),
        (["analyze", "--nodes", "100", file], f"{file}: {NOTE}"),
    ):
        assert run(*words).err == f"{said}\n"
    game = tengen_library.parse_game(CROWDED)
    assert game.notes == (NOTE,) and game.moves == ("h8", "i9", "g7")
    assert tengen_library.parse_game(write_sgf(game)).notes == ()
    text = "Black: Ann\nWhite: Bob\nRule: renju\n\nh8 i9 h9"
    for named in (tengen_library.parse_game(text), tengen_library.Game(text)):
        assert (named.black, named.white, named.rule) == ("Ann", "Bob", "renju")
    assert tengen_library.Game(text, white="Cy").white == "Cy"
    assert "PB" not in write_sgf(tengen_library.Game("h8"))


def _file(text: str, folder: Path) -> str:
    path = folder / "position"
    path.write_bytes(text.encode())
    return str(path)


@pytest.mark.parametrize(
    "text",
    [text for text in GOOD if re.match(r"[hH]8|1\.|\uff48", text) and "8,6" not in text],
)
def test_openings_are_read_alike(text: str) -> None:
    [opening] = read_openings(text, "book", size=(15, 15))
    assert opening.place(15, 15) == tuple((x, y) for x, y, _ in MOVES)


@pytest.mark.parametrize(
    "text", ["h8", "H8", "7,7", "7, 7", "(7,7)", " h8 ", "\uff48\uff18", "h08"]
)
def test_a_move_at_the_prompt_is_read_alike(text: str) -> None:
    assert parse(text, 15, 15) == Command("play", cells=((7, 7),), text=text.strip())
    with pytest.raises(ValueError, match="'p8' is not on this 15x15 board; try h8; the last col"):
        parse("p8", 15, 15)


def test_the_commands_that_c_gomoku_cli_and_others_write() -> None:
    """Lines of commas are openings, one a line, and a list of moves."""
    lines = "f7,f6,h6,h7,h4\nc9,c8,d11,f9,l4,j9\n"
    assert [len(each.offsets) for each in read_openings(lines, "csv", size=(15, 15))] == [5, 6]
    assert len(find_position(lines).position) == 11


# -- what is printed is read


@pytest.mark.parametrize("width", [100, 36, 24])
@pytest.mark.parametrize("in_colour", [False, True])
@pytest.mark.parametrize("moves", [1, 14, 120])
def test_the_board_of_a_game_is_read_without_its_colours(
    width: int, in_colour: bool, moves: int
) -> None:
    """Where numbers alone stand for the stones, odd ones are Black's."""
    rnd = random.Random(moves)
    cells = [(x, y) for x in range(15) for y in range(15)]
    while True:
        with suppress(ValueError):  # a game that ended too early
            order = rnd.sample(cells, moves)
            played = [Move(x, y, 1 + i % 2) for i, (x, y) in enumerate(order)]
            game = Game(15, 15, 9).replay(played)
            if game.outcome is None:
                break
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=in_colour,
        color_system="truecolor" if in_colour else None,
        legacy_windows=False,
    )
    text = draw_game(console, game, Look(), hint=game.board.empties()[0]).plain
    assert set(read_position(text).stones) == set(game.stones)


@pytest.mark.parametrize(
    "command", ["analyze --nodes 300", "solve --nodes 300", "analyze --explain"]
)
def test_the_boards_of_the_commands_are_read(command: str, run: Run) -> None:
    boards = [
        "\n".join(line for line in block.splitlines() if re.match(r" ?\d+[ \[]|   +a ", line))
        for block in run(*command.split(), "h8 i9 g7").out.split("\n\n")
        if re.search(r"^ 1 ", block, re.MULTILINE)
    ]
    assert boards
    for board in boards:
        assert {*Position.from_text(board).stones} == set(MOVES)
