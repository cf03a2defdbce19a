"""The rules by name and number."""

from __future__ import annotations

from engine.text import RULE_NAMES, read_rule
from tengen.game.referee import RULES
from tengen.game.rules import RULE_TEXTS, RULE_TITLES


def test_rules_by_name_and_number() -> None:
    assert list(RULE_NAMES) == list(RULES)
    for rule, name in RULE_NAMES.items():
        for text in (name, name.upper(), f" {name.capitalize()} ", str(rule), RULE_TITLES[rule]):
            assert read_rule(text) == rule
        assert RULE_TEXTS[rule]
    assert read_rule("Gomoku") == 0
