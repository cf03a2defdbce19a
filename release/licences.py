"""The licences of what the built programs hold besides Tengen."""

from __future__ import annotations

import shutil
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

from release.inputs import HERE, BuildFailed

# Below the unpacked compiler: the runtime of which every executable and module holds a part.
MINGW_LICENCE = "ziglang/lib/libc/mingw/COPYING"


def write_licences(folder: Path, compiler: Path) -> None:
    """Writes the licence texts of Python, of Microsoft's C runtime and of the mingw-w64 runtime
    into `folder`. `compiler` is the folder of the unpacked compiler."""
    texts = {
        "Python.txt": _python_licence(),
        "Microsoft-C-runtime.txt": HERE / "zip" / "Microsoft-C-runtime.txt",
        "mingw-w64-runtime.txt": compiler / MINGW_LICENCE,
    }
    _copy(texts, folder)


def write_frozen_licences(folder: Path) -> None:
    """Writes the licence texts of what PyInstaller puts into a program on this system."""
    texts = {"Python.txt": _python_licence(), "PyInstaller.txt": _pyinstaller_licence()}
    if sys.platform == "win32":
        texts["Microsoft-C-runtime.txt"] = HERE / "zip" / "Microsoft-C-runtime.txt"
    _copy(texts, folder)


def _python_licence() -> Path:
    """Of the Python that runs this: beside its library, or on Windows one folder up."""
    library = Path(sysconfig.get_path("stdlib"))
    places = [library / "LICENSE.txt", library.parent / "LICENSE.txt"]
    return next((path for path in places if path.is_file()), places[0])


def _pyinstaller_licence() -> Path:
    for file in metadata.files("pyinstaller") or []:
        if file.name == "COPYING.txt":
            return Path(str(file.locate()))
    raise BuildFailed("the licence of PyInstaller is missing: install PyInstaller again")


def _copy(texts: dict[str, Path], folder: Path) -> None:
    folder.mkdir()
    for name, source in texts.items():
        if not source.is_file():
            raise BuildFailed(f"the licence {source.name} is missing: {source.parent}")
        shutil.copy(source, folder / name)
