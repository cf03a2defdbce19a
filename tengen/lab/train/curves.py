"""The page of a training: its curves and its calibration, as SVG in one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
from scipy.special import expit

from tengen.lab.train.optimizer import Curve, Evaluation

_WIDTH, _HEIGHT = 560, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 30, 40
_BINS = 20
# A share of the positions that is too small for its mean to say anything.
_LEAST_IN_BIN = 10
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1180px; margin: 2em auto; padding: 0 1em;
  color-scheme: light dark; }
figure { display: inline-block; margin: 0 1em 1.5em 0; }
svg text { font-size: 12px; fill: currentColor; }
rect { fill: none; stroke: currentColor; opacity: 0.2; }
polyline { fill: none; stroke: #1f6fb4; stroke-width: 2; }
polyline ~ polyline { stroke: #c8501e; }
table { border-collapse: collapse; }
td, th { padding: 0.15em 1.2em 0.15em 0; text-align: left; }
"""


def training_page(title: str, facts: Mapping[str, str], charts: Sequence[str]) -> str:
    """The page: a title, a table of facts, the charts."""
    rows = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in facts.items())
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
        chart(title, "pass", [*zip(passes, losses, strict=True)])
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
    title = "Calibration: target by predicted probability, and the diagonal"
    return chart(title, "predicted", [*zip(predicted, measured, strict=True)], [(0, 0), (1, 1)])


def chart(title: str, x_name: str, *lines: Sequence[tuple[float, float]]) -> str:
    """Curves in one SVG picture, in a frame with the least and the greatest numbers of both."""
    points = [point for line in lines for point in line] or [(0.0, 0.0)]
    (low_x, high_x), (low_y, high_y) = (_range(numbers) for numbers in zip(*points, strict=True))
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM

    def place(x: float, y: float) -> str:
        across = _LEFT + (x - low_x) / (high_x - low_x) * (right - _LEFT)
        return f"{across:.1f},{bottom - (y - low_y) / (high_y - low_y) * (bottom - _TOP):.1f}"

    texts = (
        (_LEFT, 16, "start", title), ((_LEFT + right) // 2, bottom + 32, "middle", x_name),
        (_LEFT, bottom + 16, "start", f"{low_x:.3g}"), (right, bottom + 16, "end", f"{high_x:.3g}"),
        (_LEFT - 6, bottom, "end", f"{low_y:.4g}"), (_LEFT - 6, _TOP + 10, "end", f"{high_y:.4g}"),
    )  # fmt: skip
    parts = [
        f'<rect x="{_LEFT}" y="{_TOP}" width="{right - _LEFT}" height="{bottom - _TOP}"/>',
        *(
            f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
            for x, y, anchor, text in texts
        ),
        *(f'<polyline points="{" ".join(place(x, y) for x, y in line)}"/>' for line in lines),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" role="img"'
        f' aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _range(numbers: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis, never equal."""
    low, high = min(numbers), max(numbers)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
