"""Two oracles of a net, written apart from each other: that of the trainer, and that which the
engine's inference is compared with. They agree on any net and position."""

from __future__ import annotations

import random

import pytest

from engine.model import Position, Rule, Stone
from engine.rulebook import RULES
from tests.engine.net_boards import SIZES, Table
from tests.engine.net_oracle import Oracle
from tests.engine.nets import random_net
from tests.lab.train.oracle import ask

MOST_STEPS = 40


@pytest.mark.parametrize("extreme", [False, True], ids=["usual", "extreme"])
@pytest.mark.parametrize("rule", [row.number for row in RULES])
def test_both_oracles_say_the_same(rule: int, extreme: bool) -> None:
    rng = random.Random(f"{rule} {extreme} oracles")
    outputs = set()
    for number, (width, height) in enumerate(SIZES):
        net = random_net(rule, number, extreme, shift=rng.choice((4, 5, 6)))
        oracle = Oracle(net)
        table = Table(width, height, rule, rng)
        for _ in range(2):
            table.wander(rng.randrange(MOST_STEPS))
            for side in (Stone.BLACK, Stone.WHITE):
                table.board.set_side(side)
                engine = oracle.judge(table.all(), table.size, side, table.board)
                stones = [(x, y, stone) for (x, y), stone in table.all().items()]
                trainer = ask(net, Position(width, height, Rule(rule), stones, side))
                # One orders the views by colour, the other by the side to move.
                own = [side - 1, 2 - side]
                assert (trainer.sums == engine.sums[own]).all()
                assert (trainer.value, trainer.policy) == (engine.value, engine.policy)
                outputs.add(trainer.output)
            table.board.set_side(table.side)
    assert len(outputs) > len(SIZES)
