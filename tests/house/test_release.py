"""The build program's own parts: what a smoke test accepts, archives, checksums, workflows, and the
library of the frozen program."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from engine.version import __version__
from release import archive, contents, freeze, notes
from release.checksums import write_checksums
from release.contents import write_library
from release.inputs import BuildFailed
from tengen.arena.check.entry import ZIP_LIMIT_BYTES
from tests.paths import ROOT
from tests.protocol.conversation import SCRIPTS, play


def program(*answers: str, status: int = 0) -> list[str]:
    """A command that reads its input, prints these lines and ends."""
    text = "\n".join(answers)
    code = f"import sys; sys.stdin.read(); print({text!r}); sys.exit({status})"
    return [sys.executable, "-c", code]


def test_a_program_that_plays_is_accepted_and_no_other() -> None:
    said = program('name="Tengen", version="1"', "OK", "MESSAGE Depth 1", "7,7")
    assert freeze.first_move(said) == "7,7"
    for command in (
        program('name="Tengen"', "ERROR", "7,7"),
        program('name="Other"', "OK", "7,7"),
        program('name="Tengen"', "OK", "7,7", "8,8"),
        program('name="Tengen"', "OK", "7,7", status=1),
        ["./no-such-program"],
    ):
        with pytest.raises(BuildFailed, match=re.escape(command[-1][:20])):
            freeze.first_move(command)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as PyInstaller leaves it, in small."""
    made = tmp_path / "frozen"
    (made / "_internal").mkdir(parents=True)
    (made / "pbrain").write_bytes(b"program")
    (made / "pbrain").chmod(0o755)
    (made / "_internal" / "data.bin").write_bytes(b"values")
    return made


def test_a_zip_that_is_too_large_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "net.bin").write_bytes(os.urandom(archive.ZIP_LIMIT_BYTES))
    with pytest.raises(BuildFailed, match="T.zip has 80[0-9]* bytes; 8000000 are accepted"):
        archive.pack(folder, tmp_path / "T.zip")
    assert archive.ZIP_LIMIT_BYTES == ZIP_LIMIT_BYTES


def test_archives_hold_the_folder_and_name_no_owner_and_no_time(
    folder: Path, tmp_path: Path
) -> None:
    names = ("T.zip", "tengen-1-linux.tar.gz")
    for name in names:
        archive.pack(folder, tmp_path / "1" / name)
    with zipfile.ZipFile(tmp_path / "1" / names[0]) as packed:
        assert packed.namelist() == ["_internal/data.bin", "pbrain"]
    with tarfile.open(tmp_path / "1" / names[1]) as unpacked:
        entries = {entry.name.partition("/")[2]: entry for entry in unpacked}
    assert set(entries) == {"_internal", "_internal/data.bin", "pbrain"}
    assert {entry.name.partition("/")[0] for entry in entries.values()} == {"tengen-1-linux"}
    assert {(entry.uid, entry.uname) for entry in entries.values()} == {(0, "")}
    assert os.name == "nt" or entries["pbrain"].mode & 0o111
    for path in folder.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
        path.chmod(path.stat().st_mode & 0o700)  # as another umask leaves them
    for name in names:
        archive.pack(folder, tmp_path / "2" / name)
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_what_is_beside_the_program(folder: Path) -> None:
    archive.complete(folder)
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.t*")}
    assert names >= {
        *("README.txt", "LICENSE.txt", "pbrain-tengen.example.toml"),
        *("licences/Python.txt", "licences/PyInstaller.txt"),
    }


def test_checksums_are_those_that_sha256sum_checks(folder: Path) -> None:
    write_checksums(folder)
    again = write_checksums(folder)  # which does not list itself
    # As `printf program | sha256sum` prints it.
    digest = "1310ca2c8932dbd118668bd97442558a3e1f546b5e15c69699dfbd6024f548d8"
    assert again.read_bytes() == f"{digest}  pbrain\n".encode()


ABOUT = {"__version__": "0.1.0", "AUTHOR": "A", "WWW": "https://a.example", "EMAIL": "a@a.example"}
CHANGES = "# Changes\n\n## 0.2.0\n\nLater.\n\n## 0.1.0\n\n* It plays.\n\n## 0.0.9\n\nEarlier.\n"


@pytest.mark.parametrize(
    ("tag", "about", "changes", "reason"),
    [
        ("v0.1.1", ABOUT, CHANGES, "the tag v0.1.1 does not name the version 0.1.0"),
        ("v0.1.0", ABOUT | {"WWW": ""}, CHANGES, "WWW must be filled in for a release"),
        ("v0.1.0", ABOUT | {"WWW": " ", "EMAIL": ""}, CHANGES, "WWW, EMAIL must be filled in"),
        ("v0.1.0", ABOUT, "# Changes\n\n## 0.2.0\n\nLater.\n", "no section `## 0.1.0`"),
        ("v0.1.0", ABOUT, "# Changes\n\n## 0.1.0\n\n## 0.0.9\n\nOld.\n", "no section `## 0.1.0`"),
    ],
)
def test_no_release_without_tag_contact_and_notes(
    tag: str, about: dict[str, str], changes: str, reason: str
) -> None:
    with pytest.raises(BuildFailed, match=re.escape(reason)):
        notes.notes(tag, about, changes)


def test_the_notes_of_a_release_are_its_section_of_the_changes() -> None:
    assert notes.notes("v0.1.0", ABOUT, CHANGES) == "* It plays.\n"
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert notes.notes(f"v{__version__}", ABOUT | {"__version__": __version__}, changes)


def test_what_is_left_out_is_not_found_and_what_is_needed_is() -> None:
    found = contents.find_modules()
    assert not {"unicodedata", "select", "ssl", *contents.NOT_SHIPPED} & set(found)
    assert {"engine.values", "protocol.loop", "tengen.pbrain", "queue", "struct"} <= set(found)
    assert "engine.search" in contents.extension_names()


def test_imports_of_compiled_modules_are_found_and_prose_is_not() -> None:
    # A module that a .pyx file imports and nothing else does would be missing in the program; a
    # word after "from" in a docstring is no module, and the build could not find it.
    imported = contents.imported_by_extensions()
    assert {"engine.model", "array", "threading"} <= imported
    for name in imported:
        assert importlib.util.find_spec(name) is not None, name


def test_the_build_program_needs_the_standard_library_only() -> None:
    # It runs before anything is installed.
    code = "import release.build, sys; print([n for n in sys.modules if n in ('click', 'pefile')])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


# -- what the frozen program holds of the standard library is enough for all that it does

# Python's own compiled modules, for the library of the system that the tests run on.
COMPILED = sysconfig.get_config_var("DESTSHARED") or str(Path(sys.base_prefix) / "DLLs")
# What the launcher does (release/launcher.c), for a Python that has started already.
LAUNCH = """
import sys
library, engine, compiled, *words = sys.argv[1:]
sys.path[:] = [library, engine, compiled]
for name in [name for name, found in sys.modules.items() if found.__spec__ is not None]:
    if name not in sys.builtin_module_names and name not in ("__main__", "os", "zipimport"):
        if not name.startswith(("_frozen", "encodings", "codecs", "io", "abc", "importlib._boot")):
            del sys.modules[name]
sys.argv = ["pbrain-tengen", *words]
sys.executable, sys.frozen = library, True
import tengen.pbrain
assert "library.zip" in tengen.pbrain.__file__, tengen.pbrain.__file__
tengen.pbrain.main()
"""


def start_of(folder: Path) -> list[str]:
    """What starts the program from a library.zip like the one that is shipped."""
    modules = contents.python_modules()
    write_library(
        folder / "library.zip",
        {name: path for name, path in modules.items() if name.split(".")[0] != "engine"},
    )
    (folder / "engine").symlink_to(contents.ROOT / "engine", target_is_directory=True)
    start = [sys.executable, "-I", "-S", "-c", LAUNCH]
    return [*start, str(folder / "library.zip"), str(folder), COMPILED]


def test_the_library_of_the_program_has_what_it_imports(tmp_path: Path) -> None:
    command = start_of(tmp_path)
    for name in ("bad_info", "piskvork", "yixin_board"):
        play(command, SCRIPTS / f"{name}.txt")
    settings = tmp_path / "pbrain-tengen.toml"
    settings.write_text("hash_mb = 1979-05-27\n", encoding="ascii")  # needs the library for dates
    done = subprocess.run(command, input="START 15\nEND\n", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and "hash_mb" in done.stdout
