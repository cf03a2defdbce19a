"""Files that are replaced as a whole, or stay as they were."""

from __future__ import annotations

import os
from errno import ENOSPC
from pathlib import Path

import pytest

from tengen.record.replace import check_replaceable, replace_text, replacing


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


def test_an_error_of_the_system_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    monkeypatch.setattr(os, "fsync", _no_space)
    with pytest.raises(OSError, match="No space") as raised, replacing(path) as file:
        file.write(b"new")
    assert raised.value.filename == str(path)
    with pytest.raises(OSError) as raised, replacing(path):
        raise OSError("a sentence of ours")
    assert str(raised.value) == "a sentence of ours"


def test_a_text_takes_the_place_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    replace_text(path, "five: 五\n")
    assert path.read_bytes() == "five: 五\n".encode()
    monkeypatch.setattr(os, "fsync", _no_space)
    with pytest.raises(OSError, match="No space"):
        replace_text(path, "new")
    assert path.read_bytes() == "five: 五\n".encode() and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_and_a_device_stay_what_they_are(tmp_path: Path) -> None:
    path, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    path.write_text("old")
    link.symlink_to(path)
    replace_text(link, "new")
    assert link.is_symlink() and path.read_text() == "new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        replace_text(pipe, "new")
        assert os.read(reader, 9) == b"new"
    finally:
        os.close(reader)
    assert pipe.is_fifo() and len(list(tmp_path.iterdir())) == 3


def _no_space(_: int) -> None:
    raise OSError(ENOSPC, "No space left on device")


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
    for name in (os.devnull, ".", "/", ""):
        with pytest.raises(OSError, match="not a file"):
            check_replaceable(Path(name))
