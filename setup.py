"""Builds the Cython core: one extension module per file of `engine/`, from one list.

`make build` calls this. Everything generated lands in `build/<flavour>/`, so that a release build,
a debug build and a build by another compiler live side by side; only the finished modules are
copied beside their sources.

Environment:
  TENGEN_DEBUG=1          -O1 -g, asserts and bounds checks on, annotated HTML beside the C files
  TENGEN_SANITIZE=1       address and undefined-behaviour sanitizers and asserts (run it by
                          scripts/variant.sh, which preloads what they need)
  TENGEN_NO_EXTENSIONS=1  register the package only; `build_ext --inplace` compiles it later
  TENGEN_CFLAGS           flags for the C compiler that have the last word, such as -O2
  CC, CFLAGS, LDFLAGS     another compiler, more flags (each combination is a flavour of its own)
"""

import os
import sys
import zlib

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# Floor by floor, as in docs/ARCHITECTURE.md; tests/test_layers.py checks the order of cimports.
MODULES = [
    "geometry",
    "zobrist",
    "patterns",
    "params",
    "board",
    "rules",
    "evaluate",
    "movegen",
    "tt",
    "ordering",
    "threats",
    "forcing",
    "vct",
    "timeman",
    "search",
    "proofs",
    "api",
    "_probe",
]

LAST_WORD = os.environ.get("TENGEN_CFLAGS", "").split()
DEBUG = os.environ.get("TENGEN_DEBUG") == "1"
SANITIZE = os.environ.get("TENGEN_SANITIZE") == "1"
NO_EXTENSIONS = os.environ.get("TENGEN_NO_EXTENSIONS") == "1"

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "binding": False,
    "embedsignature": True,
}

MACROS = [("CYTHON_USE_SYS_MONITORING", "0")]
if not (DEBUG or SANITIZE):
    MACROS.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))

# Each combination of these is a flavour of its own.
CHOICES = ("CC", "CFLAGS", "LDFLAGS", "TENGEN_CFLAGS")

# What the generated C depends on without Cython knowing: a change here regenerates all of it.
RECIPE = ("setup.py", "constraints.txt")


def flavour() -> str:
    """The name of this way of building: the folder under build/."""
    name = "debug" if DEBUG else "release"
    if SANITIZE:
        name += "-sanitize"
    chosen = [os.environ.get(variable, "") for variable in CHOICES]
    if any(chosen):
        name += f"-{zlib.crc32(repr(chosen).encode()):08x}"
    return name


BUILD_DIR = f"build/{flavour()}"


class BuildExt(build_ext):
    """Chooses flags by compiler, which is known only once the build has begun."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def build_extensions(self) -> None:
        msvc = self.compiler.compiler_type == "msvc"
        if msvc:
            flags, link = ["/Od", "/Zi"] if DEBUG else ["/O2"], []
        else:
            flags = ["-O1", "-g"] if DEBUG or SANITIZE else ["-O3", "-g0"]
            # Integers only in the search, but a fused multiply-add must never be a question.
            flags += ["-ffp-contract=off", "-fno-strict-aliasing"]
            flags += ["-Wno-unused-function", "-Wno-unused-variable"]  # generated code
            link = []
            if SANITIZE:
                # Python's own flags make signed overflow defined; here it is to be found.
                flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
                flags += ["-fno-omit-frame-pointer", "-fno-wrapv"]
                link += ["-fsanitize=address,undefined"]
        flags += LAST_WORD
        for extension in self.extensions:
            extension.extra_compile_args = flags
            extension.extra_link_args = link
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        if newest(ext.sources) > newest([self.get_ext_fullpath(ext.name)]):
            sys.stdout.write(f"Compiling {ext.name}\n")  # one write: several threads build
        super().build_extension(ext)

    def copy_extensions_to_source(self) -> None:
        """Copies when the times differ: what is there may be of another flavour, and newer."""
        build_py = self.get_finalized_command("build_py")
        for ext in self.extensions:
            beside_source, built = self._get_inplace_equivalent(build_py, ext)
            if os.path.exists(beside_source) and newest([beside_source]) != newest([built]):
                os.unlink(beside_source)
        super().copy_extensions_to_source()


def newest(paths: list[str]) -> float:
    """The latest modification time of those that exist; 0.0 if none does."""
    return max((os.path.getmtime(path) for path in paths if os.path.exists(path)), default=0.0)


def extensions() -> list[Extension]:
    """The modules, translated to C where their sources (or a .pxd they cimport) changed."""
    from Cython.Build import cythonize

    present = [name for name in MODULES if os.path.exists(f"engine/{name}.pyx")]
    generated = [f"{BUILD_DIR}/engine/{name}.c" for name in present]
    oldest = min((newest([path]) for path in generated), default=0.0)
    return cythonize(
        [
            Extension(f"engine.{name}", [f"engine/{name}.pyx"], define_macros=MACROS)
            for name in present
        ],
        build_dir=BUILD_DIR,
        force=newest(list(RECIPE)) > oldest,
        compiler_directives=DIRECTIVES,
        annotate=DEBUG,
        emit_linenums=DEBUG or SANITIZE,  # errors are reported by the line of the .pyx
        nthreads=0 if sys.platform == "win32" else os.cpu_count(),
    )


# Guarded: on some systems cythonize's worker processes import this file again.
if __name__ == "__main__":
    setup(
        ext_modules=[] if NO_EXTENSIONS else extensions(),
        cmdclass={"build_ext": BuildExt},
        options={"build": {"build_base": BUILD_DIR}},
    )
