"""The engine program from outside: its options, its name, its start."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.version import __version__
from tengen import pbrain
from tests.no_files import NO_FILES, make_no_file
from tests.paths import ROOT
from tests.protocol.conversation import REAL, Program


def test_options_need_no_brain() -> None:
    code = "import sys\nfrom tengen import pbrain\n"
    code += "try: pbrain.main(['--version'])\nexcept SystemExit: pass\n"
    code += "assert 'engine.api' not in sys.modules and 'protocol.loop' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)


def test_ctrl_c_is_quiet_before_any_other_module_is_loaded() -> None:
    # A press of Ctrl-C at a moment of choice: when the first module is looked for besides
    # tengen/__init__.py and tengen/pbrain.py. What site-packages may have loaded before is
    # forgotten; only `os` is always there.
    code = "import _signal, sys\nsys.path.insert(0, '.')\nsys.argv = ['bin/pbrain-tengen']\n"
    code += "class Press:\n    def find_spec(self, name, path, target=None):\n"
    code += "        if name not in ('tengen', 'tengen.pbrain'):\n"
    code += "            _signal.raise_signal(_signal.SIGINT)\n"
    code += "for name in ('__future__', 'enum', 'importlib', 'signal', 'typing'):\n"
    code += "    sys.modules.pop(name, None)\n"
    code += "sys.meta_path.insert(0, Press())\nimport tengen.pbrain\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60)
    assert done.stderr == b"" and done.returncode not in (0, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="limits address space")
@pytest.mark.parametrize("limit_mib", [30, 60])
def test_a_system_with_little_memory_gets_one_line(limit_mib: int) -> None:
    command = f"ulimit -v {limit_mib * 1024}; exec " + " ".join(map(shlex.quote, REAL))
    text = b"START 15\nINFO max_node 500\nTURN 7,7\n"
    done = subprocess.run(["sh", "-c", command], input=text, capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1
    lines = done.stdout.decode("ascii").splitlines()
    if limit_mib >= 60:
        assert lines[0] == "OK" and re.fullmatch(r"\d+,\d+", lines[-1])
    assert all(re.match(r"OK|ERROR |MESSAGE |\d+,\d+$", line) for line in lines)


def test_about_names_program_and_version() -> None:
    with Program(REAL) as program:
        program.tell("ABOUT")
        about = program.read_line() or ""
        assert about.startswith(f'name="Tengen", version="{__version__}", author="')
        program.end()


def test_the_log_has_both_directions(tmp_path: Path) -> None:
    log = tmp_path / "a log.txt"
    done = subprocess.run(
        [*REAL, "--log", str(log)], input=b"START 15\r\nBEGIN\r\n", capture_output=True, timeout=60
    )
    said = [line.split(None, 1)[1] for line in log.read_text(encoding="utf-8").splitlines()]
    assert said[0].startswith("# begin ")
    assert [line[2:] for line in said if line.startswith("> ")] == ["START 15", "BEGIN"]
    assert [line[2:] for line in said if line.startswith("< ")] == (
        done.stdout.decode("ascii").splitlines()
    )


def test_a_log_that_cannot_be_written_is_said_before_play(tmp_path: Path) -> None:
    done = subprocess.run(
        [*REAL, "--log", str(tmp_path / "no" / "log")], input=b"", capture_output=True, timeout=60
    )
    assert done.returncode == 2 and done.stdout == b""
    assert b"cannot write the log" in done.stderr
    assert b"Traceback" not in done.stderr


# -- the settings file and the environment


def installed(folder: Path, settings: str = "") -> list[str]:
    """The program as pip installs it: a script in a folder of its own; with a settings file."""
    folder.mkdir(exist_ok=True)
    script = folder / "pbrain-tengen"
    script.write_text("from tengen.pbrain import main\nmain()\n", encoding="utf-8")
    if settings:
        (folder / pbrain.SETTINGS_FILE).write_text(settings, encoding="utf-8")
    return [sys.executable, str(script)]


def checkout(folder: Path) -> Path:
    """A checkout with only what starts the program; the rest comes from here."""
    (folder / "tengen").mkdir(parents=True)
    for name in ("__init__.py", "pbrain.py"):
        shutil.copy(ROOT / "tengen" / name, folder / "tengen")
    return folder


def talk(command: list[str], text: str, folder: Path, **environment: str) -> list[str]:
    """What the program answers, started in a folder of the manager's choice."""
    done = subprocess.run(
        command,
        input=text.encode(),
        capture_output=True,
        timeout=60,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    assert done.returncode == 0 and done.stderr == b""
    return done.stdout.decode("ascii").splitlines()


def test_the_settings_file_lies_beside_the_program(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    program = installed(folder, 'hash_mb = 2\nlog = "game.log"\ncolour = "red"\n')
    lines = talk(program, "ABOUT\nSTART 15\nRESTART\n", tmp_path)
    settings = folder / pbrain.SETTINGS_FILE
    assert lines[1] == f'MESSAGE settings from {settings}: hash_mb = 2, log = "game.log"'
    assert lines[2].startswith("MESSAGE ") and "colour is not a setting; expected" in lines[2]
    assert lines[3:] == ["OK", "OK"]
    log = (folder / "game.log").read_text(encoding="utf-8")
    assert "> RESTART\n" in log and "< OK\n" in log


@pytest.mark.parametrize("way", ["file", "link", "module"])
def test_from_a_checkout_the_settings_file_lies_in_its_folder(tmp_path: Path, way: str) -> None:
    root = checkout(tmp_path / "checkout")
    (root / pbrain.SETTINGS_FILE).write_text("hash = 1", encoding="utf-8")
    (root / "tengen" / pbrain.SETTINGS_FILE).write_text("inside = 1", encoding="utf-8")
    script = root / "tengen" / "pbrain.py"
    if way == "link":
        try:
            (tmp_path / "link").symlink_to(root, target_is_directory=True)
        except OSError:
            pytest.skip("no symbolic links here")
        if not (tmp_path / "link").is_dir():  # wine 8 reports success and makes none
            pytest.skip("no symbolic links here")
        script = tmp_path / "link" / "tengen" / "pbrain.py"
    command = [sys.executable, *(["-m", "tengen.pbrain"] if way == "module" else [str(script)])]
    folder = root if way == "module" else tmp_path
    assert "hash is not a setting" in talk(command, "START 15\n", folder)[0]


def test_the_environment_names_a_log_and_wins(tmp_path: Path) -> None:
    program = installed(tmp_path / "folder", 'log = "game.log"')
    talk(program, "START 15\n", tmp_path, TENGEN_LOG="other.log")
    assert "> START 15\n" in (tmp_path / "other.log").read_text(encoding="utf-8")
    assert not (tmp_path / "folder" / "game.log").exists()
    talk([*program, "--log", "third.log"], "START 15\n", tmp_path, TENGEN_LOG="fourth.log")
    assert (tmp_path / "third.log").exists() and not (tmp_path / "fourth.log").exists()


def test_a_log_that_cannot_be_written_does_not_keep_it_from_playing(tmp_path: Path) -> None:
    program = installed(tmp_path / "folder", "log = 'no/log'")
    lines = talk(program, "START 15\nSTART 15\n", tmp_path)
    assert lines[0].startswith("MESSAGE settings from ")
    assert lines[1].startswith("MESSAGE no log is written: ") and lines[2:] == ["OK", "OK"]


@pytest.mark.parametrize("use", ["settings", "log", "net"])
def test_what_is_no_file_keeps_it_from_nothing(tmp_path: Path, use: str) -> None:
    """One MESSAGE tells, the program plays, and END is obeyed. (tests/engine/test_files.py has what
    else is no file.)"""
    kind = "folder" if os.name == "nt" else "pipe"  # opening a pipe could wait for ever
    program = installed(tmp_path / "folder")
    path, environment = make_no_file(tmp_path, kind), {}
    if use == "settings":
        path = path.rename(tmp_path / "folder" / pbrain.SETTINGS_FILE)
    else:
        environment[f"TENGEN_{use.upper()}"] = str(path)
    begin = {"settings": f"{path} cannot be read: ", "net": f"{path.name}: "}
    lines = talk(program, "START 15\nINFO max_node 50\nBEGIN\n", tmp_path, **environment)
    talk(program, "START 15\nEND\n", tmp_path, **environment)
    (told,) = [line for line in lines if NO_FILES[kind] in line]
    assert told.startswith(f"MESSAGE {begin.get(use, f'no log is written: {path}: ')}")
    assert re.fullmatch(r"\d+,\d+", lines[-1])


def test_a_net_file_that_cannot_be_used_is_told_once_and_the_environment_wins(
    tmp_path: Path,
) -> None:
    program = installed(tmp_path / "folder", 'net = "settings.bin"')
    commands = "INFO max_node 10\nSTART 15\nBEGIN\nTURN 7,8\n"
    for environment, name in (({}, "settings.bin"), ({"TENGEN_NET": "other.bin"}, "other.bin")):
        lines = talk(program, commands, tmp_path, **environment)
        remark = f"MESSAGE {name}: No such file or directory; this net is not used"
        assert [line for line in lines if "not used" in line] == [remark]
        assert sum(re.fullmatch(r"\d+,\d+", line) is not None for line in lines) == 2
