"""The results of a batch in figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tengen.study.batch import Outcome
from tengen.study.show import check_text


def quantile(values: Sequence[int], share: float) -> int:
    """The smallest value such that at least `share` of the values do not exceed it; 0 without
    values."""
    if not values:
        return 0
    ordered = sorted(values)
    # Rounded first: 0.95 * 20 is a little more than 19.
    rank = -int(-round(share * len(ordered), 9) // 1)
    return ordered[max(0, rank - 1)]


def summary_record(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures as plain values. A win that the referee refuted does not count as solved. Time
    and nodes are those of all puzzles, solved or not."""
    solved = [
        outcome
        for outcome in outcomes
        if outcome.answer.is_win and (outcome.check is None or outcome.check.ok is not False)
    ]
    moves = [outcome.has_best_move for outcome in solved if outcome.has_best_move is not None]
    surplus = [outcome.surplus_plies for outcome in solved if outcome.surplus_plies is not None]
    checks = [outcome.check for outcome in outcomes if outcome.check is not None]
    nodes = [outcome.answer.nodes for outcome in outcomes]
    times_us = [outcome.answer.elapsed_us for outcome in outcomes]
    return {
        "puzzles": len(outcomes),
        "solved": len(solved),
        "same_move": sum(moves),
        "with_move": len(moves),
        "shorter": sum(plies < 0 for plies in surplus),
        "equal": sum(plies == 0 for plies in surplus),
        "longer": sum(plies > 0 for plies in surplus),
        "checked": len(checks),
        "wrong": sum(check.ok is False for check in checks),
        "unsettled": sum(check.ok is None for check in checks),
        "median_nodes": quantile(nodes, 0.5),
        "p95_nodes": quantile(nodes, 0.95),
        "median_time_ms": round(quantile(times_us, 0.5) / 1000, 3),
        "p95_time_ms": round(quantile(times_us, 0.95) / 1000, 3),
    }


def summary_text(outcomes: Sequence[Outcome]) -> list[str]:
    """The figures as a table, and a line for each win that the referee did not confirm."""
    figures = summary_record(outcomes)
    rows = {"solved": _share(figures["solved"], figures["puzzles"])}
    if figures["with_move"]:
        rows["same first move"] = _share(figures["same_move"], figures["with_move"])
    if figures["shorter"] + figures["equal"] + figures["longer"]:
        rows["length"] = (
            f"{figures['shorter']} shorter than given, {figures['equal']} the same,"
            f" {figures['longer']} longer"
        )
    if figures["checked"]:
        rows["checked"] = f"{figures['checked']} wins, {figures['wrong']} wrong"
        if figures["unsettled"]:
            rows["checked"] += f", {figures['unsettled']} not decided"
    rows["nodes"] = f"median {figures['median_nodes']:,}, 95 % within {figures['p95_nodes']:,}"
    rows["time"] = (
        f"median {figures['median_time_ms']:,} ms, 95 % within {figures['p95_time_ms']:,} ms"
    )
    wrong = [
        f"{outcome.name}: {check_text(outcome.check, outcome.height)}"
        for outcome in outcomes
        if outcome.check is not None and not outcome.check.ok
    ]
    return [*wrong, *(f"{name:16} {text}" for name, text in rows.items())]


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})"
