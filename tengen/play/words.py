"""The sentences of the conversation that say how things stand."""

from __future__ import annotations

from collections.abc import Mapping

from tengen.play.commands import WORDS
from tengen.play.game import Game, Outcome, foul_name
from tengen.record.game import Move
from tengen.record.termination import Termination
from tengen.rules.names import RULE_NAMES, RULE_TEXTS
from tengen.rules.points import centre_name, point_name, point_names
from tengen.rules.referee import COLOUR_NAMES

_NUMBERS = {5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def outcome_text(outcome: Outcome, last: Move, height: int, players: Mapping[int, str]) -> str:
    """Who has won, and by what; `last` is the last stone, `players` are the names by colour."""
    if outcome.termination is Termination.FULL:
        return "The board is full and nobody has a row that wins: a draw."
    winner = COLOUR_NAMES[outcome.winner]
    if players[outcome.winner]:
        winner += f" ({players[outcome.winner]})"
    if outcome.foul:
        point = point_name((last.x, last.y), height)
        return f"{winner} wins: Black has made {foul_name(outcome.foul)} at {point}."
    if outcome.termination is Termination.FORBIDDEN:
        return f"{winner} wins: every point that is left is forbidden for Black."
    count = len(outcome.line)
    row = f"{_NUMBERS[count]} in a row"
    if count > 5:
        row = f"an overline, {row}"
    return f"{winner} wins with {row}: {point_names(outcome.line, height)}."


def rule_text(game: Game) -> str:
    """The rule and the board in a line."""
    return f"{size_text(game)}, {RULE_NAMES[game.rule]}: {RULE_TEXTS[game.rule]}."


def size_text(game: Game) -> str:
    """`15x15`."""
    return f"{game.width}x{game.height}"


def moves_text(game: Game, width: int) -> str:
    """The moves with their numbers, in lines of at most `width` characters, two to a pair."""
    names = [point_name((move.x, move.y), game.height) for move in game.moves]
    pairs = [
        f"{number:>3}. {' '.join(f'{name:<4}' for name in names[number - 1 : number + 1])}"
        for number in range(1, len(names) + 1, 2)
    ]
    per_line = max(1, width // 16)
    lines = [pairs[i : i + per_line] for i in range(0, len(pairs), per_line)]
    return "\n".join("  ".join(f"{pair:<14}" for pair in line).rstrip() for line in lines)


def coordinates_text(game: Game) -> str:
    """How points are written, with an example from this board."""
    name = centre_name(game.width, game.height)
    return f"Points are a column's letter and a row's number from the bottom, such as {name}."


def help_text(game: Game) -> str:
    """All that can be typed."""
    rows = [(f"{word} {argument}".strip(), does) for word, (argument, does) in WORDS.items()]
    lines = [f"  {form:<10} {does}" for form, does in rows]
    return "\n".join(
        [
            coordinates_text(game),
            f"{game.width // 2},{game.height // 2} is read too: column and row from 0 at the upper"
            " left, as the protocol writes it.",
            rule_text(game),
            "",
            f"  {centre_name(game.width, game.height):<10} play there",
            *lines,
            "",
            "Words can be cut short (u for undo). Ctrl-D leaves as quit does; Ctrl-C leaves at any"
            " time.",
        ]
    )
