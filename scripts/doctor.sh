#!/bin/sh
# Checks that the machine has what a build needs: Python 3.11 or newer with venv, ensurepip and its
# headers, and a working C compiler. Prints the Python to use. If anything is missing, names all of
# it in one line on stderr and fails.
#
#   PYTHON=...   the Python to use; default: the first suitable one in PATH
#   CC=...       the C compiler to use; default: the one that Python itself was built with

missing=
add() { missing="${missing:+$missing; }$1"; }

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

python=
if [ -n "$PYTHON" ]; then
    is_new_enough "$PYTHON" && python=$PYTHON
    [ -n "$python" ] || add "Python 3.11 or newer (PYTHON=$PYTHON is not)"
else
    for candidate in python3 python3.11 python3.12 python3.13 python3.14 python3.15 python; do
        if is_new_enough "$candidate"; then
            python=$candidate
            break
        fi
    done
    [ -n "$python" ] ||
        add "Python 3.11 or newer (Debian: apt-get install python3; or name one with PYTHON=...)"
fi

if [ -n "$python" ]; then
    "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 ||
        add "Python's venv and ensurepip (Debian: apt-get install python3-venv)"

    headers=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    [ -f "$headers/Python.h" ] ||
        add "the Python headers, $headers/Python.h (Debian: apt-get install python3-dev)"
fi

if [ -z "$CC" ] && [ -n "$python" ]; then
    CC=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("CC") or "cc")')
fi
CC=${CC:-cc}
# CC may contain options, so it must be split into words here.
if ! printf '#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n' |
    $CC -x c -fsyntax-only - >/dev/null 2>&1; then
    add "a working C compiler, '$CC' (Debian: apt-get install gcc libc6-dev; or name one with CC=...)"
fi

if [ -n "$missing" ]; then
    echo "Missing on this machine: $missing" >&2
    exit 1
fi
echo "$python"
