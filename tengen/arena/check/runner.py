r"""Plays the steps of scripts with a program: docs/CHECK.md lists them, and the values of `{...}`.

A step that needs more than the lines to and from the program is a method here.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress

import psutil

from engine.text import point_name
from tengen.arena.check.conversation import Conversation, Failure, Skip, shorten
from tengen.arena.check.positions import (
    POSITIONS,
    SanityPosition,
    expect_good,
    full_stones,
    opening_stones,
    quiet_stones,
    set_up,
    stones_in_turn,
)
from tengen.arena.check.script import ScriptError, Scripts, Step
from tengen.arena.programs.program import OPPONENT, REFUSALS, REMARKS, first_word
from tengen.game.referee import Cell
from tengen.game.values import counted

_ENDINGS = {"lf": "\n", "crlf": "\r\n", "cr": "\r", "none": ""}
_VALUE = re.compile(r"\{([^{}]+)\}")
_CELL = re.compile(r"(\d{1,9}),(\d{1,9})")
_BLOCK = re.compile(r"INFO PV (?!DONE)\S+(.*?)INFO PV DONE")
# Beyond this the judge has killed the program after END.
_JUDGE_KILLS_S = 0.5
# These only add to what is sent together.
_JOINING = ("eol", "each", "if", "expect", "remarks", "positions")
_PART = r"(?:\d*\.?\d+\*)?(?:turn|timeout|left|\d*\.?\d+)"
_TIME = rf"{_PART}(?:\+{_PART})*"
# What may follow the word of a step: as a pattern, and in words. Others need nothing.
_ARGUMENTS = {
    ">*": (r"\d+ .*", "a number and a text"),
    ">block": (r"\S+ .+", "a command and stones"),
    "eol": ("|".join(_ENDINGS), "lf, crlf, cr or none"),
    "each": (".+", "values"),
    "if": (
        rf"refused|none|swap2 \d+|slower {_TIME}|missing .+|(same|other) .+",
        "refused, none, slower S, same A B, other A B, missing FILE or swap2 N",
    ),
    "positions": (r"\d+", "the number of a rule"),
    "position": ("|".join(map(str, range(len(POSITIONS)))), f"0 to {len(POSITIONS) - 1}"),
    **dict.fromkeys(("expect", "note", "skip"), (".+", "a text")),
    **dict.fromkeys(("let", "write"), (r"\S+ .+", "a name and a text")),
    "game": (r"(-?\d+)?", "milliseconds, or nothing"),
    "rounds": (rf"\d+ {_TIME}", "a number of rounds and a time"),
    "memory": (rf"(\d+|\{{\w+\}})( {_TIME})?", "MiB, and perhaps a time"),
    **dict.fromkeys(
        ("wait", "suspend", "alive", "clock", "within", "<lines", "<gone"),
        (_TIME, "a time, such as 0.5 or 2*turn+1"),
    ),
    **dict.fromkeys(("<quiet", "<none"), (f"({_TIME})?", "a time, or nothing")),
    "<exit": (rf"{_TIME}( silently)?", "a time, and perhaps silently"),
    "<move": (rf"(?!within$)\w*( ?\bwithin {_TIME})?", "a name or nothing, and perhaps within S"),
    "<swap2": (r"(SWAP|\d+)( \d+)*", "SWAP, numbers of moves, or both"),
    **dict.fromkeys(("<~", "some", "found", "printed"), (".+", "a pattern")),
    **dict.fromkeys(("<first", "<line", "blocks"), (r"\S.*", "words")),
}
# The values of these need a number.
_COUNTED = re.compile(r"turn(?: \d+)*|(?:quiet|full) \d+(?: .*)?")


class Runner:
    """Plays steps with one program.

    note    what the script has noted.
    values  what `{...}` stands for, besides what the board gives; `names` adds to it.
    step    the step that is being played.
    """

    def __init__(
        self, talk: Conversation, scripts: Scripts, values: Mapping[str, str] | None = None
    ) -> None:
        self.talk = talk
        self.note = ""
        self.values = dict(values or {})
        self.step = Step(0, "")
        self._scripts = scripts
        self._stack = ExitStack()
        self._end = "\n"
        self._joined = ""
        self._expected = ""
        self._answer = ""
        self._found: list[str] = []
        self._move: Cell = (0, 0)
        self._position: SanityPosition | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def play(self, steps: Iterable[Step]) -> None:
        """Plays steps in order. `Failure` or `Skip` ends them; ScriptError, naming the line, for a
        step that cannot be carried out, whatever the program does."""
        self._play_all(steps)
        self._flush()

    def note_of(self, steps: Iterable[Step]) -> str:
        """As `play`; returns what the script has noted."""
        self.play(steps)
        return self.note

    def _play_all(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self.step = step
            word, _, rest = step.text.partition(" ")
            try:
                if step.text in self._scripts.sections:
                    self._play_all(self._scripts.sections[step.text])
                    continue
                pattern, needed = _ARGUMENTS.get(word, (".*", ""))
                if not re.fullmatch(pattern, rest):
                    raise ScriptError(step, f"{word} takes {needed}")
                if word.startswith(">"):
                    self._write(word, rest)
                    continue
                if word not in _JOINING:
                    self._flush()
                self._play_step(word, rest, step)
            except (LookupError, re.error, ValueError) as error:
                if isinstance(error, ScriptError):
                    raise
                raise ScriptError(step, str(error)) from error

    # ---- lines to the program

    def _write(self, kind: str, text: str) -> None:
        if kind == ">*":
            count, _, piece = text.partition(" ")
            text = _unescape(piece) * int(count)
        elif kind == ">\\":
            text = _unescape(self._filled(text))
        elif kind == ">block":
            word, _, stones = text.partition(" ")
            lines = [word, *self._filled(stones).split(), "done" if word.islower() else "DONE"]
            text = self._end.join(lines)
        else:
            is_alone = text.startswith("{") and text.endswith("}")
            text = self._filled(text).replace("\n", self._end if is_alone else " ")
        if kind == ">?":
            self.talk.doubt(text)
        self.talk.note_line(text)
        self._joined += text + self._end

    def _flush(self) -> None:
        if self._joined:
            joined, self._joined = self._joined, ""
            self.talk.send(joined)

    # ---- values

    def _filled(self, text: str) -> str:
        # First those that have names, which may stand within others: `{quiet {each}}`.
        text = _VALUE.sub(lambda match: self.values.get(match[1], match[0]), text)
        return _VALUE.sub(lambda match: self._value(match[1]), text)

    def _value(self, key: str) -> str:
        if not key.strip("0123456789,"):
            return f"{{{key}}}"  # how often something stands in a pattern
        board, settings = self.talk.board, self.talk.settings
        word, *rest = re.split("[: ]", key)
        match word:
            case "turn" | "quiet" | "full" if not _COUNTED.fullmatch(key):
                pass
            case "size":
                return str(self.talk.knowledge.size)
            case "width" | "height":
                return str(getattr(board, word))
            case "turn":
                return str(max([settings.turn_ms, *map(int, rest)]))
            case "sizes":
                return " ".join(map(str, settings.sizes))
            case "free" | "far":
                x, y = far = board.width - 1, board.height - 1
                if word == "free" or far in board.stones:
                    x, y = self.talk.free_cell()
                self.values |= dict.fromkeys(rest, f"{x},{y}")
                # Another one on the same line, or the next.
                board.stones[x, y] = OPPONENT
                return f"{x},{y}"
            case "beside" | "block":
                x, y = board.beside() if word == "beside" else board.block()
                return f"{x},{y}"
            case "left":
                return str(int(self.talk.left_s * 1000))
            case "stones":
                return counted(len(board.stones), "stone")
            case "opening":
                return _lines(opening_stones())
            case "quiet":
                return _lines(quiet_stones(int(rest[0])))
            case "full":
                stones = full_stones(board.width, empty=int(rest[0]))
                return _lines(
                    (y, x, field) if rest[1:] else (x, y, field) for x, y, field in stones
                )
            case "swap2":
                stones = stones_in_turn(board.swap2)
                return _lines(stones if rest else board.swap2)
            case "folder":
                folder = tempfile.TemporaryDirectory(prefix="check judge's ")
                self.values[key] = self._stack.enter_context(folder)
                return self.values[key]
            case "answer":
                return shorten(self._answer)
            case "found":
                return "; ".join(self._found)
            case "took" | "slowest":
                seconds = self.talk.elapsed_s if word == "took" else self.talk.slowest_s
                return f"{seconds:.3f}"
            case "point":
                return point_name(self._move, board.height)
        raise ScriptError(self.step, f"there is no value {{{key}}}")

    def _seconds(self, text: str) -> float:
        units = {
            "turn": self.talk.board.turn_s,
            "timeout": self.talk.settings.timeout_s,
            "left": self.talk.left_s,
        }
        total_s = 0.0
        for part in filter(None, text.split("+")):
            count, _, unit = part.rpartition("*")
            total_s += float(count or 1) * (units[unit] if unit in units else float(unit))
        return total_s

    # ---- steps

    def _play_step(self, word: str, rest: str, step: Step) -> None:
        talk = self.talk
        expected, self._expected = self._expected, ""
        match word:
            case "eol":
                self._end = _ENDINGS[rest]
            case "each":
                values = self._filled(rest)
                self._each(values.split(" | " if " | " in values else None), step.body)
            case "if":
                if self._holds(rest):
                    self._play_all(step.body)
            case "positions":
                self._positions(int(rest), step.body)
            case "position":
                if "rule" not in self.values:
                    raise ScriptError(step, "expected let rule N before it")
                self._set_position(POSITIONS[int(rest)], int(self.values["rule"]))
            case "expect":
                self._expected = self._filled(rest)
            case "note":
                self.note = self._filled(rest)
            case "let":
                name, _, value = rest.partition(" ")
                self.values[name] = self._filled(value)
            case "skip":
                raise Skip(self._filled(rest))
            case "remarks":
                talk.remarks = rest.split()
            case "game":
                self._start(rest)
            case "new":
                talk.again()
            case "wait":
                talk.process.wait(self._seconds(rest))
            case "suspend":
                self._suspend(self._seconds(rest))
            case "close":
                talk.close_input()
            case "kill":
                # As Piskvork does it: without the children.
                with suppress(psutil.NoSuchProcess):
                    psutil.Process(talk.process.pid).kill()
            case "alive":
                if talk.process.wait(self._seconds(rest)):
                    raise Failure(expected or "a program that runs on", "the end of the process")
            case "clock":
                talk.left_s = self._seconds(rest)
            case "rounds":
                count, seconds = rest.split()
                self._rounds(int(count), self._seconds(seconds), step.body)
            case "write":
                name, _, text = rest.partition(" ")
                with open(self._filled(name), "w", encoding="utf-8") as file:
                    file.write(text)
            case _ if word.startswith("<"):
                self._expect(word, rest, expected)
            case _:
                self._judge(word, rest, expected)

    def _start(self, turn_ms: str) -> None:
        talk, knowledge = self.talk, self.talk.knowledge
        if knowledge.no_start:
            raise Skip(f"no game can be started: {knowledge.no_start}")
        talk.send(f"START {knowledge.size}{self._end}")
        talk.expect("OK", lambda text: first_word(text) == "OK", thinking_s=0.0)
        talk.send(f"INFO timeout_turn {turn_ms or talk.settings.turn_ms}{self._end}")

    def _suspend(self, seconds: float) -> None:
        """Suspends the process for a while, without its children, as the judge does."""
        process = self.talk.process
        process.remark(f"suspended for {seconds:g} s")
        process.suspend(with_children=False)
        try:
            time.sleep(seconds)
        finally:
            process.resume()
        process.remark("resumed")

    def _each(self, values: Iterable[str], body: Iterable[Step]) -> None:
        """One that is skipped does not keep the others from being played."""
        skipped = []
        for value in values:
            self.values["each"] = value
            try:
                self.play(body)
            except Skip as skip:
                skipped.append(str(skip))
        if skipped:
            raise Skip("; ".join(skipped))

    def _rounds(self, count: int, seconds: float, body: Iterable[Step]) -> None:
        """So many times, until the game is over, for no longer than these seconds."""
        process, board = self.talk.process, self.talk.board
        deadline = process.now_s() + seconds
        while count and process.now_s() < deadline and not board.is_over():
            self.play(body)
            count -= 1

    def _positions(self, rule: int, body: Iterable[Step]) -> None:
        if rule not in self.talk.settings.rules:
            raise Skip("not among --rules")
        for position in POSITIONS:
            if rule in position.rules:
                self._set_position(position, rule)
                self._play_all(body)

    def _set_position(self, position: SanityPosition, rule: int) -> None:
        """The steps that follow ask for a move in this position."""
        self._position = position
        stones = _lines(stones_in_turn(position.cells))
        self.values |= {"position": stones, "rule": str(rule)}

    def _holds(self, condition: str) -> bool:
        word, *rest = self._filled(condition).split(maxsplit=1)
        match word:
            case "refused":
                return first_word(self._answer) in REFUSALS
            case "none":
                return not self._found
            case "swap2":
                return len(self.talk.board.swap2) == int(rest[0])
            case "slower":
                return self.talk.elapsed_s > self._seconds(rest[0])
            case "same" | "other":
                return (len(set(rest[0].split())) == 1) == (word == "same")
            case "missing":
                return not os.path.exists(rest[0])
        raise ScriptError(self.step, f"there is no condition {word!r}")

    # ---- what must come

    def _expect(self, word: str, rest: str, expected: str) -> None:
        talk = self.talk
        match word:
            case "<":
                wanted = self._filled(rest)
                self._first(expected or f"the line {wanted}", lambda text: text == wanted)
            case "<~":
                pattern = re.compile(rest)
                said = expected or f"a line like {rest}"
                self._first(said, lambda text: pattern.fullmatch(text) is not None)
            case "<first" | "<line":
                words = rest.split("|")
                self._answer = talk.expect(
                    expected or " or ".join(words),
                    lambda text: first_word(text) in words,
                    is_first=word == "<first",
                    thinking_s=0.0 if words == ["OK"] else None,
                )
            case "<any":
                self._first(expected or "an answer", lambda text: True)
            case "<refusal":
                said = expected or f"ERROR to {talk.sent[0] if talk.sent else ''!r}"
                self._first(said, lambda text: first_word(text) in REFUSALS)
            case "<about":
                self._answer = talk.expect(
                    expected or "a line about the program",
                    lambda text: (
                        first_word(text) not in ("OK", *REMARKS, *REFUSALS)
                        and rest.lower() in text.lower()
                    ),
                )
            case "<move":
                name, _, limit = rest.partition("within")
                limit_s = self._seconds(limit.strip()) if limit else None
                self._move = talk.expect_move(expected, limit_s)
                if name.strip():
                    self.values[name.strip()] = f"{self._move[0]},{self._move[1]}"
            case "<swap2":
                self._expect_swap2(rest.split())
            case "<quiet":
                talk.expect_silence(self._seconds(rest))
            case "<none":
                talk.expect_silence(self._seconds(rest), but=talk.remarks)
            case "<lines":
                lines = talk.lines_of(self._seconds(rest))
                self._found = [text for text in lines if first_word(text) not in talk.remarks]
                talk.is_answered |= bool(self._found)
            case "<exit":
                seconds, _, silently = rest.partition(" ")
                talk.expect_exit(self._seconds(seconds), is_silent=silently == "silently")
                late = talk.elapsed_s > _JUDGE_KILLS_S
                took = self._filled("{took} s") + ", later than the judge waits" * late
                self.note = self.note or took
            case "<gone":
                talk.expect_gone(self._seconds(rest))
                self.note = self.note or self._filled("{took} s")
            case _:
                raise ScriptError(self.step, "there is no such step")

    def _first(self, expected: str, wanted: Callable[[str], bool]) -> None:
        self._answer = self.talk.expect(expected, wanted, is_first=True)

    def _expect_swap2(self, words: list[str]) -> None:
        """The answer to SWAP2BOARD; its stones are put beside those that were sent."""
        talk = self.talk
        counts = [int(word) for word in words if word != "SWAP"]
        numbers = " or ".join(map(str, counts))
        expected = f"{numbers} moves x,y on empty cells" + ", or SWAP" * ("SWAP" in words)
        text = talk.expect(
            expected,
            lambda text: first_word(text) not in REFUSALS,
            is_first=True,
            thinking_s=max(talk.board.turn_s, 1.0),
        )
        if text in words:
            return
        found = [_CELL.fullmatch(word) for word in text.split(" ")]
        cells = [(int(each[1]), int(each[2])) for each in found if each]
        is_good = len(cells) == len(found) and all(map(talk.board.holds, cells))
        stones = [*talk.board.swap2, *cells]
        if not is_good or len(cells) not in counts or len(set(stones)) < len(stones):
            raise Failure(expected, repr(text[:200]))
        talk.board.swap2 = stones

    # ---- what has come

    def _judge(self, word: str, rest: str, expected: str) -> None:
        talk = self.talk
        lines = talk.process.lines
        match word:
            case "started":
                limit_s = talk.settings.timeout_s
                took_s = max(talk.elapsed_s, talk.knowledge.start_s)
                if took_s > limit_s:
                    raise Failure(f"the line OK within {limit_s:g} s", f"OK after {took_s:.2f} s")
            case "within":
                talk.check_time(self._seconds(rest), "an answer")
            case "some":
                texts = [line.escaped for line in lines]
                self._found = [text for text in texts if re.fullmatch(rest, text)]
            case "found":
                joined = " | ".join(self._found)
                pattern = self._filled(rest)
                if not re.fullmatch(pattern, joined):
                    raise Failure(expected or f"a line like {pattern}", repr(joined[:200]))
            case "printed":
                for line in lines:
                    if not re.fullmatch(rest, line.raw.decode("latin-1")):
                        raise Failure(expected or f"lines like {rest}", repr(line.escaped[:200]))
            case "ends":
                names = {end.encode(): name for name, end in _ENDINGS.items()}
                ends = sorted({names[line.end] for line in lines})
                if len(ends) != 1:
                    raise Failure("the same line end everywhere", " and ".join(ends))
                self.note = ends[0]
            case "errors":
                talk.process.kill()
                if text := talk.process.error_output.decode("utf-8", "replace"):
                    raise Failure("nothing on the error output", repr(text[:200]))
            case "memory":
                self._expect_memory(*self._filled(rest).split())
            case "blocks":
                self._expect_blocks(rest.split())
            case "good":
                self._expect_good(rest)
            case _:
                raise ScriptError(self.step, "there is no such step")

    def _expect_memory(self, limit_mib: str, seconds: str = "0") -> None:
        """The process and all that it has started hold at most so many MiB, now or during some
        seconds."""
        process = self.talk.process
        deadline = process.now_s() + self._seconds(seconds)
        peak = process.rss_bytes() if seconds == "0" else 0
        while process.now_s() < deadline and not process.wait(0.05):
            # There is time to count pages that are shared only once.
            peak = max(peak, process.uss_bytes())
        if not peak:
            raise Skip("the memory of the process cannot be read here")
        if peak > int(limit_mib) << 20:
            raise Failure(f"at most {limit_mib} MiB", f"{peak >> 20} MiB")
        self.note = f"{peak >> 20} MiB"

    def _expect_blocks(self, keys: list[str]) -> None:
        """The lines found have blocks from INFO PV to INFO PV DONE, each with these keys."""
        joined = " | ".join(" ".join(text.upper().split()) for text in self._found)
        blocks = _BLOCK.findall(joined)
        if not blocks or any(f"INFO {key} " not in block for key in keys for block in blocks):
            raise Failure(f"blocks of INFO lines with {', '.join(keys)}", repr(joined[:200]))
        self.note = f"{len(blocks)} blocks"

    def _expect_good(self, remark: str) -> None:
        """The last move is one that the position asks for."""
        position, rule = self._position, int(self.values.get("rule", 0))
        if position is None:
            raise ScriptError(self.step, "there is no position before it")
        board, colour = set_up(position, self.talk.board.width, rule)
        expected = f"{position.expected} under rule {rule} {remark}".rstrip()
        expect_good(board, self._move, colour, expected, position.judge)


def _lines(stones: Iterable[tuple[int, ...]]) -> str:
    return "\n".join(",".join(map(str, stone)) for stone in stones)


def _unescape(text: str) -> str:
    """Text with escapes; bytes that are not ASCII become what `surrogateescape` writes as such."""
    data = text.encode("latin-1").decode("unicode_escape").encode("latin-1")
    return data.decode("ascii", "surrogateescape")
