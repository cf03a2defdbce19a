"""The rules by the names people use, and by the numbers of the protocol."""

from __future__ import annotations

from tengen.rules import referee
from tengen.rules.referee import CARO, CARO_EXACT, FREESTYLE, RENJU, RULES, STANDARD

# A word each, to be typed.
RULE_NAMES = referee.RULE_NAMES | {CARO_EXACT: "caro-exact"}
# What sgf files and other programs call them besides.
_OTHER_NAMES = {"gomoku": FREESTYLE, referee.RULE_NAMES[CARO_EXACT]: CARO_EXACT}

# What one has to know to play, in a line each.
RULE_TEXTS = {
    FREESTYLE: "five or more in a row win",
    STANDARD: "exactly five in a row win, six or more are nothing",
    RENJU: "Black wins with exactly five and may not make an overline, a double four or a double"
    " three; White wins with five or more",
    CARO: "five in a row win unless stones of the other colour stand at both ends; six or more win",
    CARO_EXACT: "exactly five in a row win unless stones of the other colour stand at both ends",
}


def read_rule(text: str) -> int:
    """The rule of that name or number; ValueError, with the list, if there is none."""
    word = text.strip().lower()
    named = {name: rule for rule, name in RULE_NAMES.items()} | _OTHER_NAMES
    if word in named:
        return named[word]
    if word in {str(rule) for rule in RULES}:
        return int(word)
    known = ", ".join(f"{rule} or {name}" for rule, name in RULE_NAMES.items())
    raise ValueError(f"there is no rule {text[:40]!r}; there are {known}")
