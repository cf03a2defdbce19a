"""Sentences about a game, for every front end: who plays, who won, what a move does, its value.

What a stone does comes from the referee alone, so it is right for every rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.model import Score
from engine.text import point_name, point_names
from tengen.game.record.game import Move
from tengen.game.record.termination import Termination
from tengen.game.rules.referee import BLACK, COLOUR_NAMES, WHITE, Cell, Referee, opponent_of
from tengen.game.rules.threats import five_points, open_four_points
from tengen.people.sitting.game import Game, Outcome, foul_name
from tengen.people.sitting.machine import Machine

# From so many centi-stones on a side "stands better", or "stands much better".
_BETTER, _MUCH_BETTER = 60, 250
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


def what_it_does(board: Referee, cell: Cell, colour: int) -> list[str]:
    """What a stone of `colour` on the empty cell does, the most important first: it wins, stops a
    five, threatens one, stops or threatens an open four. Empty for a quiet move."""
    height = board.height
    if board.makes_win(*cell, colour):
        return ["wins at once"]
    opponent = opponent_of(colour)
    does = []
    if board.legal(*cell) and board.makes_win(*cell, opponent):
        does.append("stops a five")
    stoppable = set() if does else open_four_points(board, opponent)
    own_before = open_four_points(board, colour, around=cell)
    board.play(*cell, colour)
    try:
        fives = five_points(board, board.empties(), colour)
        if len(fives) > 1:
            does.append(f"threatens a five at {' and '.join(_names(fives, height))}")
        elif fives:
            does.append(f"makes a four: {_names(fives, height)[0]} would be five")
        else:
            new = open_four_points(board, colour, around=cell) - own_before
            if new:
                does.append(f"makes a three: {_names(new, height)[0]} would be an open four")
        if stoppable and not open_four_points(board, opponent) & stoppable:
            does.append("stops an open four")
    finally:
        board.undo()
    return does


def value_text(score: Score, to_move: int) -> str:
    """A value for the side to move in words; only the winner's moves are counted."""
    mover, opponent = COLOUR_NAMES[to_move], COLOUR_NAMES[opponent_of(to_move)]
    plies = score.mate_plies
    if plies is not None:
        moves = (abs(plies) + 1) // 2
        within = f"within {moves} moves" if moves > 1 else "with the next move"
        return f"{mover} wins {within}" if plies > 0 else f"{opponent} can win {within}"
    if abs(score.value) < _BETTER:
        return f"about even ({score.value:+d})"
    better = mover if score.value > 0 else opponent
    much = "much " if abs(score.value) >= _MUCH_BETTER else ""
    return f"{better} stands {much}better ({score.value:+d})"


def hint_text(game: Game, cell: Cell, score: Score) -> str:
    """A hint in a sentence: the move, what it does, and its value."""
    does = ", ".join(what_it_does(game.board, cell, game.to_move)) or "a quiet move"
    value = value_text(score, game.to_move)
    return f"Hint: {point_name(cell, game.height)}, {does}; {value}."


def _names(cells: Iterable[Cell], height: int) -> list[str]:
    return [point_name(cell, height) for cell in sorted(cells)]
