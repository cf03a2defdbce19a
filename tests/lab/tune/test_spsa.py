"""SPSA on functions whose optimum is known, and the parameters of a run, by name and by file."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.parameters import PARAMS
from tengen.lab.tune.spsa import Spsa, Tunable, default_of, default_rate, read_tunables

ROWS = {row.name: row for row in PARAMS}
MARGIN = Tunable("margin", 120, 0, 400, 12)
DEPTH = Tunable("depth", 2, 0, 10, 1)
WIDE = Tunable("wide", 200_000, 0, 10_000_000, 20_000)
SWITCH = Tunable("switch", 0, 0, 1, 0.5)


def _spsa(*tunables: Tunable, iterations: int = 1000, rate: float = 0.02, seed: int = 1) -> Spsa:
    return Spsa(tunables, iterations, rate, seed, pairs=1, ahead=1)


# -- the gains


@pytest.mark.parametrize("iterations", [1, 10, 5000])
def test_the_gains_are_spalls_with_the_given_values_at_the_end(iterations: int) -> None:
    """a_k = a / (A + k)^alpha and c_k = c / k^gamma, as in the paper, against the code's ratios."""
    spsa = _spsa(MARGIN, iterations=iterations, rate=0.05)
    c = MARGIN.step * iterations**0.101
    a = 0.05 * MARGIN.step**2 * (1.1 * iterations) ** 0.602
    for k in {1, iterations // 3 + 1, iterations}:
        c_k, a_k = c / k**0.101, a / (0.1 * iterations + k) ** 0.602
        assert spsa.step_of(k, MARGIN) == pytest.approx(c_k)
        assert spsa.gain(k) == pytest.approx(a_k / c_k**2)
    assert spsa.gain(iterations) == pytest.approx(0.05)
    assert spsa.step_of(iterations, MARGIN) == pytest.approx(MARGIN.step)


# -- perturbations

TUNABLES = st.builds(
    lambda low, width, start, step: Tunable(
        "any", low + start * width, low, low + width, 0.5 + step * (width / 2 - 0.5)
    ),
    st.integers(0, 1000),
    st.integers(1, 100_000),
    st.floats(0, 1),
    st.floats(0, 1),
)


@given(TUNABLES, st.integers(1, 500), st.floats(0, 1), st.integers(0, 99))
def test_plus_and_minus_differ_and_stay_in_the_range(
    tunable: Tunable, iteration: int, where: float, seed: int
) -> None:
    spsa = _spsa(tunable, iterations=500, seed=seed)
    centre = tunable.low + where * (tunable.high - tunable.low)
    made = spsa.perturbed(iteration, (centre,))
    (plus,), (minus,), (sign,) = made.plus, made.minus, made.signs
    assert tunable.low <= min(plus, minus) and max(plus, minus) <= tunable.high
    assert (plus - minus) * sign >= 1
    assert abs(plus - minus) <= 2 * spsa.step_of(iteration, tunable) + 1


@pytest.mark.parametrize("centre", [0.0, 3.3, 5.0, 9.75])
def test_rounding_is_exact_on_the_average(centre: float) -> None:
    spsa = _spsa(Tunable("depth", 2, 0, 20, 0.7), iterations=4000)
    made = [spsa.perturbed(number, (centre,)) for number in range(2000, 4001)]
    width = sum(spsa.step_of(each.iteration, spsa.parameters[0]) for each in made) / len(made)
    ups = [max(each.plus[0], each.minus[0]) for each in made]
    downs = [min(each.plus[0], each.minus[0]) for each in made]
    assert sum(ups) / len(made) == pytest.approx(max(centre, width) + width, abs=0.05)
    assert sum(downs) / len(made) == pytest.approx(max(centre, width) - width, abs=0.05)
    # Both signs come up, and do not follow the number.
    assert 900 < sum(each.signs[0] > 0 for each in made) < 1100


# -- moving


def test_a_win_moves_towards_the_winner_and_a_draw_does_not_move() -> None:
    spsa = _spsa(MARGIN, DEPTH)
    made = spsa.perturbed(1, spsa.start)
    assert spsa.moved(spsa.start, made, 0) == spsa.start
    for score in (2, -1):
        after = spsa.moved(spsa.start, made, score)
        for i, tunable in enumerate(spsa.parameters):
            wanted = spsa.gain(1) * spsa.step_of(1, tunable) * made.signs[i] * score
            assert after[i] - spsa.start[i] == pytest.approx(wanted)


def test_the_state_stops_at_the_end_of_the_range() -> None:
    spsa = _spsa(SWITCH, DEPTH, rate=0.5)
    states = [spsa.start]
    for number in range(1, 1001):
        made = spsa.perturbed(number, states[-1])
        score = 2 * made.signs[0] if number % 2 else -2 * made.signs[1]
        states.append(spsa.moved(states[-1], made, score))
    assert (max(state[0] for state in states), min(state[1] for state in states)) == (1.0, 0.0)
    # A log has the same bytes after it has been read again.
    assert all(isinstance(number, float) for state in states for number in state)
    assert all(0 <= state[0] <= 1 and 0 <= state[1] <= 10 for state in states)


# -- finding an optimum


def _tuned(
    spsa: Spsa, elo: Callable[[tuple[int, ...]], float], ahead: int = 1, seed: int = 1
) -> list[tuple[float, ...]]:
    """The states when each iteration is a pair of games between programs of that strength."""
    lot = random.Random(seed)
    states = [spsa.start]
    for number in range(1, spsa.iterations + 1):
        made = spsa.perturbed(number, states[max(0, number - ahead)])
        chance = 1 / (1 + 10 ** ((elo(made.minus) - elo(made.plus)) / 400))
        score = sum(1 if lot.random() < chance else -1 for _ in range(2))
        states.append(spsa.moved(states[-1], made, score))
    return states


OPTIMUM = (180.0, 5.0, 100_000.0)


def _elo(values: Sequence[float]) -> float:
    """A step away from the optimum costs 3 Elo in each parameter, two steps 12."""
    steps = zip(values, OPTIMUM, (MARGIN, DEPTH, WIDE), strict=True)
    return -3.0 * sum(((value - best) / tunable.step) ** 2 for value, best, tunable in steps)


@pytest.mark.parametrize("ahead", [1, 4, 32])
def test_a_noisy_quadratic_is_climbed(ahead: int) -> None:
    """5, 3 and 5 steps from the optimum, which costs 177 Elo; games are as noisy as real ones."""
    spsa = _spsa(MARGIN, DEPTH, WIDE, iterations=4000, rate=default_rate(4000))
    states = _tuned(spsa, _elo, ahead)
    assert sum(_elo(state) for state in states[-1000:]) / 1000 > -8
    for i, tunable in enumerate(spsa.parameters):
        mean = sum(state[i] for state in states[-1000:]) / 1000
        assert abs(mean - OPTIMUM[i]) < 1.2 * tunable.step


# -- parameters


def test_names_are_those_of_the_engine_with_its_values() -> None:
    row = ROWS["razor_margin"]
    [margin, depth] = read_tunables("razor_margin, Futility_Depth")
    assert margin == Tunable("razor_margin", row.default, row.low, row.high, margin.step)
    assert margin.step == pytest.approx(0.15 * row.default, abs=0.051)  # one decimal is kept
    assert depth.name == "futility_depth" and default_of(depth.name) == depth.start


def test_patterns_stand_for_all_names_that_fit() -> None:
    expected = [name for name in ROWS if name.startswith("razor_")]
    assert [each.name for each in read_tunables("razor_*")] == expected != []
    # No name comes twice.
    assert [each.name for each in read_tunables("razor_margin,razor_*")][0] == "razor_margin"
    assert len(read_tunables("razor_margin,razor_*")) == len(expected)


def test_a_file_may_leave_out_what_the_engine_knows(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text(
        "[razor_margin]\nstart = 100.5\nlow = 50\nhigh = 300\nstep = 20\n[futility_margin]\n"
        "[other_program]\nstart = 0\nlow = -10\nhigh = 10\nstep = 2.5\n",
        encoding="utf-8-sig",  # with a byte order mark, as some editors write
    )
    margin, futility, other = read_tunables(str(path))
    assert margin == Tunable("razor_margin", 100.5, 50, 300, 20)
    assert futility == read_tunables("futility_margin")[0]
    assert other == Tunable("other_program", 0, -10, 10, 2.5)
    assert default_of("other_program") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "--params: expected names separated by commas, or a file NAME.toml"),
        ("razor_margin,,x", "--params: expected names separated"),
        ("razer_margin", "there is no parameter 'razer_margin'; did you mean razor_margin?"),
        ("xyzzy", "there is no parameter 'xyzzy'; there are aspiration_window, "),
        ("xyzzy_*", "--params: no parameter is named like xyzzy_*"),
        ("none.toml", "none.toml: No such file"),
    ],
)
def test_names_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        read_tunables(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no parameter; expected tables such as [razor_margin]"),
        ("razor_margin = 3", "razor_margin: expected a table [razor_margin] with start, low"),
        ("[razor_margin", "some.toml: "),
        ("[razor_margin]\nmax = 3", "razor_margin: max is not a key; expected start, low, high"),
        ("[razor_margin]\nlow = 0.5", "razor_margin: low = 0.5: expected a whole number"),
        ("[razor_margin]\nstart = true", "razor_margin: start = True: expected a number"),
        ("[razor_margin]\nstep = nan", "razor_margin: step = nan: expected a finite number"),
        ("[razor_margin]\nhigh = 99999", "high = 99999 is out of the engine's range, 0 to 2000"),
        ("[razor_margin]\nstart = 2001", "start = 2001 is out of range, 0 to 2000"),
        ("[razor_margin]\nlow = 130\nhigh = 130", "low = 130 is not below high = 130"),
        ("[razor_margin]\nstep = 0.4", "step = 0.4: expected 0.5 to half of the range, 1000"),
        ("[razor_margin]\nstep = 1001", "step = 1001: expected 0.5 to half of the range, 1000"),
        (
            "[razer_margin]\nstep = 2",
            "start, low, high missing, and there is no parameter 'razer_margin';"
            " did you mean razor_margin?",
        ),
        ('["a b"]\nstart = 1\nlow = 0\nhigh = 9\nstep = 1', "expected a name without blanks"),
    ],
)
def test_files_that_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError) as error:
        read_tunables(str(path))
    assert message in str(error.value) and "\n" not in str(error.value)
