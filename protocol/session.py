"""The commands of a conversation: one line in, the lines to print out, and perhaps a search.

A session prints nothing and waits for nothing. `execute` takes a line and returns the lines to
print, or a request to think; `finish` takes the result of the search. A command either succeeds,
or leaves the position as it was and says in one ERROR line what was wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.model import MAX_STRENGTH, Info, Limits, Point, Result, Stone
from protocol import dialect
from protocol.brain import Brain
from protocol.choices import Answer, Question, is_black_better
from protocol.commands import (
    KNOWN_WORDS,
    OPENING_WORDS,
    SEARCHING_WORDS,
    SOOSORV_WORDS,
    Block,
    Line,
    begin_block,
    is_command,
    point_of,
    setting_of,
    size_of,
)
from protocol.dialect import Dialect, HashFile
from protocol.game import Game
from protocol.messages import (
    OK,
    SILENCE,
    About,
    Refusal,
    Reply,
    counted,
    error,
    format_info,
    format_point,
    or_error,
    quote,
)
from protocol.opening_rules import Opening, swap2_ask
from protocol.pondering import expected_reply
from protocol.settings import MILLISECOND_NS, NO_FILE, FileSettings, end_of_search_ns
from protocol.stones import Stones, any_move, check_size

# These act at once, also inside a BOARD block or during a search.
URGENT_WORDS = ("END", "INFO", "STOP", "YXSTOP")

Outcome = Result | Answer | str | Exception


class Session:
    """One conversation with a manager, without its transport.

    All methods belong to one thread, except `request_stop`, and `think`, `report`, `finish` and
    `ponder`: the thinking thread calls them, while nothing else but INFO lines is executed.
    """

    def __init__(
        self,
        make_brain: Callable[[], Brain],
        about: About,
        file_settings: FileSettings = NO_FILE,
    ) -> None:
        self.game = Game(make_brain, file_settings)
        self._dialect = Dialect(self.game)
        self._about = about
        self._block: Block | None = None
        # The board with our move and the reply that is expected, to think about meanwhile.
        self._expected: Stones | None = None
        self._last_said: tuple[object, ...] = ()
        # Options without an effect that the manager has been told about, by name.
        self._remarked: set[str] = set()
        self._is_after_yixin = False

    @property
    def is_filing(self) -> bool:
        """What was requested is the work on a file."""
        return isinstance(self.game.question, HashFile)

    def execute(self, line: Line) -> Reply:
        """Carry out one line. Not to be called between a request to think and `finish`."""
        if self._block is not None and line.word not in URGENT_WORDS:
            if is_command(line.word):
                return self._break_off(self._block, line)
            return self._feed(self._block, line)
        word, settings = line.word, self.game.settings
        if word in ("", *URGENT_WORDS):
            if word == "INFO":
                self._set_option(*setting_of(line))
            settings.is_yixin |= word == "YXSTOP"
            return SILENCE
        if line.is_stray and self._is_after_yixin:
            # Some of the words that are not known have bodies, which get no answer either.
            return SILENCE
        self._is_after_yixin = False
        is_yixin = word.startswith("YX")
        settings.is_yixin |= is_yixin
        if word in OPENING_WORDS:
            self._block = begin_block(word)
            return self._feed(self._block, line.body)
        if is_yixin:
            return self._extend(line)
        if word == "ABOUT" and line.tail is None:
            return Reply((str(self._about),))
        if word not in KNOWN_WORDS and not line.is_stray:
            words = " ".join(KNOWN_WORDS)
            return Reply((f"UNKNOWN command {quote(line.text)}: the commands are {words}",))
        return self._answer(partial(self._obey, line))

    def end_of_search_ns(self, line: Line, started_ns: int) -> int | None:
        """protocol.settings.end_of_search_ns() in this game; None for what is no INFO line, and
        while a file is written or read."""
        if self.is_filing or line.word != "INFO":
            return None
        key, value = setting_of(line)
        return end_of_search_ns(key, value, started_ns, self.game.used_ns, line.read_ns)

    def refuse_lost(self) -> Reply:
        """The answer in place of lines that were not kept; an open BOARD block ends."""
        self._block = None
        return Reply(
            (error("too many lines wait: some were lost, send START or BOARD to begin anew"),)
        )

    def close_block(self, read_ns: int) -> Reply:
        """End a BOARD block, by DONE or because the input is over; silent when none is open."""
        block, self._block = self._block, None
        if block is None:
            return SILENCE
        if block.word in SOOSORV_WORDS:
            return self._answer(partial(self._dialect.step, block, read_ns))
        if block.word.startswith("YX"):
            return or_error(partial(self._dialect.take, block))
        return self._answer(partial(self._set_up, block, read_ns))

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Outcome:
        """Serve a request to think; what is raised is an outcome too."""
        try:
            return (self.game.question or self.game.ponderer).think(limits, on_info)
        except Exception as failure:
            # It becomes an ERROR line; the conversation goes on.
            return failure

    def request_stop(self) -> None:
        """Let a request that is served end soon, from any thread."""
        self.game.ponderer.request_stop()

    def report(self, info: Info) -> tuple[str, ...]:
        """The lines for a report of the running search; none if it repeats the last one, as that of
        the move often does."""
        said = (info.depth_plies, info.seldepth_plies, info.score, info.nodes, info.pv, info.lines)
        if said == self._last_said:
            return ()
        self._last_said = said
        game = self.game
        details = dialect.detail_lines(info, game.settings.detail, game.height, game.exchange)
        return (format_info(info, game.height), *details)

    def finish(self, outcome: Outcome, end_ns: int) -> tuple[str, ...]:
        """Take the outcome of a request to think, which ended at `end_ns` (perf_counter_ns)."""
        game = self.game
        stones, game.considered = game.considered, None
        question, game.question = game.question, None
        self._expected = None  # of the move before, where nothing was pondered about it
        game.search_end_ns = end_ns
        if isinstance(question, HashFile):
            return (question.answer(outcome),)
        earned_ms = game.settings.limits(end_ns).increment_ms or 0
        game.used_ns += max(0, end_ns - game.started_ns) - earned_ms * MILLISECOND_NS
        if stones is None or isinstance(outcome, str):
            raise AssertionError("finish() without a request to think")
        if isinstance(outcome, Answer):
            is_balance = isinstance(question, Question) and question.opening is Opening.BALANCE
            if question is not None and question.word.startswith("YX") and not is_balance:
                return dialect.opening_lines(question.word, outcome)
            for point in outcome.stones:
                stones.put(point, stones.to_move)
            game.stones = stones
            kind = "Balance" if is_balance else "Swap2"
            return (f"MESSAGE {kind}: {outcome.remark}", str(outcome))
        if isinstance(outcome, Exception) and question is not None:
            reason = str(outcome) or type(outcome).__name__
            return (error(f"{question.word}: the search failed: {reason}; the position stays"),)
        game.stones = stones
        failure: Exception
        if isinstance(outcome, Exception):
            failure = outcome
        else:
            move = game.exchange(outcome.move)
            if game.may_swap and is_black_better(outcome.info):
                # The front end that knows this rule asks by YXNBEST, and waits for the best move
                # too, which it does not play.
                waited = (format_point(move),) if game.is_analysis else ()
                return (*self.report(outcome.info), "SWAP", *waited)
            try:
                if move in game.excluded:
                    raise Refusal(f"{format_point(move)} is blocked")
                game.place(stones, move, stones.to_move)
            except Refusal as problem:
                failure = problem
            else:
                game.last_score = outcome.info.score
                self._expect(outcome.info, stones)
                return (*self.report(outcome.info), format_point(move))
        # Without a move the game would be lost.
        point = any_move(stones, game.excluded, self._is_forbidden)
        game.place(stones, point, stones.to_move)
        reason = str(failure) or type(failure).__name__
        return (f"MESSAGE the search failed, this is any legal move: {reason}", format_point(point))

    def ponder(self) -> None:
        """Think in the opponent's time, if that is wanted; called after a move was printed."""
        game = self.game
        expected, self._expected = self._expected, None
        if expected is not None:
            excluded = game.exchange_all(game.blocked.excluded(expected))
            limits = game.settings.limits(0, excluded=excluded)
            game.ponderer.ponder(game.position(expected), limits)

    def _expect(self, info: Info, stones: Stones) -> None:
        """Note the board that `ponder` is to think about, if any."""
        game = self.game
        reply = expected_reply(info)
        is_wanted = game.settings.is_pondering and game.settings.strength == MAX_STRENGTH
        if reply is None or not is_wanted or game.is_analysis:
            return
        expected = stones.copy()
        try:
            game.place(expected, game.exchange(reply), expected.to_move)
        except Refusal:
            return
        self._expected = None if expected.is_full else expected

    def _is_forbidden(self, point: Point) -> bool:
        return self.game.brain.is_forbidden(*self.game.exchange(point))

    def _set_option(self, key: str, value: str) -> None:
        """An INFO line."""
        game = self.game
        game.settings.apply(key, value)
        game.prepare()
        if key == "pondering" and game.has_brain:
            game.ponderer.idle()
        remark = dialect.remark_on(key, value)
        if remark is not None and key not in self._remarked:
            self._remarked.add(key)
            game.notices.append(remark)

    def _break_off(self, block: Block, line: Line) -> Reply:
        """End a block that a command breaks off with one ERROR, and obey the command."""
        self._block = None
        fault = block.fault or f"{line.word} came before {block.ending}"
        obeyed = self.execute(line)
        lines = (error(f"{block.word}: {fault}; the position stays as it was"), *obeyed.lines)
        return Reply(lines, obeyed.limits)

    def _extend(self, line: Line) -> Reply:
        """Carry out a word of the Yixin dialect; silent for one that is not known."""
        if line.word in SEARCHING_WORDS:
            return self._answer(partial(self._dialect.search, line))
        try:
            reply = self._dialect.obey(line)
        except Refusal as refusal:
            return Reply((error(str(refusal)),))
        self._is_after_yixin = reply is None
        return reply or SILENCE

    def _feed(self, block: Block, line: Line) -> Reply:
        """Take a line of a BOARD block, and carry BOARD out if it contains DONE."""
        return self.close_block(line.read_ns) if block.feed(line) else SILENCE

    def _answer(self, act: Callable[[], Reply]) -> Reply:
        """Carry out a command that has exactly one answer, with the MESSAGE lines before it."""
        game = self.game
        self._last_said = ()
        reply = or_error(act)
        game.notices += game.settings.take_remarks()
        lines = tuple([f"MESSAGE {notice}" for notice in game.notices])
        game.notices.clear()
        return Reply(lines + reply.lines, reply.limits)

    def _obey(self, line: Line) -> Reply:
        """Carry out one of protocol.commands.KNOWN_WORDS that has no body."""
        game, word = self.game, line.word
        line.check_whole()
        match word:
            case "START" | "RECTSTART":
                return self._start(*size_of(line))
            case "RESTART":
                board = game.board(word)
                game.brain.new_game()
                game.begin(Stones(board.width, board.height))
                return OK
            case "BEGIN":
                stones = game.board(word).copy()
                if not stones.is_empty:
                    raise Refusal("BEGIN needs an empty board: send TURN x,y, or RESTART first")
                stones.to_move = Stone.BLACK
                return game.think(stones, line.read_ns)
            case "TURN":
                point, stones = point_of(line), game.board(word).copy()
                game.place(stones, point, stones.to_move)
                return game.think(stones, line.read_ns)
            case "TAKEBACK":
                point = point_of(line)
                game.board(word).take_back(point)
                return OK
            case "PLAY":
                point, stones = point_of(line), game.board(word)
                game.place(stones, point, stones.to_move)
                return Reply((format_point(point),))
        raise Refusal(
            f"{quote(line.text)} needs BOARD before it: send BOARD, then stones as"
            " x,y,1 or x,y,2, then DONE"
        )

    def _start(self, width: int, height: int) -> Reply:
        game = self.game
        check_size(width, height)
        try:
            if not self._keeps_table(width, height):
                game.brain.new_game()
        except (MemoryError, ImportError, OSError, ValueError) as problem:
            # A values file that is damaged, or where a process may have only a few dozen megabytes.
            reason = str(problem) or "not enough memory"
            raise Refusal(f"the engine cannot start: {reason}") from problem
        stones = Stones(width, height)
        game.begin(stones.transposed() if game.settings.is_row_first else stones)
        return OK

    def _keeps_table(self, width: int, height: int) -> bool:
        """True for a START that does not forget. Yixin-Board sends one before every search, and
        YXHASHCLEAR where nothing is to be known. At a lower strength every game is another one."""
        stones, settings = self.game.stones, self.game.settings
        if stones is None or not settings.is_yixin or settings.strength < MAX_STRENGTH:
            return False
        size = (height, width) if settings.is_row_first else (width, height)
        return (stones.width, stones.height) == size

    def _set_up(self, block: Block, read_ns: int) -> Reply:
        """BOARD and SWAP2BOARD, with their bodies."""
        game = self.game
        if block.word == "BOARD":
            return game.think(game.stones_of(block), read_ns)
        stones = game.board("SWAP2BOARD").after(block.points)
        block.check()
        if (ask := swap2_ask(len(block.entries))) is None:
            many = counted(len(block.entries), "stone")
            raise Refusal(f"SWAP2BOARD with {many}: send none, three or five")
        return game.ask(stones, read_ns, block.word, Opening.SWAP2, ask)
