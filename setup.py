"""Builds the Cython core: one extension module per file of `engine/`, from one list.

`make build` and `pip install .` run this file; the metadata is in pyproject.toml, except for what
engine/version.py says about the author. Generated files go to `build/<flavour>/`, so a release
build, a debug build and a build by another compiler can exist side by side. An in-place build then
copies the finished modules beside their sources.

Environment:
  TENGEN_DEBUG=1          -O1 -g, asserts and bounds checks on, annotated HTML beside the C files
  TENGEN_SANITIZE=1       asserts, and the address and undefined-behaviour sanitizers (run such a
                          build with scripts/variant.sh, which preloads their libraries)
  TENGEN_SANITIZE=thread  the same with the thread sanitizer, which finds data races
  TENGEN_NO_EXTENSIONS=1  install the Python files only; `build_ext --inplace` compiles later
  TENGEN_CFLAGS           flags that come last on the compiler's command line, such as -O2
  CC, CFLAGS, LDFLAGS     another compiler, more flags (each combination is a separate flavour)
"""

import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# In the order of docs/ARCHITECTURE.md; tests/test_layers.py checks that cimports follow it.
MODULES = [
    "clock",
    "geometry",
    "patterns",
    "params",
    "board",
    "rules",
    "net",
    "evaluate",
    "movegen",
    "tt",
    "ordering",
    "threats",
    "forcing",
    "vct",
    "timeman",
    "root",
    "search",
    "iterative_deepening",
    "pool",
    "interrupt",
    "convert",
    "proofs",
    "solver",
    "think",
    "breakdown",
    "api",
    "features",
]
HEADERS = ["engine/net_kernels.h", "engine/net_paths.h"]
# The trainer's kernels, of which the engine uses nothing.
TRAINER = [f"tengen/lab/train/{name}" for name in ("kernels.pyx", "kernels.h", "kernels_body.h")]
# Access to the engine's internals for tests: made in a checkout, never installed.
PROBE = "tests/engine/probe.pyx"

# A package without these would install but not play.
NEEDED = [
    *(f"engine/{name}.pyx" for name in MODULES),
    *HEADERS,
    *TRAINER,
    "engine/parameters.py",
    "engine/data/values.bin",
]

EXTRA_FLAGS = os.environ.get("TENGEN_CFLAGS", "").split()
DEBUG = os.environ.get("TENGEN_DEBUG") == "1"
SANITIZE = os.environ.get("TENGEN_SANITIZE", "")
NO_EXTENSIONS = os.environ.get("TENGEN_NO_EXTENSIONS") == "1"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}

MACROS: list[tuple[str, str | None]] = [("CYTHON_USE_SYS_MONITORING", "0")]
if not (DEBUG or SANITIZE):
    MACROS.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))

# By the value of TENGEN_SANITIZE.
SANITIZERS = {
    "": [],
    "1": ["-fsanitize=address,undefined"],
    "thread": ["-fsanitize=thread"],
}

# Each combination of these is a separate flavour.
CHOICES = ("CC", "CFLAGS", "LDFLAGS", "TENGEN_CFLAGS")

# Cython does not know that the generated C depends on these: a change regenerates all of it.
RECIPE = ("setup.py", "constraints.txt")


def flavour() -> str:
    """The name of this kind of build, which is its folder under build/."""
    name = "debug" if DEBUG else "release"
    if "--inplace" not in sys.argv:
        name += "-install"  # pip brings a Cython of its own, which translates everything again
    if SANITIZE:
        name += "-sanitize" if SANITIZE == "1" else f"-sanitize-{SANITIZE}"
    chosen = [os.environ.get(variable, "") for variable in CHOICES]
    if any(chosen):
        name += f"-{zlib.crc32(repr(chosen).encode()):08x}"
    return name


BUILD_DIR = f"build/{flavour()}"


class BuildExt(build_ext):
    """Translates the modules to C and compiles them, with flags that depend on the compiler.

    Both happen when the build runs, so that metadata and source archives need neither.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        check_compiler(self.compiler)
        write_params()
        translate(self.extensions)
        for extension in self.extensions:
            extension.extra_compile_args = compiler_flags(self.compiler.compiler_type)
            extension.extra_link_args = SANITIZERS[SANITIZE]
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        if newest([*ext.sources, *ext.depends]) > newest([self.get_ext_fullpath(ext.name)]):
            sys.stdout.write(f"Compiling {ext.name}\n")  # one write, because threads share stdout
        super().build_extension(ext)

    def copy_extensions_to_source(self) -> None:
        """Copies also over a newer file, which may be of another flavour."""
        build_py = self.get_finalized_command("build_py")
        for ext in self.extensions:
            # One of setuptools' own steps, which its types do not show.
            beside_source, built = self._get_inplace_equivalent(build_py, ext)  # type: ignore[attr-defined]
            if os.path.exists(beside_source) and newest([beside_source]) != newest([built]):
                os.unlink(beside_source)
        super().copy_extensions_to_source()


def compiler_flags(compiler: str) -> list[str]:
    """The flags of the engine for "msvc", or for gcc and clang by any other name."""
    if compiler == "msvc":
        flags = ["/Od", "/Zi"] if DEBUG else ["/O2"]
    else:
        flags = ["-O1", "-g"] if DEBUG or SANITIZE else ["-O3", "-g0"]
        # The search uses integers only; this makes sure that no fused multiply-add can
        # ever change a result.
        flags += ["-ffp-contract=off", "-fno-strict-aliasing"]
        flags += ["-Wno-unused-function", "-Wno-unused-variable"]  # generated code
        flags += ["-Wno-psabi"]  # vectors are passed between static functions only
        if SANITIZE:
            # Python's own flags make signed overflow defined; here it must be found.
            flags += [*SANITIZERS[SANITIZE], "-fno-sanitize-recover=all"]
            flags += ["-fno-omit-frame-pointer", "-fno-wrapv"]
    return flags + EXTRA_FLAGS


def newest(paths: Iterable[str | os.PathLike[str]]) -> float:
    """The latest modification time, in seconds, of those that exist; 0.0 if none does."""
    return max((os.path.getmtime(path) for path in paths if os.path.exists(path)), default=0.0)


def check_sources() -> None:
    """Ends the build with one line if sources of the engine are missing."""
    missing = [path for path in NEEDED if not os.path.exists(path)]
    if missing:
        raise SystemExit(f"setup.py: the engine's sources are incomplete: no {', '.join(missing)}")


def check_variables() -> None:
    """Ends the build with one line if a variable has a value that it cannot have."""
    if SANITIZE not in SANITIZERS:
        raise SystemExit(f"setup.py: TENGEN_SANITIZE={SANITIZE}: expected 1, thread or nothing")


def check_compiler(compiler: object) -> None:
    """Ends the build with one line if this machine cannot compile an extension module.

    Only for compilers with the command line of cc: setuptools itself names a missing MSVC.
    """
    command = list(getattr(compiler, "compiler_so", []))
    if not command:
        return
    headers = sysconfig.get_path("include")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <stdlib.h>\n#include <Python.h>\n", encoding="ascii")
        command += [
            f"-I{headers}",
            f"-I{sysconfig.get_path('platinclude')}",
            "-c",
            str(source),
            "-o",
            str(source.with_suffix(".o")),
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        except OSError:
            raise SystemExit(
                f"setup.py: no C compiler: {command[0]!r} cannot be run; install one"
                " (Debian: gcc libc6-dev) or name one with CC=..."
            ) from None
    if done.returncode == 0:
        return
    if not os.path.exists(os.path.join(headers, "Python.h")):
        raise SystemExit(
            f"setup.py: no Python headers: {headers}/Python.h is missing; install them"
            " (Debian: python3-dev)"
        )
    reasons = [line for line in done.stderr.splitlines() if "error" in line] or [""]
    where = shutil.which(command[0]) or command[0]
    raise SystemExit(f"setup.py: the C compiler {where} does not work: {reasons[0].strip()}")


def extensions() -> list[Extension]:
    """The modules, not yet translated."""
    engine = [
        Extension(
            f"engine.{name}",
            [f"engine/{name}.pyx"],
            define_macros=MACROS,
            include_dirs=["engine"],
            depends=HEADERS if name == "net" else [],
        )
        for name in MODULES
    ]
    source, *headers = TRAINER
    trainer = Extension(
        "tengen.lab.train.kernels",
        [source],
        define_macros=MACROS,
        include_dirs=["engine", "tengen/lab/train"],
        depends=headers,
    )
    if "--inplace" not in sys.argv or not os.path.exists(PROBE):
        return [*engine, trainer]
    probe = Extension("tests.engine.probe", [PROBE], define_macros=MACROS, include_dirs=["engine"])
    return [*engine, trainer, probe]


def write_params() -> None:
    """Writes the struct of the search's parameters for params.pxd, from their one table."""
    table = runpy.run_path("engine/parameters.py")["PARAMS"]
    text = "".join(["cdef struct Params:\n", *(f"    int32_t {row.name}\n" for row in table)])
    path = Path(BUILD_DIR, "params.pxi")
    if not path.exists() or path.read_text(encoding="ascii") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


def translate(modules: list[Extension]) -> None:
    """Makes the C files of those modules whose sources, or a .pxd they cimport, have changed, and
    names them as the modules' sources."""
    from Cython.Build import cythonize

    generated = [f"{BUILD_DIR}/{module.name.replace('.', '/')}.c" for module in modules]
    oldest = min((newest([path]) for path in generated), default=0.0)
    translated = cythonize(
        modules,
        build_dir=BUILD_DIR,
        include_path=[BUILD_DIR],
        force=newest(list(RECIPE)) > oldest,
        compiler_directives=DIRECTIVES,
        annotate=DEBUG,
        emit_linenums=DEBUG or SANITIZE,  # errors are reported by the line of the .pyx
        nthreads=0 if sys.platform == "win32" else os.cpu_count(),
    )
    sources = {module.name: module.sources for module in translated}
    for module in modules:
        module.sources = sources[module.name]


# Guarded: on some systems cythonize's worker processes import this file again.
if __name__ == "__main__":
    check_sources()
    check_variables()
    about = runpy.run_path("engine/version.py")
    setup(
        author=about["AUTHOR"],
        author_email=about["EMAIL"] or None,
        project_urls={"Homepage": about["WWW"]} if about["WWW"] else {},
        ext_modules=[] if NO_EXTENSIONS else extensions(),
        cmdclass={"build_ext": BuildExt},
        options={"build": {"build_base": BUILD_DIR}},
    )
