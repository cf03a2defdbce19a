"""The rules: their names, their numbers, and a sentence about each.

The numbers are those of the protocol's `INFO rule`. tengen/rules/referee.py has the rules.
"""

from __future__ import annotations

from tengen.rules.referee import CARO, CARO_EXACT, FREESTYLE, RENJU, RULES, STANDARD

# One word for each rule, as it is typed.
RULE_NAMES = {
    FREESTYLE: "freestyle",
    STANDARD: "standard",
    RENJU: "renju",
    CARO: "caro",
    CARO_EXACT: "caro-exact",
}
# The names in tables and in the sgf files that we write.
RULE_TITLES = RULE_NAMES | {CARO_EXACT: "caro, exactly five"}
# Other names that are read, from sgf files and other programs.
_OTHER_NAMES = {"gomoku": FREESTYLE, "caro_exact": CARO_EXACT, "caro exact": CARO_EXACT}

# What files of games say else, without signs and digits: the opening rules of renju and of
# tournaments of gomoku, and words in which other programs write a rule.
_SAID_NAMES = {
    **dict.fromkeys(
        ("rif", "yamaguchi", "soosyrv", "soosorv", "soosõrv", "taraguchi", "tarannikov", "sakata",
         "renju", "連珠", "连珠"),
        RENJU,
    ),
    **dict.fromkeys(("swap", "pro", "longpro", "standard"), STANDARD),
    **dict.fromkeys(("freestyle", "freegomoku", "五子棋"), FREESTYLE),
}  # fmt: skip

# What a player has to know, in one line for each rule.
RULE_TEXTS = {
    FREESTYLE: "five or more in a row win",
    STANDARD: "exactly five in a row win, six or more do not",
    RENJU: "Black wins with exactly five and may not make an overline, a double four or a double"
    " three; White wins with five or more",
    CARO: "five in a row win unless stones of the other colour stand at both ends; six or more win",
    CARO_EXACT: "exactly five in a row win unless stones of the other colour stand at both ends",
}


def known_rules() -> str:
    """`0 or freestyle, 1 or standard, ...`, for errors."""
    return ", ".join(f"{rule} or {name}" for rule, name in RULE_NAMES.items())


def read_rule(text: str) -> int:
    """The rule of that name, in capitals or not, or of that number. ValueError, listing the rules,
    if there is none."""
    word = text.strip().lower()
    named = {name: rule for rule, name in RULE_NAMES.items()}
    named |= {title: rule for rule, title in RULE_TITLES.items()} | _OTHER_NAMES
    if word in named:
        return named[word]
    if word in {str(rule) for rule in RULES}:
        return int(word)
    raise ValueError(f"there is no rule {text[:40]!r}; there are {known_rules()}")


def read_said_rule(text: str) -> int:
    """The rule that a file of a game names: as for `read_rule`, or by the rule for its opening,
    such as Soosyrv-8, or in a longer text. ValueError as for `read_rule`."""
    try:
        return read_rule(text)
    except ValueError:
        letters = "".join(char for char in text.lower() if char.isalpha())
        if letters in _SAID_NAMES:
            return _SAID_NAMES[letters]
        # `pro` and `swap` are in too many words.
        for name, rule in _SAID_NAMES.items():
            if len(name) > 4 and name in letters:
                return rule
        raise
