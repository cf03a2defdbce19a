"""Files that are replaced as a whole, or stay as they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tengen.record.replace import check_replaceable, replacing


def test_the_file_is_on_the_disk_before_it_takes_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    seen: list[bytes] = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(path.read_bytes()))
    with replacing(path) as file:
        file.write(b"new")
    assert seen == [b"old"] and path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_after_an_error_the_old_file_is_there_and_no_part(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(error), replacing(path) as file:
        file.write(b"new")
        raise error
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_replaceable(path)
    assert not list(tmp_path.iterdir())
    path.write_bytes(b"old")
    check_replaceable(path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError):
        check_replaceable(tmp_path / "none" / "file")
    (tmp_path / "file.part").mkdir()
    with pytest.raises(OSError, match="not a file"):
        check_replaceable(path)
    with pytest.raises(OSError, match="not a file"):
        check_replaceable(Path(os.devnull))
