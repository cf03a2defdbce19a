"""Programs at the board: by name, in time, and when they go wrong."""

from __future__ import annotations

import signal
import threading

import pytest

from engine.model import Limits
from tengen.opponents.registry import BRAINS, Entry
from tengen.play.game import Game
from tengen.play.machine import TENGEN, Level, Machine, MachineFailed, names
from tengen.rules.referee import RULES

HOW = {"Wild": "answers a1", "Failing": "raises", "Endless": "waits"}


@pytest.fixture(autouse=True)
def _bad_brains(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, idea in HOW.items():
        monkeypatch.setitem(BRAINS, name.lower(), Entry(f"tests.play.brains:{name}", idea))


def test_names_are_tengen_and_the_registry() -> None:
    assert names()[0] == TENGEN
    assert names()[1:] == list(BRAINS)
    assert Machine.check_name(" Simple ") == "simple"
    with pytest.raises(ValueError) as refused:
        Machine("nobody")
    assert str(refused.value) == f"there is no opponent 'nobody'; there are {', '.join(names())}"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", [TENGEN, "simple"])
def test_programs_play_a_game_by_every_rule(name: str, rule: int) -> None:
    machines = Machine(name, seed=1), Machine(TENGEN, hash_bytes=1 << 20)
    game = Game(7, 6, rule)
    while game.outcome is None:
        machine = machines[len(game.moves) % 2]
        move = machine.think(game, Limits(nodes=50)).move
        game.play((move.x, move.y))
    assert machines[0].name == name.capitalize()


def test_levels() -> None:
    assert Level().limits() == Limits(turn_ms=1000)
    assert Level(0.25).limits(is_analysis=True) == Limits(turn_ms=250, is_analysis=True)
    assert Level(nodes=5000).limits() == Limits(nodes=5000)
    assert [str(Level()), str(Level(0.25)), str(Level(nodes=5000))] == [
        "1 s a move", "0.25 s a move", "5,000 nodes a move",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wild", "Wild has answered 0,0, which is no empty point"),
        ("failing", "Failing has failed: RuntimeError: no idea at all"),
    ],
)
def test_what_went_wrong_is_said_in_one_line(name: str, text: str) -> None:
    game = Game(15, 15, 0)
    game.play((0, 0))
    with pytest.raises(MachineFailed) as failed:
        Machine(name).think(game, Limits(nodes=1))
    assert str(failed.value) == text
    assert len(game.moves) == 1


@pytest.mark.parametrize("name", ["endless", TENGEN])
def test_ctrl_c_stops_the_program_before_it_is_heard(name: str) -> None:
    """A real signal, wherever it comes; afterwards the program can be asked again."""
    machine = Machine(name)
    game = Game(15, 15, 0)
    game.play((7, 7))
    game.play((8, 8))
    for delay_s in (0.01, 0.15, 0.2):
        timer = threading.Timer(delay_s, signal.raise_signal, [signal.SIGINT])
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            machine.think(game, Limits(turn_ms=600_000))
        timer.join()
        assert not getattr(machine._brain, "is_thinking", False)
    if name == TENGEN:
        # It would refuse to think twice at once.
        assert machine.think(game, Limits(nodes=100)).info.nodes > 0


def test_an_exception_of_those_who_wait_stops_the_program() -> None:
    machine = Machine("endless")

    def waiting(elapsed_s: float) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        machine.think(Game(15, 15, 0), Limits(turn_ms=600_000), waiting)
    assert not getattr(machine._brain, "is_thinking", True)


def test_the_waiting_are_told_the_seconds() -> None:
    machine = Machine("endless")
    told: list[float] = []

    def waiting(elapsed_s: float) -> None:
        told.append(elapsed_s)
        if len(told) == 3:
            machine._brain.request_stop()

    assert machine.think(Game(15, 15, 0), Limits(nodes=10), waiting).move == (0, 0)
    assert len(told) >= 3 and told == sorted(told) and told[0] > 0
