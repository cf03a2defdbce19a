"""The chart of ratings: the places of points and intervals, in the picture and in the strips."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import pytest

from tengen.arena.report.rating_chart import (
    Interval,
    axis_strip,
    elo_text,
    interval_strip,
    scale_of,
)

LADDER = [
    Interval("Tengen <100> ms", 900.0, 800.0, 1000.0),
    Interval("lines", 400.0, 350.0, 450.0),
    Interval("random", 0.0, -200.0, 200.0),
]


def percent(text: str | None) -> float:
    """The number of a percentage."""
    assert text is not None and text.endswith("%")
    return float(text.removesuffix("%"))


def test_a_strip_has_a_point_on_an_interval_and_the_axis_its_labels() -> None:
    scale = scale_of(LADDER)
    points = []
    for interval in LADDER:
        strip = ET.fromstring(interval_strip(interval, scale))
        (point,) = strip.iter("circle")
        line, *ends = (each for each in strip.iter("line") if each.get("class") == "whisker")
        left, right = percent(line.get("x1")), percent(line.get("x2"))
        points.append(percent(point.get("cx")))
        assert 0 < left < points[-1] < right < 100
        assert points[-1] == pytest.approx((left + right) / 2, abs=0.01)
        assert [percent(end.get("x1")) for end in ends] == [left, right]
        assert line.get("y1") == line.get("y2") == point.get("cy")
    # Equal Elo is equal width.
    assert (points[0] - points[1]) / 500 == pytest.approx((points[1] - points[2]) / 400, abs=1e-4)
    labels = re.findall(r">([^<]+)</text>", axis_strip(scale))
    assert labels == ["\u2212200", "0", "200", "400", "600", "800", "1000"]


def test_a_strip_says_what_it_shows() -> None:
    name = '<b> "&'
    strip = ET.fromstring(interval_strip(Interval(name, -3.4, -math.inf, 20.6), scale_of(LADDER)))
    assert strip.get("aria-label") == f"{name}: Elo −3, from −∞ to 21"
    assert [elo_text(elo) for elo in (12.6, -0.3, math.inf)] == ["13", "0", "∞"]


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((), (-1, 1, 1)),
        ((-3.0, 40.0), (-10, 50, 10)),
        ((-math.inf, math.inf), (-1, 1, 1)),
        ((-9000.0, 30000.0), (-10000, 35000, 5000)),
        ((700.0, 710.0), (-200, 800, 200)),
    ],
)
def test_the_scale_is_round_and_holds_zero(
    ends: tuple[float, ...], expected: tuple[int, int, int]
) -> None:
    intervals = [Interval("a", ends[0], ends[0], ends[1])] if ends else []
    scale = scale_of(intervals)
    assert (scale.low, scale.high, scale.step) == expected
    assert scale.place(-math.inf) == "0.00%" and scale.place(math.inf) == "100.00%"
