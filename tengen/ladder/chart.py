"""The ladder as a picture: a dot for each rating on its interval, in SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape

from tengen.ladder.entrants import TENGEN
from tengen.ladder.table import Rung

# Pixels.
_WIDTH = 760
_NAMES_WIDTH = 170
_RIGHT = 60
_TOP, _BOTTOM = 34, 12
_ROW = 26
# Elo between two grid lines, the narrowest that gives not more than so many lines.
_STEPS = (50, 100, 200, 250, 500, 1000, 2000)
_MAX_LINES = 10

_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .axis { font-size: 11px; fill: #656d76; }
  .grid { stroke: #d0d7de; }
  .interval { stroke-width: 6; stroke-linecap: round; opacity: 0.35; }
  .opponent { stroke: #57606a; fill: #57606a; }
  .tengen { stroke: #0969da; fill: #0969da; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .axis { fill: #8d96a0; } .grid { stroke: #30363d; }
    .opponent { stroke: #9198a1; fill: #9198a1; } .tengen { stroke: #4493f8; fill: #4493f8; }
  }
"""


def chart(ladder: Sequence[Rung], caption: str) -> str:
    """An SVG picture of the ladder, the strongest on top; `caption` says what it shows, for those
    who do not see it. It has no background, and colours for light and dark pages."""
    low = min(rung.rating.low for rung in ladder)
    high = max(rung.rating.high for rung in ladder)
    step = next((s for s in _STEPS if (high - low) / s < _MAX_LINES - 1), _STEPS[-1])
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    height = _TOP + _ROW * len(ladder) + _BOTTOM

    def x(elo: float) -> float:
        span = _WIDTH - _NAMES_WIDTH - _RIGHT
        return round(_NAMES_WIDTH + (elo - first) / (last - first) * span, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}"'
        f' width="{_WIDTH}" height="{height}" role="img">',
        f"<title>{escape(caption)}</title>",
        f"<style>{_STYLE}</style>",
    ]
    for elo in range(first, last + 1, step):
        parts.append(
            f'<line class="grid" x1="{x(elo)}" y1="{_TOP - 8}" x2="{x(elo)}"'
            f' y2="{height - _BOTTOM}"/>'
            f'<text class="axis" x="{x(elo)}" y="{_TOP - 14}" text-anchor="middle">{elo}</text>'
        )
    for number, rung in enumerate(ladder):
        parts.append(_row(rung, _TOP + _ROW * number + _ROW // 2, x(rung.rating.elo), x))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(rung: Rung, y: int, dot_x: float, x: Callable[[float], float]) -> str:
    rating = rung.rating
    kind = "tengen" if rating.name in TENGEN else "opponent"
    return (
        f'<text x="{_NAMES_WIDTH - 12}" y="{y + 4}" text-anchor="end">{escape(rating.name)}</text>'
        f'<line class="interval {kind}" x1="{x(rating.low)}" y1="{y}" x2="{x(rating.high)}"'
        f' y2="{y}"/>'
        f'<circle class="{kind}" cx="{dot_x}" cy="{y}" r="4.5"/>'
        f'<text class="axis" x="{_WIDTH - _RIGHT + 12}" y="{y + 4}">{rating.elo:.0f}</text>'
    )
