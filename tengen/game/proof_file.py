"""A proof with the position it is about, as one JSON document:

{"format": 1, "rule": 0, "width": 15, "height": 15,
 "stones": [[x, y, colour], ...],      colour 1 black, 2 white, 3 a wall
 "attacker": 1, "plies": 9,            the side to move, and the most stones until the win
 "proof": NODE}

NODE is {"move": [x, y], "replies": [{"move": [x, y], "then": NODE}, ...], "otherwise": NODE or
null}. A position alone is such a document without `plies` and `proof`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.model import ProofNode
from engine.text import pair_text
from tengen.game.arguments import shown
from tengen.game.position import Position
from tengen.game.proof import Verdict, check_proof
from tengen.game.referee import BLACK, WALL, WHITE, Cell, Referee
from tengen.game.values import Record

FORMAT = 1
# Parts that are shared in memory are written out each time; a larger tree makes no useful file.
MAX_NODES = 1_000_000
_NUMBERS = ("format", "rule", "width", "height", "attacker")


@dataclass(frozen=True)
class ProofFile:
    """A position, and a proof that the side to move wins it within `plies` stones."""

    position: Position
    plies: int
    proof: ProofNode

    def check(self) -> Verdict:
        """Replays the proof against every legal defence."""
        board = self.position.referee()
        return check_proof(board, self.position.side, self.proof, self.plies)


def proof_record(file: ProofFile) -> Record:
    """The document as plain values; ValueError for a tree that is too large to write."""
    if (size := tree_size(file.proof)) > MAX_NODES:
        raise ValueError(f"the proof has {size} nodes, too many to be written out")
    position = position_record(file.position.referee(), file.position.side)
    return {**position, "plies": file.plies, "proof": node_record(file.proof)}


def position_record(board: Referee, attacker: int) -> Record:
    """A position alone as plain values."""
    walls = [[x, y, WALL] for x, y in board.walls()]
    return {
        "format": FORMAT,
        "rule": board.rule,
        "width": board.width,
        "height": board.height,
        "stones": [*walls, *map(list, board.stones())],
        "attacker": attacker,
    }


def read_proof(text: str) -> ProofFile:
    """Reads a document, or one that has such a document as its field `proof`. ValueError, in one
    line, if it is neither."""
    record = _parsed(text)
    if isinstance(record, dict) and "format" not in record and "proof" in record:
        if record["proof"] is None:
            raise ValueError("has no proof")
        record = record["proof"]
    position = _read_position(record, "plies", "proof")
    assert isinstance(record, Mapping)
    if type(record["plies"]) is not int or record["plies"] < 1:
        raise ValueError("plies: expected a number above zero")
    return ProofFile(position, record["plies"], read_node(record["proof"]))


def read_asked(text: str) -> Position:
    """Reads a position alone. ValueError, in one line, if it is none."""
    return _read_position(_parsed(text))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg}, line {error.lineno}") from None
    except RecursionError:
        raise ValueError("proof: is nested too deeply") from None


def _read_position(record: object, *more: str) -> Position:
    fields = (*_NUMBERS, "stones", *more)
    if not isinstance(record, Mapping) or set(record) != set(fields):
        what = "proof" if more else "position"
        raise ValueError(f"is not a {what}: expected an object with {', '.join(fields)}")
    for name in _NUMBERS:
        if type(record[name]) is not int:
            raise ValueError(f"{name}: expected a whole number")
    if record["format"] != FORMAT:
        raise ValueError(f"format {record['format']} is not known, only {FORMAT} is")
    if record["attacker"] not in (BLACK, WHITE):
        raise ValueError(f"attacker: expected {BLACK} (black) or {WHITE} (white)")
    stones = record["stones"]
    if not isinstance(stones, list) or not all(_is_stone(stone) for stone in stones):
        raise ValueError("stones: expected a list such as [[7, 7, 1], [8, 8, 2]]")
    size = record["width"], record["height"]
    return Position.begin(size, record["rule"], map(tuple, stones), record["attacker"])


def _is_stone(stone: object) -> bool:
    return (
        isinstance(stone, list)
        and len(stone) == 3
        and all(type(number) is int for number in stone)
        and stone[2] in (BLACK, WHITE, WALL)
    )


# -- the tree


def tree_size(node: ProofNode) -> int:
    """The number of nodes in the tree, a shared subtree counted each time it occurs."""
    sizes: dict[int, int] = {}

    def count(node: ProofNode) -> int:
        if id(node) not in sizes:
            below = [*node.replies.values(), *([node.otherwise] if node.otherwise else [])]
            sizes[id(node)] = 1 + sum(map(count, below))
        return sizes[id(node)]

    return count(node)


def node_record(node: ProofNode) -> Record:
    """The tree as plain values."""
    return {
        "move": list(node.move),
        "replies": [
            {"move": list(reply), "then": node_record(answer)}
            for reply, answer in sorted(node.replies.items())
        ],
        "otherwise": None if node.otherwise is None else node_record(node.otherwise),
    }


def read_node(record: object) -> ProofNode:
    """The tree of the plain values of a document; ValueError, in one line, if they are not one."""
    try:
        return _read_node(record)
    except RecursionError:
        raise ValueError("proof: is nested too deeply") from None


def _read_node(record: object) -> ProofNode:
    if not isinstance(record, Mapping):
        raise ValueError(f"proof: {shown(record)} is not a node")
    if unknown := set(record) - {"move", "replies", "otherwise"}:
        raise ValueError(f"proof: a node has no field {min(map(str, unknown))!r}")
    if "move" not in record:
        raise ValueError("proof: a node without a move")
    replies: dict[Cell, ProofNode] = {}
    listed = record.get("replies", [])
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise ValueError(f"proof: replies {shown(listed)}: expected a list")
    for entry in listed:
        if not isinstance(entry, Mapping) or set(entry) != {"move", "then"}:
            raise ValueError(f"proof: reply {shown(entry)}: expected move and then")
        reply = read_cell(entry["move"])
        if reply in replies:
            raise ValueError(f"proof: the reply {pair_text(reply)} is listed twice")
        replies[reply] = _read_node(entry["then"])
    other = record.get("otherwise")
    return ProofNode(
        read_cell(record["move"]), replies, None if other is None else _read_node(other)
    )


def read_cell(value: object) -> Cell:
    """A cell written [x, y]; ValueError for anything else."""
    if isinstance(value, Sequence) and len(value) == 2 and all(type(n) is int for n in value):
        return value[0], value[1]
    raise ValueError(f"{shown(value)} is not a cell; expected a pair such as [7, 7]")
