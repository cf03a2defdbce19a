"""Compiles the engine's C files for macOS and Linux on arm64: `python -m release.arm64`.

Nothing that it compiles is kept. It finds what only x86-64 or only Linux has, such as an intrinsic
function or a header. How the program plays there can only be seen on such a machine.
"""

from __future__ import annotations

import os
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


def main() -> int:
    """Checks both systems; returns the exit status."""
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
    except BuildFailed as error:
        print(f"release.arm64: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
