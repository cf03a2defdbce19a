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

if [ "${TENGEN_SANITIZE:-}" = 1 ]; then
    # Python itself is not built with the sanitizers, so their library must be loaded before it
    # starts. Python's own allocator would hide memory errors from them.
    preload=$(${CC:-gcc} -print-file-name=libasan.so)
    export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
    export PYTHONMALLOC=malloc LD_PRELOAD="$preload"
fi
exec "$@"
