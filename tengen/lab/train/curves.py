"""The page of a training: its curves and its calibration, as SVG in one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from scipy.special import expit

from tengen.lab.train.optimizer import Curve, Evaluation

_WIDTH, _HEIGHT = 560, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 30, 40
_COLOURS = ("#1f6fb4", "#c8501e")
_BINS = 20
# A share of the positions that is too small for its mean to say anything.
_LEAST_IN_BIN = 10
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1180px; margin: 2em auto; padding: 0 1em;
  color-scheme: light dark; }
figure { display: inline-block; margin: 0 1em 1.5em 0; }
svg text { font-size: 12px; fill: currentColor; }
.grid { stroke: currentColor; opacity: 0.18; }
table { border-collapse: collapse; }
td, th { padding: 0.15em 1.2em 0.15em 0; text-align: left; }
"""


@dataclass(frozen=True)
class Line:
    """A curve: its name, and where it goes."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


def training_page(title: str, facts: Sequence[tuple[str, str]], charts: Sequence[str]) -> str:
    """The page: a title, a table of facts, the charts."""
    rows = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in facts)
    figures = "\n".join(f"<figure>{chart}</figure>" for chart in charts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title><style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        f"<table>{rows}</table>\n{figures}\n</body></html>\n"
    )


def curve_charts(curve: Curve) -> list[str]:
    """The charts of the losses by pass."""
    passes = range(1, len(curve.value) + 1)
    return [
        chart(title, "pass", [Line("net", passes, losses)])
        for title, losses in (
            ("Value loss on held-out positions", curve.value),
            ("Training loss, value and policy", curve.train),
            ("Policy cross-entropy on held-out positions", curve.policy),
        )
    ]


def calibration_chart(evaluated: Evaluation) -> str:
    """The chart of predicted against measured probabilities, in bins of equally many positions."""
    order = np.argsort(evaluated.logit, kind="stable")
    bins = [some for some in np.array_split(order, _BINS) if len(some) >= _LEAST_IN_BIN]
    predicted = [float(np.mean(expit(evaluated.logit[some]))) for some in bins]
    measured = [float(np.mean(evaluated.target[some])) for some in bins]
    lines = [Line("exact", [0, 1], [0, 1]), Line("net", predicted, measured)]
    return chart("Calibration: target by predicted probability", "predicted", lines)


def chart(title: str, x_name: str, lines: Sequence[Line]) -> str:
    """Curves in one SVG picture with grid, axes and a legend."""
    xs = [x for line in lines for x in line.x] or [0.0, 1.0]
    ys = [y for line in lines for y in line.y] or [0.0, 1.0]
    low_x, high_x = _range(min(xs), max(xs))
    low_y, high_y = _range(min(ys), max(ys))

    def x_at(x: float) -> float:
        return _LEFT + (x - low_x) / (high_x - low_x) * (_WIDTH - _LEFT - _RIGHT)

    def y_at(y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - low_y) / (high_y - low_y) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [f'<text x="{_LEFT}" y="16" font-weight="bold">{escape(title)}</text>']
    for i in range(5):
        y, x = low_y + (high_y - low_y) * i / 4, low_x + (high_x - low_x) * i / 4
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y_at(y):.1f}"'
            f' y2="{y_at(y):.1f}"/><text x="{_LEFT - 6}" y="{y_at(y) + 4:.1f}"'
            f' text-anchor="end">{y:.4g}</text><text x="{x_at(x):.1f}"'
            f' y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{x:.3g}</text>'
        )
    parts.append(
        f'<text x="{(_LEFT + _WIDTH) / 2}" y="{_HEIGHT - 6}" text-anchor="middle">'
        f"{escape(x_name)}</text>"
    )
    for i, line in enumerate(lines):
        colour = _COLOURS[i % len(_COLOURS)]
        points = " ".join(
            f"{x_at(x):.1f},{y_at(y):.1f}" for x, y in zip(line.x, line.y, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{_WIDTH - _RIGHT - 70 * (len(lines) - i)}" y="16" style="fill:{colour}">'
            f"{escape(line.name)}</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" role="img"'
        f' aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _range(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis, never equal."""
    return (low, high) if high > low else (low - 0.5, high + 0.5)
