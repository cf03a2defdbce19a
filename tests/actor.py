"""A program for tests: it speaks the protocol and does what its arguments say.

    actor.py LOG ROW CODE ...

It plays along the row; where ROW is empty, two of them fill the board without a five. Each CODE is
Python with bars for line ends. The first is run before the first move of a process, and so on; that
of `on move CODE` before every move, of `on WORD CODE` before such a line is obeyed, of `on begin`
at the start and of `on eof` at the end of the input. Code can use what is defined here, and set

    cell        the next move as (x, y), or a text in its place; "" for no answer
    more        what follows the move in the same write
    skip        True: the line is not obeyed
    form, end   how a move is written, and the end of all lines
    only_black  True: code of moves is run for Black's only
    swap2       the answer to every SWAP2BOARD

In the file LOG, if there is one, it notes what it is told, where it runs, which files are there and
in its folder for kept files; it leaves one in both.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time  # noqa: F401 (for code)
from typing import Any, NoReturn

log, row, *acts = sys.argv[1:]
hooks = dict(act[3:].split(None, 1) for act in acts if act.startswith("on "))
acts = [act for act in acts if not act.startswith("on ")]
# Starts of games and moves of the process, moves of the game; stones as (x, y, field), 1 = own.
starts = done = move = 0
stones: list[tuple[int, ...]] = []
info: dict[str, str] = {}
width = height = 15
cell: Any = None
line = block = swap2 = more = ""
words: list[str] = []
form, end = "%d,%d", "\n"
skip = only_black = False
hoard: list[bytes] = []


def run(code: str) -> None:
    exec(code.replace("|", "\n"), globals())


def note(**entry: Any) -> None:
    if log:
        with open(log, "a") as file:
            file.write(json.dumps(entry) + "\n")


def entries() -> list[dict[str, Any]]:
    with open(log) as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def say(*texts: str) -> None:
    for text in texts:
        os.write(1, (text + end).encode())


def die(status: int = 3, text: str = "something broke") -> NoReturn:
    os.write(2, f"first line\n{text}\n".encode())
    os._exit(status)


def state(pid: int) -> str:
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


def child(code: str, **more: Any) -> int:
    """Starts a child, which is ready once it has written to its error output."""
    code = f"import sys, time; {code}; print(1, file=sys.stderr, flush=True); time.sleep(600)"
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL} | more
    process = subprocess.Popen([sys.executable, "-SEc", code], stderr=subprocess.PIPE, **pipes)
    assert process.stderr is not None
    process.stderr.readline()
    return process.pid


def free() -> list[tuple[int, int]]:
    taken = {stone[:2] for stone in stones}
    return [(x, y) for y in range(height) for x in range(width) if (x, y) not in taken]


def quiet() -> tuple[int, int]:
    """The first empty cell that a pattern without fives gives to the side to move, else the first
    of all."""
    is_black = len(stones) % 2 == 0
    cells = free()
    return next((c for c in cells if ((c[0] + 2 * c[1]) % 4 < 2) == is_black), cells[0])


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.replace(",", " ").split())


def answer() -> None:
    global cell, done, move, more
    cell, more = None, ""  # code can set them
    if not (only_black and len(stones) % 2):
        for code in (hooks.get("move", ""), *acts[done : done + 1]):
            run(code)
    if cell is None:
        cell = (move, int(row)) if row else quiet()
    if cell:
        say((cell if isinstance(cell, str) else form % cell) + more)
    if not isinstance(cell, str):
        stones.append((*cell, 1))
    done += 1
    move += 1


def obey() -> None:
    global block, stones
    if words[0] == "ABOUT":
        say('name="Actor"')
    elif words[0] in ("START", "RECTSTART"):
        note(row=row, pids=[os.getpid()], cwd=os.getcwd(), found=sorted(os.listdir()))
        open("litter", "w").close()
        say("OK")
    elif words[:2] == ["INFO", "folder"]:
        folder = line.split(" ", 2)[2]
        kept = sorted(os.listdir(folder))
        note(row=row, keep=folder, kept=kept)
        open(os.path.join(folder, str(len(kept))), "w").close()
    elif words[0] == "INFO":
        info[words[1]] = " ".join(words[2:])
    elif words[0] in ("BOARD", "SWAP2BOARD"):
        block, stones = words[0], []
    elif words[0] == "TURN":
        stones.append((*numbers(words[1]), 2))
        answer()
    elif words[0] == "BEGIN" or (words[0] == "DONE" and block == "BOARD"):
        answer()
    elif words[0] == "DONE":
        corners = f"0,0 {width - 1},0 0,{height - 1}"
        say(swap2 or (form % quiet() if stones else corners))
    elif "," in words[0]:
        stones.append(numbers(words[0]))


def main() -> None:
    global skip, move, stones, starts, width, height, words, line
    run(hooks.get("begin", ""))
    for line in sys.stdin:
        line = line.rstrip("\r\n")
        words = line.split()
        note(row=row, told=line)
        skip = False
        if words[0] in ("START", "RECTSTART"):
            starts, move, stones = starts + 1, 0, []
            (width, *_, height) = numbers(line.split(None, 1)[1]) * 2
        run(hooks.get(words[0], ""))
        if words[0] == "END" and not skip:
            return
        if not skip:
            obey()
    run(hooks.get("eof", ""))


if __name__ == "__main__":
    main()
