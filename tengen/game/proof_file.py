"""A proof with the position it is about, as one JSON document:

{"format": 1, "rule": 0, "width": 15, "height": 15,
 "stones": [[x, y, colour], ...],      colour 1 black, 2 white, 3 a wall
 "attacker": 1, "plies": 9,            the side to move, and the most stones until the win
 "proof": {"move": ..., "replies": ..., "otherwise": ...}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from tengen.game.proof import Node, Verdict, check_proof, node_record, read_node, tree_size
from tengen.game.referee import BLACK, WALL, WHITE, Referee, Stone, set_up
from tengen.game.values import Record

FORMAT = 1
# Parts that are shared in memory are written out each time; a larger tree makes no useful file.
MAX_NODES = 1_000_000
_NUMBERS = ("format", "rule", "width", "height", "attacker", "plies")
_FIELDS = (*_NUMBERS, "stones", "proof")


@dataclass(frozen=True)
class ProofFile:
    """A position, and a proof that `attacker`, to move, wins it within `plies` stones.

    stones  as (x, y, colour); a stone of the colour WALL is a wall.
    """

    width: int
    height: int
    rule: int
    stones: tuple[Stone, ...]
    attacker: int
    plies: int
    proof: Node

    def board(self) -> Referee:
        """The position on a referee's board; ValueError if it is impossible."""
        return set_up(self.width, self.height, self.rule, self.stones)

    def check(self) -> Verdict:
        """Replays the proof against every legal defence."""
        return check_proof(self.board(), self.attacker, self.proof, self.plies)


def proof_record(file: ProofFile) -> Record:
    """The document as plain values; ValueError for a tree that is too large to write."""
    if (size := tree_size(file.proof)) > MAX_NODES:
        raise ValueError(f"the proof has {size} nodes, too many to be written out")
    return {
        "format": FORMAT,
        "rule": file.rule,
        "width": file.width,
        "height": file.height,
        "stones": [list(stone) for stone in file.stones],
        "attacker": file.attacker,
        "plies": file.plies,
        "proof": node_record(file.proof),
    }


def read_proof(text: str) -> ProofFile:
    """Reads a document, or one that has such a document as its field `proof`. ValueError, in one
    line, if it is neither."""
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg}, line {error.lineno}") from None
    except RecursionError:
        raise ValueError("proof: is nested too deeply") from None
    if isinstance(record, dict) and "format" not in record and "proof" in record:
        if record["proof"] is None:
            raise ValueError("has no proof")
        record = record["proof"]
    return _read_record(record)


def _read_record(record: object) -> ProofFile:
    if not isinstance(record, Mapping) or set(record) != set(_FIELDS):
        raise ValueError(f"is not a proof: expected an object with {', '.join(_FIELDS)}")
    for name in _NUMBERS:
        if type(record[name]) is not int:
            raise ValueError(f"{name}: expected a whole number")
    if record["format"] != FORMAT:
        raise ValueError(f"format {record['format']} is not known, only {FORMAT} is")
    if record["attacker"] not in (BLACK, WHITE):
        raise ValueError(f"attacker: expected {BLACK} (black) or {WHITE} (white)")
    if record["plies"] < 1:
        raise ValueError("plies: expected a number above zero")
    stones = record["stones"]
    if not isinstance(stones, list) or not all(_is_stone(stone) for stone in stones):
        raise ValueError("stones: expected a list such as [[7, 7, 1], [8, 8, 2]]")
    file = ProofFile(
        record["width"],
        record["height"],
        record["rule"],
        tuple((x, y, colour) for x, y, colour in stones),
        record["attacker"],
        record["plies"],
        read_node(record["proof"]),
    )
    file.board()
    return file


def _is_stone(stone: object) -> bool:
    return (
        isinstance(stone, list)
        and len(stone) == 3
        and all(type(number) is int for number in stone)
        and stone[2] in (BLACK, WHITE, WALL)
    )
