"""Python files as the bytecode of one Python version, without source, docstrings and asserts."""

from __future__ import annotations

import importlib.util
import marshal
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

# So that the same sources give the same archive: the earliest time a zip can hold.
EARLIEST = (1980, 1, 1, 0, 0, 0)


def compiled(source: Path, name: str) -> bytes:
    """A .pyc file's content; tracebacks show `name`."""
    code = compile(source.read_bytes(), name, "exec", dont_inherit=True, optimize=2)
    # Bytecode is the same on every system. Zeros: a source that is not there is not looked at.
    return importlib.util.MAGIC_NUMBER + struct.pack("<LLL", 0, 0, 0) + marshal.dumps(code)


def pyc_path(name: str, source: Path) -> str:
    """Where a module belongs below a folder of the import path: `json/__init__.pyc`, `re.pyc`."""
    path = name.replace(".", "/")
    return f"{path}/__init__.pyc" if source.name == "__init__.py" else f"{path}.pyc"


def write_library(archive: Path, modules: Mapping[str, Path]) -> None:
    """Writes modules, by name, to a zip that Python imports from."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as library:
        for name, source in sorted(modules.items()):
            path = pyc_path(name, source)
            library.writestr(zipfile.ZipInfo(path, EARLIEST), compiled(source, path[:-1]))
