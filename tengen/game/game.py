"""A game with its variations and comments, read from and written to the files of many programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from engine.files import read_file, replace_file
from engine.text import DEFAULT_SIZE, point_names, read_position, read_rule
from tengen.game.arguments import file_name, shown, whole
from tengen.game.arguments import text as argument
from tengen.game.node import LATE_SETUP, Node, Start
from tengen.game.played import Termination
from tengen.game.position import (
    AnyPoint,
    Colour,
    Point,
    Position,
    Size,
    play_on,
    rule_of,
    written_of,
)
from tengen.game.record.formats import text_of
from tengen.game.record.game import Game as Record
from tengen.game.record.game import Job, Move, Setting
from tengen.game.record.numbers import counted
from tengen.game.record.plain_moves import tree_of_written
from tengen.game.record.positions import games_in
from tengen.game.record.psq import to_psq
from tengen.game.record.recorded import RecordedGame, count_text, game_of
from tengen.game.record.renlib import write_renlib
from tengen.game.record.rif import write_rif
from tengen.game.record.run_folder import load_run
from tengen.game.record.sgf import write_sgf
from tengen.game.record.tree import (
    GameTree,
    flat,
    move_properties,
    new_root,
    unflat,
)
from tengen.game.record.tree import Node as RecordNode
from tengen.game.referee import BLACK, RENJU, Stone, in_turns, side_to_move
from tengen.game.rules import RULE_TITLES

FilePath = str | os.PathLike[str]

_MAX_BYTES = 100_000_000
_WINNERS: dict[str, Colour] = {"B+": "black", "W+": "white"}
_RESULTS = {"black": "B+", "white": "W+", "draw": "0"}
_RENLIB_SIZE = (15, 15)


class _Said:
    """What a game says in a property of its first node."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self.__doc__ = name, text

    @overload
    def __get__(self, game: None, owner: object) -> _Said: ...
    @overload
    def __get__(self, game: Game, owner: object) -> str: ...
    def __get__(self, game: Game | None, owner: object) -> _Said | str:
        return self if game is None else game._tree.root.text(self._name) or ""

    def __set__(self, game: Game, text: str) -> None:
        game._tree.root.set(self._name, argument(self._name, text))


class Game:
    """A game: a tree of nodes, and what is said of it as a whole.

        game = Game("h8 i9 g9", black="A", white="B")
        game.play("j10", comment="a mistake")
        for node in game:                       # the main line
            print(node.number, node.move, node.comment)
        game.write("game.sgf")

    text, size, rule  the moves so far, or a picture of stones that were set up, as for Position.
    black, white      the players' names.

    Raises ValueError as Position does, and for a picture with walls.
    """

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
        if isinstance(text, Iterator):
            text = list(text)  # it is read twice
        position = Position(text, size=size, rule=rule)
        games = games_in(text, "") if isinstance(text, str) else None
        tree = games[0] if games else None
        if not isinstance(tree, GameTree):
            tree = tree_of_written(written_of(text, (position.width, position.height)), "game")
        number = read_rule(position.rule)
        for name, said in zip(("RU", "PB", "PW"), (RULE_TITLES[number], *names), strict=True):
            if said:
                tree.root.set(name, said)
        self._take(tree, number)

    def _take(self, tree: GameTree, rule: int | None) -> Game:
        self._tree = tree
        record = game_of(tree, rule, is_cut=True)
        self.width, self.height = size = record.width, record.height
        side = record.side
        if side is None:
            side = record.colours[0] if record.colours else side_to_move(record.setup)
        self._start = Start(size, record.rule & ~2, record.setup, side or BLACK)
        self.start()  # ValueError for stones that cannot be
        return self

    def copy(self) -> Game:
        """The same game, which can be changed by itself."""
        return _again(*self.__reduce__()[1])

    __copy__ = copy

    def __reduce__(self) -> tuple[Any, ...]:
        # Not by way of nested nodes, which may be too deep.
        rest = {**self.__dict__, "_tree": replace(self._tree, root=RecordNode())}
        return _again, (rest, flat(self._tree.root))

    # -- reading

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], number: int = 1, *, rule: str | int | None = None
    ) -> Game:
        """A game of a file (sgf, psq, rec, sav, lib, rif, the games.jsonl of a match, or a text of
        moves), told by its content. `number` counts its games from one; `rule` overrides what the
        file says. ValueError, in one line with the name of the file, if it holds no such game;
        OSError if it cannot be read."""
        games = read_games(path, rule=rule)
        number = whole("number", number, 1)
        if not 1 <= number <= len(games):
            raise ValueError(f"{os.fspath(path)}: there {count_text(len(games))}, not {number}")
        return games[number - 1]

    @classmethod
    def parse(cls, data: str | bytes, *, rule: str | int | None = None) -> Game:
        """The first game of the content of a file, as for `read`."""
        if not isinstance(data, str | bytes):
            raise TypeError(f"data={shown(data)}: expected a text or bytes")
        return _games(data, "", rule)[0]

    # -- what is said of it

    @property
    def rule(self) -> str:
        """The name of the rule, as for Position."""
        return self.start().rule

    black = _Said("PB", "The name of who plays Black; empty if unknown.")
    white = _Said("PW", "The name of who plays White; empty if unknown.")
    event = _Said("EV", "The tournament; empty if unknown.")
    date = _Said("DT", "When it was played, as the file has it; empty if unknown.")

    @property
    def result(self) -> str | None:
        """Who has won, "black" or "white", or "draw": as the file says, else as the last position
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
        if argument("result", result) not in _RESULTS:
            raise ValueError(f"{result!r} is not a result; expected {', '.join(_RESULTS)}")
        self._tree.root.set("RE", _RESULTS[result])

    # -- the nodes

    @property
    def root(self) -> Node:
        """The beginning of the game."""
        return Node(self._start, self._tree.root, None)

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not read as it stands in the file, such as several moves in one node of sgf;
        each in one line."""
        return self._tree.notes

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
        return self._start.after(())

    def position(self, moves: int | None = None) -> Position:
        """The position after so many moves of the main line; None = after all. ValueError if there
        are fewer."""
        nodes = self._walk()[0]
        count = len(nodes) if moves is None else whole("moves", moves, 0)
        if count > len(nodes):
            raise ValueError(f"the game has {counted(len(nodes), 'move')}, not {count}")
        return nodes[count - 1].position() if count else self.start()

    def play(self, move: AnyPoint, comment: str = "") -> Node:
        """Adds a move at the end of the main line, in the place of an impossible one. ValueError if
        it is impossible itself."""
        node = self.end
        while (after := node.children) and after[0].move is None and not after[0].sets_up:
            node = after[0]  # a pass, or a comment alone
        node = node.add(move, comment)
        node.promote()
        return node

    def _walk(self) -> tuple[list[Node], str]:
        """The nodes of the main line with moves that can be played, and why there are no more."""
        nodes: list[Node] = []
        position, node = self.start(), self.root
        while True:
            if nodes and node.sets_up:
                return nodes, LATE_SETUP
            stone = node.stone
            if stone is not None:
                try:
                    play_on(position, [stone])
                except ValueError as error:
                    return nodes, str(error)
                nodes.append(node)
            if not node._record.children:
                return nodes, ""
            node = node.children[0]

    # -- writing

    def to_sgf(self) -> str:
        """The whole game as sgf."""
        return write_sgf(self._told())

    def to_lib(self) -> bytes:
        """The tree as a library of RenLib, without what is said of the game as a whole. ValueError
        for other boards than 15x15, stones that were set up, moves that are not in turns, and
        signs at other points than a node's own move."""
        if self._start.size != _RENLIB_SIZE or self._start.setup:
            raise ValueError("a .lib file holds games on the empty 15x15 board; write it as sgf")
        for node in self.nodes():
            for point, text in node.marks.items():
                if not text and point != node.move:
                    raise ValueError(
                        f"after move {node.number}, {point} has a mark without a text; a .lib file"
                        " holds one on the move itself only; write it as sgf"
                    )
        return write_renlib(self._tree.root)

    def to_psq(self) -> str:
        """The main line as Piskvork's psq, which has no rule. ValueError if stones were set up, and
        for moves that are not in turns."""
        if self._start.setup:
            raise ValueError("a psq file cannot hold stones that were set up; write it as sgf")
        stones = self._stones_in_turns("psq file")
        times = [*self._tree.elapsed_s[: len(stones)], *[None] * len(stones)]
        moves = [
            Move(*stone, elapsed_s or 0.0) for stone, elapsed_s in zip(stones, times, strict=False)
        ]
        setting = Setting(self.width, self.height, self._start.rule)
        over = self.result is not None
        end = Termination.FIVE if over else Termination.INTERRUPTED
        names = self.black or "Black", self.white or "White"
        return to_psq(Record(Job(0, 0, *names, ()), setting, 0, end, "", tuple(moves)))

    def to_rif(self) -> str:
        """The main line as a database of RenjuNet with this one game. ValueError for other boards
        than 15x15, stones that were set up, and moves that are not in turns."""
        if self._start.size != _RENLIB_SIZE or self._start.setup:
            raise ValueError("a .rif file holds games on the empty 15x15 board; write it as sgf")
        return write_rif(self._told(), [stone[:2] for stone in self._stones_in_turns(".rif file")])

    def write(self, path: FilePath) -> None:
        """Writes a file, as sgf, psq, lib, rif or txt by the ending of its name, in the place of
        one that is there. ValueError for another ending and for what the format cannot hold;
        OSError if it cannot be written. The file is then what it was."""
        writers: dict[str, Callable[[], str | bytes]] = {
            ".sgf": self.to_sgf, ".psq": self.to_psq, ".lib": self.to_lib, ".rif": self.to_rif,
            ".txt": self._text,
        }  # fmt: skip
        name = file_name("path", path)
        if (write := writers.get(Path(name).suffix.lower())) is None:
            raise ValueError(f"{name}: expected a name that ends in {', '.join(writers)}")
        replace_file(name, write())

    def _text(self) -> str:
        """The moves, or the stones that were set up, as `Game` reads them."""
        stones = [stone for node in self if (stone := node.stone) is not None]
        if self._start.setup and stones:
            raise ValueError(
                "a text holds moves or stones that were set up, not both; write it as sgf"
            )
        if not self._start.setup:
            self._stones_in_turns("text")
        lines = []
        if not self._start.setup:  # a picture says it itself
            if self._start.size != DEFAULT_SIZE:
                lines.append(f"size: {self.width}x{self.height}")
            if self._start.rule:
                lines.append(f"rule: {self.rule}")
        return "\n".join([*lines, f"{self}\n"])

    def _stones_in_turns(self, kind: str) -> list[Stone]:
        """The moves of the main line. ValueError for those that this kind of file, which has no
        colours and no passes, cannot hold."""
        stones = [stone for node in self if (stone := node.stone) is not None]
        passes = game_of(self._tree, RENJU, is_cut=True).passes
        if passes or stones != [*in_turns(stone[:2] for stone in stones)]:
            raise ValueError(
                f"a {kind} holds only moves in turns, Black's first, and no passes; write it as sgf"
            )
        return stones

    def _told(self) -> RecordNode:
        """The first node with the rule and the result, if the file has none."""
        root = RecordNode(self._tree.root.properties, self._tree.root.children)
        if not (root.text("RU") or "").strip():
            root.set("RU", RULE_TITLES[self._start.rule])
        if self.result is not None and not root.text("RE"):
            root.set("RE", _RESULTS[self.result])
        return root

    def __str__(self) -> str:
        """The moves, `h8 i9 g9`; behind a picture, where stones were set up."""
        moves = point_names(((move.x, move.y) for move in self.moves), self.height)
        return f"{self.start()}\n\n{moves}".rstrip() if self._start.setup else moves

    def __repr__(self) -> str:
        names = f"{self.black or '?'} - {self.white or '?'}"
        moves = counted(len(self), "move")
        return f"<Game {names}, {self.rule}, {moves}, {self.result or 'no result'}>"

    def _repr_svg_(self) -> str:
        return self.end._repr_svg_()


def _again(rest: dict[str, Any], rows: Sequence[tuple[Mapping[str, Sequence[str]], int]]) -> Game:
    game = Game.__new__(Game)
    game.__dict__.update(rest, _tree=replace(rest["_tree"], root=unflat(rows)))
    return game


def game_of_record(record: RecordedGame) -> Game:
    """A game of a match, for other files of the library."""
    return Game.__new__(Game)._take(_tree_of(record), None)


def record_of(game: Game) -> RecordedGame:
    """The main line as a record, for other files of the library."""
    return game_of(GameTree(game._tree.form, game._told(), game._tree.elapsed_s), is_cut=True)


def read_games(path: FilePath, *, rule: str | int | None = None) -> Sequence[Game]:
    """All games of a file, as for `Game.read`, or of the folder of a match. Each is made when it is
    asked for, so a database of a hundred thousand games is one too."""
    name = file_name("path", path)
    if Path(name).is_dir():
        games = load_run(Path(name)).games
        return _Games(games, rule)
    try:
        data = text_of(read_file(name, _MAX_BYTES), name)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return _games(data, name, rule)


class _Games(Sequence[Game]):
    """Games that are made when they are asked for."""

    def __init__(
        self, games: Sequence[GameTree | RecordedGame], rule: str | int | None, name: str = ""
    ) -> None:
        self._games = games
        self._rule = None if rule is None else rule_of(rule)
        self._name = name

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, at: int) -> Game: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Game]: ...
    def __getitem__(self, at: int | slice) -> Game | Sequence[Game]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        try:
            game = self._games[at]
            tree = game if isinstance(game, GameTree) else _tree_of(game)
            return Game.__new__(Game)._take(tree, self._rule)
        except ValueError as error:
            number = at % len(self) + 1
            which = f", game {number}" if len(self) > 1 else ""
            before = f"{self._name}{which}: " if self._name else ""
            raise ValueError(f"{before}{error}".replace(" with --rule", "")) from None


def _games(data: str | bytes, name: str, rule: str | int | None) -> Sequence[Game]:
    text = data if isinstance(data, str) else text_of(data, name)
    try:
        if (found := games_in(text, name)) is not None:
            return _Games(found, rule, name)
        games = _Games([tree_of_written(read_position(text))], rule)
        if fault := games[0].fault:
            raise ValueError(fault)
        return games
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
