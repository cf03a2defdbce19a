#!/bin/sh
# Checks that every build searches the same tree. Builds the engine by gcc and clang, with -O2 and
# -O3, and as a debug build, each in a separate copy under build/variant/, and compares the last line
# of `tengen bench`. Names a compiler that is missing and continues with the next.
set -eu
cd "$(dirname "$0")/.."

expected=
same=yes
try() { # NAME, COMPILER, OTHER VARIABLES
    name=$1 compiler=$2
    shift 2
    if ! command -v "$compiler" >/dev/null; then
        echo "$name: not checked, $compiler is missing (Debian: apt-get install $compiler)"
        return
    fi
    line=$(env CC="$compiler" "$@" scripts/variant.sh "$name" python -m tengen bench | tail -n 1)
    echo "$name: $line"
    case $line in
    "Nodes searched: "[0-9]*) ;;
    *) same=no ;;
    esac
    [ "$line" = "${expected:=$line}" ] || same=no
}

try gcc-O3 gcc TENGEN_CFLAGS=-O3
try gcc-O2 gcc TENGEN_CFLAGS=-O2
try clang-O3 clang TENGEN_CFLAGS=-O3
try clang-O2 clang TENGEN_CFLAGS=-O2
try debug gcc TENGEN_DEBUG=1

[ "$same" = yes ] || {
    echo "The builds search different nodes." >&2
    exit 1
}
