"""Checks 101 to 118: optional commands, SWAP2BOARD among them, and bad input.

UNKNOWN or ERROR to an optional command skips its check. Either of them is the right answer to a
request that cannot be met.
"""

from __future__ import annotations

import re

from tengen.arena.check.conversation import Conversation, Failure
from tengen.arena.check.limits import AFTER_INPUT_S
from tengen.arena.check.moves import opening_stones, quiet_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.program import OPPONENT, OWN, REFUSALS, REMARKS, first_word
from tengen.game.referee import Cell

_PAIR = re.compile(r"(\d+),(\d+)")
_THREE = [(7, 7), (8, 8), (5, 9)]
_FIVE = [*_THREE, (4, 4), (10, 3)]


@in_game(101, Group.OPTIONAL, "RESTART empties the board")
def restart(c: Conversation) -> None:
    """Piskvork begins a new game with RESTART. If the program does not know it, Piskvork starts a
    new process."""
    c.begin()
    cell = c.free_cell()
    c.turn(cell)
    _ask_ok(c, "RESTART")
    c.clear()
    c.begin()
    _ask_ok(c, "RESTART")
    c.clear()
    c.turn(cell)


@in_game(102, Group.OPTIONAL, "RECTSTART makes a board that is not square")
def rectangle(c: Conversation) -> None:
    """Only Piskvork has such boards. The width comes first."""
    width, height = c.knowledge.size, c.knowledge.size - 3
    _ask_ok(c, f"RECTSTART {width},{height}")
    c.clear(width, height)
    c.begin()
    far = (width - 1, height - 1)
    c.turn(None if far in c.stones else far)


@in_game(103, Group.OPTIONAL, "TAKEBACK takes stones back, one by one")
def takeback(c: Conversation) -> None:
    """Piskvork undoes moves this way, the last stone first. After any answer but OK it sends the
    whole board."""
    first = c.begin()
    other = c.free_cell()
    second = c.turn(other)
    for x, y in (second, other):
        _ask_ok(c, f"TAKEBACK {x},{y}")
        c.stones.remove((x, y))
    # Its cell is free again.
    c.turn(other)
    assert first in c.stones


@in_game(104, Group.OPTIONAL, "PLAY sets the program's own stone, and is answered by its move")
def play(c: Conversation) -> None:
    """Piskvork answers SUGGEST with PLAY. The program plays on that cell and prints it as its move;
    it may choose another cell."""
    x, y = c.free_cell()
    c.request(f"PLAY {x},{y}")
    text = c.expect_plain("x,y", c.turn_s)
    c.skip_if_refused(c.sent[0], text)
    c.stones |= {(int(x), int(y)) for x, y in _PAIR.findall(text)}
    c.turn()


@in_game(
    108, Group.OPTIONAL, "INFO timeout_turn 0 while it thinks: the move comes now", turn_ms=8000
)
def move_now(c: Conversation) -> str:
    """Piskvork's menu has an item for this. One move must come at once, and no second one."""
    c.request(*c.board_lines(opening_stones()))
    c.process.wait(0.3)
    c.send("INFO timeout_turn 0")
    c.expect_move_in(0.0)
    took = c.elapsed_s
    c.expect_silence(but=REMARKS)
    c.limit(c.settings.turn_ms)
    c.turn()
    return f"{took:.3f} s"


@in_game(109, Group.OPTIONAL, "an impossible size: ERROR, and a later START works")
def impossible_size(c: Conversation) -> None:
    """No manager offers these sizes, but scripts do. OK would promise a game that cannot be
    played."""
    for bad in ("0", "-5", "fifteen", "1000000"):
        c.request(f"START {bad}")
        c.expect_refusal(f"START {bad}")
    c.start()
    c.begin()


@in_game(110, Group.OPTIONAL, "TURN on a stone or off the board: ERROR")
def impossible_turn(c: Conversation) -> None:
    """No manager sends this, but scripts do. The board must not change, and the game goes on."""
    x, y = c.begin()
    for bad in (f"{x},{y}", f"{c.width},0", "0,-1", "h8", ""):
        c.request(f"TURN {bad}".strip())
        c.expect_refusal(f"TURN {bad}".strip())
    c.turn()


@in_game(111, Group.OPTIONAL, "a wrong line in BOARD: one answer")
def impossible_board(c: Conversation) -> str:
    """Each request has one answer. A program that prints ERROR for the line and then a move gives
    two, and a manager reads every later answer one request too early."""
    c.request("BOARD", "7,7,2", "8,8", "rubbish", "9,9,1", "10,9,2", "DONE")
    text = c.expect_plain("one ERROR, or one move", c.turn_s)
    c.expect_silence(max(c.turn_s, c.settings.quiet_s), but=REMARKS)
    c.board(quiet_stones(16))
    return "answered " + (first_word(text) if first_word(text) in REFUSALS else "by a move")


@check(112, Group.OPTIONAL, "a move requested before START: ERROR")
def no_board_yet(c: Conversation) -> None:
    """Scripts make this mistake. With an ERROR their authors see it; a program that crashes hides
    it."""
    for lines in (["BEGIN"], ["TURN 7,7"], ["BOARD", "7,7,2", "DONE"]):
        c.request(*lines)
        c.expect_refusal(lines[0])
    c.start()
    c.begin()


@in_game(113, Group.OPTIONAL, "the end of the input after a request: the move is printed")
def piped_in(c: Conversation) -> None:
    """A script may pipe in START and BEGIN and read the output. The program must answer every
    command and then exit."""
    c.again()
    c.turn_s = c.settings.turn_ms / 1000
    c.request(f"START {c.knowledge.size}", f"INFO timeout_turn {c.settings.turn_ms}", "BEGIN")
    c.process.close_input()
    c.expect_ok()
    c.expect_move()
    c.expect_exit(AFTER_INPUT_S)


@in_game(114, Group.OPTIONAL, "the continuous game (INFO rule 2)")
def continuous(c: Conversation) -> None:
    """Piskvork plays on after a five and sends its stones as field 3. A program may refuse the
    rule."""
    c.rule(2)
    walls = [(x, 7, 3) for x in range(4, 9)]
    c.board([*walls, (7, 8, OPPONENT)])
    c.turn()


@in_game(115, Group.OPTIONAL, "INFO with senseless values gets no answer either")
def senseless_info(c: Conversation) -> None:
    """No manager expects an answer to INFO. The program may report the problem as the answer to the
    next request."""
    c.request("INFO", "INFO rule", "INFO rule four", "INFO time_left soon", "INFO timeout_turn")
    c.expect_silence()
    c.limit(c.settings.turn_ms)
    c.request("BEGIN")
    text = c.expect_plain("a move or an ERROR", c.turn_s)
    c.clear()
    if first_word(text) in REFUSALS:
        c.begin()


def _ask_ok(c: Conversation, line: str) -> None:
    c.request(line)
    text = c.expect_line("OK", lambda text: first_word(text) in ("OK", *REFUSALS))
    c.skip_if_refused(line, text)


@check(105, Group.OPTIONAL, "SWAP2BOARD with no stone: three moves")
def place(c: Conversation) -> None:
    """The judge asks the first player of a swap2 game to place black, white, black."""
    _start(c)
    _ask(c, [], counts=(3,), may_swap=False)


@check(106, Group.OPTIONAL, "SWAP2BOARD with three stones: SWAP, one move or two")
def choose(c: Conversation) -> None:
    """The judge asks the second player to take black, to stay white and move, or to place two
    more stones."""
    _start(c)
    _ask(c, _THREE, counts=(1, 2), may_swap=True)


@check(107, Group.OPTIONAL, "SWAP2BOARD with five stones: SWAP or one move")
def choose_again(c: Conversation) -> None:
    """The judge asks the first player again after two more stones. Then the game goes on with
    BOARD."""
    _start(c)
    _ask(c, _FIVE, counts=(1,), may_swap=True)
    c.board(quiet_stones(6))


@check(116, Group.OPTIONAL, "SWAP2BOARD with four stones or a wrong line: one ERROR")
def impossible(c: Conversation) -> None:
    """Each request has one answer, also when its body is wrong. A program that answers line by line
    is read one request too early from then on."""
    _start(c)
    _ask(c, [], counts=(3,), may_swap=False)
    for body in (["7,7", "8,8", "9,7", "8,6"], ["7,7", "rubbish", "8,8"], ["7,7", "8,8", "7,7"]):
        c.request("SWAP2BOARD", *body, "DONE")
        c.expect_refusal("SWAP2BOARD", max(c.turn_s, 1.0))
        c.expect_silence(but=REMARKS)
    c.board(quiet_stones(6))


@check(117, Group.OPTIONAL, "SWAP2BOARD keeps the limit of a move")
def limit(c: Conversation) -> str:
    """The judge charges the time for the answer like that for a move. A program that searches the
    opening at its leisure loses before the first move."""
    longest_s = 0.0
    for stones, counts in (([], (3,)), (_THREE, (1, 2)), (_FIVE, (1,))):
        _start(c)
        _ask(c, stones, counts=counts, may_swap=bool(stones))
        longest_s = max(longest_s, c.elapsed_s)
        c.check_time(c.turn_s, "an answer")
    return f"{longest_s:.3f} s"


@check(118, Group.OPTIONAL, "swap2 games as the Gomocup judge conducts them")
def games(c: Conversation) -> None:
    """One program asks and answers itself: what it places it has to judge. After the answers the
    game goes on with BOARD, for either colour, and TURN."""
    _start(c)
    stones = _ask(c, [], counts=(3,), may_swap=False)
    _start(c)
    added = _ask(c, stones, counts=(1, 2), may_swap=True)
    if len(added) == 2:
        stones = [*stones, *added]
        _start(c)
        added = _ask(c, stones, counts=(1,), may_swap=True)
    stones = [*stones, *added]
    own = len(stones) % 2
    fields = [(x, y, OWN if i % 2 == own else OPPONENT) for i, (x, y) in enumerate(stones)]
    c.send("INFO time_left 179000")
    c.board(fields)
    c.send("INFO time_left 178900")
    c.turn()


def _start(c: Conversation) -> None:
    c.start()
    c.rule(1)


def _ask(
    c: Conversation, stones: list[Cell], *, counts: tuple[int, ...], may_swap: bool
) -> list[Cell]:
    """The stones that answer SWAP2BOARD, none for SWAP. Skip for ERROR or UNKNOWN, Failure for any
    other answer that is not allowed."""
    c.request("INFO time_left 180000", "SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE")
    text = c.expect_plain("the answer to SWAP2BOARD", max(c.turn_s, 1.0))
    c.skip_if_refused("SWAP2BOARD", text)
    if may_swap and text == "SWAP":
        return []
    words = text.split(" ")
    cells = [(int(m[1]), int(m[2])) for word in words if (m := _PAIR.fullmatch(word))]
    on_board = all(x < c.width and y < c.height for x, y in cells)
    distinct = len({*cells, *stones}) == len(cells) + len(stones)
    if not (len(cells) == len(words) and len(cells) in counts and on_board and distinct):
        numbers = " or ".join(str(count) for count in counts)
        expected = f"{numbers} moves x,y on empty cells" + (", or SWAP" if may_swap else "")
        raise Failure(expected, repr(text[:200]))
    return cells
