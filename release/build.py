"""Builds what users of this system download, with a Python alone: `python -m release.build`.

Run it in a virtual environment at the top of a clone, on Linux, macOS or Windows (there with the C
compiler of the Visual Studio Build Tools). It

  1. installs the project, the build tools and the test tools, as pinned by constraints.txt, into
     the environment whose Python runs it,
  2. compiles the engine in place,
  3. runs the quick tests,
  4. freezes the program with PyInstaller,
  5. asks the frozen program for a move,
  6. packs it: dist/release/TENGEN.zip on Windows, a .tar.gz elsewhere, and SHA256SUMS; the zip
     must pass `tengen check`.

Options leave steps out; `--help` lists them. Nothing outside the environment and the clone changes.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from release import contents
from release.archive import archive_name, complete, pack
from release.checksums import write_checksums
from release.freeze import DIST, first_move, freeze, run_step
from release.inputs import BuildFailed

OUT = DIST / "release"
PIP = ["-m", "pip", "--disable-pip-version-check", "install", "-qq", "-c", "constraints.txt"]


def main(words: Sequence[str] | None = None) -> int:
    """Does what the options ask for; returns the exit status."""
    options = _parser().parse_args(words)
    try:
        build(options)
    except BuildFailed as error:
        print(f"release.build: {error}", file=sys.stderr)
        return 1
    return 0


def build(options: argparse.Namespace) -> None:
    """All steps that are not left out; BuildFailed names the one that failed."""
    if not options.no_install:
        check_environment()
        heading("install")
        install()
    if not options.no_compile:
        heading("compile")
        run_step([sys.executable, "setup.py", "-q", "build_ext", "--inplace"])
    if not options.no_tests:
        heading("test")
        run_step([sys.executable, "-m", "pytest", "-q", *shlex.split(options.tests)])
    if options.no_archive:
        return
    heading("freeze")
    program = freeze()
    print(f"{program.name} plays {first_move([str(program)])}")
    heading("pack")
    pack_program(program, options.out)
    for path in sorted(options.out.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def check_environment() -> None:
    """BuildFailed if packages would go into a Python that other programs use."""
    is_own = sys.prefix != sys.base_prefix or os.environ.get("CI") == "true"
    if not is_own:
        raise BuildFailed(
            f"{sys.executable} belongs to no virtual environment; make one with `python -m venv"
            " .venv` and run its Python, or install nothing with --no-install"
        )


def install() -> None:
    """The project in place, with everything that compiles, tests and freezes it."""
    run_step([sys.executable, *PIP, "pip", "setuptools", "cython"])
    # The engine is compiled by the next step, with the messages of the compiler in sight.
    project = ["--no-build-isolation", "--editable", ".[board,cluster,lab]", "--group", "dev"]
    run_step([sys.executable, *PIP, *project], TENGEN_NO_EXTENSIONS="1")


def pack_program(program: Path, out: Path) -> Path:
    """Packs the program's folder into `out` with its README and licences, tries what came out, and
    writes the checksums. Returns the archive."""
    target = out / archive_name()
    copy = fresh_folder("packed")
    shutil.copytree(program.parent, copy, symlinks=True)
    complete(copy)
    pack(copy, target)
    unpacked = fresh_folder("unpacked")
    shutil.unpack_archive(target, unpacked)
    # Tournaments look for the program in the root of the zip.
    root = unpacked if target.suffix == ".zip" else unpacked / target.name.removesuffix(".tar.gz")
    found = root / program.name
    print(f"{found.name} of {target.name} plays {first_move([str(found)])}")
    if target.suffix == ".zip":
        # What a tournament would look at: the zip is an entry.
        run_step([sys.executable, "-m", "tengen", "check", str(target)])
    write_checksums(out)
    return target


def fresh_folder(name: str) -> Path:
    """The path of a folder below build/ that does not exist yet."""
    folder = contents.ROOT / "build" / name
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def heading(name: str) -> None:
    """Says what begins now."""
    print(f"\n== {name} ({time.strftime('%H:%M:%S')})", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m release.build", description=(__doc__ or "").partition("\n\n")[0]
    )
    add = parser.add_argument
    add("--no-install", action="store_true", help="the environment has all packages already")
    add("--no-compile", action="store_true", help="the compiled modules are in engine/ already")
    add("--no-tests", action="store_true", help="do not run the tests")
    add("--no-archive", action="store_true", help="end after the tests")
    add("--tests", default="", metavar="WORDS", help="what pytest gets; by default all quick tests")
    add("--out", type=Path, default=OUT, metavar="DIR", help="default: dist/release")
    return parser


if __name__ == "__main__":
    sys.exit(main())
