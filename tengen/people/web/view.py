"""What the page shows of a sitting, as values of JSON."""

from __future__ import annotations

from typing import Any

from tengen.game.record.formats import is_saved_game, read_trees
from tengen.game.record.recorded import RecordedGame
from tengen.game.record.run_folder import is_run, read_run
from tengen.game.record.tree import GameTree
from tengen.game.rules.names import RULE_TEXTS, RULE_TITLES
from tengen.game.rules.referee import BLACK, COLOUR_NAMES, WHITE
from tengen.people.sitting.game import Game, steps_back, steps_forward
from tengen.people.sitting.opening import Opening, Stage
from tengen.people.sitting.sitting import Sitting
from tengen.people.web.wishes import Open

_ONE_TURN = 1


def state(sitting: Sitting) -> dict[str, Any]:
    """All that changes only with the position, the players or who thinks.

    cells      the moves in the order of play, as [column, row] from the top left; `ahead`, those
               that can be brought back, the next one first.
    setup      the stones before the first move, as [column, row, "black" or "white"], and `first`,
               who makes it.
    clock_s    how long each side may think in all; None = without limit.
    seats      who plays each colour; `names`, of the players, a person's as the file has it.
    turn       "you", "program", "waiting" (for go) or "over".
    fouls      what renju forbids the side to move: [column, row, reason].
    opening    what a person has to do in the opening; "" when it is over.
    """
    game = sitting.game
    return {
        "width": game.width,
        "height": game.height,
        "rule": game.rule,
        "rule_title": RULE_TITLES[game.rule],
        "rule_text": RULE_TEXTS[game.rule],
        "cells": [[move.x, move.y] for move in game.moves],
        "ahead": [[move.x, move.y] for move in game.undone],
        "setup": [[x, y, COLOUR_NAMES[colour].lower()] for x, y, colour in game.setup],
        "first": COLOUR_NAMES[game.first].lower(),
        "clock_s": sitting.clock_s,
        "seats": {
            "black": _seat(sitting, BLACK),
            "white": _seat(sitting, WHITE),
        },
        "names": {
            "black": _name(sitting, BLACK),
            "white": _name(sitting, WHITE),
        },
        "to_move": COLOUR_NAMES[game.to_move].lower(),
        "turn": turn(sitting),
        "is_hinting": sitting.is_hinting,
        "thinks": "" if sitting.thinking is None else sitting.thinking.name,
        "can_hurry": sitting.thinking is not None and sitting.thinking.can_hurry,
        "line": [] if game.outcome is None else [list(cell) for cell in game.outcome.line],
        "outcome": sitting.outcome_text(),
        "seats_text": sitting.seats_text(),
        "fouls": _fouls(game),
        "opening": _opening_text(sitting),
        "can_swap": len(sitting.people) == 1,
        "can_add": _can_add(sitting),
        "can_resign": bool(sitting.people) and game.outcome is None,
        "can_undo": bool(steps_back(game, sitting.people, _ONE_TURN).stones),
        "can_redo": bool(steps_forward(game, sitting.people, _ONE_TURN).stones),
    }


def runs_in(wish: Open) -> list[dict[str, Any]] | None:
    """The games of a run or a file of games to choose from; None for any other text, where there is
    only one, and where one is chosen already. ValueError for a text that cannot be read."""
    if wish.game is not None:
        return None
    if is_run(wish.text):
        texts = [_run_text(game) for game in read_run(wish.text, wish.name).games]
    elif is_saved_game(wish.text):
        try:
            texts = [_tree_text(tree) for tree in read_trees(wish.text)]
        except ValueError as error:
            raise ValueError(f"{wish.name}: {error}") from None
    else:
        return None
    if len(texts) == 1:
        return None
    return [{"number": number, "text": text} for number, text in enumerate(texts, start=1)]


def _run_text(game: RecordedGame) -> str:
    result = f"{game.winner} won" if game.winner else "drawn"
    return f"{game.black} - {game.white}, {len(game.moves)} moves, {result}"


def _tree_text(tree: GameTree) -> str:
    names = " - ".join((tree.root.text(name) or "?").strip() for name in ("PB", "PW"))
    moves = f"{sum(1 for _ in tree.root.main_line()) - 1} moves"
    return ", ".join(filter(None, (names, moves, tree.root.text("RE"))))


def turn(sitting: Sitting) -> str:
    """Whose turn it is, in a word: see `state`."""
    if sitting.game.outcome is not None:
        return "over"
    if sitting.program_to_move is not None:
        return "program"
    acting = sitting.seats[sitting.game.to_move]
    return "waiting" if sitting.is_waiting and acting is not None else "you"


def _seat(sitting: Sitting, colour: int) -> str:
    machine = sitting.seats[colour]
    return "You" if machine is None else machine.name


def _name(sitting: Sitting, colour: int) -> str:
    origin = sitting.game.origin
    named = origin.names.get(colour) if origin and sitting.seats[colour] is None else None
    return named or _seat(sitting, colour)


def _fouls(game: Game) -> list[list[int | str]]:
    if not game.board.has_fouls or game.outcome is not None or game.to_move != BLACK:
        return []
    found: list[list[int | str]] = []
    for x, y in game.board.empties():
        if text := game.foul_text((x, y)):
            found.append([x, y, text])
    return found


def _opening_text(sitting: Sitting) -> str:
    opening, stage = sitting.opening, sitting.stage
    if opening is None or stage is Stage.OVER or sitting.program_to_move is not None:
        return ""
    if stage is Stage.PUT:
        stones = "Black's first stone" if opening.stones == 1 else "three stones, Black's first"
        return f"Put down {stones}; then the program chooses its side."
    if opening is Opening.BALANCE:
        return ""
    more = ", or add two stones and let the program choose" if _can_add(sitting) else ""
    return f"Play as White, or change sides to be Black{more}."


def _can_add(sitting: Sitting) -> bool:
    """In swap2 a person who has to choose may put down two more stones instead."""
    is_choice = sitting.stage is Stage.CHOOSE and sitting.seats[WHITE] is None
    return sitting.opening is Opening.SWAP2 and is_choice and not sitting.has_added
