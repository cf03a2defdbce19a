"""Files that people name: refused at once where they are none, replaced as a whole."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import pytest

from engine.files import check_replaceable, open_file, open_log, read_file, replace_file, replacing
from tests.no_files import NO_FILES, make_no_file
from tests.paths import ROOT

NOT_WINDOWS = pytest.mark.skipif(os.name == "nt", reason="there links need rights, pipes a name")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is there."""
    (tmp_path / "file").write_bytes(b"old")
    return tmp_path / "file"


def test_the_file_is_on_the_disk_before_it_takes_the_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(path.read_bytes()))
    with replacing(path) as file:
        file.write(b"new")
    assert seen == [b"old"] and path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_after_an_error_the_old_file_is_there_and_no_part(
    path: Path, error: type[BaseException]
) -> None:
    with pytest.raises(error), replacing(path) as file:
        file.write(b"new")
        raise error
    assert path.read_bytes() == b"old" and list(path.parent.iterdir()) == [path]


def test_an_error_of_the_system_names_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space") as raised:
        replace_file(path, "new")
    assert raised.value.filename == str(path)
    assert path.read_bytes() == b"old" and list(path.parent.iterdir()) == [path]
    with pytest.raises(OSError) as raised, replacing(path):
        raise OSError("a sentence of ours")
    assert str(raised.value) == "a sentence of ours"


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    check_replaceable(path)
    assert not list(tmp_path.iterdir())
    path.write_bytes(b"old")
    check_replaceable(path)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError):
        check_replaceable(tmp_path / "none" / "file")
    for name in (os.devnull, ".", "/", ""):
        with pytest.raises(OSError, match="not a file"):
            check_replaceable(Path(name))


def test_only_what_an_hour_has_not_touched_is_removed(tmp_path: Path) -> None:
    names = "file", "file.part", ".tengen-0011.part", ".tengen-0022.part", ".tengen-notes"
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_bytes(b"theirs")
        os.utime(path, (0, 0))
    os.utime(paths[2])
    replace_file(paths[0], b"new")
    assert sorted(tmp_path.iterdir()) == sorted({*paths} - {paths[3]})
    assert paths[1].read_bytes() == paths[2].read_bytes() == b"theirs"


@NOT_WINDOWS
def test_several_programs_that_write_one_file_never_mix(path: Path) -> None:
    code = "import sys; from engine.files import replace_file as write\n"
    code += "for _ in range(30): write(sys.argv[1], sys.argv[2] * 300_000)"
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(path), letter], cwd=ROOT)
        for letter in "abc"
    ]
    while any(each.poll() is None for each in running):
        data = path.read_bytes()
        assert data == b"old" or (len(data) == 300_000 and len(set(data)) == 1)
    assert [each.wait() for each in running] == [0, 0, 0]
    assert path.read_bytes() != b"old" and list(path.parent.iterdir()) == [path]


@NOT_WINDOWS
@pytest.mark.parametrize("is_there", [True, False])
def test_the_file_that_a_link_leads_to_is_replaced(tmp_path: Path, is_there: bool) -> None:
    (tmp_path / "other").mkdir()
    path, link = tmp_path / "other" / "file", tmp_path / "link"
    if is_there:
        path.write_text("old")
        path.chmod(0o600)
    link.symlink_to("other/file")
    check_replaceable(link)
    assert path.exists() is is_there
    replace_file(link, "new")
    assert link.is_symlink() and path.read_text() == "new"
    assert list((tmp_path / "other").iterdir()) == [path]
    if is_there:  # what was private stays private
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def write_new(name: Path) -> None:
    replace_file(name, b"new")


def read_all(name: Path) -> None:
    read_file(name, 100)


USES = (read_all, open_file, open_log, write_new, check_replaceable)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_refused(
    use: Callable[[Path], object], kind: str, tmp_path: Path
) -> None:
    path = make_no_file(tmp_path, kind)
    before = path.lstat().st_mode, sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match=NO_FILES[kind]) as raised:
        use(path)
    assert raised.value.strerror and "\n" not in raised.value.strerror
    assert raised.value.filename == str(path)
    assert (path.lstat().st_mode, sorted(tmp_path.iterdir())) == before


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_can_have(use: Callable[[str], object], name: str) -> None:
    with pytest.raises(OSError, match="name"):
        use(name)


@NOT_WINDOWS
def test_a_pipe_that_takes_the_place_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at a name and the opening of it."""
    path, pipe = tmp_path / "file", tmp_path / "pipe"
    path.write_bytes(b"data")
    os.mkfifo(pipe)
    looks: list[str] = []
    look = os.stat

    def exchange(name: str) -> os.stat_result:
        status = look(name)
        if not looks:
            looks.append(name)
            os.replace(pipe, path)
        return status

    monkeypatch.setattr(os, "stat", exchange)
    with pytest.raises(OSError, match="this is a pipe, not a file"):
        read_file(path, 100)
    assert looks


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size in (0, 1, 100):
        path.write_bytes(b"x" * size)
        assert read_file(path, 100) == b"x" * size
    path.write_bytes(b"x" * 101)
    with pytest.raises(OSError, match="this file has 101 bytes; at most 100 bytes are read"):
        read_file(path, 100)
    with path.open("r+b") as file:
        file.truncate(5 << 30)
    with pytest.raises(OSError, match="this file has 5 GB; at most 64 MB are read"):
        read_file(path, 64 << 20)


@pytest.mark.parametrize(("added", "is_read"), [(50, True), (90, True), (91, False), (999, False)])
def test_a_file_that_grows_while_it_is_read(
    added: int, is_read: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    look = os.fstat
    looks: list[int] = []

    def grow(descriptor: int) -> os.stat_result:
        status = look(descriptor)
        looks.append(descriptor)
        if len(looks) == 2:  # after its size has been told
            with path.open("ab") as file:
                file.write(b"y" * added)
        return status

    monkeypatch.setattr(os, "fstat", grow)
    if is_read:
        assert read_file(path, 100) == b"x" * 10 + b"y" * added
    else:
        with pytest.raises(OSError, match="at most 100 bytes are read"):
            read_file(path, 100)
    assert len(looks) == 2


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="Linux has such files")
def test_a_file_that_does_not_tell_its_size() -> None:
    assert os.stat("/proc/self/status").st_size == 0
    assert read_file("/proc/self/status", 100_000).startswith(b"Name:")
    with pytest.raises(OSError, match="at most 50 bytes are read"):
        read_file("/proc/self/status", 50)
