"""Compiles for 64-bit Windows on Linux: an import library, Python's headers, and zig's clang."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pefile  # type: ignore[import-untyped]

from release.inputs import HERE, BuildFailed, fetch

TARGET = "x86_64-windows-gnu"
# Every processor since 2009. The search was not faster for newer ones (ledger 22).
PROCESSOR = "x86_64_v2"
# A deep search needs more than the 2 MB that programs usually reserve; only what is used is taken.
STACK_BYTES = 64 << 20
# In a section's flags: the section holds code.
_IS_CODE = 0x20000000


@dataclass(frozen=True)
class Toolchain:
    """A compiler with headers and an import library for the Windows Python in `dll`."""

    zig: Path
    include: Path
    libraries: Path

    def compile_program(self, source: Path, program: Path) -> None:
        """Compiles a C file with `wmain` to an executable that starts Python itself."""
        flags = ["-O2", "-municode", f"-Wl,--stack,{STACK_BYTES}"]
        self._compile(source, program, flags)

    def compile_extensions(self, pairs: Sequence[tuple[Path, Path]], flags: Sequence[str]) -> None:
        """Compiles C files to .pyd modules, (source, module) each, with the flags of the engine."""
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda pair: self._compile(pair[0], pair[1], ["-shared", *flags]), pairs))

    def forward_stable_abi(self, python_dll: Path, target: Path) -> None:
        """Makes a python3.dll, which modules for any version of Python load: every function is the
        one of `python_dll`."""
        names = [line.split()[0] for line in _export_list(python_dll).splitlines()[2:]]
        definition = target.with_suffix(".def")
        lines = [f"{name} = {python_dll.stem}.{name}" for name in names]
        definition.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *lines, ""]), "ascii")
        empty = target.with_suffix(".c")
        empty.write_text("int DllMain(void* a, int b, void* c) { return 1; }\n", "ascii")
        command = [str(self.zig), "cc", "-target", TARGET, "-O2", "-shared", "-s", str(empty)]
        run([*command, str(definition), "-o", str(target)], "python3.dll cannot be made")
        for left in (definition, empty, target.with_suffix(".lib"), target.with_suffix(".pdb")):
            left.unlink(missing_ok=True)

    def _compile(self, source: Path, target: Path, flags: Sequence[str]) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [str(self.zig), "cc", "-target", TARGET, f"-mcpu={PROCESSOR}", "-s", *flags]
        command += [f"-I{self.include}", str(source), "-o", str(target)]
        run([*command, f"-L{self.libraries}", "-lpython311"], f"{source.name}: does not compile")
        for left in (target.with_suffix(".lib"), target.with_suffix(".pdb")):
            left.unlink(missing_ok=True)


def make_toolchain(work: Path, python_dll: Path) -> Toolchain:
    """Fetches the compiler into `work` and prepares headers and the import library of
    `python_dll`."""
    zig = fetch_zig(work / "zig")
    include = work / "include"
    if include.exists():
        shutil.rmtree(include)
    shutil.copytree(sysconfig.get_path("include"), include)
    shutil.copy(HERE / "pyconfig.h", include)
    exports = work / "python311.def"
    exports.write_text(_export_list(python_dll), encoding="ascii")
    command = [str(zig), "dlltool", "-m", "i386:x86-64", "-d", str(exports)]
    command += ["-D", python_dll.name, "-l", str(work / "libpython311.a")]
    run(command, "the import library of Python cannot be made")
    return Toolchain(zig, include, work)


def run(command: Sequence[str], complaint: str) -> str:
    """The output of a command; BuildFailed, with the first error it printed, if it fails, and if
    there is no such program."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise BuildFailed(f"{complaint}: {command[0]}: {error.strerror}") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        raise BuildFailed(f"{complaint}: {(lines or done.stderr.splitlines() or ['?'])[0]}")
    return done.stdout


def fetch_zig(folder: Path) -> Path:
    """Fetches the compiler into `folder` and returns its program; BuildFailed where it does not
    run."""
    if sys.platform != "linux" or sysconfig.get_platform() != "linux-x86_64":
        raise BuildFailed(
            "the compiler is for Linux on x86-64; to build on Windows use python -m release.build"
        )
    # Its cache belongs to this clone: builds in two clones that share one wait for each other.
    for variable in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        os.environ[variable] = str(folder / "cache")
    (wheel,) = fetch("compiler-inputs.txt", folder / "wheel")
    program = folder / "ziglang" / "zig"
    if not program.exists() or program.stat().st_mtime < wheel.stat().st_mtime:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder, [n for n in archive.namelist() if n.startswith("ziglang/")])
        program.touch()
        program.chmod(0o755)
    return program


def _export_list(dll: Path) -> str:
    """What a DLL exports, as a .def file."""
    image = pefile.PE(str(dll), fast_load=True)
    image.parse_data_directories([pefile.DIRECTORY_ENTRY["IMAGE_DIRECTORY_ENTRY_EXPORT"]])
    lines = [f"LIBRARY {dll.name}", "EXPORTS"]
    for symbol in image.DIRECTORY_ENTRY_EXPORT.symbols:
        if symbol.name:
            section = image.get_section_by_rva(symbol.address)
            is_data = section is not None and not section.Characteristics & _IS_CODE
            lines.append(f"{symbol.name.decode()}{' DATA' if is_data else ''}")
    return "\n".join(lines) + "\n"
