"""All checks, by number. The scripts are imported here so that they enter themselves."""

from __future__ import annotations

from collections.abc import Collection

from tengen.check import (  # noqa: F401 - imported for their checks
    clock,
    ending,
    extras,
    forms,
    games,
    info,
    managers,
    moves,
    starting,
    yixin,
)
from tengen.check.registry import Check, Group, registered


def all_checks() -> list[Check]:
    """Every check there is."""
    return registered()


def choose_checks(only: Collection[int] = (), extensions: Collection[Group] = ()) -> list[Check]:
    """The checks of a run: the mandatory and optional ones and those of the extensions asked for;
    or just the numbers in `only`, whatever their group. ValueError for a number there is not."""
    known = registered()
    if only:
        missing = sorted(set(only) - {check.number for check in known})
        if missing:
            raise ValueError(f"there is no check {missing[0]}; --list shows all numbers")
        return [check for check in known if check.number in only]
    groups = {Group.MANDATORY, Group.OPTIONAL, *extensions}
    return [check for check in known if check.group in groups]
