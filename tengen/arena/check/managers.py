"""Checks 81 to 86: games as the managers conduct them, suspension, memory."""

from __future__ import annotations

import tempfile
import time

from tengen.arena.check.conversation import Conversation, Failure, Skip
from tengen.arena.check.moves import opening_stones, quiet_stones
from tengen.arena.check.registry import Group, check, in_game
from tengen.arena.programs.program import OPPONENT
from tengen.game.referee import FREESTYLE

MEMORY_BYTES = 350 * 2**20
_SUSPENDED_S = 1.2
# Piskvork's default: less than tournaments allow.
_PISKVORK_MEMORY_BYTES = 80 * 2**20


@check(81, Group.MANDATORY, "a game as Piskvork conducts it")
def piskvork(c: Conversation) -> None:
    """Lines end in CR LF. Piskvork waits for OK, sends its settings and BEGIN, then time_left and
    TURN for each move, and finally END before it closes the pipe."""
    c.end = "\r\n"
    c.start()
    c.send(
        f"INFO max_memory {_PISKVORK_MEMORY_BYTES}",
        "INFO timeout_match 180000",
        f"INFO timeout_turn {c.settings.turn_ms}",
        "INFO game_type 0",
        "INFO rule 0",
        "INFO time_left 180000",
        "INFO folder C:\\Users\\All Users\\Piskvorky's AI's",
    )
    c.begin()
    for left_ms in (179900, 179800, 179700):
        c.send("INFO evaluate 3,4", "INFO evaluate 3,5", f"INFO time_left {left_ms}")
        c.turn()
    c.send("END")
    c.process.close_input()
    c.expect_exit(0.7)


@in_game(82, Group.MANDATORY, "a game as the Gomocup judge conducts it")
def judge(c: Conversation) -> str:
    """The judge waits for moves only, and suspends the process while it is not to move. The first
    request is BOARD, and the time for it counts from the start of the process."""
    c.again()
    size = c.knowledge.size
    with tempfile.TemporaryDirectory(prefix="check judge's ") as folder:
        open_as_judge(c, size, FREESTYLE, max(c.settings.turn_ms, 500), 180_000, folder)
        suspend(c, 0.2)
        c.send("INFO time_left 180000", *c.board_lines([(size // 2, size // 2, OPPONENT)]))
        c.expect_move_in(c.turn_s)
        first_s = c.elapsed_s
        for left_ms in (179000, 178000):
            suspend(c, 0.2)
            c.send(f"INFO time_left {left_ms}")
            c.turn()
        c.send("END")
        c.expect_exit(0.7)
    return f"first move after {first_s:.2f} s"


@in_game(83, Group.MANDATORY, "a game as qpiskvork conducts it")
def qpiskvork(c: Conversation) -> None:
    """START and ABOUT come in one piece, line ends are mixed, and a position by BOARD is followed
    by TURN."""
    c.again()
    c.end = "\r\n"
    c.turn_s = c.settings.turn_ms / 1000
    c.request(f"START {c.knowledge.size}", "ABOUT")
    c.expect_ok()
    c.expect_line("a line with name", lambda text: "name" in text.lower())
    c.send(
        "INFO timeout_match 180000",
        f"INFO timeout_turn {c.settings.turn_ms}",
        f"INFO max_memory {MEMORY_BYTES}",
        "INFO game_type 0",
        "INFO rule 0",
        "INFO time_left 180000",
    )
    *body, done = c.board_lines(quiet_stones(3))
    c.send_text("\n".join(body) + "\n" + done + "\r\n")
    c.expect_move()
    c.send("INFO time_left 179900")
    c.turn()


@check(84, Group.MANDATORY, "games as c-gomoku-cli conducts them")
def gomoku_cli(c: Conversation) -> None:
    """ABOUT comes first. Three games are played in one process: with BEGIN and TURN, with BOARD and
    TURN, and with BOARD for every move. INFO has keys of c-gomoku-cli and of its user."""
    c.request("ABOUT")
    c.expect_line("a line about the program", lambda text: "=" in text)
    for game in range(3):
        c.start()
        c.send(
            "INFO rule 0",
            f"INFO timeout_turn {c.settings.turn_ms}",
            "INFO timeout_match 60000",
            "INFO max_depth 6",
            f"INFO max_memory {MEMORY_BYTES}",
            "INFO thread_num 1",
            "INFO option_of_the_user some value",
            "INFO time_left 60100",
        )
        if game == 0:
            c.begin()
            c.send("INFO time_left 60050")
            c.turn()
        elif game == 1:
            c.board(quiet_stones(3))
            c.send("INFO time_left 60050")
            c.turn()
        else:
            for count in (3, 5, 7):
                c.send("INFO time_left 2147483647")
                c.board(quiet_stones(count))
    c.send("END")
    c.expect_exit(0.7)


@in_game(85, Group.MANDATORY, "suspended between moves")
def suspended(c: Conversation) -> str:
    """The judge suspends the process during the opponent's turn, Piskvork suspends its threads in
    tournaments. The program sees the clock jump, and must not count that time as its own."""
    c.send("INFO timeout_match 180000", "INFO time_left 180000")
    c.begin()
    suspend(c, _SUSPENDED_S)
    c.send("INFO time_left 180000")
    c.turn()
    c.check_time(c.turn_s, "a move")
    return f"{c.elapsed_s:.3f} s after {_SUSPENDED_S:g} s of suspension"


@in_game(86, Group.MANDATORY, "max_memory of 350 MiB is respected", turn_ms=500)
def memory(c: Conversation) -> str:
    """The judge and Piskvork measure the memory after each move, the judge with all child
    processes, and a program above the limit loses the game. Gomocup allows 350 MiB."""
    c.send(f"INFO max_memory {MEMORY_BYTES}")
    largest = 0
    c.board(opening_stones())
    for i in range(2):
        if i:
            c.turn()
        used = c.process.rss_bytes()
        if used == 0:
            raise Skip("the memory of the process cannot be read here")
        largest = max(largest, used)
    if largest > MEMORY_BYTES:
        raise Failure("at most 350 MiB", f"{largest / 2**20:.0f} MiB")
    return f"{largest / 2**20:.0f} MiB"


def open_as_judge(
    c: Conversation, size: int, rule: int, turn_ms: int, match_ms: int, folder: str
) -> None:
    """What the judge writes to a process that it has just started, without waiting for an answer.
    The folder is that of INFO folder."""
    c.end = "\r\n"
    c.send(
        f"START {size}",
        f"INFO timeout_turn {turn_ms}",
        f"INFO timeout_match {match_ms}",
        f"INFO max_memory {MEMORY_BYTES}",
        "INFO game_type 3",
        f"INFO rule {rule}",
        f"INFO folder {folder}",
    )
    c.clear(size, size)
    c.turn_s = turn_ms / 1000


def suspend(c: Conversation, seconds: float) -> None:
    """Suspends the process for a while, without its children, as the judge does."""
    c.process.remark(f"suspended for {seconds:g} s")
    c.process.suspend(with_children=False)
    try:
        time.sleep(seconds)
    finally:
        c.process.resume()
    c.process.remark("resumed")
