"""All checks, by number. Importing the modules of the scripts registers them."""

from __future__ import annotations

from collections.abc import Collection

from tengen.arena.check import (  # noqa: F401 - imported for their checks
    clock,
    ending,
    extras,
    forms,
    games,
    info,
    managers,
    moves,
    starting,
    swap2,
    yixin,
)
from tengen.arena.check.registry import Check, Group, registered


def all_checks() -> list[Check]:
    """All checks, by number."""
    return registered()


def choose_checks(only: Collection[int] = (), extensions: Collection[Group] = ()) -> list[Check]:
    """The checks of a run: the mandatory and optional ones and those of `extensions`; or only the
    numbers in `only`, of any group. ValueError for a number that no check has."""
    known = registered()
    if only:
        missing = sorted(set(only) - {check.number for check in known})
        if missing:
            raise ValueError(f"there is no check {missing[0]}; --list shows all numbers")
        return [check for check in known if check.number in only]
    groups = {Group.MANDATORY, Group.OPTIONAL, *extensions}
    return [check for check in known if check.group in groups]
