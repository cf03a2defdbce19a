"""The conversation at the board: lines from a person, answers, and the moves of programs.

Every line gets an answer. If a command cannot be carried out, the answer is one line that says why,
and the game is unchanged.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from rich.console import Console

from engine.text import RULE_NAMES, are_points, point_name
from tengen.game.files.positions import Choice
from tengen.game.referee import COLOUR_NAMES, Cell
from tengen.game.values import counted
from tengen.people.session.agreeing import Agreed, Event, Failed, Hint, Moved, agreed_text
from tengen.people.session.engine_player import Level, PendingSearch
from tengen.people.session.files import FileIsThere, load_game
from tengen.people.session.game import Game, Steps
from tengen.people.session.session import ALL_TURNS, GameSession
from tengen.people.terminal.commands import (
    Command,
    coordinates_text,
    help_text,
    parse,
    rule_text,
)
from tengen.people.terminal.prompt import Prompt
from tengen.people.terminal.table import Look, draw_game

# How often Ctrl-C is looked for while a program thinks.
_TICK_S = 0.05
# What can be done in an opening besides playing, and the words after which the next of it is told.
_WAYS = {
    "swap": "Or type swap to change sides.",
    "add": "Or type add to put down two more stones; then the other player chooses.",
    "fifths": "First say how many fifth moves Black offers, 1 to 8, such as fifths 3.",
    "ten": "Or type fifths 10 to offer ten fifth moves.",
}
_OPENING_WORDS = ("play", "add", "fifths", "swap", "undo", "redo")


class Conversation:
    """The conversation about one session, in a terminal."""

    def __init__(self, session: GameSession, look: Look, console: Console, prompt: Prompt) -> None:
        self._session = session
        self._look = look
        self._console = console
        self._prompt = prompt
        self._is_leaving = False
        self._told_opening = ""
        self._waiting = ""  # the line that is shown while a program thinks
        self._interrupted: PendingSearch | None = None  # by Ctrl-C; a second one leaves

    def run(self) -> None:
        """Runs until `quit` or the end of the input.

        After an exception, such as KeyboardInterrupt, an unsaved game is saved, and the exception
        is raised again. After BrokenPipeError, when nothing reads the output any more, the game is
        not saved.
        """
        try:
            with self._prompt.listening():
                self._greet()
                while not self._is_leaving:
                    self._step()
                self._undo_restart()
        except BaseException as error:
            if not isinstance(error, BrokenPipeError):
                self._rescue(at_new_line=isinstance(error, KeyboardInterrupt))
            raise
        finally:
            self._session.close()
        if self._session.is_unsaved:
            self._say("The game was not saved; save FILE would have kept it.")

    def _step(self) -> None:
        """One search of a program, or one line."""
        session = self._session
        if session.thinking is None and session.program_to_move:
            session.start_move()
        if session.thinking is not None:
            self._await_program(session.thinking)
            return
        session.ponder()
        line = self._prompt.ask(self._prompt_text())
        if line is None:
            self._console.print()
            self._is_leaving = True
        else:
            self._answer(line)

    @property
    def _game(self) -> Game:
        return self._session.game

    def _prompt_text(self) -> str:
        if self._game.outcome is not None:
            return "Game over> "
        return f"{COLOUR_NAMES[self._game.to_move]} {len(self._game.moves) + 1}> "

    def _answer(self, line: str) -> None:
        word = ""
        try:
            command = parse(line, self._game.width, self._game.height)
            # What is wrong with a point or a file begins with its name.
            word = "" if command.word in ("play", "save", "load") else f"{command.word}: "
            self._obey(command)
        except ValueError as error:
            self._complain(f"{word}{error}")
        else:
            if command.word in _OPENING_WORDS:
                self._tell_opening()

    # -- while a program thinks

    def _await_program(self, thinking: PendingSearch) -> None:
        """Until the search is over; Ctrl-C makes the program move now, a second one leaves."""
        try:
            while (event := self._session.collect(_TICK_S)) is None:
                if interrupts := self._prompt.take_interrupts():
                    if self._interrupted is thinking or interrupts > 1:
                        raise KeyboardInterrupt
                    self._interrupted = thinking
                    self._move_now()
                seconds = f" {thinking.elapsed_s:.0f} s" if thinking.elapsed_s >= 2 else ""
                self._show_waiting(f"{thinking.name} thinks ...{seconds}")
        finally:
            self._show_waiting("")
        self._tell(event)

    def _show_waiting(self, text: str) -> None:
        """A line on a terminal that the next one replaces; "" takes it away."""
        if self._console.is_terminal and text != self._waiting:
            blank = " " * len(self._waiting)
            self._console.file.write(f"\r{text}" if text else f"\r{blank}\r")
            self._console.file.flush()
            self._waiting = text

    def _move_now(self) -> None:
        try:
            self._session.move_now()
        except ValueError as error:
            self._complain(str(error))

    def _tell(self, event: Event) -> None:
        """Shows what a program has found."""
        match event:
            case Failed() if event.is_hint:
                self._complain(f"hint: {event.text}")
            case Failed():
                self._complain(f"{event.text}; type go to ask again, or play, undo or swap")
            case Hint():
                self._show_board(event.text, event.cell)
            case Moved():
                point = point_name((event.move.x, event.move.y), self._game.height)
                self._show_board(f"{event.name} plays {point}.")
            case Agreed():
                self._show_board(agreed_text(event, self._game.height))
                if event.is_swap:
                    self._say(self._session.seats_text())
                self._tell_opening()

    # -- commands

    def _obey(self, command: Command) -> None:
        """Carries a command out; ValueError if that is not possible."""
        session, word, number = self._session, command.word, command.number
        match word:
            case "play":
                self._play(command)
            case "add":
                session.add()
            case "fifths":
                session.name_fifths(int(number or 0))
            case "balance":
                session.start_balance(int(number or 1))
            case "save":
                self._save(command)
            case "load":
                self._load(command)
            case "undo":
                self._tell_steps(session.undo(int(number or 1)), number, "taken")
            case "redo":
                self._tell_steps(session.redo(int(number or 1)), number, "brought")
            case "hint":
                session.start_hint(None if number is None else Level(time_s=number))
            case "time" | "nodes":
                assert number is not None
                level = Level(number) if word == "time" else Level(nodes=int(number))
                session.set_level(replace(level, ponders=session.level.ponders))
                self._tell_level()
            case "go":
                session.go()
            case "swap":
                session.swap()
                is_over = self._game.outcome is not None
                self._say(f"{'In the next game: ' if is_over else ''}{session.seats_text()}")
            case "resign":
                session.resign()
                self._tell_outcome()
            case "restart":
                session.restart()
                self._show_board("A new game; redo brings the old one back.")
                self._tell_opening()
            case "numbers" | "fouls":
                self._switch(word)
            case "level":
                self._tell_level()
            case "moves":
                self._say(self._moves_text() or "No move has been played.")
            case "board":
                self._show_board()
            case "help":
                self._say(help_text(self._game))
            case "quit":
                self._is_leaving = True

    def _play(self, command: Command) -> None:
        (cell,) = command.cells
        self._session.play(cell)
        name = point_name(cell, self._game.height)
        if command.text.lower() != name:
            self._say(f"{command.text} is {name}.")
        if self._session.program_to_move is None:
            # Otherwise the board is shown with the answer.
            self._show_board()

    def _switch(self, word: str) -> None:
        look = self._look
        if word == "numbers":
            self._look = replace(look, numbers=not look.numbers)
            shown = "not shown now" if look.numbers else "shown now, where there is room"
            text = f"Move numbers are {shown}."
        else:
            if not self._game.board.has_fouls:
                raise ValueError("this rule forbids no points")
            self._look = replace(look, fouls=not look.fouls)
            text = f"Forbidden points are {'not ' if look.fouls else ''}marked now."
        self._show_board(text)

    def _save(self, command: Command) -> None:
        try:
            path = self._session.save(command.text, overwrites=command.insists)
        except FileIsThere as error:
            raise ValueError(f"{error}; save! {command.text} overwrites it") from None
        self._say(f"Saved as {path}.")
        if path.suffix.lower() == ".psq" and self._game.rule:
            self._say(
                "A psq file does not name the rule: give --rule when you load it, or save as .sgf."
            )

    def _load(self, command: Command) -> None:
        size = (self._game.width, self._game.height) if are_points(command.text) else None
        loaded = load_game(command.text, self._game.rule, Choice(size=size))
        if self._session.is_unsaved and not command.insists:
            raise ValueError(
                f"this game is not saved: save it first, or type load! {command.text} to discard it"
            )
        self._session.take_over(loaded)
        option = ", an option of tengen play"
        notes = [f"{note}{option * ('--game' in note)}.\n" for note in loaded.notes]
        source = "" if loaded.says_rule else ", as the file names no rule"
        rule = RULE_NAMES[self._game.rule]
        moves = counted(len(self._game.moves), "move")
        self._show_board(f"{''.join(notes)}{moves}, {rule}{source}. {self._session.seats_text()}")

    def _undo_restart(self) -> None:
        """Brings back the game before a restart, if nobody has played since; it may be unsaved."""
        with suppress(ValueError):
            self._session.redo()

    def _rescue(self, at_new_line: bool) -> None:
        """Saves a game that is not saved, and says where, if the output still works."""
        try:
            self._undo_restart()
            path = self._session.save_unsaved()
            text = f"The game was not saved; it is now in {path}." if path else ""
        except ValueError as error:
            text = f"The game was not saved: {error}"
        try:
            if at_new_line and self._console.is_terminal:
                self._console.print()
            if text:
                self._console.print(text, markup=False, highlight=False, soft_wrap=True)
        except OSError:
            pass  # the terminal has gone

    # -- output

    def _greet(self) -> None:
        self._say(rule_text(self._game))
        self._tell_level()
        self._say(coordinates_text(self._game))
        self._say("Type help for everything else that can be typed.")
        self._show_board()
        self._tell_opening()

    def _tell_opening(self) -> None:
        """What a person has to do in the opening, if it is a person's turn and something else than
        what was told last."""
        text = " ".join(self._session.to_do(_WAYS))
        if text and text != self._told_opening:
            self._say(text)
        self._told_opening = text

    def _tell_level(self) -> None:
        session = self._session
        count = len(session.people)
        has = "hints take" if count == 2 else "it has"
        level = session.hint_level if count == 2 else session.level
        self._say(f"{session.seats_text()[:-1]}; {has} {level}.")

    def _tell_steps(self, steps: Steps, wanted: float | None, how: str) -> None:
        """After moves were taken or brought back."""
        self._show_board()
        if wanted is not None and steps.turns < wanted < ALL_TURNS:
            whose = " of your" if len(self._session.people) == 1 and how == "taken" else ""
            count = f"{steps.turns}{whose} moves" if whose else counted(steps.turns, "move")
            self._say(f"Only {count} could be {how} back: there are no more.")

    def _moves_text(self) -> str:
        """The moves in numbered pairs, in lines as wide as the console."""
        names = [point_name((move.x, move.y), self._game.height) for move in self._game.moves]
        pairs = [
            f"{number:>3}. {' '.join(f'{name:<4}' for name in names[number - 1 : number + 1])}"
            for number in range(1, len(names) + 1, 2)
        ]
        per_line = max(1, self._console.width // 16)
        lines = [pairs[i : i + per_line] for i in range(0, len(pairs), per_line)]
        return "\n".join("  ".join(f"{pair:<14}" for pair in line).rstrip() for line in lines)

    def _show_board(self, text: str = "", hint: Cell | None = None) -> None:
        """The board, what there is to say about it, and how the game has ended."""
        board = draw_game(self._console, self._game, self._look, hint)
        self._console.print()
        self._console.print(board, soft_wrap=True)
        self._console.print()
        if text:
            self._say(text)
        self._tell_outcome()

    def _tell_outcome(self) -> None:
        if text := self._session.outcome_text():
            self._say(text, "bold")

    def _complain(self, text: str) -> None:
        """One line, however long it is."""
        self._console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)

    def _say(self, text: str, style: str | None = None) -> None:
        """Sentences, in as many lines as the terminal needs."""
        self._console.print(text, style=style, markup=False, highlight=False)
