"""The oracle: it takes right conversations and finds each kind of wrong one."""

from __future__ import annotations

import pytest

from tests.endurance.oracle import Oracle, Wrong

FULL = [f"{x},{y},{1 + (x + y) % 2}" for x in range(5) for y in range(5)][1:]


def follow(talk: str) -> Oracle:
    """Shows an oracle a conversation of `> line` and `< line`, separated by semicolons."""
    oracle = Oracle()
    for step in talk.split("; "):
        if step == "close":
            oracle.close()
        elif step.startswith("> "):
            oracle.send(step[2:])
        else:
            oracle.receive(step[2:])
    oracle.check_over()
    return oracle


RIGHT = {
    "a game": "> START 5; < OK; > BEGIN; < MESSAGE x; < 2,2; > TURN 0 , 0; < 1,1; > END",
    "lines sent ahead": "> START 5; > INFO rule 1; > TURN 0,0; < OK; < 1,1",
    "no board yet": "> TURN 7,7; < ERROR x",
    "an opening": "> START 5; < OK; > SWAP2BOARD; > DONE; < 1,1 2,2 3,3; > TURN 0,0; < 4,4",
    "swap": "> START 5; < OK; > SWAP2BOARD 1,1 2,2 3,3 DONE; < SWAP; > TURN 1,1; < ERROR x",
    "a rule that is none": "> START 5; < OK; > INFO rule 7; > BEGIN; < MESSAGE x; < 2,2",
    "a stone taken": "> START 5; < OK; > INFO rule 5; > INFO swapable 1; > TURN 2,2; < SWAP",
    "taken, and a move": "> START 5; < OK; > INFO rule 5; > INFO swapable 1; > PLAY 2,2; < 2,2;"
    " > yxnbest 1; < SWAP; < 3,3",
    "broken off": "> START 5; < OK; > BOARD; > 1,1,1; > START 6; < ERROR x; < OK",
    "a block that is closed": "> START 5; < OK; > BOARD; > 1,1,2; close; < 2,2",
    "END overtakes": "> START 5; > BEGIN; > END; < OK",
    "a silent body": '> yxnosuchword; > 1,1,1; > DONE; > 1,1,1; > ABOUT; < name="x',
    "details": "> START 5; < OK; > INFO show_detail 2; > BEGIN; < INFO PV 0; < 2,2",
    "rows first": "> yxshowinfo; < MESSAGE INFO MAX_THREAD_NUM 2; < MESSAGE INFO MAX_HASH_SIZE 9;"
    " > START 5 7; < OK; > TURN 6,4; < 6,3",
    "taken back": "> START 5; < OK; > TURN 1,1; < 2,2; > TAKEBACK 2,2; < OK; > TURN 2,2; < 3,3",
    "a full board": f"> START 5; < OK; > BOARD {' '.join(FULL)} DONE; < 0,0; > TURN 1,1; < ERROR x",
    "forbidden points": "> START 5; < OK; > yxshowforbid; < FORBID 0102.; > yxdraw;"
    " < MESSAGE DRAW REJECT",
}
WRONG = {
    "no answer": "> START 5",
    "two answers": "> START 5; < OK; < OK",
    "an answer to INFO": "> START 5; < OK; > INFO rule 1; < OK",
    "a message unasked": "> START 5; < OK; < MESSAGE x",
    "an error for nothing": "> START 5; < ERROR x",
    "OK without a board": "> RESTART; < OK",
    "an occupied square": "> START 5; < OK; > TURN 1,1; < 1,1",
    "an occupied square of a board": "> START 5; < OK; > BOARD 1,1,2 DONE; < 1,1",
    "off the board": "> START 5; < OK; > BEGIN; < 5,0",
    "a blocked square": "> START 5; < OK; > YXBLOCK 2,2 DONE; > BEGIN; < 2,2",
    "a position lost": "> START 5; < OK; > TURN 1,1; < 2,2; > TAKEBACK 1,1; < ERROR x",
    "a position kept": "> START 5; < OK; > TURN 1,1; < 2,2; > RESTART; < OK; > TAKEBACK 1,1; < OK",
    "an error that placed a stone": "> START 5; < OK; > TURN 9,9; < 2,2",
    "an echo of another square": "> START 5; < OK; > PLAY 1,1; < 1,2",
    "no answer before the end": "> START 5; < OK; > BOARD; > 1,1,2; close",
    "something after END": "> START 5; < OK; > END; < OK",
    "an unknown word obeyed": "> HELLO; < OK",
    "too many stones": "> START 5; < OK; > SWAP2BOARD DONE; < 1,1 2,2",
    "a swap unasked": "> START 5; < OK; > INFO rule 5; > TURN 2,2; < SWAP",
    "a swap of two stones": "> START 5; < OK; > INFO rule 5; > INFO swapable 1; > TURN 2,2; < 3,3;"
    " > TURN 1,1; < SWAP",
    "an opening on a stone": "> START 5; < OK; > SWAP2BOARD 1,1 2,2 3,3 DONE; < 1,1",
    "details unasked": "> START 5; < OK; > BEGIN; < INFO PV 0",
    "one line of two": "> yxshowinfo; < MESSAGE INFO MAX_THREAD_NUM 2",
}


@pytest.mark.parametrize("case", RIGHT)
def test_it_takes_what_is_right(case: str) -> None:
    follow(RIGHT[case])


@pytest.mark.parametrize("case", WRONG)
def test_it_finds_what_is_wrong(case: str) -> None:
    with pytest.raises(Wrong):
        follow(WRONG[case])


def test_it_knows_the_squares() -> None:
    oracle = follow("> START 5; < OK; > TURN 1,1; < 2,2; > PLAY 3,3; < 3,3; > TAKEBACK 2,2; < OK")
    assert oracle.taken == {(1, 1), (3, 3)} and oracle.size == (5, 5)
