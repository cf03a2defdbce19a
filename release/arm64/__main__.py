"""Checks the engine's C code for other processors: `python -m release.arm64`.

Every C file is compiled for macOS and Linux on arm64, and nothing of it is kept. That finds what
only x86-64 or only Linux has, such as an intrinsic function or a header. Then the net's inner loops
run on made-up numbers (net_check.c): each path of this machine, and by qemu's user mode those of
arm64, where they become NEON instructions, and of a processor with the other order of bytes. All
must print the same checksum. How the program plays there can only be seen on such a machine.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from release.contents import ROOT
from release.inputs import HERE, BuildFailed
from release.toolchain import fetch_zig, run
from release.windows import WORK, options

TARGETS = {"macOS on arm64": "aarch64-macos", "Linux on arm64": "aarch64-linux-gnu"}
# As in scripts/portable.sh. Not optimized, which takes a tenth of the time.
FLAGS = "-c -O0 -Wall -Wextra -Wvla -Wno-unused -Wno-unused-parameter -Werror".split()

# Other processors that run net_check.c: the target, and the program of Debian's qemu-user.
EMULATORS = {
    "arm64": ("aarch64-linux-musl", "qemu-aarch64"),
    "powerpc64, big-endian": ("powerpc64-linux-musl", "qemu-ppc64"),
}


def check(sources: Sequence[Path], target: str, zig: Path) -> None:
    """Compiles each file; BuildFailed with the first error or warning."""
    with tempfile.TemporaryDirectory() as folder:
        include = Path(folder, "include")
        shutil.copytree(sysconfig.get_path("include"), include)
        shutil.copy(HERE / "arm64" / "pyconfig.h", include)
        command = [str(zig), "cc", "-target", target, *FLAGS, *options(), "-isystem", str(include)]

        def compile_one(source: Path) -> None:
            output = str(Path(folder, f"{source.stem}.o"))
            run([*command, str(source), "-o", output], f"{target}: {source.name}")

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compile_one, sources))


def checksums(compiler: Sequence[str], emulator: Sequence[str], name: str) -> dict[str, str]:
    """What net_check.c prints on a processor: the checksum by path. BuildFailed if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder, "net_check"))
        source = str(HERE / "arm64" / "net_check.c")
        flags = ["-O3", f"-I{ROOT / 'engine'}", source, "-o", program]
        run([*compiler, *flags], f"{name}: net_check.c does not compile")
        output = run([*emulator, program], f"{name}: net_check does not run")
    return dict(line.split() for line in output.splitlines())


def check_net(zig: Path) -> None:
    """Runs the net's inner loops on each processor; BuildFailed where checksums differ."""
    here = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC"))
    found = {"x86-64": checksums(here, [], "x86-64")}
    for name, (target, emulator) in EMULATORS.items():
        if shutil.which(emulator):
            compiler = [str(zig), "cc", "-target", target, "-static"]
            found[name] = checksums(compiler, [emulator], name)
        else:
            print(f"not run: the net on {name} ({emulator} is missing; Debian: qemu-user)")
    expected = found["x86-64"]["plain"]
    for name, paths in found.items():
        for path, checksum in paths.items():
            if checksum != expected:
                raise BuildFailed(f"the net on {name}, {path}: {checksum}, expected {expected}")
        print(f"the net on {name} computes the same: {', '.join(paths)}")


def main() -> int:
    """Checks all systems; returns the exit status."""
    sources = sorted((ROOT / "build" / "release" / "engine").glob("*.c"))
    try:
        if not sources:
            raise BuildFailed("build/release/engine has no C files; run `make build` first")
        if sysconfig.get_platform() != "linux-x86_64":
            print(f"not checked: {', '.join(TARGETS)} (the compiler runs on Linux on x86-64)")
            return 0
        zig = fetch_zig(WORK / "zig")
        for name, target in TARGETS.items():
            check(sources, target, zig)
            print(f"{name} accepts all {len(sources)} files")
        check_net(zig)
    except BuildFailed as error:
        print(f"release.arm64: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
