"""Whatever is given to a function of the library, the answer is a value, or one line that names the
parameter or shows the value."""

from __future__ import annotations

import inspect
import math
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tengen.game.arguments import shown
from tengen.game.files.formats import (
    parse_game,
    read_game,
    read_games,
    text_of,
    write_game,
)
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.node import Node
from tengen.game.position import Point, Position
from tengen.library.engine import Engine
from tengen.library.match import Match
from tengen.library.program import Program, ProgramFailed
from tests.game.test_formats import SAMPLES

VALUES = [
    5, -1, 0, 2.5, -2.5, math.nan, math.inf, -math.inf, True, False, None, b"h8", "", "zzz", "h8",
    "h8 i9", "1", "a\nb", "\0", 10**30, -(10**30), 1e300, (1, 2), (1, 2, 3), (1.5, 2), [8, 6],
    ["h8", "i9"], {}, {"h8": 1}, {"h8": "A"}, set(), object(), Position, Position("h8"), Game("h8"),
]  # fmt: skip
ENGINE = Engine()
PROGRAM = Program([sys.executable, "-m", "tengen.pbrain"])
TWO = {"A": sys.executable, "B": sys.executable}
SEARCHES = ["play", "analyze", "solve", "solve_all", "defences", "review", "explain"]
# What Python says of its own about a value that nobody has looked at.
INTERNAL = re.compile(
    r"_ms\b|has no attribute|object is not|not supported|argument must be"
    r"|cannot (be )?(convert|interpret)"
)


def _search(name: str, parameter: str, value: object) -> object:
    first: object = Game("h8 i9") if name == "review" else Position("h8 i9")
    given = {} if name == "explain" else {"nodes": 10}
    if parameter in ("position", "game"):
        first = value
    else:
        given[parameter] = value  # type: ignore[assignment]
    if given.get("nodes", 1) in (None, 10**30) or value is Position:
        return None  # nobody waits so long; a class can be called
    return getattr(ENGINE, name)(first, **given)


def _match(**given: object) -> Match:
    return Match(**{"programs": TWO, "openings": "openings.txt", **given})  # type: ignore[arg-type]


def _play(**given: Any) -> object:
    # A class can be called.
    return None if given.get("on_report") is Position else PROGRAM.play(**given)


def _call(
    call: Callable[..., object], before: dict[str, object], parameter: str, value: object
) -> object:
    return call(**{**before, parameter: value})


def _rows() -> dict[str, Callable[[object], object]]:
    """By the name of a function and its parameter, a call that gives it a value."""
    functions: list[tuple[str, Callable[..., object], Callable[..., object], dict[str, object]]] = [
        ("Point", Point, Point, {"x": 1, "y": 1, "height": 15}),
        ("Position", Position, Position, {}),
        ("Position.point", Position.point, Position("h8").point, {}),
        ("Position.play", Position.play, lambda move: Position("h8").play(move), {}),
        ("Position.svg", Position.svg, Position("h8").svg, {}),
        ("Game", Game, lambda **given: write_sgf(Game(**given)), {}),
        ("read_game", read_game, read_game, {"path": "there"}),
        ("parse_game", parse_game, parse_game, {"data": "h8"}),
        ("Game.position", Game.position, Game("h8 i9").position, {}),
        ("Game.play", Game.play, lambda **given: Game("h8").play(**given), {"move": "i9"}),
        ("write_game", write_game, partial(write_game, Game("h8")), {}),
        ("Node.add", Node.add, lambda **given: Game("h8").end.add(**given), {"move": "i9"}),
        ("read_games", read_games, lambda **given: read_games(**given)[0], {"path": "there"}),
        ("Engine", Engine, Engine, {}),
        ("Program", Program, Program, {"command": sys.executable}),
        ("Program.play", Program.play, _play, {"position": Position("h8"), "nodes": 10}),
        ("Match", Match, _match, {}),
        # A match that begins takes long.
        (
            "Match.play", Match.play,
            lambda on_game: None if on_game in (None, Position) else _match().play(on_game), {},
        ),
    ]  # fmt: skip
    rows: dict[str, Callable[[object], object]] = {
        f"{name}({parameter}": partial(_call, call, before, parameter)
        for name, function, call, before in functions
        for parameter in inspect.signature(function).parameters
        if parameter != "self"
    }
    for name in SEARCHES:
        for parameter in inspect.signature(getattr(Engine, name)).parameters:
            if parameter != "self":
                rows[f"Engine.{name}({parameter}"] = partial(_search, name, parameter)
    rows["Match(programs['A']"] = lambda value: _match(programs={**TWO, "A": value})
    for name in ("black", "white", "event", "date", "result"):
        rows[f"Game.{name}"] = partial(setattr, Game("h8"), name)
    for name in ("comment", "marks"):
        rows[f"Node.{name}"] = partial(setattr, Game("h8").end, name)
    return rows


ROWS = _rows()


def _describes(text: str, parameter: str, value: object) -> bool:
    """Whether an error names the parameter, or shows the value or one of its items."""
    items = value if isinstance(value, tuple | list | dict) else ()
    words = [parameter, shown(value), *str(value).split(), *map(str, items)]
    return any(word in text for word in words)


@pytest.mark.filterwarnings("ignore:.*memory are too little")
@pytest.mark.parametrize("row", ROWS)
def test_the_answer_is_a_value_or_one_line_about_the_parameter(
    row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_game(Game("h8 i9"), "there.sgf")
    Path("there.sgf").rename("there")
    Path("openings.txt").write_text("0,0,1,1\n")
    parameter = re.split("[(.]", row, maxsplit=1)[-1]
    parameter = parameter.rpartition("(")[2]
    for value in VALUES:
        try:
            ROWS[row](value)
        except (ValueError, TypeError, OSError, ProgramFailed) as error:
            text = str(error)
            assert "\n" not in text and len(text) < 300, value
            if not isinstance(error, OSError | ProgramFailed):
                assert not INTERNAL.search(text), (value, text)
            assert _describes(text, parameter, value), (value, text)


# What other rooms call, with values of their own.


@pytest.mark.parametrize("kind", [Position, Game])
@pytest.mark.parametrize("ending", SAMPLES)
def test_the_content_of_a_file_is_refused_with_what_reads_it(
    kind: type[Position | Game], ending: str
) -> None:
    text = text_of(SAMPLES[ending], ending)
    if ending == ".pgn":  # its tags and moves are a text too
        assert str(kind(text)) == str(Position("h8 i9 h9")) or kind is Game
        return
    with pytest.raises(ValueError, match=r"^text: .*tengen\.parse_game reads .*tengen\.read_game"):
        kind(text)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ENGINE.analyze(Position(), turn_s=-1), "turn_s=-1: expected seconds from 0 to 1,"),
        (
            lambda: ENGINE.analyze(Position(), turn_s=math.inf),
            "turn_s=inf: expected seconds from 0",
        ),
        (lambda: Engine(threads=math.inf), "threads=inf: expected a whole number from 1"),  # type: ignore[arg-type]
        (lambda: Position().play([8, 6]), "[8, 6] is not a point; expected 'h8' or (7, 7)"),  # type: ignore[arg-type]
        (lambda: Match(["a", "b"]), "programs=['a', 'b']: expected the commands of programs by"),  # type: ignore[arg-type]
    ],
)
def test_the_line_says_what_is_accepted(call: Callable[[], object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        call()


def test_a_list_of_moves_is_read_like_a_text_of_them() -> None:
    position = Position("h8 i9 g9", rule="renju", size=19)
    for moves in (position.moves, list(position.moves), (str(move) for move in position.moves)):
        assert Position(moves, rule="renju", size=19) == position
    assert Position([(7, 7), "8,6"]) == Position("h8 i9")
    assert Game(position.moves, size=19).moves == position.moves
    with pytest.raises(ValueError, match="move 2: 'h8' is occupied by move 1"):
        Position(["h8", "h8"])
