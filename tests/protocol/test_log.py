"""The transcript."""

from __future__ import annotations

import io
from pathlib import Path

from protocol.writer import MAX_LOGGED, Transcript


def test_odd_and_long_lines() -> None:
    file = io.StringIO()
    transcript = Transcript(file)
    transcript.received("\x00\xff\r")
    transcript.received("A" * 100_000)
    _, odd, long = file.getvalue().splitlines()
    assert odd.endswith("> \\x00\\xff\\r")
    assert long.endswith("A... (100000)") and len(long) < MAX_LOGGED + 50


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
