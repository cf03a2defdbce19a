"""The licences of what the Windows program holds besides Tengen."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

from release.inputs import HERE, BuildFailed

# Below the unpacked compiler: the runtime of which every executable and module holds a part.
MINGW_LICENCE = "ziglang/lib/libc/mingw/COPYING"


def write_licences(folder: Path, compiler: Path) -> None:
    """Writes the licence texts of Python, of Microsoft's C runtime and of the mingw-w64 runtime
    into `folder`. `compiler` is the folder of the unpacked compiler."""
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    texts = {
        "Python.txt": python,
        "Microsoft-C-runtime.txt": HERE / "zip" / "Microsoft-C-runtime.txt",
        "mingw-w64-runtime.txt": compiler / MINGW_LICENCE,
    }
    folder.mkdir()
    for name, source in texts.items():
        if not source.is_file():
            raise BuildFailed(f"the licence {source.name} is missing: {source.parent}")
        shutil.copy(source, folder / name)
