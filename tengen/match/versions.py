"""The programs' answers to ABOUT, so that a run is not resumed with other programs."""

from __future__ import annotations

from tengen.match.plan import Plan
from tengen.programs.player import Player, PlayerFailed

Versions = tuple[tuple[str, str | None], ...]


def ask_versions(plan: Plan) -> Versions:
    """Each program's name and its answer to ABOUT; None without an answer. ValueError, in one line,
    for a program that cannot be started."""
    versions = []
    for program in plan.programs:
        player = Player(program, plan.patience)
        try:
            versions.append((program.name, player.about()))
        except PlayerFailed as failure:
            raise ValueError(f"engine {program.name}: {failure.detail}") from None
        finally:
            player.dispose()
    return tuple(versions)


def check_versions(plan: Plan) -> None:
    """ValueError when a program's answer to ABOUT differs from the one when the plan was made."""
    for (name, before), (_, now) in zip(plan.versions, ask_versions(plan), strict=True):
        if before != now:
            raise ValueError(
                f"--resume: {name} answered ABOUT with {before!r}, and now with {now!r}"
            )
