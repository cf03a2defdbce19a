"""`tengen`, also as `python -m tengen`: runs the user's command, or says what is missing.

pip installs what most commands need together with Tengen, unless it was called with --no-deps, and
what only some need by an extra; `pbrain-tengen` and `engine` do without all of it.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES

from tengen import package_hidden

# The packages of pyproject.toml by the name they are imported by, each with the extra that installs
# it; None = pip installs it with Tengen.
_NEEDED = {
    "click": ("click", None),
    "psutil": ("psutil", None),
    "rich": ("rich", None),
    "msgspec": ("msgspec", "board"),
    "segno": ("segno", "board"),
    "tornado": ("tornado", "board"),
    "dask": ("distributed", "cluster"),
    "distributed": ("distributed", "cluster"),
    "numpy": ("numpy", "lab"),
    "scipy": ("scipy", "lab"),
}


def main() -> None:
    """Runs the command with the arguments of the process, and ends the process."""
    try:
        from tengen.cli import main as run

        run()
    except ModuleNotFoundError as error:
        if reason := package_hidden(error):
            sys.exit(f"tengen: {reason}")
        missing = (error.name or "").partition(".")[0]
        if missing not in _NEEDED:
            raise
        package, extra = _NEEDED[missing]
        wanted = package if extra is None else f'".[{extra}]", in Tengen\'s folder'
        sys.exit(f"tengen: the Python package {package!r} is missing; pip install {wanted}")
    except ImportError as error:
        if not (error.path or "").endswith(tuple(EXTENSION_SUFFIXES)):
            raise
        sys.exit(f"tengen: {error.path} is older than its source; run make build")


if __name__ == "__main__":
    main()
