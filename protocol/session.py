"""The state between commands: the board, the settings, and one method for each command.

A session prints nothing and waits for nothing. `execute` takes a line and returns the lines to
print, or a request to think; `finish` takes the result of the search. A command either succeeds,
or leaves the position as it was and says in one ERROR line what was wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.model import (
    MAX_STRENGTH,
    Info,
    Limits,
    Point,
    Position,
    Result,
    Score,
    Stone,
)
from protocol import commands, yixin
from protocol.balance import MOVE_COUNTS, Balance, Balancing, bias_of
from protocol.blocked import Blocked, PointsBlock
from protocol.brain import Brain, KnowsForbidden, KnowsMachine, ShowsForbidden
from protocol.commands import Bare, BoardBlock, Command, first_word
from protocol.coords import format_point
from protocol.finished import finished_lines
from protocol.hashfile import Done, HashFile, PathBlock, hash_file
from protocol.info import Settings, end_of_search_ns
from protocol.messages import About, format_info, quote
from protocol.pondering import Ponders, expected_reply
from protocol.preferences import NO_PREFERENCES, Preferences
from protocol.reader import Line
from protocol.reply import OK, SILENCE, Refusal, Reply, error, or_error
from protocol.stones import BadStone, Stones, any_move, check_size
from protocol.swap2 import Answer, Question, Swap2Block, check_count, is_black_better, swap_lines
from protocol.tuning import Tuning

# These act at once, also inside a BOARD block or during a search.
URGENT_WORDS = ("END", "INFO", "STOP", "YXSTOP")


Outcome = Result | Answer | Balance | Done | Exception


class Session:
    """One conversation with a manager, without its transport.

    All methods belong to one thread, except `report`, `finish` and `ponder`: the thinking thread
    calls them, while nothing else but INFO lines is executed.
    """

    def __init__(
        self,
        make_brain: Callable[[], Brain],
        about: About,
        preferences: Preferences = NO_PREFERENCES,
    ) -> None:
        self.settings = Settings(preferences)
        self._make_brain = make_brain
        self._brain: Brain | None = None
        self._about = about
        self._stones: Stones | None = None
        # What is asked where that is not a move.
        self._question: Question | Balancing | HashFile | None = None
        # The board with the opponent's move; it becomes the board when our move has been found.
        self._considered: Stones | None = None
        # The board with our move and the reply that is expected, to think about meanwhile.
        self._expected: Stones | None = None
        self._block: BoardBlock | None = None
        # Squares that the manager has blocked, and those of the board thought about.
        self._blocked = Blocked()
        self._excluded: tuple[Point, ...] = ()
        # The search may be answered by SWAP.
        self._may_swap = False
        self._last_said: tuple[object, ...] = ()
        self._is_analysis = False
        # What the last search of the game saw, from our view.
        self._last_score: Score | None = None
        self._height = 0  # rows of the board of the last search
        # Options without an effect that the manager has been told about, by name.
        self._remarked: set[str] = set()
        self._search_end_ns = 0
        # When the clock of the running search began, and what all searches of the game took.
        self._started_ns = 0
        self._used_ns = 0
        self._is_after_yixin = False
        self._tuning = Tuning()
        # For MESSAGE lines with the next answer.
        self._notices = list(preferences.notices)

    @property
    def brain(self) -> Brain:
        """The brain, made when the first game begins, so that ABOUT is answered without it."""
        if self._brain is None:
            self._brain = self._make_brain()
        return self._brain

    @property
    def thinks(self) -> Brain | Question | Balancing | HashFile:
        """What has to think after a request: the brain, or a question that uses it."""
        return self._question or self.brain

    @property
    def is_filing(self) -> bool:
        """What was requested is the work on a file."""
        return isinstance(self._question, HashFile)

    def execute(self, line: Line) -> Reply:
        """Carry out one line. Not to be called between a request to think and `finish`."""
        if self._block is not None:
            word = first_word(line)
            if commands.is_command(word) and word not in URGENT_WORDS:
                return self._break_off(self._block, word, line)
            if word not in URGENT_WORDS:
                return self._feed(self._block, line)
        command = commands.parse(line)
        match command:
            case Bare.NOTHING | Bare.END:
                return SILENCE
            case commands.Setting():
                self._set_option(command)
                return SILENCE
            case commands.Stop():
                if command.is_yixin:
                    self.settings.note_yixin()
                return SILENCE
            case commands.Extension():
                self.settings.note_yixin()
                return self._extend(command, line.read_ns)
            case commands.Stray() if self._is_after_yixin:
                # Some of the words that are not known have bodies, which get no answer either.
                return SILENCE
        self._is_after_yixin = False
        match command:
            case Bare.ABOUT:
                return Reply((str(self._about),))
            case commands.Unknown():
                words = " ".join(commands.KNOWN_WORDS)
                return Reply((f"UNKNOWN command {quote(command.text)}: the commands are {words}",))
            case commands.BoardOpening():
                if command.word == "YXBOARD":
                    self.settings.note_yixin()
                self._block = BoardBlock(command.word)
                return self._feed(self._block, command.body)
            case commands.Swap2Opening():
                self._block = Swap2Block()
                return self._feed(self._block, command.body)
            case commands.PointsOpening() | commands.PathOpening():
                self.settings.note_yixin()
                has_path = isinstance(command, commands.PathOpening)
                self._block = (PathBlock if has_path else PointsBlock)(command.word)
                return self._feed(self._block, command.body)
        return self._answer(command, line.read_ns)

    def end_of_search_ns(
        self, setting: commands.Setting, started_ns: int, read_ns: int
    ) -> int | None:
        """protocol.info.end_of_search_ns() in this game; None while a file is written or read."""
        if self.is_filing:
            return None
        return end_of_search_ns(setting, started_ns, self._used_ns, read_ns)

    def refuse_lost(self) -> Reply:
        """The answer in place of lines that were not kept; an open BOARD block ends."""
        self._block = None
        return Reply(
            (error("too many lines wait: some were lost, send START or BOARD to begin anew"),)
        )

    def _set_option(self, setting: commands.Setting) -> None:
        """An INFO line."""
        self.settings.apply(setting.key, setting.value)
        self._prepare()
        if setting.key == "pondering" and isinstance(self._brain, Ponders):
            self._brain.end_pondering()
        remark = yixin.remark_on(setting.key, setting.value)
        if remark is not None and setting.key not in self._remarked:
            self._remarked.add(setting.key)
            self._notices.append(remark)

    def close_block(self, read_ns: int) -> Reply:
        """End a BOARD block, by DONE or because the input is over; silent when none is open."""
        block, self._block = self._block, None
        if block is None:
            return SILENCE
        if isinstance(block, PointsBlock):
            return or_error(partial(self._take_points, block))
        if isinstance(block, PathBlock):
            return or_error(partial(self._use_hash_file, block))
        if block.word == "YXBOARD":
            return or_error(partial(self._take_board, block))
        return self._answer(block, read_ns)

    def report(self, info: Info) -> tuple[str, ...]:
        """The lines for a report of the running search; none if it repeats the last one, as that of
        the move often does."""
        said = (info.depth_plies, info.seldepth_plies, info.score, info.nodes, info.pv, info.lines)
        if said == self._last_said:
            return ()
        self._last_said = said
        details = yixin.detail_lines(info, self.settings.detail, self._height, self._exchange)
        return (format_info(info, self._height), *details)

    def finish(self, outcome: Outcome, end_ns: int) -> tuple[str, ...]:
        """Take the outcome of a request to think, which ended at `end_ns` (perf_counter_ns)."""
        stones, self._considered = self._considered, None
        question, self._question = self._question, None
        self._search_end_ns = end_ns
        if isinstance(question, HashFile):
            return (question.answer(outcome),)
        self._used_ns += max(0, end_ns - self._started_ns)
        if stones is None or isinstance(outcome, Done):
            raise AssertionError("finish() without a request to think")
        if isinstance(outcome, Answer):
            return self._settle(outcome, stones)
        if isinstance(outcome, Balance):
            return self._settle_balance(outcome, stones)
        if isinstance(outcome, Exception) and question is not None:
            reason = str(outcome) or type(outcome).__name__
            return (error(f"{question.word}: the search failed: {reason}; the position stays"),)
        self._stones = stones
        failure: Exception
        if isinstance(outcome, Exception):
            failure = outcome
        else:
            if self._may_swap and is_black_better(outcome.info):
                stones.own = Stone.BLACK
                point = self._exchange(outcome.move)
                return (*self.report(outcome.info), *swap_lines(point, self._is_analysis))
            try:
                move = self._exchange(outcome.move)
                if move in self._excluded:
                    raise BadStone(f"{format_point(move)} is blocked")
                self._place(stones, move, stones.to_move)
            except BadStone as problem:
                failure = problem
            else:
                self._last_score = outcome.info.score
                self._expect(outcome.info, stones)
                return (*self.report(outcome.info), format_point(move))
        # Without a move the game would be lost.
        point = any_move(stones, self._excluded, self._is_forbidden)
        self._place(stones, point, stones.to_move)
        reason = str(failure) or type(failure).__name__
        return (f"MESSAGE the search failed, this is any legal move: {reason}", format_point(point))

    def _expect(self, info: Info, stones: Stones) -> None:
        """Note the board that `ponder` is to think about, if any."""
        reply = expected_reply(info)
        is_wanted = self.settings.is_pondering and self.settings.strength == MAX_STRENGTH
        if reply is None or not is_wanted or self._is_analysis:
            return
        expected = stones.copy()
        try:
            self._place(expected, self._exchange(reply), expected.to_move)
        except BadStone:
            return
        self._expected = None if expected.is_full else expected

    def ponder(self) -> None:
        """Think in the opponent's time, if that is wanted; called after a move was printed."""
        expected, self._expected = self._expected, None
        if expected is not None and isinstance(self.brain, Ponders):
            excluded = tuple(map(self._exchange, self._blocked.excluded(expected)))
            limits = self.settings.limits(0, excluded=excluded)
            self.brain.ponder(self._position(expected), limits)

    def _is_forbidden(self, point: Point) -> bool:
        brain = self.brain
        return isinstance(brain, KnowsForbidden) and brain.is_forbidden(*self._exchange(point))

    def _place(self, stones: Stones, point: Point, colour: Stone) -> None:
        """Put a stone down; in a continuous game a line that it completes becomes walls."""
        stones.put(point, colour)
        if self.settings.is_continuous:
            stones.wall_in(finished_lines(stones, point, self.settings.rule))

    def _break_off(self, block: BoardBlock, word: str, line: Line) -> Reply:
        """End a block that a command breaks off with one ERROR, and obey the command."""
        self._block = None
        fault = block.fault or f"{word} came before {block.ending}"
        obeyed = self.execute(line)
        lines = (error(f"{block.word}: {fault}; the position stays as it was"), *obeyed.lines)
        return Reply(lines, obeyed.limits)

    def _extend(self, command: commands.Extension, read_ns: int) -> Reply:
        """Carry out a word of the Yixin dialect; silent for one that is not known."""
        self._is_after_yixin = False
        match command.word:
            case "YXSHOWINFO":
                self._settle_order(command.is_lower)
                brain = self.brain
                machine_bytes = brain.machine_bytes() if isinstance(brain, KnowsMachine) else 0
                return Reply(yixin.capability_lines(self.settings.memory_bytes, machine_bytes))
            case "YXNBEST" | "YXSEARCHDEFEND" | "YXBALANCEONE" | "YXBALANCETWO":
                return self._answer(command, read_ns)
            case "YXDRAW":
                return Reply((yixin.draw_line(self._last_score),))
            case "YXRESIGN":
                # The game is over; the next one begins with START.
                return SILENCE
            case "YXBLOCKRESET":
                self._blocked.reset()
                return SILENCE
            case "YXBLOCKPATHRESET":
                self._blocked.reset_paths()
                return SILENCE
            case "YXSHOWFORBID":
                return or_error(self._show_forbidden)
            case "YXHASHCLEAR":
                if self._brain is not None:
                    self._brain.new_game()
                return SILENCE
        self._is_after_yixin = True
        return SILENCE

    def _settle_order(self, is_lower: bool) -> None:
        """yxshowinfo tells in which order the manager writes coordinates. A board that is held
        keeps its stones."""
        before = self.settings.is_row_first
        self.settings.note_front_end(is_lower)
        if self.settings.is_row_first != before:
            self._blocked.transpose()
            if self._stones is not None:
                self._stones = self._stones.transposed()

    def _take_board(self, block: BoardBlock) -> Reply:
        """YXBOARD: a position to be analysed, without an answer unless it is refused."""
        self._stones = self._stones_of(block)
        return SILENCE

    def _take_points(self, block: PointsBlock) -> Reply:
        """YXBLOCK and its relatives: no answer unless the body is wrong."""
        stones = self._board(block.word)
        if block.fault is not None:
            raise Refusal(f"{block.word}: {block.fault}")
        self._blocked.take(block, stones)
        return SILENCE

    def _show_forbidden(self) -> Reply:
        """YXSHOWFORBID: only Black has forbidden points, so none are shown to White."""
        stones = self._board("YXSHOWFORBID")
        points: list[Point] = []
        brain = self.brain
        if stones.to_move is Stone.BLACK and isinstance(brain, ShowsForbidden):
            self._set_position(stones)
            points = [self._exchange(point) for point in brain.forbidden_points()]
        return Reply((yixin.forbidden_line(points),))

    def _analyse(self, command: commands.Extension, read_ns: int) -> Reply:
        """YXNBEST and YXSEARCHDEFEND: a search for several lines in the position that is held."""
        stones = self._board(command.word).copy()
        if command.word in MOVE_COUNTS:
            return self._balance(command, stones, read_ns)
        if command.word == "YXNBEST":
            # A bad number is refused before the brain is told anything.
            count = yixin.line_count(command.argument)
        else:
            count = yixin.defence_count(stones)
        stones.own = stones.to_move
        limits = yixin.analysis_limits(self._limits(read_ns), count)
        self._think(stones, read_ns)
        self._is_analysis = True
        return Reply(limits=limits._replace(excluded=self._points_excluded()))

    def _balance(self, command: commands.Extension, stones: Stones, read_ns: int) -> Reply:
        """YXBALANCEONE and YXBALANCETWO."""
        bias = bias_of(command.word, command.argument)
        count = MOVE_COUNTS[command.word]
        free = stones.width * stones.height - len(stones.placed)
        if free - len(self._blocked.excluded(stones)) < count:
            raise Refusal(f"{command.word}: there are not {count} free squares")
        stones.own = stones.to_move
        reply = self._think(stones, read_ns)
        self._question = Balancing(
            command.word, self.brain, self._position(stones), bias, self._points_excluded()
        )
        return reply

    def _settle_balance(self, balance: Balance, stones: Stones) -> tuple[str, ...]:
        """Put the moves on the board."""
        moves = tuple([self._exchange(move) for move in balance.moves])
        for move in moves:
            self._place(stones, move, stones.to_move)
        self._stones = stones
        return (f"MESSAGE Balance: {balance.remark}", str(balance._replace(moves=moves)))

    def _use_hash_file(self, block: PathBlock) -> Reply:
        """YXHASHDUMP and YXHASHLOAD: a request that ends with a MESSAGE or an ERROR."""
        stones = self._board(block.word)
        question = hash_file(block, self.brain)
        self._notices += self._tuning.tell(self.brain, self.settings)
        self._set_position(stones)  # files are for boards of one size
        self.brain.clear_stop()
        self._question = question
        return Reply(limits=Limits())

    def _exchange(self, point: Point) -> Point:
        """A point of the engine as the manager writes it, and the other way round."""
        return Point(point.y, point.x) if self.settings.is_row_first else point

    def _position(self, stones: Stones) -> Position:
        """A board, with squares as the manager writes them, as a position for the brain."""
        if self.settings.is_row_first:
            stones = stones.transposed()
        return stones.position(self.settings.rule)

    def _settle(self, answer: Answer, stones: Stones) -> tuple[str, ...]:
        """Take over the answer to SWAP2BOARD: what is on the board, and our colour if we chose."""
        for point in answer.stones:
            stones.put(point, stones.to_move)
        if answer.is_swap:
            stones.own = Stone.BLACK
        elif len(answer.stones) == 1:
            stones.own = Stone.WHITE
        self._stones = stones
        return (f"MESSAGE Swap2: {answer.remark}", str(answer))

    def _feed(self, block: BoardBlock, line: Line) -> Reply:
        """Take a line of a BOARD block, and carry BOARD out if it contains DONE."""
        return self.close_block(line.read_ns) if block.feed(line) else SILENCE

    def _answer(self, command: Command | BoardBlock, read_ns: int) -> Reply:
        """Carry out a command that has exactly one answer, with the MESSAGE lines before it."""
        reply = self._carry_out(command, read_ns)
        self._notices += self.settings.take_remarks()
        lines = tuple([f"MESSAGE {notice}" for notice in self._notices])
        self._notices.clear()
        return Reply(lines + reply.lines, reply.limits)

    def _carry_out(self, command: Command | BoardBlock, read_ns: int) -> Reply:
        return or_error(partial(self._obey, command, read_ns))

    def _obey(self, command: Command | BoardBlock, read_ns: int) -> Reply:
        match command:
            case commands.Start():
                return self._start(command.width, command.height)
            case Bare.RESTART:
                return self._restart()
            case Bare.BEGIN:
                return self._begin(read_ns)
            case commands.Turn():
                return self._turn(command.point, read_ns)
            case Swap2Block():
                return self._ask_swap2(command, read_ns)
            case BoardBlock():
                return self._set_board(command, read_ns)
            case commands.TakeBack():
                self._board("TAKEBACK").take_back(command.point)
                return OK
            case commands.Play():
                return self._play(command.point)
            case commands.Extension():
                return self._analyse(command, read_ns)
            case commands.Bad():
                raise Refusal(f"{command.command}: {command.reason}")
            case commands.Stray():
                raise Refusal(
                    f"{quote(command.text)} needs BOARD before it: send BOARD, then stones as"
                    " x,y,1 or x,y,2, then DONE"
                )
            case _:
                raise AssertionError(f"{command} has no answer")

    def _start(self, width: int, height: int) -> Reply:
        check_size(width, height)
        try:
            if not self._keeps_table(width, height):
                self.brain.new_game()
        except (MemoryError, ImportError, OSError, ValueError) as problem:
            # A values file that is damaged, or where a process may have only a few dozen megabytes.
            reason = str(problem) or "not enough memory"
            raise Refusal(f"the engine cannot start: {reason}") from problem
        stones = Stones(width, height)
        return self._begin_game(stones.transposed() if self.settings.is_row_first else stones)

    def _begin_game(self, stones: Stones) -> Reply:
        self._used_ns = 0
        self._last_score = None
        self._stones = stones
        self._prepare()
        return OK

    def _prepare(self) -> None:
        """Let the brain make what it needs for the rule as soon as that is known: no clock runs."""
        if self._stones is not None:
            self._notices += self._tuning.tell_rule(self.brain, self._stones, self.settings.rule)

    def _keeps_table(self, width: int, height: int) -> bool:
        """True for a START that does not forget. Yixin-Board sends one before every search, and
        YXHASHCLEAR where nothing is to be known. At a lower strength every game is another one."""
        stones = self._stones
        if stones is None or not self.settings.is_yixin or self.settings.strength < MAX_STRENGTH:
            return False
        size = (height, width) if self.settings.is_row_first else (width, height)
        return (stones.width, stones.height) == size

    def _restart(self) -> Reply:
        stones = self._board("RESTART")
        self.brain.new_game()
        return self._begin_game(Stones(stones.width, stones.height))

    def _begin(self, read_ns: int) -> Reply:
        stones = self._board("BEGIN").copy()
        if not stones.is_empty:
            raise Refusal("BEGIN needs an empty board: send TURN x,y, or RESTART first")
        stones.own = stones.to_move = Stone.BLACK
        return self._think(stones, read_ns)

    def _turn(self, point: Point, read_ns: int) -> Reply:
        stones = self._board("TURN").copy()
        self._place(stones, point, stones.to_move)
        stones.own = stones.to_move
        return self._think(stones, read_ns)

    def _set_board(self, block: BoardBlock, read_ns: int) -> Reply:
        return self._think(self._stones_of(block), read_ns)

    def _stones_of(self, block: BoardBlock) -> Stones:
        """The board that a block describes; Refusal or BadStone for the first error in it."""
        stones = self._board(block.word)
        # The stones come before an entry that could not be read.
        stones = Stones.from_entries(stones.width, stones.height, block.entries)
        if block.fault is not None:
            raise Refusal(f"{block.word}: {block.fault}")
        return stones

    def _ask_swap2(self, block: Swap2Block, read_ns: int) -> Reply:
        board = self._board("SWAP2BOARD")
        stones = Stones(board.width, board.height)
        for point in block.stones:
            stones.put(point, stones.to_move)
        if block.fault is not None:
            raise Refusal(f"SWAP2BOARD: {block.fault}")
        check_count(len(block.stones))
        reply = self._think(stones, read_ns)
        self._question = Question(
            self.brain, stones.width, stones.height, self.settings.rule, tuple(block.stones)
        )
        return reply

    def _play(self, point: Point) -> Reply:
        stones = self._board("PLAY")
        own = stones.own or stones.to_move
        self._place(stones, point, own)
        stones.own = own
        return Reply((format_point(point),))

    def _think(self, stones: Stones, read_ns: int) -> Reply:
        """Ask for a move on `stones`, our side to move; they become the board when it is found."""
        if stones.is_full:
            raise Refusal("no square would be left for a move: the game is over")
        excluded = self._blocked.excluded(stones)
        if len(excluded) + len(stones.placed) == stones.width * stones.height:
            raise Refusal("all free squares are blocked: send YXBLOCKRESET or YXBLOCKPATHRESET")
        self.brain.clear_stop()
        self._notices += self._tuning.tell(self.brain, self.settings)
        position = self._set_position(stones)
        self._considered = stones
        self._may_swap = self.settings.may_swap and len(stones.placed) == 1
        if self.settings.may_swap and stones.is_empty:
            # The opponent may take what is put down.
            self._question = Balancing("YXBALANCEONE", self.brain, position, 0, ())
        self._is_analysis = False
        self._excluded = excluded
        self._height = position.height
        self._last_said = ()
        return Reply(limits=self._limits(read_ns, self._points_excluded()))

    def _set_position(self, stones: Stones) -> Position:
        """Give the brain a board. Refusal where it cannot be played."""
        position = self._position(stones)
        try:
            self._note(self.brain.set_position(position))
        except ValueError as problem:
            raise Refusal(f"this position cannot be played: {problem}") from problem
        return position

    def _points_excluded(self) -> tuple[Point, ...]:
        return tuple([self._exchange(point) for point in self._excluded])

    def _limits(self, read_ns: int, excluded: tuple[Point, ...] = ()) -> Limits:
        """The limits of a move that was asked for at `read_ns`, none of `excluded`."""
        # If the manager wrote ahead, the time of the search before is not part of this move.
        self._started_ns = max(read_ns, self._search_end_ns)
        return self.settings.limits(self._started_ns, self._used_ns, excluded)

    def _note(self, notice: str | None) -> None:
        """Keep a text, if any, for a MESSAGE with the next answer."""
        if notice is not None:
            self._notices.append(notice)

    def _board(self, word: str) -> Stones:
        if self._stones is None:
            raise Refusal(f"{word} needs a board: send START 20 or START 15 first")
        return self._stones
