"""What `analyze`, `solve` and a review refuse: one line, status 2, and nothing is written."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import tengen
from engine import network
from tests.commands import Run
from tests.engine.nets import random_net

GAME = "Piskvorky 11x11, 11:11, 0\n{}\nA\nB\n0\n"
FILES = {
    "game.psq": GAME.format("6,6,0\n1,11,0"),
    "out.psq": GAME.format("30,30,0"),
    "games/a.sgf": "(;GM[4]SZ[11];B[ff];W[gg])",
    "games/b.psq": GAME.format("6,6,0"),
    "set-up.sgf": "(;GM[4]SZ[11]AB[ff];W[aa])",
    "small.sgf": "(;GM[4]SZ[4];B[aa])",
    "puzzles.jsonl": '{"size": 9, "moves": [[4, 4]]}\n' * 2,
}
REFUSED = {
    "analyze": "no position is given",
    "analyze h8h8": "move 2: 'h8' is occupied by move 1",
    "analyze h8i9 --multipv 65": "65: expected a whole number from 1 to 64",
    "analyze h8i9 --time 0": "0: expected seconds from 0.01 to 1,000,000",
    "analyze h8 --side grey": "there is no side 'grey'; there are black, white",
    "analyze h8a1h9a3h10a5h11a7h12": "the game is over, Black has won",
    "analyze puzzles.jsonl": "holds 2 puzzles; expected one position",
    "analyze h8 --threads 65": "65: expected a whole number from 1 to 64",
    "board --memory 30 --threads 64": "31457280 bytes of memory are too little",
    # A whole game.
    "analyze game.psq --multipv 3": "--multipv is for a position",
    "analyze game.psq --after 1 --loss 10": "are for a whole game",
    "analyze game.psq --loss 0": "0: expected a number from 1 to 100",
    "analyze game.psq --game 2": "--game 2: there is 1 game",
    "analyze out.psq": "psq, line 2: the move is outside the 11x11 board",
    "analyze set-up.sgf --report x.html": "begin with Black on the empty board",
    "analyze small.sgf": "sides must be 5 to 22",
    # Several games.
    "analyze --review games --after 2": "leave out --after and --side",
    "analyze --review games --multipv 2": "--multipv is for a position",
    "analyze --review games --game 1": "--game is for one file",
    "analyze --review games --sgf game.psq": "this is a file; several games need a folder",
    "analyze --review games h8": "h8: No such file or directory",
    # The static value.
    "analyze --explain h8i8h9i9h10i10h11i11h12": "position: the game is over, Black has won",
    "analyze --explain h8 --nodes 100": "--explain searches nothing",
    "analyze --explain h8 --net x.bin --no-net": "give --net or --no-net, not both",
    "analyze --explain h8 --net no/x.bin": "x.bin: No such file or directory",
    "analyze --explain h8 --net net.bin --rule renju": "net.bin: made for rule 0, not for rule 4",
    "analyze --explain h8 --net damaged.bin": "damaged.bin: damaged (checksum differs)",
    "analyze --explain h8 --net cut.bin": "cut.bin: too short for a net file",
    "analyze --explain puzzles.jsonl": "puzzles.jsonl: holds 2 puzzles; expected one position",
    # A forced win.
    "solve": "no position is given; expected points such as h8i9 or 7,7 8,8, or a file",
    "solve no/file.psq": "no/file.psq: No such file or directory",
    "solve .": ".: this is a folder, not a file",
    "solve h8 --nodes x": "'x': expected a whole number such as 20000 or 1e6",
    "solve h8 --memory 29": "29: expected a whole number from 30 to 1,000,000",
    "solve h8 --all --defend": "give --all or --defend, not both",
    "solve h8 --method full --all": "--all cannot be used with --method full",
    "solve h8 --method full --tree 2": "--method full finds no proof: leave out",
    "solve h8 --all --tree 2": "--all cannot be used with --tree or --save",
    "solve h8 --defend --check-wins": "--defend finds no win: leave out --check-wins",
    "solve h8 --shortest --all": "--shortest is for one win by threats: leave out --method full,",
    "solve h8 --shortest --defend": "--shortest is for one win by threats: leave out --method",
    "solve h8 --shortest --method full": "--shortest is for one win by threats: leave out --me",
    "solve h8 --jobs 2": "--jobs is for a file of puzzles",
    "solve h8 --check x": "--check takes no position",
    "solve puzzles.jsonl --tree 2": "are for one position, not for puzzles",
    "solve puzzles.jsonl --size 9": "line 1: --size, --side, --after and",
    "solve --check no/file.json": f"no{os.sep}file.json: No such file or directory",
    "solve --check puzzles.jsonl": "is not JSON: Extra data, line 2",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    for name, text in FILES.items():
        Path(name).write_text(text)
    net = network.encode(random_net(0, 2))
    damaged = net[:-5] + bytes([net[-5] ^ 1]) + net[-4:]
    for name, data in (("net", net), ("damaged", damaged), ("cut", net[:40])):
        Path(f"{name}.bin").write_bytes(data)
    return tmp_path


def assert_refused(run: Run, words: list[str], message: str) -> None:
    refusal = run(*words).refusal
    assert refusal.startswith(f"tengen {words[0]}: ") and message in refusal


@pytest.mark.parametrize(("words", "message"), REFUSED.items())
def test_bad_input_is_one_line(words: str, message: str, folder: Path, run: Run) -> None:
    before = sorted(folder.rglob("*"))
    assert_refused(run, words.split(), message)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    "words",
    [
        "analyze h8", "analyze h8 --explain", "analyze h8 --explain --no-net", "solve h8", "play",
        "board --no-browser", "bench",
    ],
)  # fmt: skip
def test_a_net_of_the_user_that_cannot_be_used(
    words: str, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, reason in (("none.bin", "No such file"), ("game.psq", "not a net file")):
        path = folder / name
        monkeypatch.setenv("TENGEN_NET", str(path))
        assert_refused(run, words.split(), f"TENGEN_NET: {path}: {reason}")
        with pytest.raises(ValueError, match=f"^{re.escape(f'TENGEN_NET: {path}: {reason}')}"):
            tengen.Engine()
