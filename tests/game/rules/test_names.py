"""The rules by name and number."""

from __future__ import annotations

import pytest

from engine.text import RULE_NAMES, read_rule
from tengen.game.rules.names import RULE_TEXTS, RULE_TITLES
from tengen.game.rules.referee import RULES


def test_rules_by_name_and_number() -> None:
    assert list(RULE_NAMES) == list(RULES)
    for rule, name in RULE_NAMES.items():
        for text in (name, name.upper(), f" {name.capitalize()} ", str(rule), RULE_TITLES[rule]):
            assert read_rule(text) == rule
        assert RULE_TEXTS[rule]
    assert read_rule("Gomoku") == 0


@pytest.mark.parametrize("text", ["2", "gomoko", "", "44", "-1", "4.0"])
def test_what_is_not_a_rule(text: str) -> None:
    with pytest.raises(ValueError, match="there is no rule .*0 or freestyle, 1 or standard"):
        read_rule(text)
