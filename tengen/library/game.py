"""A game with its variations and comments, read from and written to the files of many programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import overload

from engine.files import read_file, replace_file
from engine.text import point_names, read_rule
from tengen.game.record.formats import is_saved_game, read_trees, text_of
from tengen.game.record.game import Game as Record
from tengen.game.record.game import Job, Move, Setting
from tengen.game.record.main_line import is_pass
from tengen.game.record.psq import to_psq
from tengen.game.record.recorded import RecordedGame, count_text, game_of
from tengen.game.record.renlib import write_renlib
from tengen.game.record.rif import write_rif
from tengen.game.record.run_folder import is_run, load_run, read_run
from tengen.game.record.sgf import write_sgf
from tengen.game.record.termination import Termination
from tengen.game.record.tree import (
    GameTree,
    add_line,
    escaped,
    letters,
    move_properties,
    new_root,
    point_of,
    stone_in,
    unescaped,
)
from tengen.game.record.tree import Node as RecordNode
from tengen.game.rules.names import RULE_TITLES
from tengen.game.rules.referee import BLACK, WHITE
from tengen.game.rules.stones import Stone, in_turns, side_to_move
from tengen.library.position import (
    COLOURS,
    AnyPoint,
    Colour,
    Point,
    Position,
    Size,
    play_on,
    position_of,
    setup_of,
)

FilePath = str | os.PathLike[str]

_MAX_BYTES = 100_000_000
_WINNERS: dict[str, Colour] = {"B+": "black", "W+": "white"}
_RESULTS = {"black": "B+", "white": "W+", "draw": "0"}
_RENLIB_SIZE = (15, 15)
# What other programs draw at a point without a text.
_MARKS = ("MA", "TR", "CR", "SQ")
_SETUP = {"AB", "AW", "AE"}
_LATE_SETUP = "stones are set up after the beginning of the game"


class Node:
    """A place in a game: the move that leads to it, its comment, and what comes after it.

    Two nodes are equal if they are the same place of the same game.
    """

    def __init__(self, game: Game, record: RecordNode, parent: Node | None) -> None:
        self.game = game
        self.parent = parent
        self._record = record

    @property
    def move(self) -> Point | None:
        """The move; None for the beginning of a game, a pass, and a node with a comment alone."""
        stone = self._stone
        return None if stone is None else Point(stone[0], stone[1], self.game.height)

    @property
    def colour(self) -> Colour | None:
        """Who plays the move; None without one."""
        stone = self._stone
        return None if stone is None else COLOURS[stone[2]]

    @property
    def children(self) -> list[Node]:
        """The nodes after this one, that of the main line first."""
        return [Node(self.game, each, self) for each in self._record.children]

    @property
    def comment(self) -> str:
        """What is said about the move; an empty text removes it."""
        return self._record.text("C") or ""

    @comment.setter
    def comment(self, text: str) -> None:
        self._set("C", [escaped(text)] if text else [])

    @property
    def marks(self) -> dict[Point, str]:
        """The marked points, each with the text that stands there; empty for a sign."""
        labels = [value.partition(":") for value in self._record.properties.get("LB", ())]
        found = {self._point(place): unescaped(text) for place, _, text in labels}
        for name in _MARKS:
            found |= {self._point(place): "" for place in self._record.properties.get(name, ())}
        return {point: text for point, text in found.items() if point is not None}

    @marks.setter
    def marks(self, marks: Mapping[str, str] | Iterable[str]) -> None:
        texts = marks if isinstance(marks, Mapping) else dict.fromkeys(marks, "")
        board = self.game.start()
        places = {board.point(point): text for point, text in texts.items()}
        for name in _MARKS:
            self._set(name, [])
        self._set("MA", [letters(p.x, p.y) for p, text in places.items() if not text])
        self._set(
            "LB", [f"{letters(p.x, p.y)}:{escaped(text)}" for p, text in places.items() if text]
        )

    @property
    def number(self) -> int:
        """How many moves lead here, this one included."""
        return sum(node.move is not None for node in self.line())

    def line(self) -> list[Node]:
        """The nodes from the beginning to this one."""
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        return nodes[::-1]

    def position(self) -> Position:
        """The position after the move. ValueError, naming the move, if one on the way is
        impossible."""
        nodes = self.line()
        if any(_SETUP & node._record.properties.keys() for node in nodes[1:]):
            raise ValueError(_LATE_SETUP)
        stones = [node._stone for node in nodes]
        return self.game._after(stone for stone in stones if stone is not None)

    def add(self, move: AnyPoint, comment: str = "") -> Node:
        """The node after this one that plays `move`; a new one, behind the others, if there is
        none. ValueError if the move is impossible."""
        position = self.position()
        side = BLACK if position.turn == "black" else WHITE
        position.play(move)
        played = position.moves[-1]
        for node in self.children:
            if node.move == played and node.colour == COLOURS[side]:
                break
        else:
            record = self._record.add(move_properties(played.x, played.y, side))
            node = Node(self.game, record, self)
        if comment:
            node.comment = comment
        return node

    def remove(self) -> None:
        """Takes this node, and all after it, out of the game. ValueError for the first node."""
        self._siblings.remove(self._record)

    def promote(self) -> None:
        """Makes this node the main line of the one before it. ValueError for the first node."""
        siblings = self._siblings
        siblings.remove(self._record)
        siblings.insert(0, self._record)

    @property
    def _siblings(self) -> list[RecordNode]:
        if self.parent is None:
            raise ValueError("the first node of a game stays where it is")
        return self.parent._record.children

    @property
    def _stone(self) -> Stone | None:
        values = [*map(self._record.properties.get, ("B", "W"))]
        if any(value and is_pass(value[0], *self.game.size) for value in values):
            return None
        return stone_in(self._record, self.game.height)

    def _set(self, name: str, values: Sequence[str]) -> None:
        properties = {key: own for key, own in self._record.properties.items() if key != name}
        self._record.properties = {**properties, name: tuple(values)} if values else properties

    def _point(self, place: str) -> Point | None:
        cell = point_of(place, self.game.height)
        return None if cell is None else Point(*cell, self.game.height)

    def _repr_svg_(self) -> str:
        return self.position().svg(marks=self.marks)

    def __repr__(self) -> str:
        return f"<Node {self.number} {self.move or ''}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._record is other._record

    def __hash__(self) -> int:
        return id(self._record)


class Game:
    """A game: a tree of nodes, and what is said of it as a whole.

        game = Game("h8 i9 g9", black="A", white="B")
        game.play("j10", comment="a mistake")
        for node in game:                       # the main line
            print(node.number, node.move, node.comment)
        game.write("game.sgf")

    text, size, rule  the moves so far, or a picture of stones that were set up, as for Position.
    black, white      the players' names.
    """

    def __init__(
        self,
        text: str = "",
        *,
        size: Size | None = None,
        rule: str | int | None = None,
        black: str = "",
        white: str = "",
    ) -> None:
        position = Position(text, size=size, rule=rule)
        setup, side = setup_of(position)
        number = read_rule(position.rule)
        info = {"RU": RULE_TITLES[number], "PB": black, "PW": white}
        if setup:
            info["PL"] = "B" if side == BLACK else "W"
        root = new_root(info, (position.width, position.height), setup)
        add_line(root, in_turns((move.x, move.y) for move in position.moves))
        self._take(GameTree("game", root), number)

    def _take(self, tree: GameTree, rule: int | None) -> Game:
        self._tree = tree
        record = game_of(tree, rule, is_cut=True)
        self.size = self.width, self.height = record.width, record.height
        self._rule = record.rule & ~2
        self._setup = record.setup
        side = record.side
        if side is None:
            side = record.colours[0] if record.colours else side_to_move(record.setup)
        self._side = side or BLACK
        self.start()  # ValueError for stones that cannot be
        return self

    # -- reading

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], number: int = 1, *, rule: str | None = None
    ) -> Game:
        """A game of a file (sgf, psq, rec, sav, lib, rif, the games.jsonl of a match, or a text of
        moves), told by its content. `number` counts its games from one; `rule` overrides what the
        file says. ValueError, in one line with the name of the file, if it holds no such game;
        OSError if it cannot be read."""
        games = read_games(path, rule=rule)
        if not 1 <= number <= len(games):
            raise ValueError(f"{os.fspath(path)}: there {count_text(len(games))}, not {number}")
        return games[number - 1]

    @classmethod
    def parse(cls, data: str | bytes, *, rule: str | None = None) -> Game:
        """The first game of the content of a file, as for `read`."""
        return _games(data, "", rule)[0]

    # -- what is said of it

    @property
    def rule(self) -> str:
        """The name of the rule, as for Position."""
        return self.start().rule

    @property
    def black(self) -> str:
        """The name of who plays Black; empty if unknown."""
        return self._tree.root.text("PB") or ""

    @black.setter
    def black(self, name: str) -> None:
        self._tree.root.set("PB", name)

    @property
    def white(self) -> str:
        """The name of who plays White; empty if unknown."""
        return self._tree.root.text("PW") or ""

    @white.setter
    def white(self, name: str) -> None:
        self._tree.root.set("PW", name)

    @property
    def event(self) -> str:
        """The tournament; empty if unknown."""
        return self._tree.root.text("EV") or ""

    @event.setter
    def event(self, name: str) -> None:
        self._tree.root.set("EV", name)

    @property
    def date(self) -> str:
        """When it was played, as the file has it; empty if unknown."""
        return self._tree.root.text("DT") or ""

    @date.setter
    def date(self, text: str) -> None:
        self._tree.root.set("DT", text)

    @property
    def result(self) -> str | None:
        """ "black" or "white", who has won, or "draw": as the file says, else as the last position
        shows; None while that is open."""
        said = (self._tree.root.text("RE") or "").strip()
        if said[:2].upper() in _WINNERS:
            return _WINNERS[said[:2].upper()]
        if said.upper() in ("0", "DRAW"):
            return "draw"
        position = self.position()
        return position.winner() or "draw" if position.is_over else None

    @result.setter
    def result(self, result: str) -> None:
        if result not in _RESULTS:
            raise ValueError(f"{result!r} is not a result; expected {', '.join(_RESULTS)}")
        self._tree.root.set("RE", _RESULTS[result])

    # -- the nodes

    @property
    def root(self) -> Node:
        """The beginning of the game."""
        return Node(self, self._tree.root, None)

    @property
    def end(self) -> Node:
        """The last node of the main line, or `root`."""
        nodes = self._walk()[0]
        return nodes[-1] if nodes else self.root

    @property
    def moves(self) -> tuple[Point, ...]:
        """The moves of the main line."""
        return self.position().moves

    @property
    def fault(self) -> str:
        """Why the main line ends before that of the file; empty where it does not."""
        return self._walk()[1] or self._tree.fault

    def __iter__(self) -> Iterator[Node]:
        """The nodes of the main line that play a move, up to the first impossible one."""
        return iter(self._walk()[0])

    def __len__(self) -> int:
        """The number of moves in the main line."""
        return len(self._walk()[0])

    def nodes(self) -> Iterator[Node]:
        """All nodes, each before those after it, and the main line before its variations."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children[::-1]

    def start(self) -> Position:
        """The position before the first move."""
        return self._after(())

    def position(self, moves: int | None = None) -> Position:
        """The position after so many moves of the main line; None = after all. ValueError if there
        are fewer."""
        nodes = self._walk()[0]
        count = len(nodes) if moves is None else moves
        if not 0 <= count <= len(nodes):
            raise ValueError(f"there are {len(nodes)} moves, not {count}")
        return nodes[count - 1].position() if count else self.start()

    def play(self, move: AnyPoint, comment: str = "") -> Node:
        """Adds a move at the end of the main line. ValueError if it is impossible."""
        return self.end.add(move, comment)

    def _walk(self) -> tuple[list[Node], str]:
        """The nodes of the main line with moves that can be played, and why there are no more."""
        nodes: list[Node] = []
        position, node = self.start(), self.root
        while True:
            if node.parent is not None and _SETUP & node._record.properties.keys():
                return nodes, _LATE_SETUP
            stone = node._stone
            if stone is not None:
                try:
                    play_on(position, [stone])
                except ValueError as error:
                    return nodes, str(error)
                nodes.append(node)
            if not node._record.children:
                return nodes, ""
            node = node.children[0]

    def _after(self, stones: Iterable[Stone]) -> Position:
        return position_of(self.size, self._rule, self._setup, self._side, stones)

    # -- writing

    def to_sgf(self) -> str:
        """The whole game as sgf."""
        return write_sgf(self._told())

    def to_lib(self) -> bytes:
        """The tree as a library of RenLib, without what is said of the game as a whole. ValueError
        for other boards than 15x15, stones that were set up, and moves that are not in turns."""
        if self.size != _RENLIB_SIZE or self._setup:
            raise ValueError("a .lib file holds games on the empty 15x15 board; write it as sgf")
        return write_renlib(self._tree.root)

    def to_psq(self) -> str:
        """The main line as Piskvork's psq, which has no rule. ValueError if stones were set up."""
        if self._setup:
            raise ValueError("a psq file cannot hold stones that were set up; write it as sgf")
        stones = [node._stone for node in self]
        times = [*self._tree.elapsed_s[: len(stones)], *[None] * len(stones)]
        moves = [
            Move(*stone, elapsed_s or 0.0)
            for stone, elapsed_s in zip(stones, times, strict=False)
            if stone is not None
        ]
        setting = Setting(self.width, self.height, self._rule)
        over = self.result is not None
        end = Termination.FIVE if over else Termination.INTERRUPTED
        names = self.black or "Black", self.white or "White"
        return to_psq(Record(Job(0, 0, *names, ()), setting, 0, end, "", tuple(moves)))

    def to_rif(self) -> str:
        """The main line as a database of RenjuNet with this one game. ValueError for other boards
        than 15x15 and stones that were set up."""
        if self.size != _RENLIB_SIZE or self._setup:
            raise ValueError("a .rif file holds games on the empty 15x15 board; write it as sgf")
        cells = [(move.x, move.y) for move in self.moves]
        return write_rif(self._told(), cells)

    def write(self, path: FilePath) -> None:
        """Writes a file, as sgf, psq, lib, rif or txt by the ending of its name, in the place of
        one that is there. ValueError for another ending and for what the format cannot hold;
        OSError if it cannot be written. The file is then what it was."""
        writers: dict[str, Callable[[], str | bytes]] = {
            ".sgf": self.to_sgf, ".psq": self.to_psq, ".lib": self.to_lib, ".rif": self.to_rif,
            ".txt": lambda: f"{self}\n",
        }  # fmt: skip
        name = os.fspath(path)
        if (write := writers.get(Path(name).suffix.lower())) is None:
            raise ValueError(f"{name}: expected a name that ends in {', '.join(writers)}")
        replace_file(name, write())

    def _told(self) -> RecordNode:
        """The first node with the rule and the result, if the file has none."""
        root = RecordNode(self._tree.root.properties, self._tree.root.children)
        if not (root.text("RU") or "").strip():
            root.set("RU", RULE_TITLES[self._rule])
        if self.result is not None and not root.text("RE"):
            root.set("RE", _RESULTS[self.result])
        return root

    def __str__(self) -> str:
        """The moves, `h8 i9 g9`; behind a picture, where stones were set up."""
        moves = point_names(((move.x, move.y) for move in self.moves), self.height)
        return f"{self.start()}\n\n{moves}".rstrip() if self._setup else moves

    def __repr__(self) -> str:
        names = f"{self.black or '?'} - {self.white or '?'}"
        return f"<Game {names}, {self.rule}, {len(self)} moves, {self.result or 'no result'}>"

    def _repr_svg_(self) -> str:
        return self.end._repr_svg_()


def game_of_record(record: RecordedGame) -> Game:
    """A game of a match, for other files of the library."""
    return Game.__new__(Game)._take(_tree_of(record), None)


def record_of(game: Game) -> RecordedGame:
    """The main line as a record, for other files of the library."""
    return game_of(GameTree(game._tree.form, game._told(), game._tree.elapsed_s), is_cut=True)


def read_games(path: FilePath, *, rule: str | None = None) -> Sequence[Game]:
    """All games of a file, as for `Game.read`, or of the folder of a match. Each is made when it is
    asked for, so a database of a hundred thousand games is one too."""
    name = os.fspath(path)
    if Path(name).is_dir():
        games = load_run(Path(name)).games
        return _Games([*map(_tree_of, games)], rule)
    try:
        data = text_of(read_file(name, _MAX_BYTES), name)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return _games(data, name, rule)


class _Games(Sequence[Game]):
    """Games that are made when they are asked for."""

    def __init__(self, trees: Sequence[GameTree], rule: str | None, name: str = "") -> None:
        self._trees = trees
        self._rule = None if rule is None else read_rule(rule)
        self._name = name

    def __len__(self) -> int:
        return len(self._trees)

    @overload
    def __getitem__(self, at: int) -> Game: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Game]: ...
    def __getitem__(self, at: int | slice) -> Game | Sequence[Game]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        try:
            return Game.__new__(Game)._take(self._trees[at], self._rule)
        except ValueError as error:
            number = at % len(self) + 1
            which = f", game {number}" if len(self) > 1 else ""
            before = f"{self._name}{which}: " if self._name else ""
            raise ValueError(f"{before}{error}".replace(" with --rule", "")) from None


def _games(data: str | bytes, name: str, rule: str | None) -> Sequence[Game]:
    text = data if isinstance(data, str) else text_of(data, name)
    try:
        if is_run(text):
            return _Games([*map(_tree_of, read_run(text, name).games)], rule, name)
        if is_saved_game(text):
            return _Games(read_trees(text), rule, name)
        return [Game(text, rule=rule)]
    except ValueError as error:
        raise ValueError(f"{name}: {error}" if name else str(error)) from None


def _tree_of(game: RecordedGame) -> GameTree:
    """A game of a match as a tree, with what the programs reported as comments."""
    winner = {"black": "B+", "white": "W+"}.get(game.winner or "", "0")
    info = {"RU": RULE_TITLES[game.rule & ~2], "PB": game.black, "PW": game.white, "RE": winner}
    root = new_root(info, (game.width, game.height), game.setup)
    node = root
    for stone, report in zip(game.stones, game.reports, strict=True):
        node = node.add(move_properties(*stone))
        if report is not None and report.score_text:
            node.set("C", f"{report.score_text} {report.line or ''}".strip())
    return GameTree("match", root, game.elapsed_s)
