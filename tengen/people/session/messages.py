"""Sentences about a game, for every front end: who plays, who won, what a move does, its value.

What a stone does comes from the referee alone, so it is right for every rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.model import Score
from engine.text import point_name
from tengen.common.translation import Sentence, listed, parts_of, sentence_of, tr
from tengen.game.played import Move, Termination
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE, Cell, Referee, opponent_of
from tengen.game.rules import five_points, open_four_points
from tengen.people.session.engine_player import EnginePlayer
from tengen.people.session.game import FOUL_NAMES, Game, Outcome

# What is refused below the session, in the words of those layers: a page says it in its language.
_ANY = dict.fromkeys(
    "column error name number other point points rows side size square wanted".split(), ""
)
_REFUSALS = (
    tr("the opening does not let the players change sides now"),
    tr("two stones can be added only in swap2, after the first three"),
    tr(
        "how many fifth moves are offered is said in Soosyrv-8 before the fourth move,"
        " in Taraguchi-10 instead of the fifth"
    ),
    tr("say first how many fifth moves Black offers: 1 to {number}", **_ANY),
    tr("{number} fifth moves cannot be offered here; say {wanted}", **_ANY),
    tr("{point} is not possible: stone {number} stands in the central {square} square", **_ANY),
    tr("{point} is not possible: stone {number} stands in the middle", **_ANY),
    tr("{point} is offered already; choose another point", **_ANY),
    tr("{point} is the same as {other}, turned or mirrored", **_ANY),
    tr("{point} is not offered; take one of {points}", **_ANY),
    tr("{name} is an opening of renju on 15x15", **_ANY),
    tr("there is no program {name}", **_ANY),
    tr("the command is empty; expected one that starts a program"),
    tr("a comment of more than {number} characters stays as it is", **_ANY),
    tr("is empty; expected points such as h8i9 or 7,7 8,8, or a file"),
    tr("is not text"),
    tr("is not a file of RenLib"),
    tr("{point} is not a point; expected points such as h8 i9 or 7,7 8,6", **_ANY),
    tr("{point} is occupied by move {number}; expected an empty point", **_ANY),
    tr(
        "{point} is not on this {size} board; try {other};"
        " the last column is {column}, rows are 1 to {rows} from the bottom",
        **_ANY,
    ),
    tr("board {size}: sides must be 5 to 22", **_ANY),
    tr("move {number} is {side}'s, but it is {other}'s turn", **_ANY),
    tr("sgf: move {number} is played on a stone", **_ANY),
    tr("sgf: cannot be read from {point} on", **_ANY),
    tr("move {number}: {error}", **_ANY),
    tr("the text: {error}", **_ANY),
    tr("{name}: {error}", **_ANY),
)
# From so many centi-stones on a side "stands better", or "stands much better".
_BETTER, _MUCH_BETTER = 60, 250
_ROWS = {
    5: tr("five in a row"),
    6: tr("an overline, six in a row"),
    7: tr("an overline, seven in a row"),
    8: tr("an overline, eight in a row"),
    9: tr("an overline, nine in a row"),
}


def seats_text(seats: Mapping[int, EnginePlayer | None]) -> str:
    """Who plays which colour, from the view of the person at the board."""
    black, white = seats[BLACK], seats[WHITE]
    if black is None and white is None:
        return "Two people play, Black first."
    if black is not None and white is not None:
        return f"{black.name} is Black, {white.name} is White."
    player, colour = (white, BLACK) if black is None else (black, WHITE)
    assert player is not None
    opponent = COLOUR_NAMES[opponent_of(colour)]
    return f"You are {COLOUR_NAMES[colour]}, {player.name} is {opponent}."


def outcome_text(
    outcome: Outcome, last: Move | None, height: int, seats: Mapping[int, EnginePlayer | None]
) -> str:
    """Who won, and by what; `last` is the last move, if there is one, `seats` are those at the
    end of the game."""
    if outcome.termination is Termination.FULL:
        return tr("The board is full and neither side has won: a draw.")
    winner = COLOUR_NAMES[outcome.winner]
    loser = COLOUR_NAMES[opponent_of(outcome.winner)]
    player = seats[outcome.winner]
    if player is not None:
        winner = tr("{side} ({name})", side=winner, name=player.name)
    elif list(seats.values()).count(None) == 1:
        winner = tr("{side} (you)", side=winner)
    if outcome.termination is Termination.RESIGNED:
        return tr("{winner} wins: {loser} has resigned.", winner=winner, loser=loser)
    if outcome.detail:
        failed = seats[opponent_of(outcome.winner)]
        name = loser if failed is None else failed.name
        return tr(
            "{winner} wins: {loser} {failed}.", winner=winner, loser=name, failed=outcome.detail
        )
    if outcome.termination is Termination.TIMEOUT:
        return tr("{winner} wins: {loser} has no time left.", winner=winner, loser=loser)
    if outcome.foul:
        assert last is not None
        point = point_name((last.x, last.y), height)
        foul = FOUL_NAMES[outcome.foul]
        return tr(
            "{winner} wins: Black made {foul} at {point}.", winner=winner, foul=foul, point=point
        )
    if outcome.termination is Termination.FORBIDDEN:
        return tr("{winner} wins: every empty point is forbidden for Black.", winner=winner)
    row, ends = _ROWS[len(outcome.line)], (outcome.line[0], outcome.line[-1])
    points = "-".join(point_name(cell, height) for cell in ends)
    return tr("{winner} wins with {row}: {points}.", winner=winner, row=row, points=points)


def what_it_does(board: Referee, cell: Cell, colour: int) -> list[str]:
    """What a stone of `colour` on the empty cell does, the most important first: it wins, stops a
    five, threatens one, stops or threatens an open four. Empty for a quiet move."""
    height = board.height
    if board.makes_win(*cell, colour):
        return [tr("wins at once")]
    opponent = opponent_of(colour)
    does: list[str] = []
    if board.legal(*cell) and board.makes_win(*cell, opponent):
        does.append(tr("stops a five"))
    stoppable = set() if does else open_four_points(board, opponent)
    own_before = open_four_points(board, colour, around=cell)
    board.play(*cell, colour)
    try:
        fives = five_points(board, board.empties(), colour)
        if len(fives) > 1:
            points = listed(_names(fives, height))
            does.append(tr("threatens a five at {points}", points=points))
        elif fives:
            point = _names(fives, height)[0]
            does.append(tr("makes a four: {point} would be five", point=point))
        else:
            new = open_four_points(board, colour, around=cell) - own_before
            if new:
                point = _names(new, height)[0]
                does.append(tr("makes a three: {point} would be an open four", point=point))
        if stoppable and not open_four_points(board, opponent) & stoppable:
            does.append(tr("stops an open four"))
    finally:
        board.undo()
    return does


def value_text(score: Score, to_move: int) -> str:
    """A value for the side to move in words; only the winner's moves are counted."""
    mover, opponent = COLOUR_NAMES[to_move], COLOUR_NAMES[opponent_of(to_move)]
    plies = score.mate_plies
    if plies is not None:
        moves = (abs(plies) + 1) // 2
        if moves > 1 and plies > 0:
            return tr("{side} wins within {moves} moves", side=mover, moves=moves)
        if moves > 1:
            return tr("{side} can win within {moves} moves", side=opponent, moves=moves)
        if plies > 0:
            return tr("{side} wins with the next move", side=mover)
        return tr("{side} can win with the next move", side=opponent)
    value = f"{score.value:+d}"
    if abs(score.value) < _BETTER:
        return tr("about even ({value})", value=value)
    better = mover if score.value > 0 else opponent
    if abs(score.value) < _MUCH_BETTER:
        return tr("{side} stands better ({value})", side=better, value=value)
    return tr("{side} stands much better ({value})", side=better, value=value)


def hint_text(game: Game, cell: Cell, score: Score) -> str:
    """A hint in a sentence: the move, what it does, and its value."""
    does = what_it_does(game.board, cell, game.to_move) or [tr("a quiet move")]
    value, point = value_text(score, game.to_move), point_name(cell, game.height)
    return tr("Hint: {point}, {does}; {value}.", point=point, does=does, value=value)


def refusal_text(error: Exception) -> str:
    """Why something is refused, as a sentence where its words are known."""
    said = sentence_of(error)
    return said if isinstance(said, Sentence) else parts_of(said, _REFUSALS)


def _names(cells: Iterable[Cell], height: int) -> list[str]:
    return [point_name(cell, height) for cell in sorted(cells)]
