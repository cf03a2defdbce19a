"""What the page is told: messages, JSON objects with a `kind`, and the state of a session.

players, state, clock          who can be chosen, and how the game stands (`state`)
tree, nodes, remarks           its lines; those that are new; what is written here (tree.py)
thinking, analysis, hint       what programs find
work, review, proof, tried     work that takes long: its progress, and what came out of it
threats, cell_values, games, explored, runs    answers to the page that asked
puzzle                         the puzzle on the board, and how many were solved
note, error                    a text for people, and why a request was not carried out
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NewType

from tengen.common.translation import tr, with_parts
from tengen.game.files.formats import games_in
from tengen.game.game import Game as FileGame
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE
from tengen.game.rules import RULE_TEXTS, RULE_TITLES
from tengen.game.values import Record, json_text
from tengen.people.session.engine_player import names
from tengen.people.session.game import Game, steps_forward
from tengen.people.session.players import YOU, key_of
from tengen.people.session.session import GameSession

# What a page is told: made by `message` alone.
Message = NewType("Message", str)
# Sends a message to one page; must not raise.
Send = Callable[[Message], None]
# Parts of messages that can be long and have no sentences.
_BARE = ("nodes", "cells", "ahead", "policy", "line")


def message(kind: str, content: Record) -> Message:
    """A message, where each sentence is told by its parts."""
    told = {key: value if key in _BARE else with_parts(value) for key, value in content.items()}
    return Message(json_text({"kind": kind, **told}, is_compact=True))


class Pages:
    """The pages that are open, and what all of them show.

    all      how to send to each of them; `guests`, those on other devices.
    left_at  nobody has looked at any since then, by the monotonic clock; None = somebody looks.
    shown    what they show, by the kind of its message; a page that comes later is told it too.
    """

    def __init__(self) -> None:
        self.all: list[Send] = []
        self.guests: set[Send] = set()
        self.left_at: float | None = time.monotonic()
        self.shown: dict[str, Record] = {}
        self._away: set[Send] = set()

    def add(self, send: Send, is_guest: bool) -> None:
        """A page comes, and somebody looks at it."""
        self.all.append(send)
        if is_guest:
            self.guests.add(send)
        self.look(send)

    def remove(self, send: Send) -> None:
        """An open page goes."""
        self.all.remove(send)
        self.guests.discard(send)
        self.look(send)

    def look(self, send: Send, is_away: bool = False) -> None:
        """Somebody turns to a page, or away from it."""
        (self._away.add if is_away else self._away.discard)(send)
        if any(page not in self._away for page in self.all):
            self.left_at = None
        elif self.left_at is None:
            self.left_at = time.monotonic()

    def tell(self, kind: str, content: Record) -> None:
        """Sends a message to all of them."""
        told = message(kind, content)
        for send in list(self.all):
            send(told)

    def note(self, text: str) -> None:
        """Tells all of them a text for people."""
        self.tell("note", {"text": text})

    def show(self, kind: str, content: Record) -> None:
        """Tells what all of them are to show, unless they do so already."""
        if content != self.shown.get(kind):
            self.shown[kind] = content
            self.tell(kind, content)

    def forget(self, *kinds: str) -> None:
        """Pages that come later are not told these."""
        for kind in kinds:
            self.shown.pop(kind, None)


def players(threads: int, memory_mib: int) -> Record:
    """What can be chosen; `most`, for an analysis."""
    return {
        "names": [YOU, *names()],
        "rules": [*RULE_TITLES.items()],
        "most": {"threads": threads, "memory_mib": memory_mib},
    }


RESULTS = {
    "black": tr("Black won"),
    "white": tr("White won"),
    "draw": tr("drawn"),
    "library": tr("a library"),
}
# Of a name in a file; its first characters are shown.
MOST_NAME = 100
_WAYS = {
    "swap": tr("Or change sides."),
    "add": tr("Or add two stones and let the other player choose."),
    "fifths": tr("First choose how many fifth moves Black offers."),
    "ten": tr("Or offer ten fifth moves."),
}


def state(session: GameSession, is_working: bool) -> Record:
    """All that changes only with the position, the players or who thinks.

    cells      the moves in the order of play, as [column, row] from the top left; `ahead`, those
               that can be brought back, the next one first.
    setup      the stones before the first move, as [column, row, "black" or "white"], and `first`,
               who makes it.
    clock_s    how long each side may think in all; None = without limit.
    begins     the opening rule, None = none; `opener`: the colour now of who began, "" = nobody.
    players    who plays each colour, as a request names them; `names`, a person's as the file has
               it; `level`, of a Tengen that plays, or None.
    turn       "you", "program", "waiting" (for go) or "over"; `won`: by whom, "" by nobody.
    fouls      what renju forbids Black, also while White is to move: [column, row, reason].
    opening    what a person has to do in the opening, in sentences with their values; empty when it
               is over. `asked`: the colour of the player who is asked, "" after it; `fifths`: how
               many fifth moves can be offered, `named` how many have to be, 0 = nobody has said
               it; `offered`: those that are.
    can_balance  Tengen would play balanced moves now.
    can        what the buttons would do now, by the word that each sends; is_working: a review or
               the search for a win is under way.
    """
    game = session.game
    return {
        "width": game.width,
        "height": game.height,
        "rule": game.rule,
        "rule_title": RULE_TITLES[game.rule],
        "rule_text": RULE_TEXTS[game.rule],
        "cells": game.cells,
        "ahead": [[move.x, move.y] for move in game.undone],
        "setup": [[x, y, COLOUR_NAMES[colour].lower()] for x, y, colour in game.setup],
        "first": COLOUR_NAMES[game.first].lower(),
        "clock_s": session.clock_s,
        "begins": session.opening.value if session.opening else None,
        "opener": COLOUR_NAMES.get(session.first_colour, "").lower(),
        "players": {"black": key_of(session.seats[BLACK]), "white": key_of(session.seats[WHITE])},
        "level": next((p.level for p in session.seats.values() if p and p.level), None),
        "names": {"black": _name(session, BLACK), "white": _name(session, WHITE)},
        "to_move": COLOUR_NAMES[game.to_move].lower(),
        "turn": turn(session),
        "is_hinting": session.is_hinting,
        "thinks": "" if session.thinking is None else session.thinking.name,
        "line": () if game.outcome is None else game.outcome.line,
        "outcome": session.outcome_text(),
        "won": COLOUR_NAMES.get(game.outcome.winner, "").lower() if game.outcome else "",
        "fouls": _fouls(game),
        **_opening(session),
        "can_balance": turn(session) == "you" and session.ask is None and session.thinking is None,
        "can": _can(session, is_working),
    }


def _opening(session: GameSession) -> Record:
    ask = session.ask
    is_yours = turn(session) == "you"
    return {
        "opening": session.to_do(_WAYS),
        "asked": COLOUR_NAMES[ask.actor].lower() if ask is not None and ask.actor else "",
        "fifths": ask.fifths if ask is not None and is_yours else (),
        "named": 0 if ask is None else ask.named,
        "offered": () if ask is None else ask.offered,
    }


def _can(session: GameSession, is_working: bool) -> dict[str, bool]:
    """What the buttons would do now, by the word that each sends."""
    game, thinking = session.game, session.thinking
    whose, ask = turn(session), session.ask
    is_on = game.outcome is None
    return {
        "undo": session.can_undo,
        "redo": bool(steps_forward(game, session.people, turns=1).stones),
        "hint": whose == "you" and thinking is None,
        "now": thinking is not None and thinking.can_hurry,
        "go": whose == "waiting",
        "wait": not session.people and whose == "program",
        "swap": session.may_swap,
        "add": ask is not None and ask.may_add and whose == "you",
        "resign": bool(session.people and game.moves) and is_on,
        "solve": is_on and not is_working,
        "defend": is_on and not is_working,
        "review": bool(game.moves or game.undone) and not is_working,
        "enough": is_working,
        "cut": bool(game.moves) and ask is None,
        "promote": bool(game.moves),
    }


def runs_in(text: str, name: str) -> list[Record] | None:
    """The games of a run or a file of games to choose from; None for any other text, and where
    there is only one. ValueError, with the name of the text, if it cannot be read."""
    try:
        games = games_in(text, name)
    except ValueError as error:
        raise ValueError(f"{name}: {str(error).removeprefix(f'{name}, ')}") from None
    if games is None or len(games) == 1:
        return None
    return [{"number": n, "text": _game_text(game)} for n, game in enumerate(games, start=1)]


def _game_text(game: FileGame) -> list[str]:
    if game.match is not None:
        return _listed(game.names, len(game), RESULTS[game.said_result or "draw"])
    names = [name.strip() or "?" for name in game.names]
    moves = sum(1 for _ in game.root.main_line()) - 1
    return _listed(names, moves, (game.root.text("RE") or "")[:MOST_NAME])


def _listed(names: Sequence[str], moves: int, result: str) -> list[str]:
    players = " - ".join(name[:MOST_NAME] for name in names)
    return [players, moves_text(moves), *filter(None, [result])]


def moves_text(count: int) -> str:
    """So many moves, in words."""
    return tr("one move") if count == 1 else tr("{count} moves", count=count)


def turn(session: GameSession) -> str:
    """Whose turn it is, in a word: see `state`."""
    if session.game.outcome is not None:
        return "over"
    if session.program_to_move is not None:
        return "program"
    return "waiting" if session.is_waiting and session.acting is not None else "you"


def _name(session: GameSession, colour: int) -> str:
    if session.first_colour and len(session.people) == 2:
        return tr("First player") if colour == session.first_colour else tr("Second player")
    player = session.seats[colour]
    if player is not None:
        return player.name[:MOST_NAME]
    return session.game.names.get(colour, "")[:MOST_NAME] or tr("You")


def _fouls(game: Game) -> list[tuple[int, int, str]]:
    if not game.board.has_fouls or game.outcome is not None:
        return []
    return [(*cell, text) for cell in game.board.empties() if (text := game.foul_text(cell))]
