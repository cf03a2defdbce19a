"""What the programs of a run say they are, so that a run is not resumed with others."""

from __future__ import annotations

from tengen.match.plan import Plan
from tengen.programs.player import Player

Versions = tuple[tuple[str, str | None], ...]


def ask_versions(plan: Plan) -> Versions:
    """Each program's name and its answer to ABOUT, None when there is none."""
    versions = []
    for program in plan.programs:
        player = Player(program, plan.patience)
        try:
            versions.append((program.name, player.about()))
        finally:
            player.dispose()
    return tuple(versions)


def check_versions(plan: Plan) -> None:
    """ValueError when a program says now that it is another one than when the plan was made."""
    for (name, before), (_, now) in zip(plan.versions, ask_versions(plan), strict=True):
        if before != now:
            raise ValueError(f"--resume: {name} said it is {before!r}, and says now {now!r}")
