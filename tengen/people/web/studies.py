"""What the page can ask about a position or a game, as values of JSON: a review of the game, forced
wins with their proof and what stops them, threats, and what each cell adds to the static value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.api import Engine
from engine.breakdown import break_down
from engine.model import Info, Limits, ProofNode, Score, win_chance
from engine.net import NetFiles
from engine.text import point_name
from tengen.common.translation import tr
from tengen.game.game import Game as FileGame
from tengen.game.node import first_properties
from tengen.game.position import Position
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE, Cell, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.game.values import Json, Record
from tengen.people.session.engine_player import position_of
from tengen.people.session.game import Game
from tengen.people.web.work import Progress
from tengen.study.analysis import threats_of, threats_record
from tengen.study.options import Resources
from tengen.study.results import Defences, Solution, cells_of, percent
from tengen.study.review import (
    FOUL,
    INACCURATE,
    Review,
    ReviewedMove,
    accuracy_text,
    step_text,
    turn_texts,
)
from tengen.study.reviewer import WINS, Budget, TellChance, before, review
from tengen.study.show import shares_of, values_of
from tengen.study.solver import VCT, Effort, check_answer, defend, solve

# For a whole game.
REVIEW = Budget(30_000)
# A loss of the chance to win above it is a mistake, as in `tengen analyze`.
_THRESHOLD = 0.2
EFFORT = Effort(VCT, time_ms=10_000)
# For each of the two searches that judge a move.
TRIAL = Limits(turn_ms=1500, is_analysis=True)
# Moves that answer a try.
_REPLY_MOVES = 1
# Proofs with more nodes are not sent; their longest line is.
_MOST_NODES = 20_000
_CHECKED_STONES = 50_000
# Shares of the policy below are not shown.
_LEAST_SHARE = 0.005


def record_of(game: Game) -> FileGame:
    """The game with the moves that were taken back."""
    moves = (*game.moves, *game.undone)
    info = {"RU": RULE_TITLES[game.rule], "PL": COLOUR_NAMES[game.first][0]}
    if game.outcome is not None and game.outcome.winner:
        info["RE"] = f"{COLOUR_NAMES[game.outcome.winner][0]}+"
    first = first_properties(info, (game.width, game.height), game.setup)
    return FileGame.of("", first, ((move.x, move.y, move.colour) for move in moves))


def position_on(game: Game) -> Position:
    """The position on the board. ValueError if the game is over."""
    position = game.position()
    if position.is_over:
        raise ValueError("the game is over")
    return position


def reviewed(
    game: FileGame, resources: Resources, tell: Progress, tell_chance: TellChance
) -> Review:
    """The game gone through. ValueError for a game without moves."""
    brain = resources.give(Engine())
    return review(brain, Engine(), "the game", game, REVIEW, _THRESHOLD, tell, tell_chance)


def is_finding(step: ReviewedMove) -> bool:
    """Is the move marked, and not the one that the search itself prefers?"""
    return step.kind == FOUL or bool(step.kind and step.better)


def review_record(found: Review) -> Record:
    """A review with a chance for every move and the moves that are marked."""
    marked: list[Record] = [
        {
            "number": step.number,
            "kind": step.kind,
            "text": step_text(step),
            "loss": round(step.loss, 4),
            "better": step.better,
        }
        for step in found.moves
        if is_finding(step)
    ]
    return {
        "cells": [[x, y] for x, y, _ in found.stones],
        "chances": {str(step.number): round(step.black_chance, 4) for step in found.moves},
        "marked": marked,
        "sentences": [*turn_texts(found), accuracy_text(found)],
    }


def known_loss(found: Review | None, line: Sequence[Cell]) -> float | None:
    """What the last move of a line has lost, if a review has marked it in its game; else None."""
    number = len(line)
    if found is None or list(line) != [stone[:2] for stone in found.stones[:number]]:
        return None
    marked = (step.loss for step in found.moves if step.number == number and is_finding(step))
    return next(marked, None)


def tried(game: Game, resources: Resources, tell: Progress, known: float | None = None) -> Record:
    """How good the last move of the game is, without a word about better ones, and how the opponent
    answers it (`reply`). `known` is what it has lost by a review, which is then the least."""
    move = game.moves[-1]
    before_it = game.copy(game.moves[:-1])
    brain = resources.give(Engine())

    def searched(position: Game) -> Info:
        brain.set_position(position_of(position))
        return brain.think(TRIAL).info

    step = tr("your move")
    tell(step, 0, 2)
    # The later position first: what it shows helps the search of the earlier one.
    if game.outcome is None:
        answer = searched(game)
        played, reply = before(answer.score), answer.pv[:_REPLY_MOVES]
    else:
        reply = ()
        played = Score(0, 1) if game.outcome.winner == move.colour else Score(0)
    tell(step, 1, 2)
    best = max(played, searched(before_it).score)
    loss = max(win_chance(best) - win_chance(played), known or 0.0)
    is_good = known is None and loss <= _THRESHOLD * INACCURATE
    text = tr(
        "{side}'s {point} {lost}. {advice}.",
        side=COLOUR_NAMES[move.colour],
        point=point_name((move.x, move.y), game.height),
        lost=tr("loses nothing")
        if loss < 0.005
        else tr("loses {share} of the chance to win", share=percent(loss)),
        advice=tr("Well done") if is_good else tr("Try another move"),
    )
    return {"loss": round(loss, 4), "is_good": is_good, "text": text, "reply": reply}


# What the solver is asked, and its answer.
Question = Callable[[Position, Progress], tuple[Record, Defences | None]]


def solved(position: Position, tell: Progress) -> tuple[Record, None]:
    """The forced win of the side to move, by threats."""
    tell(WINS, 0, 0)
    answer = solve(Engine(), position, EFFORT)
    return _win(position, answer) if answer.is_win else _no_win(position.side, answer), None


def defended(position: Position, tell: Progress) -> tuple[Record, Defences]:
    """Which moves of the side to move stop the win that the opponent, the `side`, would have if it
    were its turn: `moves` do, `unknown` were not decided, `refuted` do not, those first that last
    longest. Any other move changes nothing about the win."""
    tell(WINS, 0, 0)
    found = defend(Engine(), position, EFFORT)
    side = opponent_of(position.side)
    if not found.threat.is_win:
        return _no_win(side, found.threat), found
    refuted = sorted(found.refuted, key=lambda point: -(found.refuted[point].plies or 0))
    text = tr(
        "{side} threatens to win with stone {number}."
        " Moves that stop it: {count}; undecided: {unknown}.",
        side=COLOUR_NAMES[side],
        number=found.threat.plies or 0,
        count=len(found.moves),
        unknown=len(found.unknown),
    )
    moves = {"moves": found.moves, "unknown": found.unknown, "refuted": refuted}
    told: Record = {"side": COLOUR_NAMES[side].lower(), "text": text}
    return told | {kind: cells_of(points) for kind, points in moves.items()}, found


def refutation(position: Position, found: Defences, cell: Cell) -> Record:
    """The win of the opponent after a move that does not stop it, the `first` of the line.
    ValueError for a move that ends the game."""
    position = position.copy()
    move = position.point(cell)
    position.play(move)
    if position.is_over:
        raise ValueError("the game is over")
    return _win(position, found.refuted.get(move, found.threat)) | {"first": cell}


def _no_win(side: int, answer: Solution) -> Record:
    name = COLOUR_NAMES[side]
    if answer.limit == "time":
        seconds = (EFFORT.time_ms or 0) // 1000
        return {
            "text": tr(
                "No forced win of {side} was found within {seconds} s.", side=name, seconds=seconds
            )
        }
    return {"text": tr("No forced win of {side} was found by threats.", side=name)}


def _win(position: Position, answer: Solution) -> Record:
    """A win of the side to move with its proof as a list of nodes.

    A node is [the attacker's move, [[defence, node], ...], node for all other defences or -1]; the
    first one is the root. `nodes` is empty where the proof is too large to be sent.
    """
    side = COLOUR_NAMES[position.side]
    is_checked = check_answer(position, answer, _CHECKED_STONES).ok
    text = tr(
        "{side} wins with stone {number} at the latest; {checked}.",
        side=side,
        number=answer.plies or 0,
        checked=tr("the referee has checked the proof")
        if is_checked
        else tr("too long to check in full"),
    )
    return {"side": side.lower(), "text": text, "nodes": _nodes(answer)}


def threats(game: Game) -> Record:
    """Where each side wins at once, and where it gets two points to win at or more."""
    told: Record = {}
    for colour in (BLACK, WHITE):
        told[COLOUR_NAMES[colour].lower()] = threats_record(threats_of(game.board, colour))
    return told


def cell_values(position: Position) -> Record:
    """What each empty cell adds to the static value, for the side to move in centi-stones, and how
    promising each move looks before any search, as a share of all."""
    model = position.to_model()
    net, _ = NetFiles().find(model.rule)
    found = break_down(model, net)
    shares = shares_of(found.policy) if found.policy else {}
    return {
        "value": found.value,
        "cells": [[x, y, value] for (x, y), value in values_of(found).items() if value],
        "policy": [
            [x, y, round(share, 4)] for (x, y), share in shares.items() if share >= _LEAST_SHARE
        ],
    }


def _nodes(answer: Solution) -> list[list[Json]]:
    """The nodes of the proof; shared ones once."""
    if answer.proof is None:
        return []
    numbers: dict[int, int] = {}
    nodes: list[ProofNode] = []
    waiting = [answer.proof]
    while waiting:
        node = waiting.pop()
        if id(node) in numbers:
            continue
        numbers[id(node)] = len(nodes)
        nodes.append(node)
        if len(nodes) > _MOST_NODES:
            return []
        waiting += node.replies.values()
        if node.otherwise is not None:
            waiting.append(node.otherwise)
    return [
        [
            node.move,
            [(cell, numbers[id(then)]) for cell, then in node.replies.items()],
            -1 if node.otherwise is None else numbers[id(node.otherwise)],
        ]
        for node in nodes
    ]
