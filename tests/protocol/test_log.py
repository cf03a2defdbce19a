"""The transcript."""

from __future__ import annotations

import io
import re
from pathlib import Path

from protocol.log import MAX_LOGGED, Transcript


def test_both_directions_with_times() -> None:
    file = io.StringIO()
    transcript = Transcript(file)
    transcript.received("START 15")
    transcript.sent("OK")
    begin, received, sent = file.getvalue().splitlines()
    assert re.fullmatch(r" +0\.\d{6} # begin \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", begin)
    assert re.fullmatch(r" +0\.\d{6} > START 15", received)
    assert re.fullmatch(r" +0\.\d{6} < OK", sent)


def test_odd_and_long_lines() -> None:
    file = io.StringIO()
    transcript = Transcript(file)
    transcript.received("\x00\xff\r")
    transcript.received("A" * 100_000)
    _, odd, long = file.getvalue().splitlines()
    assert odd.endswith("> \\x00\\xff\\r")
    assert long.endswith("A... (100000)") and len(long) < MAX_LOGGED + 50


def test_without_a_file() -> None:
    transcript = Transcript()
    transcript.sent("OK")
    transcript.close()


def test_after_its_end(tmp_path: Path) -> None:
    path = tmp_path / "log"
    transcript = Transcript(path.open("w"))
    transcript.close()
    transcript.sent("OK")
    transcript.close()
    assert "OK" not in path.read_text()


class FullDisk(io.StringIO):
    """Takes one line and then no more."""

    def write(self, text: str) -> int:
        if self.getvalue():
            raise OSError("no space left on device")
        return super().write(text)

    def close(self) -> None:
        raise OSError("no space left on device")


def test_a_full_disk_ends_the_log_only() -> None:
    transcript = Transcript(FullDisk())
    transcript.sent("OK")
    transcript.sent("OK")
    transcript.close()
