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
    rating_picture,
    scale_of,
)

SPACE = "{http://www.w3.org/2000/svg}"
LADDER = [
    Interval("Tengen <100> ms", 900.0, 800.0, 1000.0),
    Interval("lines", 400.0, 350.0, 450.0),
    Interval("random", 0.0, -200.0, 200.0),
]


def percent(text: str | None) -> float:
    """The number of a percentage."""
    assert text is not None and text.endswith("%")
    return float(text.removesuffix("%"))


def test_the_picture_has_a_point_on_an_interval_for_each() -> None:
    svg = ET.fromstring(rating_picture(LADDER, "What <it> shows", own=["lines"]))
    words = [text.text for text in svg.iter(f"{SPACE}text")]
    assert {"Tengen <100> ms", "lines", "random", "900"} <= set(words)
    assert svg.findtext(f"{SPACE}title") == "What <it> shows"
    groups = list(svg.iter(f"{SPACE}g"))
    assert [group.get("class") for group in groups] == ["other", "own", "other"]
    points, middles = [], []
    for group in groups:
        (point,) = group.iter(f"{SPACE}circle")
        line, *ends = group.iter(f"{SPACE}line")
        left, right = percent(line.get("x1")), percent(line.get("x2"))
        points.append(percent(point.get("cx")))
        middles.append((left + right) / 2)
        assert 0 < left < points[-1] < right < 100
        assert [percent(end.get("x1")) for end in ends] == [left, right]
        assert line.get("y1") == line.get("y2") == point.get("cy")
    assert points == sorted(points, reverse=True)
    assert points == pytest.approx(middles, abs=0.01)
    # Equal Elo is equal width.
    assert (points[0] - points[1]) / 500 == pytest.approx((points[1] - points[2]) / 400, abs=1e-4)


def test_strip_and_picture_show_the_same_marks() -> None:
    scale = scale_of(LADDER)
    picture = rating_picture(LADDER, "", own=[])
    for interval in LADDER:
        strip = interval_strip(interval, scale)
        marks = r'class="(grid|zero|whisker|point)" (x1|cx)="([^"]*)"'
        assert set(re.findall(marks, strip)) <= set(re.findall(marks, picture))
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
