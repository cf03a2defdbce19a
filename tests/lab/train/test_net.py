"""Training nets: exact gradients, the same bytes again, what is learned, and the oracle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import network
from engine.model import Placed, Position, Rule, Stone
from engine.network import NetError
from tengen.lab.train.model import Form, Model, Weights, from_network, to_network
from tengen.lab.train.optimizer import Settings, Training, kernel_of
from tengen.lab.train.positions import Positions, cross_entropy
from tests.engine.net_oracle import ask
from tests.lab.train.shards import SIZE, after_pass, end, games, positions_of, split, trained

ROW = 32


@pytest.fixture(scope="module", params=[0, 4], ids=["freestyle", "renju"])
def positions(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Positions:
    rule: int = request.param
    return split(positions_of(tmp_path_factory.mktemp("shards"), rule, *games(rule)))


def random_parameters(model: Model, seed: int = 0) -> Weights:
    """Parameters with which every layer works in its range."""
    rng = np.random.default_rng(seed)
    parameters = model.start(seed) + rng.normal(0, 0.03, model.size).astype(np.float32)
    model.form.part(parameters, "w3")[:] *= 10
    model.clip(parameters)
    return parameters


def run(
    positions: Positions,
    form: Form,
    weights: Weights,
    rows: NDArray[np.int64],
    gradient: Weights | None = None,
    rounding: bool = False,
    use_avx2: bool = True,
) -> NDArray[np.float32]:
    results = np.zeros((len(rows), 3), np.float32)
    target = positions.target(rows).astype(np.float32)
    kernel = kernel_of(positions, form, use_avx2)
    kernel.run(weights, rows, target, results, gradient, rounding, 1.0, 1.0, 0.0, 0.0)
    return results


@pytest.mark.parametrize("rule", [0, 4])
def test_clipped_parameters_fit_the_file(rule: int) -> None:
    """A training of hours must not end with a number that is too large for its type."""
    model = Model(Form(rule))
    parameters = model.start(1)
    for part in network.PARTS:
        if part.name not in ("rows", "pairs", "bias"):  # their bound is on a sum (network.check)
            numbers = model.form.part(parameters, part.name)
            numbers[:] = np.where(np.arange(len(numbers)) % 2, 1e5, -1e5)
    model.clip(parameters)
    made = to_network(model.form, model.weights(parameters, rounding=True), 1, "x")
    assert max(made.move_threat_rows) == 32767 and min(made.w3) == -127


def test_gradients_are_differences(positions: Positions) -> None:
    form = Form(positions.rule)
    model = Model(form)
    parameters = random_parameters(model)
    rows = np.arange(0, len(positions), 3)[:24]

    def loss(some: Weights) -> float:
        results = run(positions, form, model.weights(some), rows).astype(np.float64)
        return len(rows) * cross_entropy(results[:, 0], positions.target(rows)) + float(
            results[:, 1].sum()
        )

    by_weight = np.zeros(form.size, np.float32)
    run(positions, form, model.weights(parameters), rows, by_weight)
    gradient = model.gradient(by_weight)
    ends = [*form.offsets, form.size, model.size]
    for name, first, last in zip([*form.lengths, "shared"], ends[:-1], ends[1:], strict=True):
        direction = np.zeros(model.size, np.float32)
        direction[first:last] = gradient[first:last]
        size = float(np.linalg.norm(direction))
        assert size > 0, name
        direction *= 1e-3 / size
        difference = (loss(parameters + direction) - loss(parameters - direction)) / 2e-3
        assert difference == pytest.approx(size, rel=0.06), name


def test_smoothing_and_the_mean_of_logits_have_the_right_slopes(positions: Positions) -> None:
    form = Form(positions.rule)
    model = Model(form)
    weights = model.weights(random_parameters(model))
    kernel = kernel_of(positions, form)
    rows = np.flatnonzero(positions.chosen >= 0)[:40]
    target = np.full(len(rows), 0.5, np.float32)
    results = np.zeros((len(rows), 3), np.float32)
    entry = slice(form.offsets[-1], form.size)
    slopes = []
    for mean_weight, smoothing in ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0)):
        gradient = np.zeros(form.size, np.float32)
        kernel.run(
            weights, rows, target, results, gradient, False, 0.0, 1.0, mean_weight, smoothing
        )
        slopes.append(gradient[entry].astype(np.float64) / 64 * 8128)
    # A softmax minus a distribution: both sums are 1. The mean's slope does not cancel.
    assert slopes[0].sum() == pytest.approx(0, abs=1e-3)
    assert slopes[1].sum() == pytest.approx(0, abs=1e-3)
    assert not np.allclose(slopes[0], slopes[1], atol=1e-2)
    assert abs(slopes[2].sum()) > 1e-2


def test_the_instruction_set_does_not_change_a_bit(positions: Positions) -> None:
    form = Form(positions.rule)
    weights = Model(form).weights(random_parameters(Model(form)))
    rows = np.arange(40)
    gradients = np.zeros((2, form.size), np.float32)
    both = [run(positions, form, weights, rows, gradients[i], False, i == 1) for i in range(2)]
    assert (both[0] == both[1]).all() and (gradients[0] == gradients[1]).all()


def test_rounded_kernels_give_the_integers_of_the_oracle(positions: Positions) -> None:
    form = Form(positions.rule)
    weights = Model(form).weights(random_parameters(Model(form)), rounding=True)
    net = to_network(form, weights, 1, "random")
    rows = np.flatnonzero((positions.chosen >= 0) & (positions.ply < 40))[:90:6].copy()
    rounded = run(positions, form, weights, rows, rounding=True)
    plain = run(positions, form, weights, rows)
    for at, row in enumerate(rows):
        played = positions.stones[positions.start[row] :][: positions.ply[row] + 1].tolist()
        stones = [Placed(c % ROW, c // ROW, Stone(1 + i % 2)) for i, c in enumerate(played)]
        mover = stones.pop().stone
        position = Position(SIZE, SIZE, Rule(positions.rule), tuple(stones), mover)
        answer = ask(net, position)
        assert rounded[at, 0] == np.float32(answer.output / 8128)
        assert plain[at, 0] == pytest.approx(answer.output / 8128, abs=0.15)
        near = [cell for cell in answer.policy if any(is_near(cell, (x, y)) for x, y, _ in stones)]
        logits = np.array([answer.policy[cell] for cell in near]) / 8128
        own = answer.policy[played[-1] % ROW, played[-1] // ROW] / 8128
        assert rounded[at, 2] == np.sum(logits > own)
        assert rounded[at, 1] == pytest.approx(np.logaddexp.reduce(logits) - own, abs=1e-4)


def is_near(cell: tuple[int, int], stone: tuple[int, int]) -> bool:
    """Whether a stone makes the cell a candidate."""
    dx, dy = abs(cell[0] - stone[0]), abs(cell[1] - stone[1])
    return max(dx, dy) <= 2 or (max(dx, dy) <= 4 and (dx == 0 or dy == 0 or dx == dy))


def test_threads_do_not_change_a_bit_and_seeds_do(positions: Positions) -> None:
    settings = Settings(passes=2, batch=64)
    found = [trained(positions, settings, jobs).parameters.tobytes() for jobs in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert found[0] != trained(positions, replace(settings, seed=2)).parameters.tobytes()


def test_a_training_that_was_interrupted_ends_the_same(
    positions: Positions, tmp_path: Path
) -> None:
    settings = Settings(passes=3, batch=64, share=0.7)
    whole = trained(positions, settings)
    after_pass(Training(positions, Form(positions.rule), settings, 1), 2, tmp_path / "checkpoint")
    again = Training(positions, Form(positions.rule), settings, 2)
    assert again.resume(tmp_path / "checkpoint")
    end(again)
    assert again.parameters.tobytes() == whole.parameters.tobytes()
    assert again.curve == whole.curve
    other = Training(positions, Form(positions.rule), replace(settings, rate=1e-3), 1)
    assert not other.resume(tmp_path / "checkpoint")
    (tmp_path / "checkpoint").write_bytes((tmp_path / "checkpoint").read_bytes()[:-99])
    assert not again.resume(tmp_path / "checkpoint")


def test_few_positions_are_learned_by_heart(tmp_path: Path) -> None:
    positions = positions_of(tmp_path, 0, *games(0))
    few = replace(positions, is_test=np.arange(len(positions)) >= 200)
    training = Training(few, Form(few.rule), Settings(passes=70, batch=50, own_decay=0), 1)
    before = training.evaluate(training.train)
    end(training)
    after = training.evaluate(training.train)
    least = cross_entropy(np.log(after.target / (1 - after.target)), after.target)
    assert after.value_loss() - least < 0.35 * (before.value_loss() - least)
    assert after.policy_loss() < 0.5 * before.policy_loss() and after.hits(1) > 0.6


def test_no_position_to_train_with_or_to_judge_by_is_refused(positions: Positions) -> None:
    for is_test in (True, False):
        some = replace(positions, is_test=np.full(len(positions), is_test))
        with pytest.raises(ValueError, match="expected some of both"):
            Training(some, Form(some.rule), Settings(), 1)


def test_weights_go_into_the_file_and_come_back() -> None:
    form = Form(0)
    model = Model(form)
    weights = model.weights(random_parameters(model), rounding=True)
    net = to_network(form, weights, 7, "some name")
    read = network.decode(network.encode(net), 0)
    assert (read.version, read.name, read.shift) == (7, "some name", 5)
    assert (from_network(read) == weights).all()


@pytest.mark.parametrize(
    ("name", "number"), [("rows", 2048), ("w2", 128), ("entry", 32768), ("b1", 1 << 23)]
)
def test_weights_beyond_a_bound_are_not_written(name: str, number: int) -> None:
    form = Form(0)
    weights = Model(form).weights(Model(form).start(1), rounding=True)
    form.part(weights, name)[3] = number
    with pytest.raises(NetError, match=name):
        to_network(form, weights, 1, "")
