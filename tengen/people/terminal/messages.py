"""The longer texts at the prompt: the rule, the moves, the help page."""

from __future__ import annotations

from engine.text import RULE_NAMES, centre_name, point_name
from tengen.game.rules import RULE_TEXTS
from tengen.people.session.game import Game
from tengen.people.terminal.commands import WORDS


def rule_text(game: Game) -> str:
    """The size of the board and the rule in a line."""
    return f"{size_text(game)}, {RULE_NAMES[game.rule]}: {RULE_TEXTS[game.rule]}."


def size_text(game: Game) -> str:
    """`15x15`."""
    return f"{game.width}x{game.height}"


def moves_text(game: Game, width: int) -> str:
    """The moves in numbered pairs, in lines of at most `width` characters."""
    names = [point_name((move.x, move.y), game.height) for move in game.moves]
    pairs = [
        f"{number:>3}. {' '.join(f'{name:<4}' for name in names[number - 1 : number + 1])}"
        for number in range(1, len(names) + 1, 2)
    ]
    per_line = max(1, width // 16)
    lines = [pairs[i : i + per_line] for i in range(0, len(pairs), per_line)]
    return "\n".join("  ".join(f"{pair:<14}" for pair in line).rstrip() for line in lines)


def coordinates_text(game: Game) -> str:
    """How points are written, with one of this board as the example."""
    name = centre_name(game.width, game.height)
    return f"A point is a column's letter and a row's number from the bottom, such as {name}."


def help_text(game: Game) -> str:
    """Everything that can be typed."""
    rows = [(f"{word} {argument}".strip(), does) for word, (argument, does) in WORDS.items()]
    lines = [f"  {form:<10} {does}" for form, does in rows]
    return "\n".join(
        [
            coordinates_text(game),
            f"{game.width // 2},{game.height // 2} is the same point in the protocol's notation:"
            " column and row, counted from 0 at the top left.",
            rule_text(game),
            "",
            f"  {centre_name(game.width, game.height):<10} play there",
            *lines,
            "",
            "Commands can be abbreviated: u is undo. While a program thinks, Ctrl-C makes it move"
            " now. A second Ctrl-C, or one at the prompt, quits and saves an unsaved game to a new"
            " file. Ctrl-D is quit.",
        ]
    )
