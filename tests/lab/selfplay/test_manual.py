"""docs/SELFPLAY.md names every option, and every key of the counts as JSON."""

from __future__ import annotations

import re
from typing import Any

from tengen.lab.selfplay.cli import selfplay_command
from tengen.lab.selfplay.data_cli import data_command
from tengen.lab.selfplay.survey import Survey
from tests.manual import Manual

MANUAL = Manual("SELFPLAY.md")


def test_every_option_is_in_the_manual() -> None:
    for command in (selfplay_command, data_command):
        assert MANUAL.missing_options(command) == []


def test_every_key_is_in_the_manual() -> None:
    table = re.search(r"^## Counts as JSON\n.*?^## ", MANUAL.text, re.MULTILINE | re.DOTALL)
    assert table
    record: dict[str, Any] = Survey(0, 15, 15).record()
    keys = {*record, *record["winners"], *record["stones"], *record["kept"], *record["values"]}
    assert keys - set(re.findall(r"`(\w+)`", table[0])) == set()
