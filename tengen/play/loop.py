"""The conversation at the board: who is to move moves, people by what they type.

Whatever is typed is answered, and nothing that is typed can end it but `quit`: what cannot be done
is one line that says why, and the game is as it was.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from rich.console import Console

from engine.model import Result
from tengen.play import commands
from tengen.play.advice import value_text, what_it_does
from tengen.play.commands import Command, Word, parse
from tengen.play.files import PLAYER, Loaded, load_game, save_game
from tengen.play.game import Game, stones_of_redo, stones_of_turns
from tengen.play.machine import TENGEN, Level, Machine, MachineFailed
from tengen.play.prompt import Prompt
from tengen.play.table import Look, draw_board
from tengen.play.waiting import Waiting
from tengen.play.words import coordinates_text, help_text, moves_text, outcome_text, rule_text
from tengen.record.time_control import TimeControl
from tengen.rules.names import RULE_NAMES
from tengen.rules.points import point_name
from tengen.rules.referee import BLACK, COLOUR_NAMES, RENJU, WHITE

# A hint must not change how the program plays, so it comes from another one, with a small table.
_HINT_HASH_BYTES = 64 * 1024 * 1024
Seats = dict[int, Machine | None]


@dataclass
class Table:
    """What a conversation begins with.

    seats    the program that plays a colour, None for a person.
    pause_s  after each move where programs play each other.
    """

    game: Game
    seats: Seats
    level: Level
    look: Look
    pause_s: float = 0.0

    @property
    def people(self) -> frozenset[int]:
        """The colours that people play."""
        return frozenset(colour for colour, machine in self.seats.items() if machine is None)

    def take_over(self, loaded: Loaded, keeps_sides: bool = False) -> None:
        """Goes on with a game from a file. Against a program one has the colour that the file gives
        to a person, and is to move where it gives none or both; unless one `keeps_sides`."""
        self.game = loaded.game
        if len(self.people) == 1 and not keeps_sides:
            theirs = loaded.people if len(loaded.people) == 1 else {self.game.to_move}
            if theirs != self.people:
                self.swap()

    def swap(self) -> None:
        """Changes the sides."""
        self.seats = {BLACK: self.seats[WHITE], WHITE: self.seats[BLACK]}


class Conversation:
    """One sitting at a table."""

    def __init__(self, table: Table, console: Console, prompt: Prompt) -> None:
        self._table = table
        self._console = console
        self._prompt = prompt
        self._hinter: Machine | None = None
        self._saved = table.game.moves
        # Programs do not go on by themselves after one has failed, or what is watched was changed.
        self._is_waiting = False

    def run(self) -> None:
        """Talks until there is nothing more to read, or `quit`. KeyboardInterrupt comes through, at
        the beginning of a line."""
        try:
            self._greet()
            while self._step():
                pass
        except KeyboardInterrupt:
            if self._console.is_terminal:
                self._console.print()
            raise
        if self._is_unsaved():
            self._say("The game was not saved; save FILE would have kept it.")

    def _step(self) -> bool:
        """One move of a program, or one line; False to leave."""
        machine = self._table.seats[self._game.to_move]
        if machine is not None and self._game.outcome is None and not self._is_waiting:
            self._let_play(machine)
            return True
        asked = time.monotonic()
        line = self._prompt.ask(self._prompt_text())
        if line is None:
            self._console.print()
            return False
        try:
            command = parse(line, self._game.width, self._game.height)
            return self._obey(command, time.monotonic() - asked)
        except ValueError as error:
            self._complain(str(error))
        return True

    @property
    def _game(self) -> Game:
        return self._table.game

    def _prompt_text(self) -> str:
        if self._game.outcome is not None:
            return "Game over> "
        return f"{COLOUR_NAMES[self._game.to_move]} {len(self._game.moves) + 1}> "

    # -- what programs do

    def _let_play(self, machine: Machine) -> None:
        game = self._game
        colour = COLOUR_NAMES[game.to_move]
        began = time.monotonic()
        try:
            result = self._think(machine, is_analysis=False)
        except MachineFailed as failure:
            self._is_waiting = True
            self._complain(f"{failure}; go asks again, or play, undo or swap")
            return
        elapsed_s = time.monotonic() - began
        number = len(game.moves) + 1
        game.play((result.move.x, result.move.y), elapsed_s, may_foul=True)
        self._show_board()
        point = point_name(result.move, game.height)
        if self._table.people:
            self._say(f"{machine.name} plays {point}.")
        else:
            info = result.info
            self._say(
                f"{number}. {colour}, {machine.name}: {point}   value {info.score},"
                f" depth {info.depth_plies}, {info.nodes:,} nodes, {elapsed_s:.2f} s"
            )
        self._tell_outcome()
        if not self._table.people and game.outcome is None:
            time.sleep(self._table.pause_s)

    def _think(self, machine: Machine, is_analysis: bool) -> Result:
        limits = self._table.level.limits(is_analysis)
        waiting = Waiting(self._console, f"{machine.name} thinks ...")
        try:
            return machine.think(self._game, limits, waiting.tell)
        finally:
            waiting.clear()

    # -- what people ask for

    def _obey(self, command: Command, elapsed_s: float) -> bool:
        """Carries a command out; False to leave. ValueError when it cannot be."""
        match command:
            case commands.Play():
                self._play(command, elapsed_s)
            case commands.Undo():
                for _ in range(stones_of_turns(self._game, self._table.people, command.turns)):
                    self._game.undo()
                self._look_at_change()
            case commands.Redo():
                for _ in range(stones_of_redo(self._game, self._table.people, command.turns)):
                    self._game.redo()
                self._look_at_change()
            case commands.SetTime():
                self._table.level = Level(time_s=command.time_s)
                self._tell_level()
            case commands.SetNodes():
                self._table.level = Level(nodes=command.nodes)
                self._tell_level()
            case commands.Save():
                self._save(command)
            case commands.Load():
                self._load(command)
            case Word("quit"):
                return False
            case Word():
                self._obey_word(command.word)
        return True

    def _obey_word(self, word: str) -> None:
        look = self._table.look
        match word:
            case "hint":
                self._hint()
            case "restart":
                if not self._game.moves:
                    raise ValueError("restart: the board is empty")
                self._game.restart()
                self._is_waiting = False
                self._new_game()
                self._show_board()
                # A program with Black plays at once, and then there may be nothing to bring back.
                is_ours = self._table.seats[BLACK] is None
                self._say("A new game; redo brings the old one back." if is_ours else "A new game.")
            case "swap":
                self._swap()
            case "go":
                self._go()
            case "level":
                self._tell_level()
            case "moves":
                text = moves_text(self._game, self._console.width)
                self._say(text or "No move has been played.")
            case "board":
                self._show_board()
                self._tell_outcome()
            case "numbers":
                self._table.look = replace(look, numbers=not look.numbers)
                self._show_board()
                carry = "no numbers now" if look.numbers else "numbers now, where there is room"
                self._say(f"The stones carry {carry}.")
            case "fouls":
                if self._game.rule != RENJU:
                    raise ValueError("fouls: only renju forbids points")
                self._table.look = replace(look, fouls=not look.fouls)
                self._show_board()
                self._say(f"Forbidden points are {'not ' if look.fouls else ''}marked now.")
            case "help":
                self._say(help_text(self._game))
            case _:
                raise AssertionError(f"{word} is not carried out")

    def _play(self, command: commands.Play, elapsed_s: float) -> None:
        game = self._game
        game.play(command.cell, elapsed_s)
        name = point_name(command.cell, game.height)
        if command.text.lower() != name:
            self._say(f"{command.text} is {name}.")
        if game.outcome is None and self._table.seats[game.to_move] and not self._is_waiting:
            return  # the board is shown with the answer
        self._show_board()
        self._tell_outcome()

    def _look_at_change(self) -> None:
        self._is_waiting = not self._table.people
        self._show_board()
        self._tell_outcome()
        if self._is_waiting and self._game.outcome is None:
            self._say("The programs wait; go lets them play on.")

    def _hint(self) -> None:
        game = self._game
        if game.outcome is not None:
            raise ValueError("hint: the game is over")
        if self._hinter is None:
            self._hinter = Machine(TENGEN, hash_bytes=_HINT_HASH_BYTES)
        # The same question has the same answer, whatever was asked before.
        self._hinter.new_game()
        try:
            result = self._think(self._hinter, is_analysis=True)
        except MachineFailed as failure:
            raise ValueError(f"hint: {failure}") from None
        self._show_board(hint=result.move)
        colour, other = COLOUR_NAMES[game.to_move], COLOUR_NAMES[BLACK + WHITE - game.to_move]
        does = what_it_does(game.board, result.move, game.to_move)
        value = value_text(result.info.score, colour, other)
        reasons = ", ".join(does) or "a quiet move"
        self._say(f"Hint: {point_name(result.move, game.height)}, {reasons}; {value}.")

    def _swap(self) -> None:
        if len(self._table.people) == 2:
            raise ValueError("swap: there is no program to change sides with")
        self._table.swap()
        # Who watches has said `go` before, or will.
        self._is_waiting = self._is_waiting and not self._table.people
        self._say(self._seats_text())

    def _go(self) -> None:
        if self._game.outcome is not None:
            raise ValueError("go: the game is over")
        if self._table.seats[self._game.to_move] is None:
            raise ValueError(
                "go: it is not a program's turn; hint shows a move, swap changes sides"
            )
        self._is_waiting = False

    def _save(self, command: commands.Save) -> None:
        level, game = self._table.level, self._game
        control = TimeControl(level.time_s) if level.nodes is None else None
        players = {
            colour: PLAYER if machine is None else machine.name
            for colour, machine in self._table.seats.items()
        }
        try:
            path = save_game(game, command.file, players, control, overwrites=command.overwrites)
        except OSError as error:
            raise ValueError(f"{command.file}: {error.strerror or error}") from None
        self._saved = game.moves
        self._say(f"Saved as {path}.")
        if path.suffix.lower() == ".psq" and game.rule:
            self._say(
                "A psq file does not name the rule: say --rule when you load it, or save as .sgf."
            )

    def _load(self, command: commands.Load) -> None:
        loaded = self._read(command.file)
        if self._is_unsaved() and not command.discards:
            raise ValueError(
                f"this game is not saved: save it, or load! {command.file} gives it up"
            )
        self._table.take_over(loaded)
        self._saved = loaded.game.moves
        self._is_waiting = False
        self._new_game()
        self._show_board()
        source = "" if loaded.says_rule else ", since the file names no rule"
        rule = RULE_NAMES[self._game.rule]
        count = len(self._game.moves)
        moves = "1 move" if count == 1 else f"{count} moves"
        self._say(f"{moves}, {rule}{source}. {self._seats_text()}")
        self._tell_outcome()

    def _is_unsaved(self) -> bool:
        return bool(self._game.moves) and self._game.moves != self._saved

    def _read(self, name: str) -> Loaded:
        try:
            return load_game(name, self._game.rule)
        except OSError as error:
            raise ValueError(f"{name}: {error.strerror or error}") from None

    def _new_game(self) -> None:
        for machine in self._table.seats.values():
            if machine is not None:
                machine.new_game()

    # -- what is said

    def _greet(self) -> None:
        self._say(rule_text(self._game))
        self._tell_level()
        if self._table.people:
            self._say(coordinates_text(self._game))
            self._say("help lists what else can be typed.")
        self._show_board()
        self._tell_outcome()

    def _seats_text(self) -> str:
        seats = self._table.seats
        if len(self._table.people) == 2:
            return "Two people play, Black first."
        if not self._table.people:
            black, white = (machine.name for machine in seats.values() if machine is not None)
            return f"{black} is Black, {white} is White."
        [colour] = self._table.people
        machine = seats[BLACK + WHITE - colour]
        assert machine is not None
        return f"You are {COLOUR_NAMES[colour]}, {machine.name} is {_other_name(colour)}."

    def _tell_level(self) -> None:
        has = ("each has", "it has", "hints take")[len(self._table.people)]
        self._say(f"{self._seats_text()[:-1]}; {has} {self._table.level}.")

    def _show_board(self, hint: tuple[int, int] | None = None) -> None:
        board = draw_board(self._console, self._game, self._table.look, hint)
        self._console.print()
        self._console.print(board, soft_wrap=True)
        self._console.print()

    def _tell_outcome(self) -> None:
        game = self._game
        if game.outcome is None:
            return
        people = self._table.people
        players = {
            colour: machine.name if machine else "you" if len(people) == 1 else ""
            for colour, machine in self._table.seats.items()
        }
        self._say(outcome_text(game.outcome, game.moves[-1], game.height, players), "bold")

    def _complain(self, text: str) -> None:
        """One line, however long it is."""
        self._console.print(text, style="red", markup=False, highlight=False, soft_wrap=True)

    def _say(self, text: str, style: str | None = None) -> None:
        """Sentences, in as many lines as the terminal needs."""
        self._console.print(text, style=style, markup=False, highlight=False)


def _other_name(colour: int) -> str:
    return COLOUR_NAMES[BLACK + WHITE - colour]
