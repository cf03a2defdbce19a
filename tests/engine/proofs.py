"""Replays a proof against every reply that the rule allows, by the referee alone."""

from __future__ import annotations

from engine.model import Point, Position, ProofNode
from tengen.game.rules.referee import Referee, opponent_of


def referee_of(position: Position) -> Referee:
    """The position on the referee's board; walls are walls there."""
    walls = [(s.x, s.y) for s in position.stones if s.stone == 3]
    referee = Referee(position.width, position.height, position.rule, walls)
    for stone in position.stones:
        if stone.stone != 3:
            referee.play(stone.x, stone.y, stone.stone)
    return referee


def nodes_of(proof: ProofNode) -> int:
    """How many different nodes a proof has."""
    seen: dict[int, ProofNode] = {}
    todo = [proof]
    while todo:
        node = todo.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            todo.extend(node.replies.values())
            if node.otherwise is not None:
                todo.append(node.otherwise)
    return len(seen)


def fault_of(position: Position, proof: ProofNode) -> str | None:
    """What is wrong with the proof, None if it holds against every reply. The same node in the same
    position is looked at once."""
    referee = referee_of(position)
    side = int(position.side_to_move)
    return _fault(referee, side, proof, set())


def _fault(referee: Referee, side: int, node: ProofNode, seen: set[object]) -> str | None:
    key = (frozenset(referee.stones()), id(node))
    if key in seen:
        return None
    seen.add(key)
    x, y = node.move
    if not referee.legal(x, y):
        return f"{node.move} is occupied after {referee.stones()}"
    if side == 1 and referee.foul(x, y):
        return f"{node.move} is a foul after {referee.stones()}"
    if referee.makes_win(x, y, side):
        return None
    if node.otherwise is None and not node.replies:
        return f"{node.move} does not win after {referee.stones()}"
    referee.play(x, y, side)
    theirs = [c for c in referee.empties() if referee.makes_win(*c, opponent_of(side))]
    try:
        for reply in referee.empties():
            if side == 2 and referee.foul(*reply):
                continue
            if reply in theirs:
                return f"{reply} makes a five after {referee.stones()}"
            then = node.replies.get(Point(*reply), node.otherwise)
            if then is None:
                return f"no answer to {reply} after {referee.stones()}"
            referee.play(*reply, opponent_of(side))
            fault = _fault(referee, side, then, seen)
            referee.undo()
            if fault:
                return fault
    finally:
        referee.undo()
    return None
