#!/bin/sh
# Builds the engine another way in a copy of the tree and runs a command in that copy, so that the
# build in the checkout stays as it is.
#
#   TENGEN_DEBUG=1 scripts/variant.sh debug python -m pytest tests/engine
#   TENGEN_CFLAGS=-O2 CC=clang scripts/variant.sh clang-O2 python -m tengen bench
#
# The first word names the copy, build/variant/NAME; what setup.py finds in the environment makes it
# another build. The command finds the checkout's .venv/bin first in its PATH.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tree=$root/build/variant/$1
shift

# A fresh copy around the old build/, where what has not changed need not be compiled again.
mkdir -p "$tree"
find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
(cd "$root" && tar -cf - --exclude='./.*' --exclude=./build --exclude=./dist --exclude=./games \
    --exclude='*.so' --exclude='./engine/*.c' --exclude=__pycache__ .) |
    tar -xf - -C "$tree"

cd "$tree"
PATH=$root/.venv/bin:$PATH
PYTHONPATH=$tree # before the checkout, which is installed in .venv
export PATH PYTHONPATH
python setup.py -q build_ext --inplace

if [ "${TENGEN_SANITIZE:-}" = 1 ]; then
    # Python itself is not built with the sanitizers, so they must be there before it starts; and
    # its own allocator would hide what is done to its memory.
    preload=$(${CC:-gcc} -print-file-name=libasan.so)
    export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
    export PYTHONMALLOC=malloc LD_PRELOAD="$preload"
fi
exec "$@"
