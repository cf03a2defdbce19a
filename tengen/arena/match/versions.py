"""What programs say of themselves before a run: their versions, and settings they have from files.

Both are part of the plan, so that a run is not resumed with other programs, nor with settings that
nobody knows of: a file beside a program can decide a match.
"""

from __future__ import annotations

from dataclasses import replace

from tengen.arena.match.plan import Plan
from tengen.arena.programs.player import Player, PlayerFailed

# How a program's `MESSAGE settings from FILE: level = 1` begins.
_SETTINGS = "message settings "


def introduce(plan: Plan) -> Plan:
    """The plan with what each of its programs answers to ABOUT, None without an answer, and the
    MESSAGE lines about settings that come before. ValueError, in one line, for a program that
    cannot be started."""
    versions, settings = {}, {}
    for program in plan.programs:
        heard: list[str] = []

        def hear(name: str, direction: str, line: str, heard: list[str] = heard) -> None:
            if direction == "<" and line.strip().lower().startswith(_SETTINGS):
                heard.append(" ".join(line.split()[1:]))

        player = Player(program, plan.patience)
        player.transcript = hear
        try:
            versions[program.name] = player.about()
        except PlayerFailed as failure:
            raise ValueError(f"engine {program.name}: {failure.detail}") from None
        finally:
            player.dispose()
        if heard:
            settings[program.name] = "; ".join(dict.fromkeys(heard))
    return replace(plan, versions=tuple(versions.items()), settings=tuple(settings.items()))


def check_versions(plan: Plan) -> None:
    """ValueError when a program's answer to ABOUT, or what it says of its settings, differs from
    what it was when the plan was made."""
    now = introduce(plan)
    for (name, before), (_, version) in zip(plan.versions, now.versions, strict=True):
        if before != version:
            raise ValueError(
                f"--resume: {name} answered ABOUT with {before!r}, and now with {version!r}"
            )
        settings = [dict(each.settings).get(name, "no settings") for each in (plan, now)]
        if settings[0] != settings[1]:
            raise ValueError(f"--resume: {name} had {settings[0]}, and now has {settings[1]}")
