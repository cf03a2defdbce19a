"""Which file may import which, and how large a part may become: the tables of docs/ARCHITECTURE.md.

The page is the only place where the tables stand. The first lists the parts with their rooms, what
each imports of ours, its libraries and its most lines; the second the floors of `engine/`; the
third its modules of plain Python. The checker reads the import and cimport lines of every source
file and names each one that the tables do not allow, each circle of files, and what they lack.
"""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")

# Programs that import the house only inside functions, so that one sub-command loads one room.
LAZY = ("tengen",)
AT_ONCE = ("engine.version", "tengen.common")  # what they may import at once

# Not parts of the house: nothing of it imports anything from them.
OUTSIDE = ("build", "dist", "docs", "games", "scripts", "tests")

SUFFIXES = (".py", ".pyx", ".pxd", ".pyi")
CODE = (*SUFFIXES, ".c", ".css", ".h", ".html", ".js", ".sh")  # whose lines count


# -- the tables


@dataclass(frozen=True)
class Part:
    """A row of the first table: a package, or a wing of `tengen/` (a folder of it).

    rooms      the folders of a wing, each importing only those before it.
    imports    dotted names of ours; a name covers what is below it.
    libraries  what may be imported that is neither ours nor the standard library.
    most_lines  how many lines of code the part may have.
    """

    rooms: tuple[str, ...]
    imports: tuple[str, ...]
    libraries: tuple[str, ...]
    most_lines: int


def rows_of(title: str) -> Iterator[list[str]]:
    """The cells of the rows of the first table below a heading."""
    section = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("|") and not line.startswith("|-"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def names_in(cell: str) -> tuple[str, ...]:
    """The dotted names of a cell, which stand between backquotes."""
    return tuple(
        name.strip("/").removesuffix("/*.py").removesuffix(".py").replace("/", ".")
        for name in re.findall(r"`([^`]+)`", cell)
    )


def number(text: str) -> int:
    return int(text.replace(",", ""))


# The first table, by dotted name; `tengen` stands for the files of that package itself.
PARTS = {
    names_in(name)[0]: Part(names_in(rooms), names_in(imports), names_in(libraries), number(most))
    for name, rooms, _, imports, libraries, most in list(rows_of("The house"))[1:]
}
# The files of the engine, the lowest floor first.
ORDER = [
    name for _, files, _ in list(rows_of("Floors of the engine"))[1:] for name in names_in(files)
]
# The engine's modules of plain Python for callers, with what each imports of the engine.
PLAIN = {
    names_in(name)[0]: names_in(imports)
    for name, _, imports in list(rows_of("Plain modules of the engine"))[1:]
}


# -- reading import lines


# "room.module:name", imported by name when it is wanted.
ENTRY_POINT = re.compile(r"([a-z]\w*(?:\.\w+)+):\w+")


def imports_of_python(text: str) -> Iterator[tuple[str, str, bool]]:
    """(module, name or "", whether it runs at import) of every import in Python source."""
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(text), True)]
    while waiting:
        node, top = waiting.pop()
        is_late = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) or (
            isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        )
        waiting += ((child, top and not is_late) for child in ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, "", top
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield "." * node.level + (node.module or ""), alias.name, top
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if entry := ENTRY_POINT.fullmatch(node.value):
                yield entry[1], "", False


CYTHON_NOISE = re.compile(r'("""|\'\'\').*?\1|#[^\n]*', re.DOTALL)
CYTHON_FROM = re.compile(r"^[ \t]*from\s+([.\w]+)\s+c?import\s+(\([^)]*\)|[^\n]*)", re.MULTILINE)
CYTHON_PLAIN = re.compile(r"^[ \t]*c?import\s+([^\n]*)", re.MULTILINE)
CYTHON_INCLUDE = re.compile(r"^[ \t]*include\s+[\"']", re.MULTILINE)


def imports_of_cython(text: str) -> Iterator[tuple[str, str, bool]]:
    """The same for .pyx and .pxd, by pattern: Python cannot parse them."""
    text = CYTHON_NOISE.sub("", text).replace("\\\n", " ")
    for match in CYTHON_FROM.finditer(text):
        for name in re.split(r"[\s,()]+as\s+\w+|[\s,()]+", match[2]):
            if name:
                yield match[1], name, True
    for match in CYTHON_PLAIN.finditer(text):
        for name in match[1].split(","):
            yield name.split()[0], "", True
    if CYTHON_INCLUDE.search(text):
        yield "include", "", True


@functools.cache
def targets(path: Path, text: str | None = None) -> list[tuple[str, bool]]:
    """The dotted names a file imports, relative ones resolved: (name, at top level).

    `from room import part` counts as `room.part`; `from room.part import thing` as `room.part`.
    """
    text = path.read_text(encoding="utf-8") if text is None else text
    found = []
    read = imports_of_cython if path.suffix in (".pyx", ".pxd") else imports_of_python
    package = path.relative_to(ROOT).parent.parts
    for module, name, top in read(text):
        level = len(module) - len(module.lstrip("."))
        if level:
            base = package[: len(package) - level + 1]
            module = ".".join([*base, *filter(None, module.lstrip(".").split("."))])
        if name and (ROOT / module.replace(".", "/")).is_dir():
            module = f"{module}.{name}"
        found.append((module, top))
    return found


# -- judging them


def covers(allowed: tuple[str, ...], name: str) -> bool:
    return any(name == entry or name.startswith(entry + ".") for entry in allowed)


def sources() -> Iterator[Path]:
    """Every source file of the house."""
    for entry in sorted(ROOT.iterdir()):
        if entry.is_file() and entry.suffix == ".py":
            yield entry
        elif entry.is_dir() and not entry.name.startswith(".") and entry.name not in OUTSIDE:
            yield from (path for path in sorted(entry.rglob("*")) if path.suffix in SUFFIXES)


def name_of(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def part_of(name: str) -> str:
    """The part that a dotted name belongs to: the longest that covers it, or its first word. A
    folder of `tengen/` that the table lacks is a part of its own."""
    words = name.split(".")
    if words[0] == "tengen" and len(words) > 2:
        return ".".join(words[:2])
    wing = ".".join(words[:2])
    return wing if wing in PARTS else words[0]


def room_of(name: str, part: str) -> int:
    """The number of a file's room within its wing; -1 for a file beside the rooms."""
    rooms = PARTS[part].rooms
    rest = name.removeprefix(part).strip(".").partition(".")[0]
    return rooms.index(rest) if rest in rooms else -1


def faults(path: Path, text: str | None = None) -> list[str]:
    """Every import of a file that the tables do not allow."""
    name = name_of(path)
    part = part_of(name)
    if part not in PARTS:
        return [f"{part} is missing from the table of parts"]
    folder, is_inside, _ = name.removeprefix(part).strip(".").partition(".")
    is_unknown_room = PARTS[part].rooms and is_inside and folder not in PARTS[part].rooms
    if is_unknown_room or part == "engine" and path.stem not in (*ORDER, "__init__"):
        return [f"missing from the table of {part}"]
    found = [_judge(name, target, top) for target, top in targets(path, text)]
    return [fault for fault in found if fault]


def _judge(name: str, target: str, top: bool) -> str:
    """What is wrong with one import; nothing if it is allowed."""
    part, owner = part_of(name), part_of(target)
    first = target.partition(".")[0]
    if target == "include":  # setup.py writes what engine.params includes: nothing of ours is in it
        return "" if name == "engine.params" else "includes a file; cimport a module instead"
    if part == owner == "engine":
        own, other = name.split(".")[-1], (target.split(".") + [""])[1]
        if own == "__init__":
            return ""
        below = PLAIN.get(own, tuple(ORDER[: ORDER.index(own)]))
        return "" if other in (own, *below) else f"imports {target}, which is not below it"
    if owner == part:
        is_below = room_of(target, part) <= room_of(name, part)
        return "" if is_below else f"imports {target}, which is not below it"
    if owner in PARTS or first in PARTS:
        if not covers(PARTS[part].imports, target):
            return f"imports {target}"
        late = not top or part not in LAZY or covers(AT_ONCE, target)
        return "" if late else f"imports {target} outside a function"
    if first in OUTSIDE and (ROOT / first).is_dir():
        return f"imports {target}"
    if first not in sys.stdlib_module_names and first not in PARTS[part].libraries:
        return f"imports {target}, which is not in the standard library"
    return ""


# -- this repository


def test_every_import_is_in_the_tables() -> None:
    found = {str(path.relative_to(ROOT)): faults(path) for path in sources()}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_no_python_files_import_each_other() -> None:
    """Also inside functions and for types only. (The floors of engine/ hold no circle by
    themselves.)"""
    files = {name_of(path): path for path in sources() if path.suffix == ".py"}
    graph = {name: {to for to, _ in targets(path, None)} - {name} for name, path in files.items()}
    TopologicalSorter(graph).prepare()  # CycleError names the files


def test_every_entry_of_the_tables_is_used() -> None:
    used: dict[str, set[str]] = {part: set() for part in PARTS}
    for path in sources():
        used[part_of(name_of(path))] |= {to for to, _ in targets(path, None)}
    for part, row in PARTS.items():
        for entry in (*row.imports, *row.libraries):
            assert any(covers((entry,), name) for name in used[part]), (part, entry)
        for room in row.rooms:
            assert (ROOT / part.replace(".", "/") / room).is_dir(), (part, room)


def test_no_part_has_more_lines_than_it_may() -> None:
    most = {part: row.most_lines for part, row in PARTS.items()}
    tests = re.search(r"`tests/` has at most ([\d,]+) lines", PAGE)
    assert tests
    most["tests"] = number(tests[1])
    lines = dict.fromkeys(most, 0)
    folders = {ROOT / part.split(".")[0] for part in most}
    for path in (*ROOT.glob("*.py"), *(path for folder in folders for path in folder.rglob("*"))):
        is_made = path.suffix in (".c", ".html") and path.with_suffix(".pyx").exists()  # by Cython
        if path.suffix in CODE and not is_made:
            lines[part_of(name_of(path))] += path.read_text(encoding="utf-8").count("\n")
    assert {part: count for part, count in lines.items() if count > most[part]} == {}


# -- the checker itself


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("engine/board.pxd", "from engine.search cimport S\n", "imports engine.search, which"),
        ("engine/board.pyx", "cimport engine.rules as r\n", "imports engine.rules, which"),
        ("engine/search.pyx", "from engine.board cimport (\n  B)\nimport numpy\n", "numpy"),
        ("engine/search.pyx", 'include "board.pxi"\n', "includes a file"),
        ("engine/extra.pyx", "", "missing from the table of engine"),
        ("protocol/loop.py", "def f():\n    import tengen.arena.x\n", "imports tengen.arena.x"),
        ("tengen/arena/match/run.py", "from tests.match import helper\n", "imports tests.match"),
        ("tengen/arena/programs/x.py", "from tengen.arena.match import y\n", "not below it"),
        ("tengen/cli.py", "from tengen.arena.match.cli import m\n", "outside a function"),
        ("tengen/cli.py", 'COMMANDS = ["engine.search:play"]\n', "imports engine.search"),
        ("tengen/arena/attic/old.py", "", "missing from the table of tengen.arena"),
        ("other.py", "", "other is missing from the table of parts"),
        # And none is named that is not one.
        ("engine/board.pyx", "# from engine.search cimport x\nfrom engine.types cimport E\n", ""),
        ("engine/search.pyx", "from libc cimport x\nfrom engine cimport (board,\n    types)\n", ""),
    ],
)
def test_a_wrong_import_is_named(file: str, text: str, fault: str) -> None:
    found = faults(ROOT / file, text)
    assert len(found) == 1 and fault in found[0] if fault else found == []
