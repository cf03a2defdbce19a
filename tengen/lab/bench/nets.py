"""Which nets the engine plays with while it is measured.

An engine says once that a net cannot be used, and plays on with another one or with the table. A
measurement asks before it begins, because its figures would be those of something else.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.net import NetFiles
from tengen.lab.bench.records import Record


def named_net() -> str | None:
    """The net file that TENGEN_NET in the environment names, if any."""
    return NetFiles().path


def unusable_nets(records: Iterable[Record]) -> list[str]:
    """A line for each net that comes with the engine, is for a rule of these records and cannot be
    used, as all of them after a change of the patterns. The table plays there.

    ValueError in one line if TENGEN_NET names a file that cannot be used.
    """
    files = NetFiles()
    files.check()
    rules = sorted({record.position.rule for record in records})
    problems = (files.find(rule)[1] for rule in rules)
    return list(dict.fromkeys(problem for problem in problems if problem is not None))
