"""One game at the board in the browser, for all pages that show it."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from engine.api import Engine
from engine.model import Info, win_chance
from tengen.common.server import SparingLog
from tengen.common.translation import tr
from tengen.game.node import Node
from tengen.game.position import Position
from tengen.game.referee import BLACK, WHITE, Cell, Stone
from tengen.game.values import Record
from tengen.people.session.agreeing import Agreed, Failed, Hint, Moved, agreed_text
from tengen.people.session.engine_player import Level, PendingSearch
from tengen.people.session.messages import refusal_text, value_text
from tengen.people.session.session import PAUSE_S, GameSession
from tengen.people.web import begin, requests, studies
from tengen.people.web.analysis import TICK_S, Analyst
from tengen.people.web.explorer import Explorer, Practice
from tengen.people.web.library import Library
from tengen.people.web.requests import REQUESTS, BadRequest, Request, Word, read_request
from tengen.people.web.tree import Tree
from tengen.people.web.view import Pages, Send, message, players, state
from tengen.people.web.work import Progress, Reader, Work
from tengen.study.options import DEFAULT_MEMORY_MIB, Resources
from tengen.study.results import Defences
from tengen.study.review import Review, step_text

_T = TypeVar("_T")
# A program's report is passed on when so much time has passed since the last one.
REPORT_S = 0.1
# The analysis pauses when nobody has looked for so long.
AWAY_S = 300.0
# A look at the clock is so much late: who has no time left has lost then.
_LATE_S = 0.001
# What makes the position, among the values of the state.
_POSITION = ("width", "height", "rule", "setup", "first", "cells")


class Room:
    """A `session` with the pages that show it, and a library that keeps its games; a new game is
    another session. `log` gets lines of malformed messages, sparingly. `pause_s` comes after each
    move where programs play each other. While no page is open, nobody's clock runs. `resources` are
    for each search. All methods belong to one thread."""

    def __init__(
        self,
        session: GameSession,
        library: Library,
        log: Callable[[str], None] = lambda line: None,
        pause_s: float = PAUSE_S,
        resources: Resources = Resources(),  # noqa: B008
    ) -> None:
        self.session = session
        self._log = SparingLog(log)
        self._library = library
        self._explorer = Explorer(library)
        self._practice = Practice(self._explorer)
        self._pages = Pages()
        self._reported_s = 0.0
        # Called, in any thread, when `step` has something to do.
        self.on_news: Callable[[], None] = lambda: None
        self._resources = resources
        # Threads and MiB that an analysis may use: those of the machine, or of the command line.
        of_machine_mib = Engine().machine_bytes() // 2**20
        used_mib = resources.memory_mib or DEFAULT_MEMORY_MIB
        self._most = max(os.cpu_count() or 1, resources.threads), max(of_machine_mib, used_mib)
        self._analyst = Analyst(self._news, resources)
        self._work: Work | None = None
        self._take_found: Callable[[], None] = lambda: None  # what it has found so far
        self._reader = Reader(self._news)
        self._limit = ""
        self._unfinished = library.unfinished()  # a game to go on with, until another one begins
        self._pause_s = pause_s
        self._next_at = 0.0  # where programs play each other: not to go on before
        self._adopt(session)
        self.session.hold(True)
        self._watch_game()

    # -- pages

    def join(self, send: Send, is_guest: bool = False) -> None:
        """A page comes, and is told everything; a guest's is on another device."""
        self.session.hold(False)
        self._tell_state()
        self._tell_clock()
        self._pages.add(send, is_guest)
        send(message("players", players(*self._most)))
        send(message("tree", self._tree.whole()))
        for kind, content in self._pages.shown.items():
            send(message(kind, content))
        self._news()

    def leave(self, send: Send) -> None:
        """A page goes; the game goes on."""
        if send in self._pages.all:
            self._pages.remove(send)
            self.session.hold(not self._pages.all)
            self._news()

    def hear(self, text: str | bytes, send: Send) -> None:
        """A page requests something. What is not possible is told to that page alone, in one line,
        and nothing changes."""
        self._answer(lambda: self._carry_out(read_request(text), send), send)
        self._news()

    def _read(self, find: Callable[[], _T], then: Callable[[_T], None], send: Send) -> None:
        """Goes on with what was found, when it is."""

        def take(found: Future[_T]) -> None:
            self._answer(lambda: then(found.result()), send)

        self._reader.ask(find, take)

    def _answer(self, do: Callable[[], None], send: Send) -> None:
        try:
            do()
        except ValueError as error:
            if isinstance(error, BadRequest):
                self._log(f"a message was refused: {error}")
            send(message("error", {"text": refusal_text(error)}))
        else:
            self._tell_state()
            self._let_programs_play()

    # -- the game

    def step(self) -> float | None:
        """Lets programs begin, takes what they have found, and keeps the game. To be called after
        each `on_news`, and after so many seconds as it returns; None = not before."""
        self._reader.tell()
        self._let_programs_play()
        self._look_at_work()
        if self.session.check_clock():
            self._tell_state()
        self._tell_clock()
        self._library.keep(self.session, reader=self._reader)
        shown = self._pages.shown.get("state", {}).get("problem")
        if self._library.problem != shown:
            self._tell_state()
            if shown and not self._library.problem:
                self._pages.note(tr("The game is kept again."))
        return min(self._waits(), default=None)

    def _waits(self) -> Iterator[float]:
        """When there is something to do although nothing is found: in so many seconds."""
        session = self.session
        if (left_s := self._library.due_s()) is not None:
            yield left_s
        is_on = session.game.outcome is None and (self._pages.all or session.thinking is not None)
        if is_on and session.clock_s is not None:
            used_s = session.used_s(session.game.to_move)
            yield 1 - used_s % 1 + _LATE_S
            if used_s < session.clock_s:
                yield session.clock_s - used_s + _LATE_S
        if self._pages.all and session.thinking is not None:
            yield REPORT_S
        elif self._pages.all and session.program_to_move is not None:
            yield max(0.0, self._next_at - time.monotonic())
        if self._analyst.is_searching:
            if self._pages.left_at is None:
                yield TICK_S
            else:
                yield self._pages.left_at + AWAY_S - time.monotonic()

    def _news(self) -> None:
        self.on_news()

    def close(self) -> None:
        """Ends all programs; the game is kept."""
        self._give_up_work()
        self._analyst.stop()
        self._reader.close()
        self._library.keep(self.session, is_last=True)
        self.session.close()

    def _let_programs_play(self) -> None:
        session, left_at = self.session, self._pages.left_at
        if session.thinking is not None:
            self._collect(session.thinking)
        is_due = session.program_to_move is not None and time.monotonic() >= self._next_at
        if session.thinking is None and is_due and self._pages.all:
            session.start_move()
            self._tell_state()
        is_busy = session.thinking is not None or session.program_to_move is not None
        is_left = left_at is not None and time.monotonic() >= left_at + AWAY_S
        is_working = self._work is not None
        self._analyse(is_busy or is_working or is_left)
        session.ponder(left_at is None and not (is_working or self._analyst.line_count))

    def _collect(self, thinking: PendingSearch) -> None:
        """Takes what a program has found, or tells how far it is."""
        session = self.session
        event = session.collect()
        if event is None:
            self._report(thinking)
            return
        if isinstance(event, Hint | Moved):
            colour = event.move.colour if isinstance(event, Moved) else session.game.to_move
            self._set_chance(event.info, colour)
        if isinstance(event, Moved) and not session.people:
            self._next_at = time.monotonic() + self._pause_s
        self._tell_state()
        match event:
            case Hint():
                self._pages.show("hint", {"cell": event.cell, "text": event.text})
            case Failed():
                self._pages.note(event.text)
            case Agreed():
                self._pages.note(agreed_text(event, session.game.height))

    def _report(self, thinking: PendingSearch) -> None:
        """What a program has found so far; nothing of a hint that is looked for between people."""
        if abs(thinking.elapsed_s - self._reported_s) < REPORT_S:  # more, if that was another one
            return
        self._reported_s = thinking.elapsed_s
        told: Record = {"elapsed_s": round(thinking.elapsed_s, 1), "name": thinking.name}
        if thinking.info is not None and len(self.session.people) < 2:
            value = value_text(thinking.info.score, self.session.game.to_move)
            told |= {"depth_plies": thinking.info.depth_plies, "value": value}
        self._pages.tell("thinking", told)

    def _analyse(self, is_busy: bool) -> None:
        report = self._analyst.look(self.session.game, is_busy)
        if report is not None:
            assert isinstance(report["chance"], float)
            self._tree.set_chance(self.session.game.node, report["chance"])
            self._pages.show("analysis", report)

    def _carry_out(self, request: Request | Word, send: Send) -> None:
        session = self.session
        if send in self._pages.guests:
            begin.refuse_guest(request, session.seats)
        match request:
            case requests.Play():
                self._practice.play(session, (request.x, request.y), self._start)
            case requests.Find():
                find_games = partial(self._explorer.find, request)
                self._read(find_games, lambda found: send(message("games", found)), send)
            case requests.Known():
                self._open(lambda: self._explorer.session(request.game), send)
            case requests.Gather():
                self._start("add", partial(self._explorer.add, request.path, self._pages.note))
            case requests.Puzzle():
                find = partial(self._practice.find, request, session.game.rule, self._change_to)
                self._start("puzzle", find)
            case requests.New():
                self._change_to(begin.new_session(request, self._resources))
            case requests.Setup():
                self._change_to(begin.set_up_session(request))
            case requests.Open() | requests.File():
                self._open(lambda: begin.opened(request), send)
            case requests.Load():
                load = self._library.load
                self._open(lambda: begin.for_two(load(request.name).game), send)
            case requests.Resume():
                kept, load, use = self._unfinished, self._library.load, self._resources
                if kept is None:
                    raise ValueError(tr("there is no game to go on with"))
                level = Level(request.time_s, ponders=request.ponders)
                name = os.path.basename(kept.path)
                self._open(lambda: begin.resumed_session(load(name), level, use), send)
            case requests.Sit():
                level = Level(request.time_s, ponders=request.ponders)
                before = session.seats
                session.sit(begin.seats_of(request, self._resources, before), level)
                if session.seats != before:  # who plays on from a puzzle plays a game
                    self._practice.end()
                    session.is_kept = True
            case requests.Show():
                session.jump(request.cells)
            case requests.Fifths():
                session.name_fifths(request.number)
            case requests.Balance():
                session.start_balance(request.moves)
            case requests.Comment():
                self._tree.comment(request.node, request.text)
            case requests.Mark():
                self._tree.mark(request.node, (request.x, request.y), request.mark, request.text)
            case requests.Delete():
                self._library.delete(request.name, session)
                if self._unfinished and os.path.basename(self._unfinished.path) == request.name:
                    self._unfinished = None
                self._read(lambda: self._explorer.forget(request.name), lambda _: None, send)
            case requests.Analyse():
                self._analyst.set_lines(request.lines)
                self._pages.forget("analysis")
            case requests.Refute():
                self._refute(request, send)
            case requests.Try():
                self._begin_trial(request)
            case requests.Use():
                threads, mib = self._most
                if request.threads > threads or request.memory_mib > mib:
                    raise BadRequest(f"a search takes at most {threads} threads and {mib} MiB here")
                use = Resources(request.threads, request.memory_mib)
                self._analyst.use(use, request.limits(), request.near)
                self._limit = request.limit()
                self._pages.forget("analysis")
            case Word():
                words = self._words(send)
                if request.do not in words:
                    known = ", ".join((*words, *REQUESTS))
                    raise BadRequest(f"{request.do[:40]!r} cannot be done; there are {known}")
                words[request.do]()

    def _words(self, send: Send) -> dict[str, Callable[[], object]]:
        """What requests without anything else in them do, by their words: those of the buttons in
        page.html, and questions of the page."""
        session = self.session
        game = session.game
        return {
            "undo": session.undo,
            "redo": session.redo,
            "hint": self._start_hint,
            "now": session.move_now,
            "go": session.go,
            "wait": session.wait,
            "swap": session.swap,
            "add": session.add,
            "resign": session.resign,
            "review": self._review,
            "solve": lambda: self._ask_solver("solve", studies.solved),
            "defend": lambda: self._ask_solver("defend", studies.defended),
            "enough": self._give_up_work,
            "away": lambda: self._pages.look(send, is_away=True),
            "here": lambda: self._pages.look(send),
            "cut": self._cut,
            "promote": self._promote,
            "threats": lambda: send(message("threats", self._asked(studies.threats(game)))),
            "cell_values": lambda: send(
                message("cell_values", self._asked(studies.cell_values(studies.position_on(game))))
            ),
            "explore": lambda: self._explore(send),
            "answer": self._practice.show,
        }

    def _start_hint(self) -> None:
        self.session.start_hint()
        self._pages.forget("hint")

    def _open(self, find: Callable[[], begin.Opened], send: Send) -> None:
        """A game from a file goes on the board; from a list of several games the page chooses."""

        def with_tree() -> tuple[begin.Opened, Tree | None]:
            opened = find()  # a large tree takes a while too
            return opened, None if isinstance(opened, list) else Tree(opened.game)

        def take(found: tuple[begin.Opened, Tree | None]) -> None:
            opened, tree = found
            if isinstance(opened, list):
                send(message("runs", {"games": opened}))
                return
            self._change_to(opened, tree)
            for note in opened.game.record.notes:
                self._tell_state()  # another position takes a note away
                send(message("note", {"text": note}))

        self._read(with_tree, take, send)

    def _change_to(self, session: GameSession, tree: Tree | None = None) -> None:
        self._library.keep(self.session, is_last=True, reader=self._reader)
        self._give_up_work()
        self.session.close()
        self._unfinished = None
        self._practice.end()
        self._adopt(session)
        self._watch_game(tree)
        # The page waits for an answer, also where the position is the same.
        self._pages.forget("state")

    def _adopt(self, session: GameSession) -> None:
        self.session = session
        session.on_news = self._news
        session.resources = self._resources

    def _asked(self, found: Record) -> Record:
        """What was found out about the position, with its moves, so that the page sees whether it
        is still that position."""
        return found | {"after": self.session.game.cells}

    # -- the base of games

    def _explore(self, send: Send) -> None:
        game = self.session.game
        own = {node.stone[:2] for node in game.node.next_moves() if node.stone}
        find = partial(self._explorer.explore, game.position(), own)
        asked = self._asked({})
        self._read(find, lambda found: send(message("explored", found | asked)), send)

    # -- the tree of lines

    def _watch_game(self, tree: Tree | None = None) -> None:
        """A new game has a new tree, and what was found out about the old one is over."""
        self._tree, self._tree_of = tree or Tree(self.session.game), self.session.game
        self._reviewed: Review | None = None
        # What stops a win, with the position and its moves.
        self._defended: tuple[Position, Defences, tuple[Cell, ...]] | None = None
        self._pages.tell("tree", self._tree.whole())
        self._pages.forget("review", "remarks")

    def _cut(self) -> None:
        """Takes the move on the board out of the tree, with all that comes after it."""
        game = self.session.game
        if not game.moves:
            raise ValueError(tr("there is no move to delete"))
        node = game.node
        self.session.jump(self.session.game.cells[:-1])
        game.forget_undone()
        self._tree.cut(node)
        self._pages.tell("tree", self._tree.whole())

    def _promote(self) -> None:
        """Makes the line on the board the first one of the game."""
        self._tree.promote(self.session.game.node)
        self._pages.tell("tree", self._tree.whole())
        self._pages.forget("state")

    def _set_chance(self, info: Info, colour: int) -> None:
        """What a program of ours said about the position, or its move, on the board now."""
        if info.depth_plies == 0 and info.score.mate_plies is None:
            return
        chance = win_chance(info.score)
        node = self.session.game.node
        self._tree.set_chance(node, chance if colour == BLACK else 1 - chance)

    # -- work that takes long

    def _begin_trial(self, request: requests.Try) -> None:
        known = studies.known_loss(self._reviewed, (*request.cells, (request.x, request.y)))
        game = self.session.game.copy()
        game.jump(request.cells)
        game.play((request.x, request.y))
        asked: Record = {"cells": request.cells, "cell": (request.x, request.y)}
        use = self._analyst.resources

        def work(tell: Progress) -> Callable[[], None]:
            found = studies.tried(game, use, tell, known)
            return partial(self._pages.tell, "tried", found | asked)

        self._start("try", work)

    def _start(self, kind: str, task: Callable[[Progress], Callable[[], None]]) -> None:
        if self._work is not None:
            raise ValueError(tr("wait until the search is over, or stop it"))
        self._work = Work(kind, task, self._news)

    def _review(self) -> None:
        record, use = studies.record_of(self.session.game), self._analyst.resources
        if not record.stones:
            raise ValueError(tr("no move has been played that could be reviewed"))

        found: deque[tuple[int, float]] = deque()

        def work(tell: Progress) -> Callable[[], None]:
            chances = studies.reviewed(record, use, tell, lambda *chance: found.append(chance))
            return partial(self._take_review, chances)

        def take() -> None:
            while found:
                self._take_chance(self._nodes_of(record.stones), *found.popleft())
            self._tell_state()

        self._start("review", work)
        self._take_found = take

    def _ask_solver(self, kind: str, ask: studies.Question) -> None:
        position, cells = studies.position_on(self.session.game), self.session.game.cells

        def work(tell: Progress) -> Callable[[], None]:
            told, found = ask(position, tell)

            def take() -> None:
                if found is not None:
                    self._defended = position, found, cells
                self._pages.tell("proof", told | {"after": cells})

            return take

        self._start(kind, work)

    def _refute(self, request: requests.Refute, send: Send) -> None:
        if self._defended is None or self._defended[2] != request.cells:
            raise ValueError(tr("this position is no longer in the game"))
        position, found, cells = self._defended
        told = studies.refutation(position, found, (request.x, request.y))
        send(message("proof", told | {"after": cells}))

    def _give_up_work(self) -> None:
        if self._work is not None:
            self._work.give_up()
            if self._work.kind == "judge":
                self._practice.take_back()
            self._end_work()

    def _end_work(self) -> None:
        self._work, self._take_found = None, lambda: None
        self._pages.forget("work")

    def _look_at_work(self) -> None:
        work = self._work
        if work is None:
            return
        if not work.is_over:
            step, done, total = work.progress
            told: Record = {"what": work.kind, "step": step, "done": done, "total": total}
            self._pages.show("work", told)
            self._take_found()
            return
        if work.result is None:
            self._give_up_work()
            self._pages.note(work.error)
        else:
            self._end_work()
            work.result()
        self._tell_state()

    def _take_review(self, found: Review) -> None:
        nodes = self._nodes_of(found.stones)
        for step in found.moves:
            if self._take_chance(nodes, step.number, step.black_chance):
                if studies.is_finding(step):
                    self._tree.add_finding(nodes[step.number], step.kind, step_text(step))
        self._reviewed = found
        self._pages.show("review", studies.review_record(found))
        self._reader.ask(partial(self._explorer.keep_review, found), lambda _: None)

    def _nodes_of(self, stones: Iterable[Stone]) -> list[Node]:
        game = self.session.game
        return [game.base, *game.nodes_along(stone[:2] for stone in stones)]

    def _take_chance(self, nodes: list[Node], number: int, chance: float) -> bool:
        """Is the move still there? It may have been deleted meanwhile."""
        if number >= len(nodes):
            return False
        self._tree.set_chance(nodes[number], chance)
        return True

    # -- telling

    def _state(self) -> Record:
        return state(self.session, self._work is not None) | {
            "line_count": self._analyst.line_count,
            "limit": self._limit,
            "near": self._analyst.near,
            "threads": self._analyst.resources.threads,
            "memory_mib": self._analyst.resources.memory_mib or DEFAULT_MEMORY_MIB,
            "node": self._tree.number(self.session.game.node),
            "work": "" if self._work is None else self._work.kind,
            "problem": self._library.problem,
            "handicap": begin.handicap_of(self.session.game),
            "unfinished": self._offered(),
        }

    def _offered(self) -> Record | None:
        """The last game, while nothing is on the board."""
        game = self.session.game
        is_new = not (game.moves or game.undone or game.setup or game.changes or game.record.form)
        return self._library.shown(self._unfinished) if self._unfinished and is_new else None

    def _tell_state(self) -> None:
        """Tells all pages the state and the tree, each if it is another one than before."""
        game = self.session.game
        if game is not self._tree_of:
            self._watch_game()
        self._tree.number(game.last_node)
        told = self._state()
        if news := self._tree.news():
            self._pages.tell("nodes", news)
        self._pages.show("remarks", self._tree.remarks(self._tree.number(game.node)))
        self._pages.show("puzzle", self._practice.shown())
        before = self._pages.shown.get("state", {})
        if any(told[key] != before.get(key) for key in _POSITION):
            self._pages.forget("hint", "analysis")
        self._pages.show("state", told)

    def _tell_clock(self) -> None:
        """Once a second at most, where a side can run out of time."""
        if self.session.clock_s is not None:
            black, white = (int(self.session.used_s(colour)) for colour in (BLACK, WHITE))
            self._pages.show("clock", {"black": black, "white": white})
