"""The rules of the game, one row each: everything in the engine that differs between rules.

In the compiled modules `rule` is the index of a row. `patterns.rule_tables` turns a row into
tables, from which the board copies what the search needs.
"""

from __future__ import annotations

from typing import NamedTuple


class RuleRow(NamedTuple):
    """One rule. A row of exactly five always wins, except where `ends_block` prevents it."""

    name: str  # one word, as it is typed
    number: int  # in `INFO rule`; the value of engine.model.Rule
    overline_wins: tuple[bool, bool]  # does a row of six or more win? for Black, for White
    values: int  # its tables in the values file, counted from zero; rules may share them
    ends_block: bool = False  # a five with an opponent's stone at both ends does not win
    black_has_fouls: bool = False  # overline, double four and double three are forbidden to Black


RULES = (
    RuleRow("freestyle", 0, (True, True), values=0),
    RuleRow("standard", 1, (False, False), values=1),
    RuleRow("renju", 4, (False, True), values=2, black_has_fouls=True),
    RuleRow("caro", 8, (True, True), values=3, ends_block=True),
    RuleRow("caro-exact", 9, (False, False), values=4, ends_block=True),
)

# The index of a rule by its number in the protocol.
INDEX_OF_NUMBER = {row.number: index for index, row in enumerate(RULES)}
