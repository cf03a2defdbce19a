"""What a program reports about a move: depth, value, nodes and the line it expects."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """What a program reports about one move; None = not reported.

    value       for the side to move, in the program's own unit.
    mate_plies  > 0: the program wins with the n-th stone from now; < 0: it loses with that stone.
    line        the expected moves, as the program wrote them.
    """

    depth_plies: int | None = None
    seldepth_plies: int | None = None
    value: int | None = None
    mate_plies: int | None = None
    nodes: int | None = None
    line: str | None = None

    @property
    def score_text(self) -> str:
        """The value as programs print it: `35`, `+M5`, `-M4`; empty when unknown."""
        if self.mate_plies is not None:
            return f"{'+' if self.mate_plies > 0 else '-'}M{abs(self.mate_plies)}"
        return "" if self.value is None else str(self.value)
