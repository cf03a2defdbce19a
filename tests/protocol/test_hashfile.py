"""YXHASHDUMP and YXHASHLOAD in a conversation: names of files, answers, and what stays."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.api import Engine
from engine.model import Limits, Position
from protocol.commands import Line
from tengen.opponents.registry import create
from tests.protocol.conversation import Program
from tests.protocol.test_session import Talk


@pytest.fixture
def talk() -> Talk:
    talk = Talk(brain=Engine())
    talk.all("START 15|INFO max_node 20000|INFO hash_size 16384|TURN 7,7")
    return talk


def written(talk: Talk, file: Path) -> int:
    talk.say("YXHASHDUMP")
    (line,) = talk.say(str(file))
    count, text = line.removeprefix("MESSAGE ").split(" ", 1)
    # Answers are ASCII.
    assert text == f"positions written to {file}".replace("\xc3\xa9", "??")
    return int(count)


def test_a_table_is_written_and_read(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "a name with blanks é.hash"
    count = written(talk, Path(str(file).encode().decode("latin-1")))
    assert count > 1000 and file.stat().st_size == 36 + 16 * count
    other = Talk(brain=Engine())
    other.say("INFO hash_size 16384")
    other.say("START 15")
    name = str(file).encode().decode("latin-1")
    assert other.say(f"yxhashload {name}")[0].startswith(f"MESSAGE {count} positions read from ")


@pytest.mark.parametrize(
    ("said", "is_kept"),
    [
        ("START 15", True),  # Yixin-Board sends it before every search
        ("yxhashclear", False),
        ("START 16", False),
        ("INFO strength 50|START 15", False),
    ],
)
def test_what_is_known_stays_until_it_is_cleared(
    talk: Talk, tmp_path: Path, said: str, is_kept: bool
) -> None:
    count = written(talk, tmp_path / "x.hash")
    talk.all(said)
    assert written(talk, tmp_path / "x.hash") == (count if is_kept else 0)
    talk.all("INFO strength 100|TURN 0,0")
    assert written(talk, tmp_path / "x.hash") > 1000


def test_what_cannot_be_used_is_told_and_changes_nothing(talk: Talk, tmp_path: Path) -> None:
    count = written(talk, tmp_path / "x.hash")
    (tmp_path / "other").write_bytes(b"something else")
    for word, name, reason in (
        ("YXHASHLOAD", tmp_path / "missing", "No such file or directory"),
        ("YXHASHLOAD", tmp_path / "other", "this is not a hash file of Tengen"),
        ("YXHASHLOAD", "a\0b", "no file can have this name"),
        ("YXHASHDUMP", tmp_path / "no folder" / "x", ""),
        # tests/engine/test_files.py has the others.
        ("YXHASHLOAD", tmp_path, f": {tmp_path}: this is a folder, not a file"),
        ("YXHASHDUMP", tmp_path, f": {tmp_path}: this is a folder, not a file"),
    ):
        (line,) = talk.say(f"{word} {name}")
        assert line.startswith(f"ERROR {word}: ") and reason in line and "\n" not in line
    assert written(talk, tmp_path / "x.hash") == count
    assert talk.answer("TURN 0,0")


def test_settings_before_a_file_hold_for_it(talk: Talk, tmp_path: Path) -> None:
    """Values of the net are not read by an engine that has been told not to use it."""
    file = tmp_path / "x.hash"
    written(talk, file)
    (line,) = talk.all(f"INFO param.use_net 0|yxhashload {file}")
    assert line.startswith("ERROR YXHASHLOAD: ") and "other nets, tables or parameters" in line
    (line,) = talk.all(f"INFO param.use_net 1|yxhashload {file}")
    assert line.startswith("MESSAGE ")


def test_inexact_values_are_not_written_but_exact_ones_are_read(talk: Talk, tmp_path: Path) -> None:
    """Analyses are at full strength, whatever the last move was at."""
    file = tmp_path / "x.hash"
    count = written(talk, file)
    talk.all("INFO strength 50|TURN 0,0")
    (line,) = talk.say(f"yxhashdump {tmp_path / 'other'}")
    assert line.startswith("ERROR YXHASHDUMP: ") and "at a lower strength" in line
    (line,) = talk.say(f"yxhashload {file}")
    assert line.startswith(f"MESSAGE {count} ")
    talk.all("INFO max_depth 1|yxnbest 2")
    assert written(talk, file) >= count


@pytest.mark.parametrize("word", ["yxhashload ", "yxhashdump\n"])
def test_a_line_that_is_too_long_ends_it(talk: Talk, word: str) -> None:
    """Also one of blanks, whose end is lost."""
    command, _, rest = word.partition("\n")
    if word.endswith("\n"):
        assert talk.say(command) == []
        line = Line(" " * 32768, 0, "x")
    else:
        line = Line(command + " " * 32768, 0, "x")
    reply = talk.session.execute(line)
    assert reply.lines[0].endswith(": the name of the file is longer than 32768 characters")
    assert talk.answer("ABOUT").startswith("name=")


def test_a_program_without_a_table_says_so() -> None:
    talk = Talk(brain=create("simple", 0))
    talk.say("START 15")
    (line,) = talk.say("yxhashload x")
    assert line == "ERROR YXHASHLOAD: this program has no hash table that files can hold"


# A brain that writes until it is stopped.
ENDLESS = """
import time
import protocol.loop
from engine.files import replacing
from protocol.loop import run
from protocol.messages import About
from tests.protocol.fake_brain import FakeBrain

class Endless(FakeBrain):
    def save_hash(self, path):
        with replacing(path) as file:
            while not self._stop.is_set():
                file.write(b"x")
                file.flush()
                time.sleep(0.002)
            raise InterruptedError(4, "stopped")
    load_hash = save_hash

protocol.loop.FILE_LOOKS = 6000  # a busy machine may be slow to remove the part of a file
brain = Endless()
run(lambda: brain, About("Endless", "1", "nobody"))
"""


@contextmanager
def writing(file: Path) -> Iterator[Program]:
    """A program in the middle of writing a file that was there before."""
    file.write_bytes(b"old")
    with Program([sys.executable, "-c", ENDLESS]) as program:
        program.tell("START 15", "YXHASHDUMP", str(file))
        program.expect("OK")
        deadline = time.monotonic() + 60
        while len(list(file.parent.iterdir())) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield program
    assert file.read_bytes() == b"old" and list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("how", ["END", "end of input"])
def test_what_ends_the_program_leaves_no_part_of_a_file(tmp_path: Path, how: str) -> None:
    with writing(tmp_path / "table") as program:
        if how == "END":
            program.tell("END")
        else:
            program.close()
            program.expect(".*table: stopped")
        program.expect_exit()


@pytest.mark.parametrize("word", ["STOP", "yxstop"])
def test_stop_ends_the_writing_and_a_new_game_waits(tmp_path: Path, word: str) -> None:
    with writing(tmp_path / "table") as program:
        program.tell("INFO timeout_turn 0", "START 10", "ABOUT")
        time.sleep(0.3)
        assert len(list(tmp_path.iterdir())) == 2
        program.tell(word)
        program.expect("ERROR YXHASHDUMP: .*", "OK", 'name="Endless".*')


@pytest.mark.parametrize("use", ["save_hash", "load_hash"])
def test_a_stop_reaches_the_work_on_a_file(tmp_path: Path, use: str) -> None:
    brain = Engine()
    brain.set_memory(None, 16 << 20)
    brain.set_position(Position.from_moves("h8"))
    brain.think(Limits(nodes=2000))
    file = tmp_path / "table"
    count = brain.save_hash(str(file))
    before = file.read_bytes()
    brain.request_stop()
    with pytest.raises(InterruptedError, match="stopped before"):
        getattr(brain, use)(str(file))
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]
    brain.clear_stop()
    assert brain.load_hash(str(file)) == brain.save_hash(str(file)) == count
