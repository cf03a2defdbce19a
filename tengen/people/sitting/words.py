"""Sentences about a game, for every front end: who plays, and who won."""

from __future__ import annotations

from collections.abc import Mapping

from engine.text import point_name, point_names
from tengen.game.record.game import Move
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, COLOUR_NAMES, WHITE, opponent_of
from tengen.people.sitting.game import Outcome, foul_name
from tengen.people.sitting.machine import Machine

_NUMBERS = {5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def seats_text(seats: Mapping[int, Machine | None]) -> str:
    """Who plays which colour, from the view of the person at the board."""
    black, white = seats[BLACK], seats[WHITE]
    if black is None and white is None:
        return "Two people play, Black first."
    if black is not None and white is not None:
        return f"{black.name} is Black, {white.name} is White."
    machine, colour = (white, BLACK) if black is None else (black, WHITE)
    assert machine is not None
    opponent = COLOUR_NAMES[opponent_of(colour)]
    return f"You are {COLOUR_NAMES[colour]}, {machine.name} is {opponent}."


def outcome_text(
    outcome: Outcome, last: Move | None, height: int, seats: Mapping[int, Machine | None]
) -> str:
    """Who won, and by what; `last` is the last move, if there is one, `seats` are those at the
    end of the game."""
    if outcome.termination is Termination.FULL:
        return "The board is full and neither side has won: a draw."
    winner = COLOUR_NAMES[outcome.winner]
    machine = seats[outcome.winner]
    if machine is not None:
        winner += f" ({machine.name})"
    elif list(seats.values()).count(None) == 1:
        winner += " (you)"
    if outcome.termination is Termination.RESIGNED:
        return f"{winner} wins: {COLOUR_NAMES[opponent_of(outcome.winner)]} has resigned."
    if outcome.detail:
        loser = seats[opponent_of(outcome.winner)]
        name = COLOUR_NAMES[opponent_of(outcome.winner)] if loser is None else loser.name
        return f"{winner} wins: {name} {outcome.detail}."
    if outcome.termination is Termination.TIMEOUT:
        return f"{winner} wins: {COLOUR_NAMES[opponent_of(outcome.winner)]} has no time left."
    if outcome.foul:
        assert last is not None
        point = point_name((last.x, last.y), height)
        return f"{winner} wins: Black made {foul_name(outcome.foul)} at {point}."
    if outcome.termination is Termination.FORBIDDEN:
        return f"{winner} wins: every empty point is forbidden for Black."
    count = len(outcome.line)
    row = f"{_NUMBERS[count]} in a row"
    if count > 5:
        row = f"an overline, {row}"
    return f"{winner} wins with {row}: {point_names(outcome.line, height)}."
