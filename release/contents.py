"""What a frozen Tengen holds: modules of ours and of the standard library, data files, licences.

Used by build_exe.spec and by the Windows build, so that both ship the same.
"""

from __future__ import annotations

import importlib.util
import marshal
import re
import shutil
import struct
import sys
import sysconfig
import zipfile
from collections.abc import Mapping
from importlib import metadata
from modulefinder import ModuleFinder
from pathlib import Path

from release.inputs import HERE, BuildFailed

ROOT = Path(__file__).resolve().parents[1]

# For training and for commands, and the packages that `import tengen` names for type checkers;
# nothing that plays imports them.
NOT_SHIPPED = frozenset(
    {"engine.breakdown", "engine.features"}
    | {f"tengen.{path.parent.name}" for path in (ROOT / "tengen").glob("*/__init__.py")}
)

# Parts of the standard library that others import if they are there, and the engine never uses.
# Each is a file to load or to ship; together they are more than half of the folder. The interpreter
# itself contains importlib._bootstrap and importlib._bootstrap_external. What is shipped imports
# some of the others only for what never happens here: random to test itself, shutil to pack
# archives, warnings to trace memory, traceback to show lines of source.
EXCLUDED = tuple(
    """
    _bz2 _compat_pickle _compression _decimal _hashlib _lzma _py_abc _socket _sqlite3 _ssl
    _strptime _testcapi _threading_local _tkinter
    ast asyncio bz2 calendar click concurrent csv ctypes curses dataclasses decimal dis distutils
    doctest email fractions ftplib gzip hashlib html http importlib._bootstrap
    importlib._bootstrap_external importlib.abc importlib.metadata importlib.readers
    importlib.resources inspect lib2to3 lzma multiprocessing numbers numpy opcode pathlib pdb pickle
    pprint psutil pydoc readline rich select setuptools socket sqlite3 ssl statistics subprocess
    tarfile tempfile tkinter tracemalloc unicodedata unittest urllib webbrowser xml xmlrpc zipfile
    """.split()
)

# Python finds these by name: when it starts, and when it is asked to encode or decode a text.
_ENCODINGS = tuple(
    """
    aliases ascii charmap cp1252 cp437 cp850 latin_1 mbcs oem raw_unicode_escape unicode_escape
    utf_16 utf_16_be utf_16_le utf_8 utf_8_sig
    """.split()
)

# `from a import b`, or `import a` with nothing after it; not cimport, and no line of prose.
_IMPORT_IN_CYTHON = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]|import[ \t]+([\w.]+)[ \t]*(?:#.*)?$)",
    re.MULTILINE,
)


def engine_sources() -> list[Path]:
    """The Python and Cython files of engine/ that are shipped."""
    return sorted(
        path
        for path in (ROOT / "engine").iterdir()
        if path.suffix in (".py", ".pyx") and f"engine.{path.stem}" not in NOT_SHIPPED
    )


def extension_names() -> list[str]:
    """The compiled modules, such as engine.board."""
    return [f"engine.{path.stem}" for path in engine_sources() if path.suffix == ".pyx"]


def imported_by_extensions() -> set[str]:
    """What the compiled modules import (not cimport) when they play: nothing can look into them for
    it."""
    texts = [p.read_text(encoding="utf-8") for p in engine_sources() if p.suffix == ".pyx"]
    return {
        one or two for text in texts for one, two in _IMPORT_IN_CYTHON.findall(text)
    } - NOT_SHIPPED


def data_files() -> list[Path]:
    """Files that the engine reads when it plays."""
    return sorted((ROOT / "engine" / "data").iterdir())


def program_name() -> str:
    """What the program is called here; managers know a 64-bit Windows program by the 64."""
    return "pbrain-tengen64" if sys.platform == "win32" and sys.maxsize > 2**32 else "pbrain-tengen"


def find_modules() -> dict[str, Path | None]:
    """Every module that the program may import, ours and the standard library's, by name, with its
    file; None for what is built into the interpreter."""
    finder = ModuleFinder(path=[str(ROOT), *sys.path], excludes=[*EXCLUDED, *NOT_SHIPPED])
    finder.run_script(str(ROOT / "tengen" / "pbrain.py"))
    wanted = {"tengen.pbrain", "tengen", *imported_by_extensions()}
    wanted |= {f"engine.{path.stem}" for path in engine_sources() if path.suffix == ".py"}
    wanted |= {f"encodings.{name}" for name in _ENCODINGS}
    # What the interpreter itself imports when it starts, prints an error or reads a zip.
    wanted |= {"codecs", "encodings", "io", "abc", "os", "ntpath", "stat", "traceback", "linecache"}
    for name in sorted(wanted - {*extension_names(), "engine.__init__"}):
        finder.import_hook(name)
    paths = {name: getattr(module, "__file__", None) for name, module in finder.modules.items()}
    del paths["__main__"]
    return {name: Path(path) if path else None for name, path in sorted(paths.items())}


def python_modules() -> dict[str, Path]:
    """The Python files among them, by name."""
    return {
        name: path
        for name, path in find_modules().items()
        if path is not None and path.suffix == ".py"
    }


# -- bytecode of one Python version, without source, docstrings and asserts

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


# -- the licences of what the built programs hold besides Tengen

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
