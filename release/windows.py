"""Builds the Windows program on Linux: `python -m release.windows`, or `make windows`.

    dist/windows/pbrain-tengen64/   the program: one folder, one process
    dist/windows/TENGEN.zip         the entry for tournaments, the program in its root

No Windows and no wine is needed. The engine's C files and compiler flags are those of the Linux
program; the Windows Python is put together from pinned packages (release/windows-inputs.txt).
"""

from __future__ import annotations

import shutil
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from release import contents
from release.archive import ZIP, pack
from release.contents import compiled, pyc_path, write_library, write_licences
from release.inputs import HERE, BuildFailed, fetch
from release.toolchain import Toolchain, make_toolchain

ROOT = contents.ROOT
WORK = ROOT / "build" / "windows"
DIST = ROOT / "dist" / "windows"
NAME = "pbrain-tengen64"
PYTHON = (3, 11)
# Of the Windows Python: the interpreter, the C runtime, and the one compiled module that is used.
RUNTIME = ("python311.dll", "VCRUNTIME140.dll", "_queue.pyd")


def main() -> int:
    """Builds folder and zip; returns the exit status."""
    try:
        folder = build_folder()
        with step("the zip"):
            pack(folder, DIST / ZIP)
    except BuildFailed as error:
        print(f"make windows: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder.relative_to(ROOT)}: {size / 1e6:.2f} MB")
    print(f"{(DIST / ZIP).relative_to(ROOT)}: {(DIST / ZIP).stat().st_size / 1e6:.2f} MB")
    return 0


def build_folder() -> Path:
    """Builds the folder of the program and returns its path; BuildFailed says why it cannot."""
    if sys.version_info[:2] != PYTHON:
        version = ".".join(map(str, sys.version_info[:2]))
        raise BuildFailed(
            f"needs Python {'.'.join(map(str, PYTHON))}, whose bytecode the program runs; this is"
            f" {version} (make PYTHON=python3.11 windows, in a clone without .venv)"
        )
    with step("Python for Windows"):
        dlls = unpack_python(WORK / "python")
    with step("the compiler"):
        toolchain = make_toolchain(WORK, dlls / "python311.dll")
    folder = DIST / NAME
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    with step("the engine"):
        compile_engine(toolchain, folder, contents.extension_names())
    with step("the launcher"):
        toolchain.compile_program(HERE / "launcher.c", folder / f"{NAME}.exe")
    with step("the library"):
        for name in RUNTIME:
            shutil.copy(dlls / name, folder)
        add_python_files(folder)
        write_licences(folder / "licences", WORK / "zig")
        for name in ("README.txt", "pbrain-tengen.example.toml"):
            shutil.copy(HERE / "zip" / name, folder)
        shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    return folder


def unpack_python(folder: Path) -> Path:
    """Unpacks the DLLs and compiled modules of the Windows Python into `folder`/dlls."""
    (wheel,) = fetch("windows-inputs.txt", folder / "wheel", for_windows=True)
    dlls = folder / "dlls"
    dlls.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.namelist():
            name = entry.rpartition("/")[2]
            if entry.startswith("deploy_libs/") and name.endswith((".dll", ".pyd")):
                (dlls / name).write_bytes(archive.read(entry))
    return dlls


def compile_engine(
    toolchain: Toolchain, folder: Path, names: Sequence[str], flags: Sequence[str] = ()
) -> None:
    """Compiles modules of the engine into `folder`, from the C files that the build of this system
    made, with more flags if wanted. Without -DWITH_DOC_STRINGS they have no docstrings."""
    from setup import compiler_flags

    pairs = []
    for name in names:
        path = name.replace(".", "/")
        source = ROOT / "build" / "release" / f"{path}.c"
        if not source.is_file():
            raise BuildFailed(f"{source.relative_to(ROOT)} is missing; run `make build` first")
        pairs.append((source, folder / f"{path}.pyd"))
    toolchain.compile_extensions(pairs, [*compiler_flags("unix"), "-fwrapv", *options(), *flags])


def options() -> list[str]:
    """What every C file of the engine is compiled with: macros, and where our headers are."""
    from setup import MACROS

    return [f"-I{ROOT / 'engine'}", *(f"-D{name}={value}" for name, value in MACROS)]


def add_python_files(folder: Path) -> None:
    """Puts bytecode where the launcher looks: engine/ beside its compiled modules, all else in
    library.zip."""
    modules = contents.python_modules()
    engine = {name: path for name, path in modules.items() if name.split(".")[0] == "engine"}
    for name, source in engine.items():
        path = pyc_path(name, source)
        (folder / path).write_bytes(compiled(source, path[:-1]))
    for source in contents.data_files():
        (folder / "engine" / "data").mkdir(exist_ok=True)
        shutil.copy(source, folder / "engine" / "data")
    rest = {name: path for name, path in modules.items() if name not in engine}
    write_library(folder / "library.zip", rest)


@contextmanager
def step(name: str) -> Iterator[None]:
    """Says what is being built, and how long it took."""
    began = time.perf_counter()
    print(f"  {name} ...", end="", flush=True)
    try:
        yield
    except BaseException:
        print(" failed", flush=True)
        raise
    print(f" {time.perf_counter() - began:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
