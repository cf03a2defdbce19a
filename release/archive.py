"""Packs the program of a system for its users: a zip on Windows, elsewhere a tar.gz.

The same files give the same bytes: archives hold no time, no owner and no name of a builder.
"""

from __future__ import annotations

import gzip
import platform
import runpy
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

from release import contents
from release.contents import EARLIEST, write_frozen_licences
from release.inputs import HERE, BuildFailed

# The name that tournaments know the entry by, and what they accept.
ZIP = "TENGEN.zip"
ZIP_LIMIT_BYTES = 8_000_000


def archive_name() -> str:
    """What the archive for this system is called, such as tengen-0.1.0-linux-x86_64.tar.gz."""
    if sys.platform == "win32":
        return ZIP
    version = runpy.run_path(str(contents.ROOT / "engine" / "version.py"))["__version__"]
    system = "macos" if sys.platform == "darwin" else sys.platform
    return f"tengen-{version}-{system}-{platform.machine().lower()}.tar.gz"


def complete(folder: Path) -> None:
    """Puts README, licences and the example of a settings file beside the program."""
    readme = "README.txt" if sys.platform == "win32" else "README-unix.txt"
    shutil.copy(HERE / "zip" / readme, folder / "README.txt")
    shutil.copy(HERE / "zip" / "pbrain-tengen.example.toml", folder)
    shutil.copy(contents.ROOT / "LICENSE", folder / "LICENSE.txt")
    write_frozen_licences(folder / "licences")


def pack(folder: Path, target: Path) -> None:
    """Packs a folder: into a .zip with the files in its root, or into a .tar.gz below one folder of
    the archive's name. BuildFailed if a zip is too large for a tournament."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix == ".zip":
        _pack_zip(folder, target)
    else:
        _pack_tar(folder, target)


def _pack_zip(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EARLIEST)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o755 if path.suffix == ".exe" else 0o644) << 16
                packed.writestr(entry, path.read_bytes(), compresslevel=9)
    size = target.stat().st_size
    if size > ZIP_LIMIT_BYTES:
        raise BuildFailed(f"{target.name} has {size} bytes; {ZIP_LIMIT_BYTES} are accepted")


def _pack_tar(folder: Path, target: Path) -> None:
    def without_builder(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        return entry

    root = target.name.removesuffix(".tar.gz")
    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for path in sorted(folder.rglob("*")):
            name = f"{root}/{path.relative_to(folder).as_posix()}"
            archive.add(path, name, recursive=False, filter=without_builder)
