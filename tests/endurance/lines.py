"""Random lines of a manager: mostly sensible ones, and wrong ones of every kind.

A search that one of these asks for takes a few milliseconds: all values of INFO that limit searches
are small, and these lines are never changed at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.endurance.oracle import Oracle, Point

# Sent first. Both limits: later lines may take one of them away.
LIMITS = ("INFO timeout_turn 30", "INFO max_node 60", "INFO hash_size 1024")

SETTINGS = (
    *("timeout_turn 0", "timeout_turn 1", "timeout_turn 30", "timeout_turn 40ms"),
    *("timeout_match 0", "timeout_match 50", "time_left 0", "time_left -5", "time_left 30.0"),
    *("timeout_match 1000000", "time_left 2147483647", "time_left 900000"),
    *("max_node 1", "max_node 30", "max_node 200", "max_node 0", "max_node 18446744073709551615"),
    *("max_depth 1", "max_depth 3", "max_depth 0", "max_depth x"),
    *("thread_num 1", "thread_num 2", "thread_num auto", "thread_num 0"),
    *("max_memory 0", "max_memory 83886080", "max_memory 5", "max_memory -1", "max_memory"),
    *("hash_size 1024", "hash_size 0", "hash_size 4096", "hash_size big"),
    *("rule 0", "rule 1", "rule 4", "rule 8", "rule 9", "rule 2", "rule 3", "rule 6", "rule 10"),
    *("rule 0", "rule 1", "rule 4", "rule 5", "rule x", "rule", "rule 1.0", "RULE 4"),
    *("swapable 1", "SWAPABLE 1", "swapable 0"),
    *("show_detail 0", "show_detail 1", "show_detail 2", "show_detail 3", "show_detail x"),
    *("caution_factor 2", "pondering 1", "start_depth 3", "nbestsym 1", "checkmate 1"),
    *("game_type 1", "folder /a b", "evaluate 3,3", "param.nothing 5", "param.x", "nonsense 9"),
    *("", "timeout_turn", "timeout_turn x", "  rule   1  extra", "\x00 \xff", "thread_num 1e9 1"),
)
YIXIN = (
    *("yxshowinfo", "YXSHOWINFO", "yxshowforbid", "yxhashclear", "yxdraw", "yxresign", "yxstop"),
    *("yxblockreset", "yxblockpathreset", "yxsearchdefend", "yxnbest 1", "yxnbest 3", "yxnbest 0"),
    *("yxnbest", "yxnbest x", "YXNBEST 99", "yxnosuchword", "yxprotocol 1", "Yx", "yxbalanceone 3"),
    *("yxbalanceone", "yxbalancetwo 0", "YXBALANCETWO -30", "yxbalanceone x", "yxbalancetwo 1001"),
    *("yxswap2step1", "yxswap2step2", "YXSWAP2STEP3", "yxswap2step4", "yxsoosorvstep1"),
    *("yxsoosorvstep2 done", "yxsoosorvstep3 7,7 6,7 5,7 done", "yxsoosorvstep5 2 4"),
    *("yxsoosorvstep5 3 3,3 2,3 1,3 1,1 done", "yxsoosorvstep6 3,3 2,3 1,3 1,1 4,4 5,5 done"),
    *("yxhashload no such file", "YXHASHLOAD /", "yxhashload"),
)
JUNK = (
    *"|   |\t|HELLO|begin please|ABOUT x|7,7|7,7,1|-1,2|DONE|done x|START|START x|START 4".split(
        "|"
    ),
    *"START 23|START 60|START 5 6 7|START 5,|RECTSTART 9|RECTSTART 6,|TURN|TURN 7".split("|"),
    *"TURN 7,7,7|TURN h8|TURN 7.5,3|TURN 0x1,2|TURN 1000000000000000000000,1|PLAY".split("|"),
    *"TAKEBACK|TAKEBACK x,y|BOARD x|PLAY 99,99|SWAP2BOARD 1,1,1|SUGGEST 7,7|ERROR|OK".split("|"),
    *"+7,7|\x00|\xff\xfe|?|,|START5".split("|"),
)
_MUTATIONS = " \t,,,0123456789-+.xX\x00\x7f\xe4\xff"


class Lines:
    """Draws lines for a conversation; `oracle` knows where its stones are."""

    def __init__(self, rng: random.Random, oracle: Oracle) -> None:
        self._rng = rng
        self._oracle = oracle
        self._kinds: list[tuple[int, Callable[[], list[str]]]] = [
            (30, self._turn),
            (9, self._board),
            (8, lambda: [f"INFO {rng.choice(SETTINGS)}"]),
            (5, lambda: [rng.choice(YIXIN)]),
            (4, lambda: [rng.choice(JUNK)]),
            (3, lambda: [f"PLAY {self._square()}"]),
            (6, lambda: [f"TAKEBACK {self._square(0.85)}"]),
            (2, lambda: ["BEGIN"]),
            (3, self._start),
            (1, lambda: [rng.choice(["RESTART", "restart"])]),
            (1, lambda: ["ABOUT"]),
            (2, lambda: [rng.choice(["STOP", "stop", "YXSTOP"])]),
            (2, self._swap2),
            (2, self._yixin_block),
        ]

    def first(self) -> list[str]:
        """The lines that a conversation begins with."""
        return [*LIMITS, *([] if self._rng.random() < 0.05 else self._start())]

    def draw(self) -> list[str]:
        """One command with all its lines, some of them wrong."""
        weights = [weight for weight, _ in self._kinds]
        lines = self._rng.choices(self._kinds, weights)[0][1]()
        if self._rng.random() < 0.06:
            lines = [line if line[:4].upper() == "INFO" else self._mutate(line) for line in lines]
        if self._rng.random() < 0.002:
            lines[-1] += " " * self._rng.choice((40, 32_000, 33_000)) + self._rng.choice(("", "x"))
        if len(lines) > 1 and self._rng.random() < 0.05:
            # A block that is broken off, or has other commands inside.
            at = self._rng.randrange(1, len(lines))
            lines[at:at] = [self._rng.choice(("ABOUT", "INFO rule 1", "STOP", "START 7", "yxdraw"))]
        return lines

    def _start(self) -> list[str]:
        side = self._rng.choice((5, 5, 6, 7, 8, 10, 15, 15, 20, 22))
        other = self._rng.choice((5, 6, 9, 15))
        forms = [f"START {side}"] * 4 + [f"RECTSTART {side},{other}", f"START {side} {other}"]
        return [self._rng.choice(forms)]

    def _point(self, share_taken: float = 0.04) -> Point:
        """A square: free ones of the board mostly."""
        width, height = self._oracle.size or (15, 15)
        taken = sorted(self._oracle.taken)
        chance = self._rng.random()
        if taken and chance < share_taken:
            return self._rng.choice(taken)
        if chance > 0.98:
            return self._rng.choice([(-1, 0), (width, 0), (0, height), (99, 99), (0, -1)])
        for _ in range(8):
            point = self._rng.randrange(width), self._rng.randrange(height)
            if point not in self._oracle.taken:
                break
        return point

    def _square(self, share_taken: float = 0.04) -> str:
        x, y = self._point(share_taken)
        return f"{x}{self._rng.choice((',', ',', ',', ' , ', ', '))}{y}"

    def _turn(self) -> list[str]:
        return [f"{self._rng.choice(('TURN', 'TURN', 'turn'))} {self._square()}"]

    def _points(self, count: int) -> list[Point]:
        """Different squares as a rule, near each other, some off a small board."""
        width, height = self._oracle.size or (15, 15)
        squares = [(x, y) for x in range(width) for y in range(height)]
        points = self._rng.sample(squares, min(count, len(squares)))
        if points and self._rng.random() < 0.06:
            points.append(self._rng.choice([points[0], (-1, 3), (22, 1)]))
        return points

    def _board(self) -> list[str]:
        width, height = self._oracle.size or (15, 15)
        most = self._rng.choice((0, 2, 5, 8, 20, width * height))
        fields = self._rng.choice(((1, 2), (2, 1), (1, 2, 3), (2, 2, 1)))
        entries = [
            f"{x},{y},{fields[i % len(fields)]}"
            for i, (x, y) in enumerate(self._points(self._rng.randint(0, most)))
        ]
        if self._rng.random() < 0.05:
            entries.append(self._rng.choice(("1,1,4", "x", "1,1", "0,0,1,1", "2,,2", "1,2,0")))
        return self._block(self._rng.choice(("BOARD", "BOARD", "board", "YXBOARD")), entries)

    def _swap2(self) -> list[str]:
        count = self._rng.choice((0, 3, 3, 5, 5, 4, 6))
        return self._block("SWAP2BOARD", [f"{x},{y}" for x, y in self._points(count)])

    def _yixin_block(self) -> list[str]:
        words = ("yxblock", "yxblock", "yxblockundo", "yxblockpath", "yxblockpathundo")
        count = self._rng.choice((0, 1, 2, 4, 20))
        return self._block(self._rng.choice(words), [f"{x},{y}" for x, y in self._points(count)])

    def _block(self, word: str, entries: list[str]) -> list[str]:
        done = self._rng.choice(("DONE", "DONE", "done", "DONE 7,7"))
        if self._rng.random() < 0.3:
            return [" ".join((word, *entries, done))]
        return [word, *entries, done]

    def _mutate(self, line: str) -> str:
        for _ in range(self._rng.randint(1, 3)):
            at = self._rng.randint(0, len(line))
            match self._rng.randrange(4):
                case 0:
                    line = line[:at] + self._rng.choice(_MUTATIONS) + line[at:]
                case 1:
                    line = line[:at] + line[at + 1 :]
                case 2:
                    line = line[:at] + self._rng.choice(_MUTATIONS) + line[at + 1 :]
                case _:
                    # Of letters outside ASCII the other case can be outside Latin-1.
                    line = line[:at] + "".join(
                        c.swapcase() if c.isascii() else c for c in line[at:]
                    )
        # Of such a line the searches would have no limit that is known.
        return line if line.split(maxsplit=1)[:1] not in (["INFO"], ["info"], ["END"]) else "TURN"
