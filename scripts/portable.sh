#!/bin/sh
# Checks that other compilers accept the engine's C files, without writing any output: clang, clang
# without its extensions, and mingw-w64, where a `long` has 32 bits. Names a compiler that is missing
# and continues with the next.
#
#   scripts/portable.sh DIR PYTHON     DIR has the .c files, which were generated for PYTHON
set -eu
sources=$1
headers=$("$2" -c 'import sysconfig; print(sysconfig.get_path("include"))')
here=$(cd "$(dirname "$0")" && pwd)
windows_headers=build/portable/include

# Cython writes helpers into every file that not all of them use. Python's own headers are included
# as system headers, so warnings about them do not count. Cython also puts all texts of a file into
# one literal: C demands room for 4,095 characters, MSVC, which has the least, takes 16,380. (Must be
# split into words where used.)
strict="-fsyntax-only -Wall -Wextra -Wvla -Wno-unused -Wno-unused-parameter -Wno-overlength-strings
    -Werror -Iengine"

check() { # NAME, COMPILER AND OPTIONS
    name=$1
    shift
    if ! command -v "$1" >/dev/null; then
        echo "not checked: $name ($1 is missing; Debian: apt-get install clang gcc-mingw-w64-x86-64)"
        return
    fi
    for file in "$sources"/*.c; do
        "$@" $strict "$file"
    done
    echo "$name accepts all $(find "$sources" -name '*.c' | wc -l) files"
}

# pyconfig.h describes the system it belongs to, so mingw-w64 needs one for Windows.
rm -rf "$windows_headers"
mkdir -p "$windows_headers"
cp -R "$headers/." "$windows_headers"
cp "$here/../release/pyconfig.h" "$windows_headers"

check clang clang -isystem "$headers"
check "plain C11" clang -std=c11 -Wpedantic -fgnuc-version=0 -U__clang__ -D__int128=absent \
    -isystem "$headers"
check mingw-w64 x86_64-w64-mingw32-gcc -isystem "$windows_headers"
