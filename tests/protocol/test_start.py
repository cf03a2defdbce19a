"""START: what it makes, and where the engine cannot be made."""

from __future__ import annotations

import pytest

from engine import net, network
from engine.api import Engine
from engine.model import Limits, Position, Rule
from protocol.brain import Brain
from protocol.commands import Line
from protocol.messages import About
from protocol.session import Session
from tests.protocol.fake_brain import FakeBrain


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (MemoryError(), "not enough memory"),
        (ImportError("DLL load failed"), "DLL load failed"),
        (ValueError("values.bin: the checksum is wrong"), "values.bin: the checksum is wrong"),
    ],
)
def test_it_is_one_error(problem: Exception, reason: str) -> None:
    def make() -> Brain:
        raise problem

    session = Session(make, About("Fake", "1", "nobody"))
    for _ in range(2):
        assert session.execute(Line("START 15", 0)).lines == (
            f"ERROR the engine cannot start: {reason}",
        )
    assert session.execute(Line("ABOUT", 0)).lines[0].startswith("name=")


@pytest.mark.parametrize("start", ["START 15", "START 20", "RECTSTART 12,9"])
@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("is_first", [True, False])
def test_no_first_move_waits_for_what_a_rule_needs(
    monkeypatch: pytest.MonkeyPatch, start: str, rule: Rule, is_first: bool
) -> None:
    """Tables and net are made when the rule is known, before the command that starts the clock."""
    shown: list[Position] = []

    class Watched(Engine):
        def set_position(self, position: Position) -> str | None:
            shown.append(position)
            return super().set_position(position)

    def load(path: str, rule: int) -> None:
        raise AssertionError("a net is loaded within the clock")

    monkeypatch.setattr(net, "_shipped", {})
    session = Session(Watched, About("Fake", "1", "nobody"))
    lines = [start, f"INFO rule {int(rule)}"]
    for line in lines[::-1] if is_first else lines:
        session.execute(Line(line, 0))
    assert shown[-1].rule == rule and not shown[-1].stones
    # A rule that is sent again takes no time.
    session.execute(Line(f"INFO rule {int(rule)}", 0))
    assert len(shown) == (1 if is_first or rule is Rule.FREESTYLE else 2)
    monkeypatch.setattr(network, "load", load)
    assert session.execute(Line("TURN 5,5", 0)).limits is not None
    assert session.game.brain.think(Limits(nodes=100)).info.nodes


@pytest.mark.parametrize("problem", [MemoryError(), ValueError("only standard is known")])
def test_a_rule_that_cannot_be_prepared_is_told_when_a_move_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def fail(position: Position) -> None:
        raise problem

    brain = FakeBrain()
    session = Session(lambda: brain, About("Fake", "1", "nobody"))
    with monkeypatch.context() as patch:
        patch.setattr(brain, "set_position", fail)
        assert session.execute(Line("START 15", 0)).lines == ("OK",)
    assert session.execute(Line("BEGIN", 0)).limits is not None
