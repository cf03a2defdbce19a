"""Trains a net: AdamW with a cosine schedule, in fixed order, so that a seed gives the same bytes.

A batch is cut into CHUNKS pieces. Threads work on the pieces, each piece has a gradient of its own,
and the gradients are added up in the order of the pieces. So the number of threads does not change
a bit of the result, nor does an interruption that is continued from a checkpoint.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.files import open_file, replacing
from engine.network import Network
from tengen.lab.train.kernels import Kernel
from tengen.lab.train.model import SHIFT, Form, Model, Weights
from tengen.lab.train.positions import Positions, cross_entropy
from tengen.lab.train.warm_start import describe

CHUNKS = 16  # so no more threads than that have something to do
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8
_WARM_UP = 0.02  # of the steps: the rate grows from zero
_LAST_RATE = 1e-5
# From this share of the steps on the net is rounded as the engine's integers are.
_ROUNDING_FROM = 2 / 3
# Positions evaluated after each pass, at most.
_EVALUATED = 50_000


@dataclass(frozen=True)
class Settings:
    """How a net is trained.

    passes         over the training positions.
    batch          positions of a step.
    rate           the highest rate of the schedule.
    share          weight of the game's result in the target; the rest is the value of the search.
    policy_weight, mean_weight, smoothing   of the policy in the loss: the weight of its
                   cross-entropy, of the squared mean of its logits, and the share of its target
                   that is spread over all candidates.
    own_decay, decay   weight decay of the rows' own parts and of everything else, to zero or to the
                   numbers of the net that the training begins with.
    """

    passes: int = 12
    batch: int = 2048
    rate: float = 8e-3
    seed: int = 1
    share: float = 0.5
    policy_weight: float = 0.5
    mean_weight: float = 0.001
    smoothing: float = 0.05
    own_decay: float = 0.1
    decay: float = 0.01


def usual_batch(positions: int) -> tuple[int, float]:
    """The batch and the rate that suit so many training positions."""
    if positions < 300_000:
        return 512, 4e-3
    if positions < 1_000_000:
        return 2048, 8e-3
    return (4096, 4e-3) if positions < 5_000_000 else (8192, 2e-3)


def usual_beginning(positions: int) -> tuple[int, float]:
    """The same for a training that begins with a net: a tenth of the rate, with which what the net
    knows is kept (docs/TRAINING.md)."""
    batch, rate = usual_batch(positions)
    return batch, rate / 10


@dataclass
class Curve:
    """What was measured after each pass, on held-out positions: `loss` of the value and of the
    policy, and the training loss of the pass."""

    train: list[float] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    policy: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Evaluation:
    """What a net says of some positions.

    rows    the positions' numbers; `logit` and `target` have one entry for each of them.
    logit   of the net.
    target  what sigmoid(logit) should be, with RESULT_SHARE of the game's result.
    policy  cross-entropy of the move that was played, one entry for each position with a choice, so
            fewer than there are `rows`.
    rank    of these positions too: how many candidates were above that move.
    """

    rows: NDArray[np.int64]
    logit: NDArray[np.float64]
    target: NDArray[np.float64]
    policy: NDArray[np.float64]
    rank: NDArray[np.int64]

    def value_loss(self) -> float:
        """Mean cross-entropy of the value."""
        return cross_entropy(self.logit, self.target)

    def policy_loss(self) -> float:
        """Mean cross-entropy of the policy; 0 without choices."""
        return float(np.mean(self.policy)) if len(self.policy) else 0.0

    def hits(self, first: int) -> float:
        """How often the move is among the first so many candidates."""
        return float(np.mean(self.rank < first)) if len(self.rank) else 0.0


class Training:
    """A training that can be stopped and continued.

    positions  with held-out ones; settings, form: see there.
    jobs       threads, of which at most CHUNKS are used.
    beginning  the net to begin with, as read_warm_start() gives it; None for random numbers.

    ValueError if no position is for training or none is held out.
    """

    def __init__(
        self,
        positions: Positions,
        form: Form,
        settings: Settings,
        jobs: int,
        beginning: Network | None = None,
    ) -> None:
        self.positions, self.form, self.settings = positions, form, settings
        self.beginning = beginning
        self.model = Model(form)
        self.train = np.flatnonzero(~positions.is_test)
        # Losses on positions beside the games do not order nets as matches do.
        self.test = np.flatnonzero(positions.is_test & ~positions.is_beside)
        if not len(self.train) or not len(self.test):
            raise ValueError(
                f"{len(self.train)} positions to train with and {len(self.test)} held out; expected"
                " some of both, so play more games"
            )
        # Those of the held-out positions that are evaluated after each pass.
        self.watched = self.test[:: -(-len(self.test) // _EVALUATED)]
        self.batch = min(settings.batch, len(self.train))
        self.steps_a_pass = len(self.train) // self.batch
        self.steps = self.steps_a_pass * settings.passes
        self.step = 0
        self.curve = Curve()
        # Where the weight decay leads: what the beginning has learned is not to be forgotten.
        self._origin = np.zeros(self.model.size, np.float32)
        if beginning is None:
            self.parameters = self.model.start(settings.seed)
        else:
            self._origin[:] = self.model.begin(beginning)
            self.parameters = self._origin.copy()
        self._first = np.zeros_like(self.parameters)
        self._second = np.zeros_like(self.parameters)
        self._decay = self.model.decay(settings.own_decay, settings.decay)
        self._buffers = np.zeros((CHUNKS, form.size), np.float32)
        self._pool = ThreadPoolExecutor(min(jobs, CHUNKS)) if jobs > 1 else None
        self._kernel = kernel_of(positions, form)

    def close(self) -> None:
        """Ends the threads."""
        if self._pool:
            self._pool.shutdown()

    def run(self) -> Iterator[float]:
        """Trains to the end; gives the loss after each step. After the last step of a pass the
        curve has grown, and a checkpoint may be written."""
        settings = self.settings
        total = 0.0
        while self.step < self.steps:
            at, place = divmod(self.step, self.steps_a_pass)
            if place == 0:
                order = np.random.default_rng([settings.seed, 2, at]).permutation(self.train)
                total = 0.0
            loss = self._one_step(order[place * self.batch : (place + 1) * self.batch])
            total += loss
            self.step += 1
            if place == self.steps_a_pass - 1:
                evaluated = self.evaluate(self.watched)
                self.curve.train.append(total / self.steps_a_pass)
                self.curve.value.append(evaluated.value_loss())
                self.curve.policy.append(evaluated.policy_loss())
            yield loss

    def is_rounding(self) -> bool:
        """Whether the next step rounds as the engine does."""
        return self.step >= _ROUNDING_FROM * self.steps

    def evaluate(self, rows: NDArray[np.int64], weights: Weights | None = None) -> Evaluation:
        """The net on these positions, rounded once training has come to that. `weights`: whole
        numbers to use instead of the present weights."""
        rounding = self.is_rounding() or weights is not None
        if weights is None:
            weights = self.model.weights(self.parameters, rounding)
        return self._evaluate(rows, weights, rounding)

    def evaluate_float(self, rows: NDArray[np.int64]) -> Evaluation:
        """The net on these positions without any rounding."""
        return self._evaluate(rows, self.model.weights(self.parameters), False)

    def _evaluate(self, rows: NDArray[np.int64], weights: Weights, rounding: bool) -> Evaluation:
        results = np.zeros((len(rows), 3), np.float32)
        target = self.positions.target(rows)
        pieces = np.array_split(np.arange(len(rows)), CHUNKS)

        def work(piece: NDArray[np.int64]) -> None:
            some = results[piece]
            self._kernel.run(
                weights, rows[piece], target[piece].astype(np.float32), some, None, rounding,
                0.0, 0.0, 0.0, 0.0,
            )  # fmt: skip
            results[piece] = some

        self._each(work, [piece for piece in pieces if len(piece)])
        has_choice = results[:, 2] >= 0
        return Evaluation(
            rows,
            results[:, 0].astype(np.float64),
            target,
            results[has_choice, 1].astype(np.float64),
            results[has_choice, 2].astype(np.int64),
        )

    def _one_step(self, rows: NDArray[np.int64]) -> float:
        settings, rounding = self.settings, self.is_rounding()
        target = self.positions.target(rows, settings.share)
        results = np.zeros((len(rows), 3), np.float32)
        weights = self.model.weights(self.parameters, rounding)
        edges = np.linspace(0, len(rows), CHUNKS + 1).astype(np.int64)

        def work(chunk: int) -> None:
            piece = slice(edges[chunk], edges[chunk + 1])
            self._buffers[chunk] = 0
            self._kernel.run(
                weights, rows[piece], target[piece].astype(np.float32), results[piece],
                self._buffers[chunk], rounding, 1 / len(rows), settings.policy_weight / len(rows),
                settings.mean_weight / len(rows), settings.smoothing,
            )  # fmt: skip

        self._each(work, range(CHUNKS))
        gradient = self._buffers[0].copy()
        for buffer in self._buffers[1:]:
            gradient += buffer
        self._update(self.model.gradient(gradient))
        logit = results[:, 0].astype(np.float64)
        policy = settings.policy_weight * float(np.mean(results[:, 1]))
        return cross_entropy(logit, target) + policy

    def _each(self, work: Callable[[Any], None], items: Iterable[Any]) -> None:
        if self._pool is None:
            for item in items:
                work(item)
        else:
            list(self._pool.map(work, items))

    def _rate(self) -> float:
        done = self.step / self.steps
        warm = min(1.0, (self.step + 1) / max(1.0, _WARM_UP * self.steps))
        cosine = 0.5 + 0.5 * math.cos(math.pi * done)
        return warm * (_LAST_RATE + (self.settings.rate - _LAST_RATE) * cosine)

    def _update(self, gradient: Weights) -> None:
        rate, number = self._rate(), self.step + 1
        self._first *= _BETA1
        self._first += (1 - _BETA1) * gradient
        self._second *= _BETA2
        self._second += (1 - _BETA2) * gradient * gradient
        size = np.sqrt(self._second * (1 / (1 - _BETA2**number)))
        size += _EPSILON
        self.parameters -= rate * self._decay * (self.parameters - self._origin)
        self.parameters -= (rate / (1 - _BETA1**number)) * self._first / size
        self.model.clip(self.parameters)

    # -- checkpoints

    def _marks(self) -> str:
        """What a checkpoint must agree with."""
        marks = {
            **asdict(self.settings),
            "beginning": describe(self.beginning),
            "rule": self.form.rule,
            "positions": len(self.positions),
            "checksum": self.positions.checksum(),
        }
        return json.dumps(marks, sort_keys=True)

    def save(self, path: Path) -> None:
        """Writes a checkpoint; one that is there is replaced, and never only partly written."""
        with replacing(path) as file:
            np.savez(
                file,
                marks=np.array(self._marks()),
                curve=np.array(json.dumps(asdict(self.curve))),
                step=np.array(self.step),
                parameters=self.parameters,
                first=self._first,
                second=self._second,
            )

    def resume(self, path: Path) -> bool:
        """Continues from a checkpoint. False if the file is none, or one of other positions or
        settings."""
        try:
            with open_file(path) as whole, np.load(whole, allow_pickle=False) as file:
                found = {name: file[name] for name in file.files}
            marks, step = json.loads(str(found["marks"])), int(found["step"])
            curve = Curve(**json.loads(str(found["curve"])))
            arrays = [found[name].astype(np.float32) for name in ("parameters", "first", "second")]
        except Exception:  # not there, or a damaged zip file, which fails in many ways
            return False
        has_shape = all(some.shape == self.parameters.shape for some in arrays)
        if not has_shape or marks != json.loads(self._marks()):
            return False
        self.parameters, self._first, self._second = arrays
        self.step, self.curve = step, curve
        return True


def kernel_of(positions: Positions, form: Form, use_avx2: bool = True) -> Kernel:
    """The kernel for nets of this form on these positions."""
    return Kernel(
        form.rule, SHIFT, use_avx2, positions.stones, positions.start, positions.ply,
        positions.size, positions.threats, positions.chosen, form.offsets,
    )  # fmt: skip
