"""The examples of the manuals of this room run, and print what they show."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from engine import net as engine_net
from engine import network
from tests.engine.nets import counting_net
from tests.manual import Manual
from tests.paths import ROOT

from .test_review import MISSED, psq_of

ANALYSIS, EVALUATION, STUDY = (Manual(f"{name}.md") for name in ("ANALYSIS", "EVALUATION", "STUDY"))
PUZZLES = Path("tengen", "lab", "bench", "puzzles")


@pytest.mark.parametrize(
    ("manual", "number"),
    [(each, i) for each in (ANALYSIS, EVALUATION, STUDY) for i in range(len(each.sessions))],
)
def test_a_session(
    manual: Manual,
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "game.psq").write_text(psq_of(MISSED))
    (tmp_path / "threes.bin").write_bytes(network.encode(counting_net(1, 0)))
    shutil.copytree(ROOT / PUZZLES, tmp_path / PUZZLES)
    monkeypatch.chdir(tmp_path)
    if manual is EVALUATION:
        monkeypatch.setattr(network, "default_file", lambda rule: str(tmp_path / f"{rule}.bin"))
        monkeypatch.setattr(engine_net, "_shipped", {})
    manual.assert_session(manual.sessions[number], capsys, *[1] * (manual is STUDY))
