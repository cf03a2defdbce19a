"""Says whether a release can be made, and prints its notes: `python -m release.notes v0.1.0`.

A release needs a tag that names the version of the sources, the contact in engine/version.py, and a
section of that version in CHANGELOG.md, which becomes its notes.
"""

from __future__ import annotations

import re
import runpy
import sys

from release import contents
from release.inputs import BuildFailed

CONTACT = ("AUTHOR", "WWW", "EMAIL")


def notes(tag: str, about: dict[str, str], changelog: str) -> str:
    """The text of the section of the tag's version. BuildFailed says what is missing for a release.

    about: the names that engine/version.py defines.
    """
    version = about["__version__"]
    if tag != f"v{version}":
        raise BuildFailed(f"the tag {tag} does not name the version {version} of the sources")
    empty = [name for name in CONTACT if not about[name].strip()]
    if empty:
        raise BuildFailed(f"engine/version.py: {', '.join(empty)} must be filled in for a release")
    section = re.search(rf"^## {re.escape(version)}\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if section is None or not section[1].strip():
        raise BuildFailed(f"CHANGELOG.md has no section `## {version}`")
    return section[1].strip() + "\n"


def main() -> int:
    """Prints the notes; returns the exit status."""
    if len(sys.argv) != 2:
        print("usage: python -m release.notes TAG", file=sys.stderr)
        return 2
    about = runpy.run_path(str(contents.ROOT / "engine" / "version.py"))
    changelog = (contents.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    try:
        print(notes(sys.argv[1], about, changelog), end="")
    except BuildFailed as error:
        print(f"release.notes: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
