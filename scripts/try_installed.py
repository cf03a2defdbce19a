"""Tries the Tengen that is installed for the Python that runs this file, with the standard library
only: the node signature, a conversation with `pbrain-tengen`, the Python API.

    python scripts/try_installed.py

Prints one line and ends with status 0, or says what failed and ends with status 1. cibuildwheel
runs it for every wheel that it builds, and tests/package runs it too.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.resources import files
from pathlib import Path

CONVERSATION = "START 15\nINFO timeout_turn 100\nBEGIN\n"


def main() -> None:
    import tengen

    home = Path(tengen.__file__).parent
    expected = files("tengen.lab.bench").joinpath("SIGNATURE").read_text(encoding="ascii").strip()
    nodes = said("tengen", "bench").split()[-1]
    require(nodes == expected, f"searched {nodes} nodes, expected {expected}")

    first, *_, move = said("pbrain-tengen", text=CONVERSATION).splitlines()
    require(first == "OK" and bool(re.fullmatch(r"\d+,\d+", move)), f"answered {first} and {move}")

    position = tengen.Position()
    found = tengen.Engine().play(position, depth_plies=2)
    require(found in position.legal_moves(), f"the engine returned {found!r}")
    print(f"{home}: {nodes} nodes, plays {move}")


def said(command: str, *arguments: str, text: str = "") -> str:
    """What an installed command prints when it is given `text`; ends this program if it fails."""
    path = shutil.which(command, path=sysconfig.get_path("scripts"))
    require(path is not None, f"{command} is not installed")
    done = subprocess.run(
        [str(path), *arguments], input=text, capture_output=True, text=True, timeout=300
    )
    require(done.returncode == 0, f"{command} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def require(condition: bool, problem: str) -> None:
    """Ends this program with `problem` unless the condition holds."""
    if not condition:
        sys.exit(f"try_installed: {problem}")


if __name__ == "__main__":
    main()
