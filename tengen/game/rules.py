"""What is said of each rule. tengen/game/referee.py has the rules, engine/text.py reads their
names."""

from __future__ import annotations

from engine.text import RULE_NAMES, read_rule
from tengen.game.referee import CARO, CARO_EXACT, FREESTYLE, RENJU, STANDARD

# The names in tables and in the sgf files that we write.
RULE_TITLES = RULE_NAMES | {CARO_EXACT: "caro, exactly five"}
# What files of games say else, without signs and digits: the opening rules of renju and of
# tournaments of gomoku, and words in which other programs write a rule.
_SAID_NAMES = {
    **dict.fromkeys(
        ("rif", "yamaguchi", "soosyrv", "soosorv", "soosõrv", "sosorov", "taraguchi",
         "tarannikov", "sakata", "renju", "連珠", "连珠"),
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
