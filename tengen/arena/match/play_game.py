"""Plays one game, from the opening to its end, and judges it.

A game may end before the board says so: by the values that programs report, in their own units (a
forced win counts as more than any value, and a program that reports nothing never agrees), or by a
proof.
"""

from __future__ import annotations

import math
import platform
import shlex
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.text import point_name
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.programs.process import EngineProcess
from tengen.arena.programs.program import Clock, Program, ProgramFailed, Timeouts
from tengen.arena.programs.spec import CannotStart, ProgramSpec
from tengen.arena.programs.swap2 import Swap2Failed, illegal_move, negotiate
from tengen.game.files.sgf import result_of
from tengen.game.game import Game
from tengen.game.node import first_properties, move_properties
from tengen.game.played import MatchFacts, Move, Report, Termination
from tengen.game.proof import check_proof
from tengen.game.proof_file import position_record, read_proof
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE, Cell, Referee, opponent_of
from tengen.game.rules import RULE_TITLES
from tengen.game.values import counted, json_text

# Of a game with a program that floods its output no more is kept.
_MOST_TRANSCRIPT_BYTES = 20_000_000
# The most programs kept running; beyond it the one that has not played for longest is ended.
_KEPT = 4
# A prover that needs longer has failed. A proof whose replay needs more stones counts as none.
_PATIENCE_S = 60.0
_MOST_STONES = 300_000
_LONGEST_BYTES = 1 << 26


class Watcher:
    """Follows one game after the other, and says how far the current one is. What a game tells is
    called in the thread that plays it, the rest from any."""

    def __init__(self) -> None:
        # The job, the stones on the board, and when it began; None between games.
        self._game: tuple[Job, int, float] | None = None

    def game_started(self, job: Job, board: Referee) -> None:
        """The opening is on `board`, which is the board of the whole game."""
        self._game = job, len(board.stones()), time.monotonic()

    def moved(self, job: Job, board: Referee, move: Move) -> None:
        """A move was played on the board."""
        if self._game is not None:
            self._game = job, len(board.stones()), self._game[2]

    def game_ended(self, game: Game) -> None:
        """The game is over."""
        self._game = None

    @property
    def stones(self) -> int:
        """The stones on the board; 0 between games."""
        return 0 if (game := self._game) is None else game[1]

    def line(self) -> str:
        """The game in a line; empty between games."""
        if (game := self._game) is None:
            return ""
        job, stones, began = game
        return (
            f"game {job.index + 1}  {job.black} (black) - {job.white} (white),"
            f" {counted(stones, 'stone')}, {time.monotonic() - began:.0f} s"
        )


def play_game(
    job: Job,
    setting: Setting,
    programs: Mapping[int, Program],
    watcher: Watcher,
    stop: threading.Event,
    prover: Prover | None = None,
) -> Game:
    """Plays a game and judges it; `programs` by colour. A `prover` ends it when the side to move
    has a win that it can prove.

    A failure of a program does not raise: it is the result of the game, and the caller must close
    that program before it plays again. When `stop` is set (and the programs were killed) the game
    ends as INTERRUPTED.
    """
    began_at, began = time.time(), time.monotonic()
    board = Referee(setting.width, setting.height, setting.rule)
    clocks = {colour: Clock(program.spec.control) for colour, program in programs.items()}
    moves: list[Move] = []
    transcript: list[str] = []
    left_bytes = _MOST_TRANSCRIPT_BYTES

    def note(name: str, direction: str, text: str) -> None:
        nonlocal left_bytes
        if left_bytes > 0:
            transcript.append(f"{time.monotonic() - began:9.3f} {name} {direction} {text}")
            left_bytes -= len(transcript[-1])

    for program in programs.values():
        program.transcript = note if setting.keeps_transcripts else None

    def ended(winner: int, termination: Termination, detail: str = "") -> Game:
        if stop.is_set():
            winner, termination, detail = 0, Termination.INTERRUPTED, "the run was stopped"
        for program in programs.values():
            program.measure_memory()
            if setting.keeps_transcripts:
                for text in program.last_errors():
                    note(program.spec.name, "!", text)
        peaks = (programs[BLACK].peak_bytes, programs[WHITE].peak_bytes)
        game = match_game(
            job, setting, winner, termination, detail, moves, peaks, began_at,
            platform.node(), tuple(transcript),
        )  # fmt: skip
        watcher.game_ended(game)
        return game

    # The opening of the job, if it has one.
    colour = BLACK

    def put_down(stones: Sequence[Cell]) -> None:
        nonlocal colour
        for x, y in stones:
            board.play(x, y, colour)
            moves.append(Move(x, y, colour))
            colour = opponent_of(colour)
        watcher.game_started(job, board)

    put_down(job.opening)

    # Both programs get ready; one that cannot loses.
    for side in (BLACK, WHITE):
        try:
            programs[side].new_game(setting.width, setting.height, setting.rule)
            if setting.is_suspending:
                programs[side].suspend()
        except ProgramFailed as failure:
            return ended(opponent_of(side), failure.termination, failure.detail)

    # They may agree on an opening, and on the colours.
    if setting.opening_rule == "swap2":
        sides = (BLACK, WHITE)
        try:
            agreement = negotiate(
                setting.width,
                setting.height,
                (programs[BLACK], programs[WHITE]),
                (clocks[BLACK], clocks[WHITE]),
                setting.is_suspending,
            )
        except Swap2Failed as failure:
            return ended(opponent_of(sides[failure.loser]), failure.termination, failure.detail)
        if sides[agreement.black] == WHITE:
            job = replace(job, black=job.white, white=job.black)
            programs = {BLACK: programs[WHITE], WHITE: programs[BLACK]}
            clocks = {BLACK: clocks[WHITE], WHITE: clocks[BLACK]}
        job = replace(job, opening=agreement.stones)
        put_down(agreement.stones)

    while True:
        # Ask for a move, on the mover's clock.
        program = programs[colour]
        try:
            move = program.ask_move(board, colour, clocks[colour])
            if setting.is_suspending:
                program.suspend()
            program.check_memory()
        except ProgramFailed as failure:
            return ended(opponent_of(colour), failure.termination, failure.detail)

        # Is it legal?
        x, y = move.x, move.y
        if not board.legal(x, y):
            fault = illegal_move((x, y), setting.width, setting.height)
            return ended(opponent_of(colour), Termination.ILLEGAL, fault)

        # Is it a foul, and does it end the game?
        foul = board.foul(x, y) if colour == BLACK else None
        board.play(x, y, colour)
        moves.append(move)
        watcher.moved(job, board, move)
        if foul is not None:
            return ended(
                opponent_of(colour),
                Termination.FORBIDDEN,
                f"played {point_name((x, y), setting.height)}: {foul}",
            )
        if board.winner():
            return ended(colour, Termination.FIVE)
        if board.is_full():
            return ended(0, Termination.FULL)
        if setting.draw_after is not None and len(moves) >= setting.draw_after:
            return ended(
                0, Termination.ADJUDICATED, f"{counted(len(moves), 'stone')} and no winner"
            )
        if (agreed := adjudicated(setting, moves)) is not None:
            return ended(agreed[0], Termination.ADJUDICATED, agreed[1])
        colour = opponent_of(colour)
        if prover is not None and not stop.is_set() and (plies := prover.proves(board, colour)):
            name = COLOUR_NAMES[colour]
            return ended(
                colour,
                Termination.ADJUDICATED,
                f"{name} wins within {counted(plies, 'stone')}, by proof",
            )


def match_game(
    job: Job,
    setting: Setting,
    winner: int,
    termination: Termination,
    detail: str = "",
    moves: Sequence[Move] = (),
    peak_bytes: tuple[int, int] = (0, 0),
    began_at: float = 0.0,
    host: str = "",
    transcript: tuple[str, ...] = (),
) -> Game:
    """A job that has been played.

    job          with the colours as they were played, and the stones of the opening.
    winner       BLACK, WHITE, or 0 for a draw and for a game without a result (INTERRUPTED).
    termination  why it ended; after a failure, the loser is the program that failed.
    detail       the reason in words, for people; empty after FIVE and FULL.
    moves        all stones on the board; an illegal move is not among them, a forbidden one is.
    peak_bytes, began_at, host, transcript   as MatchFacts has them; 0 bytes = not measured.
    """
    names = {"PB": " ".join(job.black.split()), "PW": " ".join(job.white.split())}
    size = setting.width, setting.height
    game = Game.of("match", first_properties(names, size), people=frozenset())
    node = game.root
    for move in moves:
        node = node.append(move_properties(move.x, move.y, move.colour))
        node.time_s, node.report = move.elapsed_s, move.report
    game.number = job.index + 1
    game.match = MatchFacts(
        job.index, job.pair, len(job.opening), job.source, peak_bytes, began_at, host, transcript
    )
    game.termination, game.detail, game.is_judged = termination, detail, True
    if termination is not Termination.INTERRUPTED:
        game.result = {BLACK: "black", WHITE: "white"}.get(winner, "draw")
    return described(game, setting)


def described(game: Game, setting: Setting) -> Game:
    """The same game, which now says of itself what files of a match have."""
    info = {
        "RU": RULE_TITLES.get(setting.rule & ~2, str(setting.rule)),
        "GN": str(game.number),
        "PB": game.black,
        "PW": game.white,
        "EV": setting.event,
        "PC": setting.site,
        "RE": result_of(game),
    }
    game.root.properties = first_properties(info, (setting.width, setting.height))
    game.changed(game.root)
    for node in game[: game.opening_moves]:
        node.comment = "opening"
    return game


class ProgramPool:
    """The running programs of one worker, which plays one game at a time. Programs are given by
    name and started when they are needed.

    core  the processor core that they run on; None = any.
    """

    def __init__(
        self,
        specs: Mapping[str, ProgramSpec],
        setting: Setting,
        timeouts: Timeouts,
        core: int | None = None,
    ) -> None:
        self._specs = specs
        self._setting = setting
        self._timeouts = timeouts
        self._core = core
        self._prover = None if setting.judge is None else Prover(shlex.split(setting.judge))
        # In the order of their last game.
        self._programs: dict[str, Program] = {}
        self._interrupted = threading.Event()

    def play(self, job: Job, watcher: Watcher, stop: threading.Event) -> Game:
        """Plays a game; INTERRUPTED when `stop` is set."""
        by_colour = {colour: self._ready(job, colour) for colour in (BLACK, WHITE)}
        while len(self._programs) > _KEPT:
            self._programs.pop(next(iter(self._programs))).dispose()
        game = play_game(job, self._setting, by_colour, watcher, stop, self._prover)
        if game.is_failure and game.loser_name is not None:
            # Its state is unknown, so the next game starts a new process.
            self._programs[game.loser_name].close()
        for program in by_colour.values():
            if program.spec.restarts:
                program.close()
        return game

    def interrupt(self) -> None:
        """Kills all programs, those being started included, from any thread."""
        self._interrupted.set()
        for program in list(self._programs.values()):
            program.interrupt()
        if self._prover is not None:
            self._prover.interrupt()

    def close(self) -> None:
        """Ends all programs."""
        for program in self._programs.values():
            program.dispose()
        self._programs.clear()
        if self._prover is not None:
            self._prover.close()

    def _ready(self, job: Job, colour: int) -> Program:
        name = job.name_of(colour)
        spec = self._specs[name]
        if options := dict(job.options).get(name):
            spec = replace(spec, options=spec.options + options)
        program = self._programs.pop(name, None) or Program(spec, self._timeouts, self._core)
        program.spec = spec
        self._programs[name] = program
        if self._interrupted.is_set():
            program.interrupt()
        return program


# -- games that end before the board says so


def adjudicated(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    """The winner (0 = a draw) and the reason, if the game ends by agreement, or by the word of the
    program that has just moved, after these moves; else None."""
    return _won(setting, moves) or _drawn(setting, moves)


def _won(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    count, least, sides = setting.resign_moves, setting.resign_value, setting.resign_sides
    values = _last_values(moves, count, sides)
    if values is None:
        return None
    if sides == 1:
        loser = moves[-1].colour
        winner = opponent_of(loser)
    else:
        winner = max(values, key=lambda colour: values[colour][-1])
        loser = opponent_of(winner)
    if max(values[loser]) > -least or min(values.get(winner, [math.inf])) < least:
        return None
    if sides == 1:
        own = f"-{least} or less for {_moves_text(count)}"
        return winner, f"{COLOUR_NAMES[loser]} gave up: its values were {own}"
    name = COLOUR_NAMES[winner]
    return winner, f"both valued {name} at {least} or more for {_moves_text(count)} each"


def _drawn(setting: Setting, moves: Sequence[Move]) -> tuple[int, str] | None:
    count, most, sides = setting.draw_moves, setting.draw_value, setting.draw_sides
    if len(moves) < setting.draw_from:
        return None
    values = _last_values(moves, count, sides)
    if values is None or any(abs(value) > most for own in values.values() for value in own):
        return None
    if sides == 1:
        who = f"{COLOUR_NAMES[moves[-1].colour]} was"
        return 0, f"{who} within {most} of even for {_moves_text(count)}"
    return 0, f"both were within {most} of even for {_moves_text(count)} each"


def _last_values(moves: Sequence[Move], count: int, sides: int) -> dict[int, list[float]] | None:
    """What both sides, or the one that has just moved, have reported with their last `count` moves,
    by colour; None if that is too little, or there is nothing to adjudicate."""
    last = moves[-2 * count :] if count else ()
    if sides == 1:
        last = [move for move in last if move.colour == moves[-1].colour]
    if len(last) < sides * count or not last:
        return None
    values: dict[int, list[float]] = {}
    for move in last:
        value = _value(move.report)
        if value is None:
            return None
        values.setdefault(move.colour, []).append(value)
    return values if len(values) == sides else None


def _value(report: Report | None) -> float | None:
    if report is None:
        return None
    if report.mate_plies is not None:
        return math.copysign(math.inf, report.mate_plies)
    return report.value


def _moves_text(count: int) -> str:
    return f"{count} moves" if count > 1 else "a move"


class Prover:
    """A program that proves wins, so that games need not be played to their end; it is started when
    it is first asked.

    It reads a position from a line of its input and writes one line: a proof that the side to move
    wins, or null. Both are JSON documents as in `tengen/game/proof_file.py`; a position is such a
    document without `plies` and `proof`. Nothing is taken on trust: the referee replays every proof
    against every legal defence, and one that fails counts as none. `tengen judge` is one.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: EngineProcess | None = None
        self._is_interrupted = False

    def proves(self, board: Referee, colour: int) -> int:
        """Within how many stones `colour`, to move, wins whatever the opponent does; 0 without a
        proof. ValueError for one that cannot be started, ends, or does not keep to its form."""
        answer = self._answer(json_text(position_record(board, colour)))
        if answer is None or answer.strip() == "null":
            return 0
        try:
            proof = read_proof(answer).proof
        except ValueError as error:
            raise ValueError(f"--judge: the answer {error}") from None
        return check_proof(board, colour, proof, max_nodes=_MOST_STONES).plies

    def interrupt(self) -> None:
        """Kills the program, from any thread."""
        self._is_interrupted = True
        if self._process is not None:
            self._process.kill_tree()

    def close(self) -> None:
        """Ends the program."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _answer(self, line: str) -> str | None:
        """The line that answers; None when the run is being stopped."""
        try:
            if self._process is None:
                self._process = EngineProcess(self._command, longest=_LONGEST_BYTES)
            self._process.send([line])
            found = self._process.next_line(self._process.now_s() + _PATIENCE_S)
        except CannotStart as error:
            raise ValueError(f"--judge: {error}") from None
        except (EOFError, OSError):
            if self._is_interrupted:
                return None
            assert self._process is not None
            _, said = self._process.finish()
            raise ValueError(f"--judge: the program has ended{said and ': ' + said}") from None
        if found is None:
            raise ValueError(f"--judge: no answer in {_PATIENCE_S:g} s")
        return found.raw.decode("utf-8", "replace")
