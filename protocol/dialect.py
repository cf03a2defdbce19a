"""The dialect of Yixin-Board, Rapfi's interface and web front ends: what its words do and print.

Yixin-Board takes every line that it does not know as a move. So a word of the dialect has an answer
in the dialect's own form, or none; one that cannot be carried out has a line that begins with
ERROR, which goes to that program's log.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from engine.model import MAX_LINES, Info, Limits, Line, Point, Score, Stone, win_chance
from protocol.brain import Brain
from protocol.choices import MOVE_COUNTS, Answer, balancing, bias_of
from protocol.commands import Block, PathBlock
from protocol.commands import Line as Command
from protocol.game import Game
from protocol.messages import (
    QUOTED_CHARACTERS,
    SILENCE,
    Refusal,
    Reply,
    clip,
    counted,
    error,
    format_point,
    name_point,
    parse_integer,
    quote,
    squares,
)
from protocol.opening_rules import BLACK, MOST_FIFTHS, WHITE, Ask, Opening, Talks, swap2_ask
from protocol.settings import MAX_THREADS
from protocol.stones import Stones

# Of `INFO show_detail`, a sum of these: what is printed about a search besides the usual reports.
SHOW_BEST = 1  # MESSAGE REALTIME: the best move, for a mark on the board
SHOW_LINES = 2  # INFO: every line with its values

# Assumed where the system does not tell how much memory it has.
_UNKNOWN_MEMORY_BYTES = 2**32
# Half an hour: "until stopped", for an analysis without any limit.
UNTIL_STOPPED_MS = 2_000_000

# What INFO can ask for and Tengen cannot do: the key, the values that ask for nothing, and the
# reason. A request for it is answered by one remark.
_WITHOUT_EFFECT: dict[str, tuple[tuple[str, ...], str]] = {
    "caution_factor": ((), "the search itself decides how many moves it looks at"),
    "start_depth": (("0", "1"), "every search begins with its first iteration"),
    "nbestsym": (("0",), "of moves that a symmetry exchanges only one is listed"),
    "checkmate": (("0",), "every search is for the best move, not for a win alone"),
    "usedatabase": (("0",), "Tengen keeps no database of positions"),
    "vcthread": (("0",), "all threads, those of thread_num, search together"),
}


def remark_on(key: str, value: str) -> str | None:
    """A remark about `INFO key value`, `key` in lower case, where it asks for what Tengen cannot
    do; else None."""
    if key not in _WITHOUT_EFFECT:
        return None
    neutral, reason = _WITHOUT_EFFECT[key]
    if value in neutral:
        return None
    shown = value if len(value) <= QUOTED_CHARACTERS else f"{value[:QUOTED_CHARACTERS]}..."
    return f"{f'INFO {key} {shown}'.strip()} has no effect: {reason}"


def capability_lines(memory_bytes: int | None, machine_bytes: int) -> tuple[str, ...]:
    """The answer to yxshowinfo: how many threads make sense here, and the largest hash table as the
    binary logarithm of its size in KiB.

    memory_bytes   limit for the whole program, None = that of the machine
    machine_bytes  memory of the machine, 0 = not known
    """
    threads = min(os.cpu_count() or 1, MAX_THREADS)
    table_kib = (memory_bytes or machine_bytes or _UNKNOWN_MEMORY_BYTES) // 2 // 1024
    return (
        f"MESSAGE INFO MAX_THREAD_NUM {threads}",
        f"MESSAGE INFO MAX_HASH_SIZE {max(10, table_kib.bit_length() - 1)}",
    )


def draw_line(score: Score | None) -> str:
    """The answer to yxdraw, the opponent's offer: a draw is taken where the last search of the
    game saw less than an even one. `score` is what it saw, from our view; None = no search."""
    is_taken = score is not None and score < Score(0)
    return f"MESSAGE DRAW {'ACCEPT' if is_taken else 'REJECT'}"


def opening_lines(word: str, answer: Answer) -> tuple[str, ...]:
    """The answer to a step of swap2 or Soosyrv-8. The numbers of a square have a blank between
    them."""
    opening, step = word.removeprefix("YX").split("STEP")
    squares = [f"{point.x} {point.y}" for point in answer.stones]
    if step == "1":
        said = [f"MOVE{i} {square}" for i, square in enumerate(squares, start=1)]
    elif word == "YXSWAP2STEP2" and len(squares) == 2:
        said = [f"MOVE{i} {square}" for i, square in enumerate(squares, start=4)]
    elif word == "YXSOOSORVSTEP3":
        said = [f"MOVE4 {squares[0]} {answer.fifths}"]
    elif word == "YXSOOSORVSTEP5":
        said = [f"MOVE5 {text}" for text in ("REFRESH", *squares, "DONE")]
    elif word == "YXSOOSORVSTEP6":
        said = [f"MOVE5C {squares[0]}"]
    else:
        number = 1 if step == "2" else 2
        said = [f"SWAP{number} {'YES' if answer.is_swap else 'NO'}"]
    remark = f"MESSAGE {opening.capitalize()}: {answer.remark}"
    return (remark, *(f"MESSAGE {opening} {text}" for text in said))


def line_count(argument: str) -> int:
    """The number of lines that `yxnbest` asks for; Refusal where that is not a number from 1. More
    than MAX_LINES count as so many."""
    count = parse_integer(argument)
    if count is None or count < 1:
        raise Refusal(f"{quote(argument)} is not a number of lines; send YXNBEST 1 or more")
    return min(count, MAX_LINES)


def analysis_limits(limits: Limits, count: int) -> Limits:
    """The limits of a search for so many lines, from those of a move. An analysis without any limit
    goes on until it is stopped."""
    if limits == Limits(started_ns=limits.started_ns, excluded=limits.excluded):
        limits = limits._replace(turn_ms=UNTIL_STOPPED_MS)
    return limits._replace(lines=count, is_analysis=True)


def detail_lines(
    info: Info, detail: int, height: int, to_manager: Callable[[Point], Point]
) -> tuple[str, ...]:
    """What follows the usual report of a search in this dialect.

    detail      sum of SHOW_BEST and SHOW_LINES
    height      rows of the board, counted from the bottom in the names of squares
    to_manager  turns a point of the engine into the order of coordinates that the manager uses
    """
    lines = info.lines or (Line(info.score, info.depth_plies, info.seldepth_plies, info.pv),)
    found = []
    for i, line in enumerate(lines[1:], 2):
        depth = f"{line.depth_plies}-{line.seldepth_plies}"
        names = [name_point(point, height) for point in line.pv]
        found.append(squares(f"MESSAGE ({i}) {line.score} | {depth} |", names))
    if detail & SHOW_BEST:
        found.append("MESSAGE REALTIME REFRESH")
        found.append(f"MESSAGE REALTIME BEST {format_point(to_manager(info.pv[0]))}")
    if detail & SHOW_LINES:
        for i, line in enumerate(lines):
            found += _block(i, len(lines), line, info, to_manager)
    return tuple(found)


def _block(
    number: int, count: int, line: Line, info: Info, to_manager: Callable[[Point], Point]
) -> list[str]:
    """One line of play as the front ends read it; they put it together from these texts."""
    return [
        f"INFO PV {number}",
        f"INFO NUMPV {count}",
        f"INFO DEPTH {line.depth_plies}",
        f"INFO SELDEPTH {line.seldepth_plies}",
        f"INFO NODES {info.nodes}",
        f"INFO TOTALNODES {info.nodes}",
        f"INFO TOTALTIME {info.time_ms}",
        f"INFO SPEED {info.speed_nps}",
        f"INFO EVAL {line.score}",
        f"INFO WINRATE {win_chance(line.score):.4f}",
        squares("INFO BESTLINE", [format_point(to_manager(point)) for point in line.pv]),
        "INFO PV DONE",
    ]


class HashFile(NamedTuple):
    """What is to be done with a file; it thinks in the place of a brain, so that END and STOP act
    meanwhile.

    word   YXHASHDUMP or YXHASHLOAD.
    name   of the file, as it was sent.
    """

    word: str
    name: str
    brain: Brain

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> str:
        """Write or read the file; returns how much that was. The limits have no effect."""
        path = os.fsdecode(self.name.encode("latin-1"))
        if self.word == "YXHASHDUMP":
            return f"{counted(self.brain.save_hash(path), 'position')} written to {self.name}"
        return f"{counted(self.brain.load_hash(path), 'position')} read from {self.name}"

    def answer(self, outcome: object) -> str:
        """The line that tells what think() has returned or raised."""
        if isinstance(outcome, str):
            return clip(f"MESSAGE {outcome}")
        if isinstance(outcome, NotImplementedError):
            return error(f"{self.word}: {outcome}")
        reason = outcome.strerror if isinstance(outcome, OSError) else None
        return error(f"{self.word}: {self.name}: {reason or str(outcome) or 'not enough memory'}")


class Dialect:
    """The dialect in a game."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def obey(self, command: Command) -> Reply | None:
        """Carry out a word that asks for no search; None for one that is not known."""
        game = self._game
        match command.word:
            case "YXSHOWINFO":
                self._settle_order(command.first.islower())
                machine_bytes = game.brain.machine_bytes()
                return Reply(capability_lines(game.settings.memory_bytes, machine_bytes))
            case "YXDRAW":
                return Reply((draw_line(game.last_score),))
            case "YXRESIGN":
                pass  # the game is over; the next one begins with START
            case "YXBLOCKRESET":
                game.blocked.reset()
            case "YXBLOCKPATHRESET":
                game.blocked.reset_paths()
            case "YXSHOWFORBID":
                return self._show_forbidden()
            case "YXHASHCLEAR":
                if game.has_brain:
                    game.brain.new_game()
            case _:
                return None
        return SILENCE

    def take(self, block: Block) -> Reply:
        """Carry out a word with its body: no answer unless it is refused, or about a file."""
        game = self._game
        stones = game.board(block.word)
        if block.word == "YXBOARD":
            game.stones = game.stones_of(block)
            return SILENCE
        if isinstance(block, PathBlock):
            block.check()
            if not block.name:
                raise Refusal(f"{block.word}: send the name of a file on the next line")
            game.tell_settings()
            game.set_position(stones)  # files are for boards of one size
            game.question = HashFile(block.word, block.name, game.brain)
            return Reply(limits=Limits())
        block.check()
        game.blocked.take(block, stones)
        return SILENCE

    def search(self, command: Command) -> Reply:
        """One of protocol.commands.SEARCHING_WORDS: a search in the position that is held."""
        command.check_whole()
        game, read_ns = self._game, command.read_ns
        stones = game.board(command.word).copy()
        if command.word in MOVE_COUNTS:
            return self._balance(command, stones, read_ns)
        if command.word.startswith("YXSWAP2"):
            return self._swap2(command.word, stones, read_ns)
        if command.word.startswith("YXSOOSORV"):
            return self.step(Block(command.word), read_ns)
        if command.word == "YXNBEST":
            # A bad number is refused before the brain is told anything.
            count = line_count(command.rest)
        else:
            count = max(1, min(stones.free_count, MAX_LINES))  # as many as there are moves
        limits = game.think(stones, read_ns).limits or Limits()
        game.is_analysis = True
        return Reply(limits=analysis_limits(limits, count))

    def step(self, block: Block, read_ns: int) -> Reply:
        """YXSOOSORVSTEP1 and those after it. The position that is held stays."""
        game, word = self._game, block.word
        board = game.board(word)
        step, played, fifths = word[-1], tuple(block.points), block.count
        block.check()
        least = {"1": 0, "2": 3, "3": 3, "4": 4, "5": 4, "6": 5}[step]
        most = least + MOST_FIFTHS - 1 if step == "6" else least
        if not least <= len(played) <= most:
            wanted = f"{least} to {most}" if most > least else f"{least}"
            many = counted(len(played), "stone")
            raise Refusal(f"{word} with {many}: send {wanted}, then DONE")
        if step in "45" and not 1 <= fifths <= MOST_FIFTHS:
            raise Refusal(f"{word} needs the number of fifth moves: send {word} 1 to 8")
        offered = played[4:] if step == "6" else ()
        stones = board.after(played[: len(played) - len(offered)])
        for point in offered:
            stones.copy().put(point, Stone.BLACK)  # refused where that is not possible
        opening = Opening.SOOSYRV
        talks = Talks(opening)
        match step:
            case "1" | "2":
                ask = talks.ask(least)
            case "3":
                ask = talks.swap(3).ask(3)
            case "4" | "5":
                ask = Ask(BLACK, may_swap=step == "4", offers=fifths)
            case _:
                ask = Ask(WHITE, offered=offered)
        assert ask is not None
        return game.ask(stones, read_ns, word, opening, ask)

    def _swap2(self, word: str, stones: Stones, read_ns: int) -> Reply:
        """YXSWAP2STEP1, on the empty board, and the steps in the position that is held, which
        stays."""
        count = {"1": 0, "2": 3, "3": 5}[word[-1]]
        colours = (Stone.BLACK, Stone.WHITE)
        of_colour = [[p for p, stone in stones.placed.items() if stone is c] for c in colours]
        wanted = [count - count // 2, count // 2, count]
        if count and [*map(len, of_colour), len(stones.placed)] != wanted:
            raise Refusal(f"{word} needs {count} stones on the board: send yxboard first")
        in_turn = stones.after(of_colour[i % 2][i // 2] for i in range(count))
        ask = swap2_ask(count)
        assert ask is not None
        return self._game.ask(in_turn, read_ns, word, Opening.SWAP2, ask)

    def _balance(self, command: Command, stones: Stones, read_ns: int) -> Reply:
        """YXBALANCEONE and YXBALANCETWO."""
        game = self._game
        bias = bias_of(command.word, command.rest)
        count = MOVE_COUNTS[command.word]
        if stones.free_count - len(game.blocked.excluded(stones)) < count:
            raise Refusal(f"{command.word} needs {counted(count, 'free square')}")
        reply = game.think(stones, read_ns)
        position = stones.position(game.settings.rule)
        game.question = balancing(game.brain, position, count, bias, game.excluded)
        return reply

    def _show_forbidden(self) -> Reply:
        """YXSHOWFORBID: two digits for each number, and a full stop. Only Black has forbidden
        points, so none are shown to White."""
        game = self._game
        stones = game.board("YXSHOWFORBID")
        points: tuple[Point, ...] = ()
        if stones.to_move is Stone.BLACK:
            game.set_position(stones)
            points = game.exchange_all(tuple(game.brain.forbidden_points()))
        return Reply((f"FORBID {''.join(f'{x:02}{y:02}' for x, y in points)}.",))

    def _settle_order(self, is_lower: bool) -> None:
        """YXSHOWINFO tells in which order the manager writes coordinates. A board that is held
        keeps its stones."""
        game = self._game
        before = game.settings.is_row_first
        game.settings.note_front_end(is_lower)
        if game.settings.is_row_first != before:
            game.blocked.transpose()
            if game.stones is not None:
                game.stones = game.stones.transposed()
