#!/bin/sh
# Would other compilers take the engine? Shows them its C files as built here, without making
# anything of them: clang, clang as a compiler that knows no extensions, and mingw-w64 with a `long`
# of 32 bits. A compiler that is missing is named and passed over.
#
#   scripts/portable.sh DIR PYTHON     DIR holds the .c files; PYTHON is the one they are built for
set -eu
sources=$1
headers=$("$2" -c 'import sysconfig; print(sysconfig.get_path("include"))')
here=$(cd "$(dirname "$0")" && pwd)
windows_headers=build/portable/include

# Not all that Cython writes is used in every file. Python's headers are not ours to judge.
# (Split into words where it is used.)
strict="-fsyntax-only -Wall -Wextra -Wvla -Wno-unused -Wno-unused-parameter -Werror"

check() { # WHAT IT IS CALLED, COMPILER AND OPTIONS
    name=$1
    shift
    if ! command -v "$1" >/dev/null; then
        echo "not checked: $name ($1 is missing; Debian: apt-get install clang gcc-mingw-w64-x86-64)"
        return
    fi
    for file in "$sources"/*.c; do
        "$@" $strict "$file"
    done
    echo "$name takes all of $(find "$sources" -name '*.c' | wc -l) files"
}

# The pyconfig.h of this system says what this system is; mingw's headers are Windows'.
rm -rf "$windows_headers"
mkdir -p "$windows_headers"
cp -R "$headers/." "$windows_headers"
cp "$here/../release/pyconfig.h" "$windows_headers"

check clang clang -isystem "$headers"
check "plain C11" clang -std=c11 -Wpedantic -fgnuc-version=0 -U__clang__ -D__int128=absent \
    -isystem "$headers"
check mingw-w64 x86_64-w64-mingw32-gcc -isystem "$windows_headers"
