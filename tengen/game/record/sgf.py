"""Games as SGF (FF[4], GM[4]), written and read with all their variations and properties.

The standard does not say how points of this game are written. We write two letters, column and row
from the top left (`hh`). We also read a letter and a number, with the row counted from the bottom
(`h8`), as other programs write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from tengen.game.record.encodings import codec_of, decoded
from tengen.game.record.game import Game
from tengen.game.record.move_report import Report
from tengen.game.record.termination import Termination
from tengen.game.record.tree import GameTree, Node, escaped, move_properties, new_root, shown
from tengen.game.rules.names import RULE_TITLES
from tengen.game.rules.referee import BLACK

# More than any file that a person has made; what a program can be made to hold in memory.
MOST_NODES = 2_000_000


# ---- writing


def to_sgf(game: Game) -> str:
    """The game as SGF; the value a program gave its move, and the time it took, as a comment."""
    rule = game.setting.rule
    info = {
        "RU": RULE_TITLES.get(rule & ~2, str(rule)),
        "GN": str(game.job.index + 1),
        "PB": _one_line(game.job.black),
        "PW": _one_line(game.job.white),
        "RE": _result(game),
        "GC": game.termination.value,
        "EV": game.setting.event,
        "PC": game.setting.site,
    }
    node = root = new_root(info, (game.setting.width, game.setting.height))
    for number, move in enumerate(game.moves):
        comment = "opening" if number < len(game.job.opening) else _comment(move.report)
        if number >= len(game.job.opening):
            comment = f"{comment} {move.elapsed_s * 1000:.0f} ms".strip()
        stone = move_properties(move.x, move.y, move.colour)
        node = node.add(stone | {"C": (escaped(comment),)})
    return write_sgf(root)


def write_sgf(root: Node) -> str:
    """The tree as the text of a file in UTF-8, ending with a line end. It has all properties of the
    tree; FF, GM and CA are those of what is written."""
    first = {"FF": ("4",), "GM": ("4",), "CA": ("UTF-8",)}
    written = ["(", _node_text({**first, **root.properties, **first})]
    # What is still to be written, the next one last.
    waiting: list[Node | str] = [")\n"]
    node: Node | str = root
    while True:
        if isinstance(node, str):
            written.append(node)
        else:
            if node is not root:
                written.append("\n" + _node_text(node.properties))
            # Where the game divides, each variation stands in brackets.
            divides = len(node.children) > 1
            for child in reversed(node.children):
                waiting += [")", child, "\n("] if divides else [child]
        if not waiting:
            return "".join(written)
        node = waiting.pop()


def _node_text(properties: Mapping[str, Sequence[str]]) -> str:
    return ";" + "".join(
        name + "".join(f"[{value}]" for value in values) for name, values in properties.items()
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _comment(report: Report | None) -> str:
    if report is None:
        return ""
    depth = "" if report.depth_plies is None else f"/{report.depth_plies}"
    return f"{report.score_text}{depth}"


def _result(game: Game) -> str:
    if game.termination is Termination.INTERRUPTED:
        return "Void"
    if game.winner == 0:
        return "0"
    winner = "B" if game.winner == BLACK else "W"
    if game.termination is Termination.TIMEOUT:
        return f"{winner}+T"
    if game.termination is Termination.RESIGNED:
        return f"{winner}+R"
    return f"{winner}+F" if game.termination.is_failure else f"{winner}+"


# ---- reading

_START = re.compile(r"\(\s*;")
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
    r"\s*(?:([();])|([A-Za-z][A-Za-z0-9]*)|\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\])", re.DOTALL
)


def read_sgf(text: str) -> list[GameTree]:
    """All games of an sgf file, at least one; ValueError in one line, naming what is wrong, if it
    holds none. A damaged game has a fault if its main line is not whole; the next one after it is
    the next that begins by a property of a first node, as what follows may be its variations."""
    games: list[GameTree] = []
    at, nodes, beginning = 0, 0, _START
    while (start := beginning.search(text, at)) is not None:
        reading = _Reading(text, start.start(), MOST_NODES - nodes)
        games.append(reading.game())
        at, nodes = reading.at, nodes + reading.nodes
        beginning = _ROOT if reading.is_damaged else _START
    if all(game.fault and not (game.root.properties or game.root.children) for game in games):
        raise ValueError(games[0].fault if games else "sgf: holds no game; expected (;")
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

    def game(self) -> GameTree:
        root = Node()
        try:
            self._read(root)
        except ValueError as error:
            self.is_damaged = True
            return GameTree("sgf", root, fault="" if self._is_whole else str(error))
        return GameTree("sgf", root)

    def _read(self, root: Node) -> None:
        node: Node | None = None
        # The nodes after which the brackets that are open began; None before the first node.
        before: list[Node | None] = []
        name = ""
        properties: dict[str, list[str]] = {}
        while (token := _TOKEN.match(self._text, self.at)) is not None:
            self.at = token.end()
            sign, word, value = token.groups()
            if sign is not None:
                name = ""
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
                if self.nodes == self._most_nodes:
                    raise ValueError(f"sgf: holds more than {MOST_NODES:,} nodes")
                self.nodes += 1
                properties = {}
                if node is None:
                    node = root
                    node.properties = properties
                else:
                    node = node.add(properties)
            elif word is not None:
                # Old files spell properties out (`Black`); their capitals are the name.
                name = "".join(sign for sign in word if not sign.islower()) or word.upper()
            elif node is None or not name:
                raise ValueError(f"sgf: [{shown(value)}] does not follow a property")
            else:
                properties.setdefault(name, []).append(value)
        rest = shown(self._text[self.at : self.at + 40])
        raise ValueError(f"sgf: cannot be read from {rest!r} on" if rest else "sgf: ends too early")
