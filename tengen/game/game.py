"""A game with its variations and comments: a tree of nodes, and a cursor that goes through it.

Files of games are read and written in tengen/game/files/.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, cast, overload

from engine.text import ParsedPosition, point_names
from engine.text import Size as Shape
from tengen.game.arguments import text as argument
from tengen.game.arguments import whole
from tengen.game.node import (
    PLAYERS,
    Node,
    Properties,
    Row,
    cells_between,
    first_properties,
    point_of,
    rows_of,
    said_in,
    shown,
)  # fmt: skip
from tengen.game.played import MatchFacts, Termination
from tengen.game.position import AnyPoint, Colour, Point, Position, Size, parse_text, rule_of
from tengen.game.referee import BLACK, RENJU, WALL, WHITE, Cell, Stone, side_to_move
from tengen.game.rules import RULE_TITLES, read_said_rule
from tengen.game.values import counted

# What `tengen play` calls a person in a file.
PERSON_NAME = "Player"

_MAX_SIZE = 52  # a coordinate is one letter, small or capital
_DEFAULT_SIZE, _DEFAULT_SIZE_OF_GO = "15", "19"
_SIDES = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_WINNERS: dict[str, Colour] = {"B+": "black", "W+": "white"}
# Forms that an error need not name.
_NO_FILES = ("", "text", "match")
RESULTS = {"black": "B+", "white": "W+", "draw": "0"}


class Line(NamedTuple):
    """The main line of a game, up to the first move that cannot be played.

    nodes   that play a move, and their stones.
    passes  for each pass, which renju allows, the number of moves before it; passes at the end are
            left out, and passes are no moves.
    fault   why there are no more moves; empty where nothing is left out.
    result  as the last position shows, for a game without a judge: "black", "white" or "draw".
    """

    nodes: tuple[Node, ...]
    stones: tuple[Stone, ...]
    passes: tuple[int, ...]
    fault: str
    result: str | None = None


class _Said:
    """What a game says in a property of its first node."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self.__doc__ = name, text

    @overload
    def __get__(self, game: None, owner: object) -> _Said: ...
    @overload
    def __get__(self, game: Game, owner: object) -> str: ...
    def __get__(self, game: Game | None, owner: object) -> _Said | str:
        return self if game is None else game.root.text(self._name) or ""

    def __set__(self, game: Game, text: str) -> None:
        game.root.set(self._name, argument(self._name, text))


class Game:
    """A game: a tree of nodes, what is said of it as a whole, and a cursor, which begins at the end
    of the main line.

        game = Game("h8 i9 g9", black="A", white="B")
        game.play("j10", comment="a mistake")
        for node in game:                       # the main line
            print(node.number, node.move, node.comment)
        game.undo()
        game.play("f8")

    text, size, rule  the moves so far, or a picture of stones that were set up, as for Position.
    black, white      the players' names.

    form         of the file that it was read from, as errors name it; `number`, from one, of the
                 `count` games of that file.
    notes        what was not read as it stands in the file, such as several moves in one node of
                 sgf; each in one line.
    people       the colours that people played; None = the names tell.
    termination  how it ended, and `detail`, the same in words; None and empty if unknown.
    match        what a match knows of it; None for a game of no match.

    Raises ValueError as Position does, and for a picture with walls.
    """

    form = ""
    number = count = 1
    notes: tuple[str, ...] = ()
    people: frozenset[int] | None = None
    termination: Termination | None = None
    detail = ""
    match: MatchFacts | None = None
    # Why the file says less than it should; `fault` has it.
    damage = ""
    # The moves were judged when they were played.
    is_judged = False
    _rule: int | None = None
    _line: Line | None = None
    _node: Node | None = None

    def __init__(
        self,
        text: str | Iterable[AnyPoint] = "",
        *,
        size: Size | None = None,
        rule: str | int | None = None,
        black: str = "",
        white: str = "",
    ) -> None:
        names = argument("black", black), argument("white", white)
        asked = None if rule is None else rule_of(rule)
        parsed = parse_text(text, size)
        info = {"RU": RULE_TITLES[Position.of_parsed(parsed, asked).rule_number]}
        info |= {key: name for key, name in zip(("PB", "PW"), names, strict=True) if name}
        self._take(parsed, info)

    def _take(self, parsed: ParsedPosition, info: Mapping[str, str]) -> Game:
        if any(stone[2] == WALL for stone in parsed.stones):
            raise ValueError("a game cannot begin on a board with walls, which no file has")
        setup, moves = (parsed.stones, ()) if parsed.is_picture else ((), parsed.stones)
        size = parsed.width, parsed.height
        self._begin(first_properties({**said_in(parsed), **info}, size, setup))
        self.root.append_line(moves)
        return self

    def _begin(self, properties: Properties) -> Game:
        self._root = Node(self, None, properties)
        self._ahead: list[Node] = []
        return self

    @property
    def root(self) -> Node:
        """The beginning of the game."""
        return self._root

    @classmethod
    def of(
        cls,
        form: str,
        properties: Properties,
        stones: Iterable[Stone] = (),
        people: frozenset[int] | None = None,
    ) -> Game:
        """The game of a file of the kind `form`: the properties of its first node, and moves."""
        game = cls.__new__(cls)._begin(properties)
        game.form, game.people = form, people
        game.root.append_line(stones)
        return game

    @classmethod
    def of_parsed(cls, parsed: ParsedPosition, form: str = "text") -> Game:
        """The game of a text that was read, up to the first move that cannot be played. ValueError
        for a picture with walls."""
        game = cls.__new__(cls)._take(parsed, {})
        game.form = form
        return game

    def copy(self) -> Game:
        """The same game, which can be changed by itself."""
        return _again(*self.__reduce__()[1])

    __copy__ = copy

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by way of nested nodes, which may be too deep.
        known = {k: v for k, v in self.__dict__.items() if k in _KEPT and v is not None}
        return _again, (known, rows_of(self.root))

    # -- what is said of it

    def by_rule(self, rule: int | None) -> Game:
        """This game, which is by another rule than it says; None = by the one that it says.
        ValueError for a board, a rule or stones that cannot be."""
        self._rule = rule
        self._forget()
        self.start()
        if self.line.fault and not self.line.nodes:
            raise ValueError(self.line.fault)
        return self

    @cached_property
    def size(self) -> Shape:
        """Columns and rows of the board. ValueError for a board that cannot be."""
        is_go = (self.root.text("GM") or "").strip() == "1"
        text = self.root.text("SZ") or (_DEFAULT_SIZE_OF_GO if is_go else _DEFAULT_SIZE)
        size = re.fullmatch(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?", text, re.ASCII)
        if size is not None:
            width, height = int(size[1]), int(size[2] or size[1])
            if 1 <= width <= _MAX_SIZE and 1 <= height <= _MAX_SIZE:
                return width, height
        raise ValueError(f"{self.form}: SZ[{shown(text)}] is not a board size; try 15 or 15:20")

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.size[0]

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.size[1]

    @property
    def rule(self) -> str:
        """The name of the rule, as for Position."""
        return self.start().rule

    @cached_property
    def rule_number(self) -> int:
        """The number of the rule, as in the protocol; freestyle if none is known. ValueError for
        another game and for a rule that is not known."""
        said = (self.root.text("RU") or "").strip()
        kind = (self.root.text("GM") or "").strip() or "4"
        if kind not in ("1", "4"):
            raise ValueError(f"{self.form}: GM[{shown(kind)}] is another game; expected GM[4]")
        if self._rule is not None:
            return self._rule & ~2
        if kind == "1" and not said:
            raise ValueError(f"{self.form}: GM[1] is Go: name the rule with --rule if it is not")
        if not said:
            return 0
        if (rule := self.said_rule) is None:
            raise ValueError(
                f"{self.form}: RU[{shown(said)}] is not a known rule: name one with --rule"
            )
        return rule

    @property
    def said_rule(self) -> int | None:
        """The number of the rule that the game itself names; None for none, and for one that is
        not known."""
        try:
            return read_said_rule((self.root.text("RU") or "").strip()) & ~2
        except ValueError:
            return None

    @property
    def says_rule(self) -> bool:
        """Does the game itself name its rule?"""
        return bool((self.root.text("RU") or "").strip())

    black = _Said("PB", "The name of who plays Black; empty if unknown.")
    white = _Said("PW", "The name of who plays White; empty if unknown.")
    event = _Said("EV", "The tournament; empty if unknown.")
    site = _Said("PC", "Where it was played; empty if unknown.")
    date = _Said("DT", "When it was played, as the file has it; empty if unknown.")

    @property
    def names(self) -> tuple[str, str]:
        """Black's name and White's; empty if unknown."""
        return self.black, self.white

    @property
    def people_sides(self) -> frozenset[int]:
        """The colours that people played, as far as the game tells."""
        if self.people is not None:
            return self.people
        both = zip((BLACK, WHITE), self.names, strict=True)
        return frozenset(colour for colour, name in both if name == PERSON_NAME)

    @property
    def said_result(self) -> str | None:
        """The result that the game names: "black", "white" or "draw"; None if it names none."""
        said = (self.root.text("RE") or "").strip().upper()
        if said[:2] in _WINNERS:
            return _WINNERS[said[:2]]
        return "draw" if said in ("0", "DRAW") else None

    @property
    def result(self) -> str | None:
        """Who has won, "black" or "white", or "draw": as the game says, else as the last position
        shows; None while that is open."""
        if (said := self.said_result) is not None or self.root.text("RE") == "Void":
            return said
        return self.line.result

    @result.setter
    def result(self, result: str) -> None:
        if argument("result", result) not in RESULTS:
            raise ValueError(f"{result!r} is not a result; expected {', '.join(RESULTS)}")
        self.root.set("RE", RESULTS[result])

    @property
    def ending(self) -> str:
        """The name of how it ended, as records have it."""
        return "UNKNOWN" if self.termination is None else self.termination.name

    @property
    def winner(self) -> int:
        """BLACK or WHITE, as the game says; 0 for a draw and where it says nothing."""
        return {"black": BLACK, "white": WHITE}.get(self.said_result or "", 0)

    @property
    def winner_name(self) -> str | None:
        """The name of who has won, as the game says; None for a draw."""
        return {BLACK: self.black, WHITE: self.white}.get(self.winner)

    @property
    def loser_name(self) -> str | None:
        """The name of who has lost, as the game says; None for a draw."""
        return {BLACK: self.white, WHITE: self.black}.get(self.winner)

    @property
    def is_failure(self) -> bool:
        """Did the loser lose by misbehaving?"""
        return self.termination is not None and self.termination.is_failure

    def points_of(self, name: str) -> float:
        """The points that one of the two players got: 1, 0.5 or 0."""
        return 0.5 if self.winner_name is None else float(self.winner_name == name)

    @property
    def pair(self) -> int | None:
        """Of two games of a match from one opening, from zero; None if unknown."""
        return None if self.match is None else self.match.pair

    @property
    def opening_moves(self) -> int:
        """How many moves, the first ones, the programs of a match have not chosen."""
        return 0 if self.match is None else self.match.opening_moves

    # -- the beginning

    @cached_property
    def setup(self) -> tuple[Stone, ...]:
        """The stones that stand on the board before the first move. ValueError for one that cannot
        stand there."""
        stones: dict[Cell, Stone] = {}
        for node in self.root.main_line():
            for name, colour in (("AE", 0), ("AB", BLACK), ("AW", WHITE)):
                for value in node.properties.get(name, ()):
                    # One point, or all of a rectangle written as two corners.
                    corners = [self._cell(corner) for corner in value.split(":", 1)]
                    for cell in cells_between(corners[0], corners[-1]):
                        stones.pop(cell, None)
                        if colour:
                            stones[cell] = (*cell, colour)
            if not PLAYERS.keys().isdisjoint(node.properties):
                break
        return tuple(stones.values())

    @property
    def said_side(self) -> int | None:
        """Whose turn it is at first, as the game says: BLACK or WHITE; None if it does not."""
        return _SIDES.get((self.root.text("PL") or "").strip().lower())

    @cached_property
    def first_side(self) -> int:
        """Whose turn it is at first, as far as the game tells; else BLACK."""
        if self.said_side is not None:
            return self.said_side
        for node in self.root.main_line():
            if stone := node.stone:
                return stone[2]
        return side_to_move(self.setup) or BLACK

    def start(self) -> Position:
        """The position before the first move. ValueError for one that cannot be."""
        return Position.begin(self.size, self.rule_number, self.setup, self.first_side)

    # -- the main line

    @property
    def line(self) -> Line:
        """The main line, up to the first move that cannot be played."""
        if self._line is None:
            self._line = self._read_line()
        return self._line

    def _read_line(self) -> Line:
        nodes: list[Node] = []
        stones: list[Stone] = []
        passes: list[int] = []
        fault, form = self.damage, "" if self.form in _NO_FILES else f"{self.form}: "
        position = self.start()
        try:
            for node in self.root.main_line():
                stone = node.stone
                if not self.is_judged:
                    self._refuse(node, stone, len(nodes), passes)
                if stone is not None:
                    nodes.append(node)
                    stones.append(stone)
        except ValueError as error:
            fault = f"{form}{error}"
        if not self.is_judged:
            try:
                position.play_stones(stones)
            except ValueError:
                count = len(position.moves)
                what = "after the end of the game" if position.is_over else "on a stone"
                fault = f"{form}move {count + 1 + sum(n <= count for n in passes)} is played {what}"
                del nodes[count:], stones[count:]
        kept = tuple(n for n in passes if n < len(nodes))
        result = position.winner() or "draw" if position.is_over else None
        return Line(tuple(nodes), tuple(stones), kept, fault, result)

    def _refuse(self, node: Node, stone: Stone | None, count: int, passes: list[int]) -> None:
        """ValueError for what cannot follow so many moves on any board; notes a pass."""
        if count and node.sets_up:
            raise ValueError(f"set-up stones after move {count + len(passes)}")
        if stone is None:
            if node.passes:
                passes.append(count)
            elif name := next((name for name in PLAYERS if name in node.properties), ""):
                self._cell(node.properties[name][0])
            return
        if not (0 <= stone[0] < self.size[0] and 0 <= stone[1] < self.size[1]):
            self._cell(node.properties["B" if stone[2] == BLACK else "W"][0])
        if passes and self.rule_number != RENJU:
            raise ValueError(f"move {passes[0] + 1} is a pass, which only renju has (--rule renju)")

    def _cell(self, text: str) -> Cell:
        if (point := point_of(text, self.height)) is None:
            raise ValueError(f"[{shown(text)}] is not a point; try hh or h8")
        if not (0 <= point[0] < self.width and 0 <= point[1] < self.height):
            raise ValueError(f"[{shown(text)}] is outside the {self.width}x{self.height} board")
        return point

    @property
    def fault(self) -> str:
        """Why the main line ends before that of the file; empty where it does not."""
        return self.line.fault

    @property
    def end(self) -> Node:
        """The last node of the main line with a move, or `root`."""
        return self.line.nodes[-1] if self.line.nodes else self.root

    @property
    def moves(self) -> tuple[Point, ...]:
        """The moves of the main line."""
        return tuple(cast(Point, node.move) for node in self.line.nodes)

    @property
    def stones(self) -> tuple[Stone, ...]:
        """The moves of the main line as (x, y, colour)."""
        return self.line.stones

    def __iter__(self) -> Iterator[Node]:
        """The nodes of the main line that play a move, up to the first impossible one."""
        return iter(self.line.nodes)

    def __len__(self) -> int:
        """The number of moves in the main line."""
        return len(self.line.nodes)

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, at: int) -> Node: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Node]: ...
    def __getitem__(self, at: int | slice) -> Node | Sequence[Node]:
        """The node of a move of the main line, counted from zero."""
        return self.line.nodes[at]

    def nodes(self) -> Iterator[Node]:
        """All nodes, each before those after it, and the main line before its variations."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children[::-1]

    def lead(self, stones: Iterable[Stone]) -> None:
        """Makes these moves the main line from the first node on: the variation that has them comes
        to the front, and what no variation has is added."""
        node = self.root
        for stone in stones:
            while node.children and node.children[0].stone is None:
                node = node.children[0]  # a comment alone or a pass, before the next move
            node = node.add_stone(stone)
            node.promote()

    # -- the cursor

    @property
    def node(self) -> Node:
        """Where the cursor stands."""
        return self._node or self.end

    @property
    def ahead(self) -> tuple[Node, ...]:
        """The nodes that were left by `undo`, the next one to bring back first."""
        return tuple(reversed(self._ahead))

    def go(self, node: Node) -> None:
        """Sets the cursor. ValueError if the node is none of this game."""
        if node.game is not self:
            raise ValueError("the node is of another game")
        self._node, self._ahead = node, []

    def undo(self) -> Node:
        """Goes to the parent of a node, and returns the node that was left. IndexError at the
        beginning."""
        node = self.node
        if node.parent is None:
            raise IndexError("there is no move to take back")
        self._node = node.parent
        self._ahead.append(node)
        return node

    def redo(self) -> Node:
        """Goes to the child that `undo` has left, else to the first one, and returns it. IndexError
        if there is none."""
        if not (children := self.node.children):
            raise IndexError("there is no move to bring back")
        left = self._ahead.pop() if self._ahead else children[0]
        self._node = left if left in children else children[0]
        return self._node

    def play(self, move: AnyPoint, comment: str = "") -> Node:
        """Plays a move at the cursor, which goes there. It leads the variations of its node, so
        what is played last is the main line. ValueError if it is impossible."""
        node = self.node
        while (after := node.children) and not (after[0].stone or after[0].sets_up):
            node = after[0]  # a pass, or a comment alone
        node = node.add(move, comment)
        node.promote()
        self._ahead = self._ahead[:-1] if self._ahead and self._ahead[-1] is node else []
        self._node = node
        return node

    def position(self, moves: int | None = None) -> Position:
        """The position at the cursor, or after so many moves of the main line. ValueError if there
        are fewer."""
        if moves is None:
            return self.node.position()
        count = whole("moves", moves, 0)
        if count > len(self):
            raise ValueError(f"the game has {counted(len(self), 'move')}, not {count}")
        return self[count - 1].position() if count else self.start()

    def __str__(self) -> str:
        """The moves, `h8 i9 g9`; behind a picture, where stones were set up."""
        moves = point_names((stone[:2] for stone in self.stones), self.height)
        return f"{self.start()}\n\n{moves}".rstrip() if self.setup else moves

    def __repr__(self) -> str:
        names = f"{self.black or '?'} - {self.white or '?'}"
        moves = counted(len(self), "move")
        return f"<Game {names}, {self.rule}, {moves}, {self.result or 'no result'}>"

    def _repr_svg_(self) -> str:
        return self.node._repr_svg_()

    def changed(self, node: Node) -> None:
        """Forgets what is known of the tree, and a cursor at a node that is gone."""
        self._line = None
        if node.parent is None:
            self._forget()
        elif self._node is not None and node not in node.parent.children:
            if node in self._node.line():
                self._node = None
            self._ahead = []

    def _forget(self) -> None:
        self._line = None
        for name in _FACTS:
            self.__dict__.pop(name, None)


_FACTS = ("size", "rule_number", "setup", "first_side")
_KEPT = (
    "form", "number", "count", "notes", "people", "termination", "detail", "match", "damage",
    "is_judged", "_rule",
)  # fmt: skip


def _again(known: Mapping[str, Any], rows: Sequence[Row]) -> Game:
    game = Game.__new__(Game)._begin(rows[0][0])
    game.__dict__.update(known)
    nodes = [game.root]
    for properties, before, time_s, report in rows[1:]:
        node = nodes[before].append(properties)
        node.time_s, node.report = time_s, report
        nodes.append(node)
    return game
