"""`tengen`, also as `python -m tengen`: runs the user's command, or says which package is missing.

pip installs what the command needs together with Tengen, unless it was called with --no-deps;
`pbrain-tengen` and `engine` do without all of it.
"""

from __future__ import annotations

import sys

from tengen import package_hidden

# The dependencies of pyproject.toml, by the name they are imported by.
_NEEDED = {
    "click": "click",
    "numpy": "numpy",
    "PIL": "pillow",
    "psutil": "psutil",
    "rich": "rich",
    "scipy": "scipy",
    "tornado": "tornado",
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
        package = _NEEDED[missing]
        sys.exit(f"tengen: the Python package {package!r} is missing; pip install {package}")


if __name__ == "__main__":
    main()
