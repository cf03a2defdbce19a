"""What the frozen program holds of the standard library is enough for all that it does."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from release import contents
from release.bytecode import write_library
from tests.protocol.conversation import SCRIPTS, Program, Script

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


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What starts the program from a library.zip like the one that is shipped."""
    folder = tmp_path_factory.mktemp("program")
    modules = contents.python_modules()
    write_library(
        folder / "library.zip",
        {name: path for name, path in modules.items() if name.split(".")[0] != "engine"},
    )
    (folder / "engine").symlink_to(contents.ROOT / "engine", target_is_directory=True)
    start = [sys.executable, "-I", "-S", "-c", LAUNCH]
    return [*start, str(folder / "library.zip"), str(folder), COMPILED]


def said(command: list[str], *options: str) -> subprocess.CompletedProcess[str]:
    """The outcome of a run with these options and an input that has ended."""
    return subprocess.run([*command, *options], input="", capture_output=True, text=True)


@pytest.mark.parametrize("name", ["bad_info", "piskvork", "yixin_board"])
def test_conversation(command: list[str], name: str) -> None:
    with Program(command) as running:
        Script(running).play((SCRIPTS / f"{name}.txt").read_text(encoding="ascii"))


def test_options(command: list[str]) -> None:
    assert said(command, "--version").stdout.startswith("pbrain-tengen ")
    assert "--log FILE" in said(command, "--help").stdout
    wrong = said(command, "--nothing")
    assert wrong.returncode == 2 and wrong.stderr.endswith("unrecognized arguments: --nothing\n")


def test_settings_of_any_kind(command: list[str]) -> None:
    settings = Path(command[-3]).with_name("pbrain-tengen.toml")
    for text, complaint in [
        ("hash_mb = 1979-05-27\n", "hash_mb"),
        ("log = \n", "pbrain-tengen.toml"),
    ]:
        settings.write_text(text, encoding="ascii")
        with Program(command) as running:
            running.send(b"START 15\n")
            assert complaint in (running.read_line() or "")
    settings.write_text('log = "my.log"\n', encoding="ascii")
    with Program(command) as running:
        running.send(b"START 15\n")
        assert 'pbrain-tengen.toml: log = "my.log"' in (running.read_line() or "")
        assert running.read_line() == "OK"
        running.send(b"END\n")
        running.expect_exit()
    settings.unlink()
    assert "> START 15" in settings.with_name("my.log").read_text(encoding="utf-8")


def test_a_failure_of_the_program_itself_is_shown(command: list[str]) -> None:
    broken = [word.replace("pbrain.main()", "pbrain.main(5)") for word in command]
    shown = said(broken).stderr
    assert "TypeError" in shown and "Traceback" in shown, os.linesep + shown
