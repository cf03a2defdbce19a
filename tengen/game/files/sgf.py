"""Games as SGF (FF[4], GM[4]), written and read with all their variations and properties.

The standard does not say how points of this game are written. We write two letters, column and row
from the top left (`hh`). We also read a letter and a number, with the row counted from the bottom
(`h8`), as other programs write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from tengen.game.encodings import codec_of, decoded
from tengen.game.game import RESULTS, Game
from tengen.game.node import PLAYERS, Node, Properties, escaped, shown
from tengen.game.played import Termination
from tengen.game.rules import RULE_TITLES

# More than any file that a person has made; what a program can be made to hold in memory.
MOST_NODES = 2_000_000


# ---- writing


def write_sgf(game: Game) -> str:
    """The game as the text of a file in UTF-8, ending with a line end. It has all properties of the
    tree; FF, GM and CA are those of what is written. A node without a comment that a program has
    thought about gets its value and its time as one."""
    root = game.root
    first = {"FF": ("4",), "GM": ("4",), "CA": ("UTF-8",)}
    written = ["(", _node_text({**first, **_told(game), **first})]
    # What is still to be written, the next one last.
    waiting: list[Node | str] = [")\n"]
    node: Node | str = root
    while True:
        if isinstance(node, str):
            written.append(node)
        else:
            if node is not root:
                written.append("\n" + _node_text(_with_comment(node)))
            # Where the game divides, each variation stands in brackets.
            divides = len(node.children) > 1
            for child in reversed(node.children):
                waiting += [")", child, "\n("] if divides else [child]
        if not waiting:
            return "".join(written)
        node = waiting.pop()


def _told(game: Game) -> Properties:
    """The properties of the first node, with the rule, the result and how the game ended where it
    does not say them."""
    properties = dict(game.root.properties)
    if not game.says_rule or (game._rule is not None and game.said_rule != game.rule_number):
        properties["RU"] = (RULE_TITLES[game.rule_number],)
    if "RE" not in properties and (result := result_of(game)):
        properties["RE"] = (result,)
    if "GC" not in properties and game.termination is not None:
        properties["GC"] = (escaped(game.termination.value),)
    return properties


def result_of(game: Game) -> str:
    """The result as sgf has it, with how it came about; empty while there is none."""
    end = game.termination
    if end is Termination.INTERRUPTED:
        return "Void"
    if (result := game.result) is None:
        return ""
    if result == "draw" or end is None:
        return RESULTS[result]
    sign = {Termination.TIMEOUT: "T", Termination.RESIGNED: "R"}.get(end, "F" * end.is_failure)
    return RESULTS[result] + sign


def _with_comment(node: Node) -> Properties:
    if "C" in node.properties or (node.report is None and node.time_s is None):
        return node.properties
    said = []
    if (report := node.report) is not None:
        depth = "" if report.depth_plies is None else f"/{report.depth_plies}"
        said.append(f"{report.score_text}{depth}")
    if node.time_s is not None:
        said.append(f"{node.time_s * 1000:.0f} ms")
    return {**node.properties, "C": (escaped(" ".join(filter(None, said))),)}


def _node_text(properties: Mapping[str, Sequence[str]]) -> str:
    return ";" + "".join(
        name + "".join(f"[{value}]" for value in values) for name, values in properties.items()
    )


# ---- reading

_START = re.compile(r"\(\s*;")
# The beginning of a game within another text, such as a letter.
WITHIN = re.compile(r"\(\s*;\s*[A-Za-z]{1,20}\s*\[")
# The beginning of a game by a property that stands in the first node alone: no variation's.
_ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|SZ|CA|AP)\s*\[")
# The beginning of a game whose first node names the encoding.
_CHARSET = re.compile(rb"\(\s*;[^;]{0,4000}?(?<![A-Za-z])CA\s*\[([^\]\\]{1,40})\]")


def decoded_sgf(data: bytes) -> str:
    """The text of an sgf file: in the encoding of its CA, or of each CA where games of several
    encodings stand one after the other; see `decoded` for wrong and missing ones. A CA with which
    text swallows the brackets around it is wrong too."""
    games = list(_CHARSET.finditer(data))
    said = [game[1].decode("latin-1") for game in games]
    if len({codec_of(name) for name in said}) < 2:
        return _decoded_game(data, said[0] if said else None)
    # Each game from its beginning to that of the next one that names an encoding.
    starts = [0, *(game.start() for game in games[1:]), len(data)]
    parts = zip(pairwise(starts), said, strict=True)
    return "".join(_decoded_game(data[start:end], name) for (start, end), name in parts)


# What a wrong encoding makes of the bracket behind a character: it is part of the text, which then
# ends in a move, or it ends the text, and another one follows.
_SWALLOWED = re.compile(r";\s*[BW]\s*\[\s*[A-Za-z]{0,2}\s*\Z")
_VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\](\s*\])?", re.DOTALL)


def _decoded_game(data: bytes, said: str | None) -> str:
    text = decoded(data, said)
    if said is not None and not text.isascii() and not _is_sound(text):
        guessed = decoded(data)
        return guessed if _is_sound(guessed) else text
    return text


def _is_sound(text: str) -> bool:
    values = _VALUE.finditer(text)
    return not any(value[2] or _SWALLOWED.search(value[1]) for value in values)


# ---- the grammar: (;NAME[value][value]NAME[value];...(;...)(;...))

_TOKEN = re.compile(
    r"\s*(?:([();])|([A-Za-z][A-Za-z0-9]*)(?=\s*\[)|\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\])", re.DOTALL
)
# A node that is a move and nothing else, as most are.
_MOVE = re.compile(r"\s*;\s*([BW])\s*\[([a-z]{2})\](?=\s*[;)])")
# The rest of a text with a bracket that is not escaped, and a word without a value.
_REST = re.compile(r"((?:[^\];\\\n]|\](?!\s*(?:[\[();]|[A-Za-z]+\s*\[)))*)\](?=\s*[\[();A-Za-z])")
_WORD = re.compile(r"\s*[A-Za-z][A-Za-z0-9]*")
_TEXTS = frozenset("AN AP BR BT C CP DT EV GC GN N ON OT PB PC PW RE RO RU SO US WR WT".split())
# The properties of the standard, and those of an app that has its opening in them: stones in turns,
# and one of the colour that was chosen.
_STANDARD = _TEXTS | frozenset(
    "AB AE AR AW B BL BM CA CH CR DD DM DO EL EX FF FG FK GB GM GW HA HO ID IP IT IY KM KO LB LN LT"
    " MA MN OB OM OP OV OW PL PM RG SC SE SI SL SQ ST SU SZ TB TC TE TM TR TW UC VW V W WL".split()
)
_OPENING = {"QPR": "", "QSLB": "B", "QSLW": "W"}
_POINTS = re.compile(r"\s*[a-v]{2}(?:\s*[,:]?\s*[a-v]{2})*\s*")


def read_sgf(text: str) -> list[Game]:
    """All games of an sgf file, at least one; ValueError in one line, naming what is wrong, if it
    holds none. A damaged game has a fault if its main line is not whole; the next one after it is
    the next that begins by a property of a first node, as what follows may be its variations."""
    games: list[Game] = []
    at, nodes = 0, 0
    beginning = _START if _START.match(text.lstrip("\ufeff \t\r\n")) else WITHIN
    while (start := beginning.search(text, at)) is not None:
        reading = _Reading(text, start.start(), MOST_NODES - nodes)
        games.append(reading.game())
        at, nodes = reading.at, nodes + reading.nodes
        beginning = _ROOT if reading.is_damaged else _START
    if all(game.damage and not (game.root.properties or game.root.children) for game in games):
        raise ValueError(games[0].damage if games else "sgf: holds no game; expected (;")
    return games


class _Reading:
    """One game being read; `at` is where it ends, and `nodes` how many it has. A file of other
    people can be nested as deeply as it is long, so there is no recursion."""

    def __init__(self, text: str, at: int, most_nodes: int) -> None:
        self._text = text
        self.at = at
        self.nodes = 0
        self._most_nodes = most_nodes
        self.is_damaged = False
        self._is_whole = False  # the main line has been read to its end
        self._crowded: set[int] = set()  # places of nodes with several moves
        self._opening = 0  # stones that a property of an app has put down

    def game(self) -> Game:
        game = Game.of("sgf", {})
        try:
            self._read(game.root)
        except ValueError as error:
            self.is_damaged = True
            game.damage = "" if self._is_whole else str(error)
        game.notes = (*self._notes(game.root),)
        said = game.root.text("GC")
        game.termination = next((end for end in Termination if end.value == said), None)
        return game

    def _notes(self, root: Node) -> Iterator[str]:
        if count := len(self._crowded):
            where = "one node holds" if count == 1 else f"{count} nodes hold"
            yield f"sgf: {where} several moves; they are played in the order they are written"
        for node in root.main_line():
            if not PLAYERS.keys().isdisjoint(node.properties):
                return
            for name, values in node.properties.items():
                if name not in _STANDARD and all(map(_POINTS.fullmatch, values)):
                    text = shown(f"{name}[{']['.join(values)}]")
                    yield f"sgf: {text} is not known; its points are not on the board"

    def _read(self, root: Node) -> None:
        node: Node | None = None
        # The nodes after which the brackets that are open began; None before the first node.
        before: list[Node | None] = []
        name = ""
        # Of the node, and where other properties than moves go.
        own: dict[str, list[str]] = {}
        properties = own
        start = 0
        while True:
            if node is not None and (move := _MOVE.match(self._text, self.at)):
                self._count_node()
                self.at, name = move.end(), ""
                start, own = self.at, {move[1]: [move[2]]}
                properties, node = own, node.append(own)
                continue
            token = _TOKEN.match(self._text, self.at)
            if token is None and name in _TEXTS and properties.get(name):
                rest = _REST.match(self._text, self.at)
                if rest is not None:
                    self.at = rest.end()
                    properties[name][-1] += "\\]" + rest[1].replace("]", "\\]")
                    continue
            if token is None:
                if (bare := _WORD.match(self._text, self.at)) is None:
                    break
                self.at = bare.end()
                continue
            self.at = token.end()
            sign, word, value = token.groups()
            name = "" if sign else name
            if sign == "(":
                if node not in (None, root) and _ROOT.match(self._text, token.start(1)):
                    self.at = token.start(1)  # of the next game
                    raise ValueError("sgf: ends too early")
                before.append(node)
            elif sign == ")":
                self._is_whole = True
                node = before.pop()
                if not before:
                    return
            elif sign == ";":
                self._count_node()
                own = properties = {}
                start = self.at
                if node is None:
                    node = root
                    node.properties = properties
                else:
                    node = node.append(properties)
            elif word is not None:
                # Old files spell properties out (`Black`); their capitals are the name.
                name = re.sub("[a-z]+", "", word) or word.upper()
            elif node is None or not name:
                raise ValueError(f"sgf: [{shown(value)}] does not follow a property")
            elif name in PLAYERS or name in _OPENING:
                for colour, point in self._moves_in(name, value):
                    if own.get(colour) == [point]:
                        continue  # the same move twice
                    has_move = not PLAYERS.keys().isdisjoint(own)
                    if has_move and name in PLAYERS:
                        self._crowded.add(start)
                    if has_move or node is root:
                        # What is said of the game stays in the first node, the moves do not.
                        is_said = properties is root.properties
                        self._count_node()
                        own = {}
                        node = node.append(own)
                        properties = properties if is_said else own
                    own[colour] = [point]
            else:
                properties.setdefault(name, []).append(value)
        left = shown(self._text[self.at : self.at + 40])
        raise ValueError(f"sgf: cannot be read from {left!r} on" if left else "sgf: ends too early")

    def _count_node(self) -> None:
        if self.nodes == self._most_nodes:
            raise ValueError(f"sgf: holds more than {MOST_NODES:,} nodes")
        self.nodes += 1

    def _moves_in(self, name: str, value: str) -> Iterator[tuple[str, str]]:
        """The colour and the point of each move of a property."""
        if name in PLAYERS:
            yield name, value
            return
        for point in filter(None, map(str.strip, value.split(","))):
            yield _OPENING[name] or "BW"[self._opening % 2], point
            self._opening += 1
