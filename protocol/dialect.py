"""The words of the Yixin dialect, carried out; protocol.yixin has what they print."""

from __future__ import annotations

from engine.model import MAX_LINES, Limits, Point, Stone
from protocol import yixin
from protocol.blocks import Block, PathBlock
from protocol.choices import MOVE_COUNTS, Balancing, bias_of
from protocol.commands import Extension
from protocol.game import Game
from protocol.messages import SILENCE, Refusal, Reply, counted
from protocol.opening_rules import BLACK, MOST_FIFTHS, WHITE, Ask, Opening, Talks, swap2_ask
from protocol.stones import Stones
from protocol.yixin import hash_file


class Dialect:
    """The dialect in a game."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def obey(self, command: Extension) -> Reply | None:
        """Carry out a word that asks for no search; None for one that is not known."""
        game = self._game
        match command.word:
            case "YXSHOWINFO":
                self._settle_order(command.is_lower)
                machine_bytes = game.brain.machine_bytes()
                return Reply(yixin.capability_lines(game.settings.memory_bytes, machine_bytes))
            case "YXDRAW":
                return Reply((yixin.draw_line(game.last_score),))
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
            question = hash_file(block, game.brain)
            game.tell_settings()
            game.set_position(stones)  # files are for boards of one size
            game.question = question
            return Reply(limits=Limits())
        if block.fault is not None:
            raise Refusal(f"{block.word}: {block.fault}")
        game.blocked.take(block, stones)
        return SILENCE

    def search(self, command: Extension, read_ns: int) -> Reply:
        """One of protocol.commands.SEARCHING_WORDS: a search in the position that is held."""
        game = self._game
        stones = game.board(command.word).copy()
        if command.word in MOVE_COUNTS:
            return self._balance(command, stones, read_ns)
        if command.word.startswith("YXSWAP2"):
            return self._swap2(command.word, stones, read_ns)
        if command.word.startswith("YXSOOSORV"):
            return self.step(Block(command.word), read_ns)
        if command.word == "YXNBEST":
            # A bad number is refused before the brain is told anything.
            count = yixin.line_count(command.argument)
        else:
            free = stones.width * stones.height - len(stones.placed)
            count = max(1, min(free, MAX_LINES))  # as many as there are moves
        limits = game.think(stones, read_ns).limits or Limits()
        game.is_analysis = True
        return Reply(limits=yixin.analysis_limits(limits, count))

    def step(self, block: Block, read_ns: int) -> Reply:
        """YXSOOSORVSTEP1 and those after it. The position that is held stays."""
        game, word = self._game, block.word
        board = game.board(word)
        step, played, fifths = word[-1], tuple(block.points), block.count
        if block.fault is not None:
            raise Refusal(f"{word}: {block.fault}")
        least = {"1": 0, "2": 3, "3": 3, "4": 4, "5": 4, "6": 5}[step]
        most = least + MOST_FIFTHS - 1 if step == "6" else least
        if not least <= len(played) <= most:
            wanted = f"{least} to {most}" if most > least else f"{least}"
            many = counted(len(played), "stone")
            raise Refusal(f"{word} with {many}: send {wanted}, then DONE")
        if step in "45" and not 1 <= fifths <= MOST_FIFTHS:
            raise Refusal(f"{word} needs the number of fifth moves: send {word} 1 to 8")
        offered = played[4:] if step == "6" else ()
        stones = Stones(board.width, board.height)
        for point in played[: len(played) - len(offered)]:
            stones.put(point, stones.to_move)
        for point in offered:
            stones.copy().put(point, Stone.BLACK)  # refused where that is not possible
        talks = Talks(Opening.SOOSYRV)
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
        return game.ask(stones, read_ns, word, talks.opening, ask)

    def _swap2(self, word: str, stones: Stones, read_ns: int) -> Reply:
        """YXSWAP2STEP1, on the empty board, and the steps in the position that is held, which
        stays."""
        count = {"1": 0, "2": 3, "3": 5}[word[-1]]
        colours = (Stone.BLACK, Stone.WHITE)
        of_colour = [[p for p, stone in stones.placed.items() if stone is c] for c in colours]
        wanted = [count - count // 2, count // 2, count]
        if count and [*map(len, of_colour), len(stones.placed)] != wanted:
            raise Refusal(f"{word} needs {count} stones on the board: send yxboard first")
        in_turn = Stones(stones.width, stones.height)
        for i in range(count):
            in_turn.put(of_colour[i % 2][i // 2], in_turn.to_move)
        ask = swap2_ask(count)
        assert ask is not None
        return self._game.ask(in_turn, read_ns, word, Opening.SWAP2, ask)

    def _balance(self, command: Extension, stones: Stones, read_ns: int) -> Reply:
        """YXBALANCEONE and YXBALANCETWO."""
        game = self._game
        bias = bias_of(command.word, command.argument)
        count = MOVE_COUNTS[command.word]
        free = stones.width * stones.height - len(stones.placed)
        if free - len(game.blocked.excluded(stones)) < count:
            raise Refusal(f"{command.word} needs {counted(count, 'free square')}")
        reply = game.think(stones, read_ns)
        position = stones.position(game.settings.rule)
        game.question = Balancing(command.word, game.brain, position, bias, game.excluded)
        return reply

    def _show_forbidden(self) -> Reply:
        """YXSHOWFORBID: only Black has forbidden points, so none are shown to White."""
        game = self._game
        stones = game.board("YXSHOWFORBID")
        points: tuple[Point, ...] = ()
        if stones.to_move is Stone.BLACK:
            game.set_position(stones)
            points = game.exchange_all(tuple(game.brain.forbidden_points()))
        return Reply((yixin.forbidden_line(points),))

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
