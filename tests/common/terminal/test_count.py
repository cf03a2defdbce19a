"""The option type of counts, which takes `1e6`."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner, Result

from tengen.common.terminal.options import Count


def _run(*words: str) -> Result:
    @click.command()
    @click.option("--nodes", type=Count(1, 10**7))
    def command(nodes: int | None) -> None:
        click.echo(repr(nodes))

    return CliRunner().invoke(command, words)


@pytest.mark.parametrize(
    ("text", "said"), [("20000", "20000"), ("1e6", "1000000"), ("2.5e5", "250000"), ("+7", "7")]
)
def test_a_count_may_have_a_power_of_ten(text: str, said: str) -> None:
    assert _run("--nodes", text).output == f"{said}\n"
    assert _run().output == "None\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("many", "'many': expected a whole number such as 20000 or 1e6"),
        ("1.5", "'1.5': expected a whole number"),
        ("0", "0 is not in the range 1<=x<=10000000"),
        ("-3", "-3 is not in the range"),
        ("1e8", "100000000 is not in the range"),
    ],
)
def test_another_text_or_a_number_out_of_range_is_refused(text: str, complaint: str) -> None:
    result = _run("--nodes", text)
    assert result.exit_code == 2
    assert complaint in result.output
