"""The first move of the Windows program after a slow start."""

from __future__ import annotations

import re
import shutil
import time
import zipfile
from pathlib import Path

import pytest

from release.windows import NAME
from tests.paths import ROOT
from tests.protocol.conversation import Program
from tests.protocol.test_limits import busy_cores
from tests.protocol.test_start_up import ONE_PIECE

pytestmark = pytest.mark.windows

SLOWED = "protocol/loop"
CREATED = "created"  # the file in which such a copy says when its process was created


def slow_copy(folder: Path, home: Path, seconds: float) -> list[str]:
    """What starts a copy of the program whose loader sleeps while it loads a module. It also writes
    when Windows created the process, because wine's own start comes before that."""
    shutil.copytree(folder, home)
    source = (ROOT / f"{SLOWED}.py").read_text(encoding="utf-8")
    future, rest = source.split("\nimport os\n", 1)
    created = "time.time_ns() - clock.process_age_ns(os.getpid())"
    text = f"{future}\nimport os\nimport time\nfrom engine import clock\n"
    text += f"open({str(home / CREATED)!r}, 'w').write(str({created}))\n"
    text += f"time.sleep({seconds})\n{rest}"
    with zipfile.ZipFile(folder / "library.zip") as before:
        with zipfile.ZipFile(home / "library.zip", "w") as after:
            for name in before.namelist():
                if name != f"{SLOWED}.pyc":
                    after.writestr(name, before.read(name))
            after.writestr(f"{SLOWED}.py", text)
    return ["wine", str(home / f"{NAME}.exe")]


def test_the_first_move_pays_for_the_whole_start(folder: Path, tmp_path: Path) -> None:
    with Program(slow_copy(folder, tmp_path / "slow", 1.5)) as program:
        program.send(ONE_PIECE.format(300).encode())
        assert program.read_line() == "OK"
        took_ms = re.search(r"Time (\d+)ms", program.read_line() or "")
        assert took_ms and int(took_ms[1]) >= 1500


def first_move_s(command: list[str], turn_ms: int) -> float:
    """Seconds from the creation of the process to its first move, everything sent in one piece."""
    with Program(command) as program:
        program.send(ONE_PIECE.format(turn_ms).encode())
        assert program.read_line() == "OK"
        program.read_move(height=20)
        end_ns = time.time_ns()
    return (end_ns - int(Path(command[-1]).with_name(CREATED).read_text())) / 1e9


@pytest.mark.verify  # times: for a quiet machine
@pytest.mark.parametrize("turn_ms", [2000, 5000])
def test_the_first_move_is_in_time(folder: Path, tmp_path: Path, turn_ms: int) -> None:
    command = slow_copy(folder, tmp_path / "usual", 0)
    sleeping = slow_copy(folder, tmp_path / "slow", turn_ms / 2000)
    with busy_cores():
        took = {"busy cores": [first_move_s(command, turn_ms) for _ in range(10)]}
    took["sleeping loader"] = [first_move_s(sleeping, turn_ms) for _ in range(10)]
    for what, seconds in took.items():
        print(f"limit {turn_ms} ms, {what}:", *(f"{second:.2f}" for second in sorted(seconds)))
    assert max(map(max, took.values())) <= turn_ms / 1000 + 0.05
