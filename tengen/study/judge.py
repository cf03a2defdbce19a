"""`tengen judge`: proves wins of positions that a match sends (tengen/arena/programs/judge.py)."""

from __future__ import annotations

import json
import sys

from engine.api import Engine
from tengen.common.commands import Count, command, option, usage_errors
from tengen.game.json_text import Record, json_text
from tengen.game.proof_file import proof_record
from tengen.study.puzzle import Puzzle
from tengen.study.show import proof_file
from tengen.study.solver import VCT, Effort, solve


@command("judge")
@option("--nodes", type=Count(1), default=20_000, help="Limit for each position.")
def judge_command(nodes: int) -> None:
    """Ends games that are won: answers positions on standard input by proofs.

    It is started by a match. Each line of input is a position, and each line of output a proof
    that the side to move wins, or null (docs/MATCH.md).

    \b
      tengen match --judge "tengen judge" --engine cmd=a --engine cmd=b
    """
    brain, effort = Engine(), Effort(VCT, nodes=nodes)
    with usage_errors():
        for line in sys.stdin:
            print(json_text(_proof(brain, line, effort)), flush=True)


def _proof(brain: Engine, line: str, effort: Effort) -> Record | None:
    try:
        asked = json.loads(line)
        stones = tuple((x, y, colour) for x, y, colour in asked["stones"])
        shape = asked["width"], asked["height"], asked["rule"]
        puzzle = Puzzle(*shape, stones, asked["attacker"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"the line is not a position: {error!r}") from None
    file = proof_file(puzzle, solve(brain, puzzle, effort))
    try:
        return None if file is None else proof_record(file)
    except ValueError:  # too large to be written
        return None
