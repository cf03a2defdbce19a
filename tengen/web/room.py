"""One game at the board in the browser, for all pages that show it.

Messages to a page are JSON objects with a `kind`: "players" (who can be chosen), "state"
(view.state), "thinking" while a program searches, "analysis" (analysis.Analyst), "hint", "note" (a
text for people) and "error" (why a wish was not carried out).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from engine.model import Info
from tengen.rules.points import point_name
from tengen.rules.referee import BLACK, COLOUR_NAMES, WHITE, opponent_of
from tengen.sitting.advice import value_text
from tengen.sitting.game import Game
from tengen.sitting.machine import TENGEN, Level, Machine, names
from tengen.sitting.opening import Agreed, agreed_text
from tengen.sitting.sitting import Failed, Hint, Moved, Seats, Sitting
from tengen.web.analysis import Analyst
from tengen.web.view import state
from tengen.web.wishes import YOU, Analyse, New, Play, Wish, Word, read_wish

# Sends a message to one page; must not raise.
Send = Callable[[str], None]
# A program's report is passed on when so much time has passed since the last one.
REPORT_S = 0.1


class Room:
    """A sitting with the pages that show it. All methods belong to one thread."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._pages: list[Send] = []
        self._told: dict[str, Any] = {}
        self._hint: dict[str, Any] | None = None
        self._reported_s = 0.0
        self._analyst = Analyst()
        self._analysis: dict[str, Any] | None = None

    @property
    def sitting(self) -> Sitting:
        """The sitting now; a new game has another one."""
        return self._sitting

    # -- pages

    def join(self, send: Send) -> None:
        """A page comes, and is told everything."""
        self._pages.append(send)
        send(_message("players", {"names": [YOU, *names()]}))
        send(_message("state", self._state()))
        if self._hint is not None:
            send(_message("hint", self._hint))
        if self._analysis is not None:
            send(_message("analysis", self._analysis))

    def leave(self, send: Send) -> None:
        """A page goes; the game goes on."""
        if send in self._pages:
            self._pages.remove(send)

    def hear(self, text: str | bytes, send: Send) -> None:
        """A page wishes something. What is not possible is told to that page alone, in one line,
        and nothing changes."""
        try:
            self._carry_out(read_wish(text))
        except ValueError as error:
            send(_message("error", {"text": str(error)}))
        else:
            self._tell_state()

    # -- the game

    def step(self) -> None:
        """Lets programs begin, and takes what they have found; to be called again and again."""
        sitting = self._sitting
        if sitting.thinking is None and sitting.program_to_move is not None and self._pages:
            sitting.start_move()
            self._reported_s = 0.0
            self._tell_state()
        thinking = sitting.thinking
        is_busy = thinking is not None or sitting.program_to_move is not None
        report = self._analyst.look(sitting.game, is_busy or not self._pages)
        if report is not None:
            self._analysis = report
            self._tell("analysis", report)
        if thinking is None:
            return
        event = sitting.collect()
        if event is None:
            if thinking.elapsed_s - self._reported_s >= REPORT_S:
                self._reported_s = thinking.elapsed_s
                told = {"elapsed_s": round(thinking.elapsed_s, 1), "name": thinking.name}
                if thinking.info is not None and sitting.people != frozenset((BLACK, WHITE)):
                    told |= self._value(thinking.info)
                self._tell("thinking", told)
            return
        self._tell_state()
        match event:
            case Hint():
                self._hint = self._hint_of(event)
                self._tell("hint", self._hint)
            case Failed():
                self._tell("note", {"text": event.text})
            case Agreed():
                self._tell("note", {"text": agreed_text(event, sitting.stage, sitting.game.height)})
            case Moved():
                pass

    def record(self, ending: str) -> str:
        """The game as the text of a file; `ending` is ".sgf" or ".psq"."""
        return self._sitting.file_text(ending)

    def close(self) -> None:
        """Ends all programs."""
        self._analyst.close()
        self._sitting.close()

    def _carry_out(self, wish: Wish) -> None:
        sitting = self._sitting
        match wish:
            case Play():
                sitting.play(wish.cell)
            case New():
                self._begin(wish)
            case Analyse():
                self._analyst.set_lines(wish.lines)
                self._analysis = None
            case Word("undo"):
                sitting.undo()
            case Word("redo"):
                sitting.redo(1)
            case Word("hint"):
                sitting.start_hint()
                self._reported_s = 0.0
            case Word("now"):
                if sitting.thinking is None:
                    raise ValueError("no program is thinking")
                sitting.move_now()
            case Word("go"):
                sitting.go()
            case Word("wait"):
                sitting.wait()
            case Word():
                sitting.swap()

    def _begin(self, new: New) -> None:
        sitting = new_sitting(new)
        self._sitting.close()
        self._sitting = sitting

    def _hint_of(self, hint: Hint) -> dict[str, Any]:
        point = point_name(hint.cell, self._sitting.game.height)
        reasons = ", ".join(hint.reasons) or "a quiet move"
        line = [[x, y] for x, y in hint.info.pv]
        return {
            "cell": list(hint.cell),
            "line": line,
            "text": f"Hint: {point}, {reasons}; {hint.value}.",
        }

    def _value(self, info: Info) -> dict[str, Any]:
        mover = self._sitting.game.to_move
        value = value_text(info.score, COLOUR_NAMES[mover], COLOUR_NAMES[opponent_of(mover)])
        return {"depth_plies": info.depth_plies, "value": value}

    # -- telling

    def _state(self) -> dict[str, Any]:
        return state(self._sitting) | {"line_count": self._analyst.line_count}

    def _tell_state(self) -> None:
        """Tells all pages the state, if it is another one than before."""
        told = self._state()
        if told == self._told:
            return
        if told["cells"] != self._told.get("cells"):
            self._hint = self._analysis = None
        self._told = told
        self._tell("state", told)

    def _tell(self, kind: str, content: dict[str, Any]) -> None:
        message = _message(kind, content)
        for send in list(self._pages):
            send(message)


def new_sitting(new: New) -> Sitting:
    """A sitting for a new game. ValueError for what is not possible."""
    seats: Seats = {}
    for colour, name in zip((BLACK, WHITE), new.seats, strict=True):
        if name == YOU:
            seats[colour] = None
        elif name == TENGEN:
            seats[colour] = Machine(name, strength_level=new.level)
        else:
            seats[colour] = Machine(name, seed=colour)
    game = Game(new.width, new.height, new.rule)
    return Sitting(game, seats, Level(new.time_s), opening=new.opening)


def _message(kind: str, content: dict[str, Any]) -> str:
    return json.dumps({"kind": kind, **content}, separators=(",", ":"))
