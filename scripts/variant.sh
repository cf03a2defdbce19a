#!/bin/sh
# Makes another build of the engine in a copy of the tree and runs a command in that copy. The build
# in the checkout is not touched.
#
#   TENGEN_DEBUG=1 scripts/variant.sh debug python -m pytest tests/engine
#   TENGEN_CFLAGS=-O2 CC=clang scripts/variant.sh clang-O2 python -m tengen bench
#
# The first argument names the copy, build/variant/NAME. The environment variables that setup.py
# reads decide which build it is. For the command, .venv/bin of the checkout is first in PATH.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tree=$root/build/variant/$1
shift

# A fresh copy, except that build/ is kept: what has not changed is not compiled again.
mkdir -p "$tree"
find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
(cd "$root" && tar -cf - --exclude='./.*' --exclude=./build --exclude=./dist --exclude=./games \
    --exclude='*.so' --exclude='./engine/*.c' --exclude=__pycache__ .) |
    tar -xf - -C "$tree"

cd "$tree"
PATH=$root/.venv/bin:$PATH
PYTHONPATH=$tree # found before the checkout, which is installed in .venv
export PATH PYTHONPATH
python setup.py -q build_ext --inplace

# Python itself is not built with the sanitizers, so their library must be loaded before it starts.
# Python's own allocator would hide errors from them.
case ${TENGEN_SANITIZE:-} in
1)
    export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
    export PYTHONMALLOC=malloc LD_PRELOAD="$(${CC:-gcc} -print-file-name=libasan.so)"
    ;;
thread)
    # A report does not end the program, but its exit status is 66 then, whatever it says itself.
    export TSAN_OPTIONS=halt_on_error=0:exitcode=66 PYTHONMALLOC=malloc
    set -- env LD_PRELOAD="$(${CC:-gcc} -print-file-name=libtsan.so)" "$@"
    # Some versions of the library cannot start where the system puts memory at random addresses.
    # Not every container lets that be turned off.
    if setarch "$(uname -m)" -R true 2>/dev/null; then set -- setarch "$(uname -m)" -R "$@"; fi
    ;;
esac
exec "$@"
