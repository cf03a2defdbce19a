"""Which file may import which: the tables of docs/ARCHITECTURE.md, checked on every source file.

The page is the only place where the tables stand. The first lists the parts of the house with
their rooms, what each part imports of ours, and which libraries; the second the floors of
`engine/`; the third its modules of plain Python for callers. The checker reads the import and
cimport lines of every source file. It names each import that the tables do not allow, each circle
of files, and each part, room or engine file that they lack.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
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


# -- the tables


@dataclass(frozen=True)
class Part:
    """A row of the first table: a package, or a wing of `tengen/` (a folder of it).

    rooms      the folders of a wing, each importing only those before it.
    imports    dotted names of ours; a name covers what is below it.
    libraries  what may be imported that is neither ours nor the standard library.
    """

    rooms: tuple[str, ...]
    imports: tuple[str, ...]
    libraries: tuple[str, ...]


def rows_of(page: str, title: str) -> Iterator[list[str]]:
    """The cells of the rows of the first table below a heading."""
    section = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    for line in section.splitlines():
        if line.startswith("|") and not line.startswith("|-"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def names_in(cell: str) -> tuple[str, ...]:
    """The dotted names of a cell, which stand between backquotes."""
    return tuple(
        name.strip("/").removesuffix("/*.py").removesuffix(".py").replace("/", ".")
        for name in re.findall(r"`([^`]+)`", cell)
    )


def parts_of(page: str) -> dict[str, Part]:
    """The first table, by dotted name; `tengen` stands for the files of that package itself."""
    return {
        names_in(name)[0]: Part(names_in(rooms), names_in(imports), names_in(libraries))
        for name, rooms, _, imports, libraries in list(rows_of(page, "The house"))[1:]
    }


def floors_of(page: str) -> list[tuple[str, ...]]:
    """The files of each floor of `engine/`, the lowest floor first."""
    return [names_in(row[1]) for row in list(rows_of(page, "Floors of the engine"))[1:]]


def plain_of(page: str) -> dict[str, tuple[str, ...]]:
    """The engine's modules of plain Python for callers, with what each imports of the engine."""
    rows = list(rows_of(page, "Plain modules of the engine"))[1:]
    return {names_in(name)[0]: names_in(imports) for name, _, imports in rows}


# -- reading import lines


# "room.module:name", imported by name when it is wanted.
ENTRY_POINT = re.compile(r"([a-z]\w*(?:\.\w+)+):\w+")


def imports_of_python(text: str) -> Iterator[tuple[str, str, bool]]:
    """(module, name or "", whether it runs at import) of every import in Python source."""
    tree = ast.parse(text)
    inside = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        or (isinstance(outer, ast.If) and ast.unparse(outer.test) == "TYPE_CHECKING")
        for node in ast.walk(outer)
    }
    for node in ast.walk(tree):
        top = id(node) not in inside
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


def targets(path: Path, root: Path) -> Iterator[tuple[str, bool]]:
    """The dotted names a file imports, relative ones resolved: (name, at top level).

    `from room import part` counts as `room.part`; `from room.part import thing` as `room.part`.
    """
    text = path.read_text(encoding="utf-8")
    read = imports_of_cython if path.suffix in (".pyx", ".pxd") else imports_of_python
    package = path.relative_to(root).parent.parts
    for module, name, top in read(text):
        level = len(module) - len(module.lstrip("."))
        if level:
            base = package[: len(package) - level + 1]
            module = ".".join([*base, *filter(None, module.lstrip(".").split("."))])
        if name and (root / module.replace(".", "/")).is_dir():
            module = f"{module}.{name}"
        yield module, top


# -- judging them


def covers(allowed: tuple[str, ...], name: str) -> bool:
    return any(name == entry or name.startswith(entry + ".") for entry in allowed)


def sources(root: Path) -> Iterator[Path]:
    """Every source file of the house."""
    for entry in sorted(root.iterdir()):
        if entry.is_file() and entry.suffix == ".py":
            yield entry
        elif entry.is_dir() and not entry.name.startswith(".") and entry.name not in OUTSIDE:
            yield from (path for path in sorted(entry.rglob("*")) if path.suffix in SUFFIXES)


def name_of(path: Path, root: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(root).with_suffix("").parts)


def part_of(name: str, parts: dict[str, Part]) -> str:
    """The part that a dotted name belongs to: the longest that covers it, or its first word. A
    folder of `tengen/` that the table lacks is a part of its own."""
    words = name.split(".")
    if words[0] == "tengen" and len(words) > 2:
        return ".".join(words[:2])
    wing = ".".join(words[:2])
    return wing if wing in parts else words[0]


def room_of(name: str, part: str, parts: dict[str, Part]) -> int:
    """The number of a file's room within its wing; -1 for a file beside the rooms."""
    rooms = parts[part].rooms
    rest = name.removeprefix(part).strip(".").partition(".")[0]
    return rooms.index(rest) if rest in rooms else -1


def faults(root: Path, page: str = PAGE) -> list[str]:
    """Every import that the tables do not allow, one line each."""
    parts, plain = parts_of(page), plain_of(page)
    order = [name for names in floors_of(page) for name in names]
    found = []
    for path in sources(root):
        where, name = path.relative_to(root).as_posix(), name_of(path, root)
        part = part_of(name, parts)
        if part not in parts:
            found.append(f"{where}: {part} is missing from the table of parts")
            continue
        known = part != "engine" or path.stem in (*order, "__init__")
        folder = name.removeprefix(part).strip(".").partition(".")
        if parts[part].rooms and folder[1] and folder[0] not in parts[part].rooms:
            known = False
        if not known:
            found.append(f"{where}: missing from the table of {part}")
            continue
        for target, top in targets(path, root):
            if complaint := _judge(name, target, top, parts, order, plain, root):
                found.append(f"{where}: {complaint}")
    return found + circles(root)


def _judge(
    name: str,
    target: str,
    top: bool,
    parts: dict[str, Part],
    order: list[str],
    plain: dict[str, tuple[str, ...]],
    root: Path,
) -> str:
    """What is wrong with one import; nothing if it is allowed."""
    part, owner = part_of(name, parts), part_of(target, parts)
    first = target.partition(".")[0]
    if target == "include":  # setup.py writes what engine.params includes: nothing of ours is in it
        return "" if name == "engine.params" else "includes a file; cimport a module instead"
    if part == owner == "engine":
        own, other = name.split(".")[-1], (target.split(".") + [""])[1]
        if own == "__init__":
            return ""
        below = plain.get(own, tuple(order[: order.index(own)]))
        return "" if other in (own, *below) else f"imports {target}, which is not below it"
    if owner == part:
        here, there = room_of(name, part, parts), room_of(target, part, parts)
        return "" if there <= here else f"imports {target}, which is not below it"
    if owner in parts or first in parts:
        if not covers(parts[part].imports, target):
            return f"imports {target}"
        late = not top or part not in LAZY or covers(AT_ONCE, target)
        return "" if late else f"imports {target} outside a function"
    if first in OUTSIDE and (root / first).is_dir():
        return f"imports {target}"
    if first not in sys.stdlib_module_names and first not in parts[part].libraries:
        return f"imports {target}, which is not in the standard library"
    return ""


def circles(root: Path) -> list[str]:
    """Every circle of Python files that import each other, also inside functions and for types
    only, one line each. (The floors of engine/ hold no circle by themselves.)"""
    files = {name_of(path, root): path for path in sources(root) if path.suffix == ".py"}
    graph = {
        name: {target for target, _ in targets(path, root) if target in files and target != name}
        for name, path in files.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [f"a circle: {' <- '.join(error.args[1])}"]
    return []


# -- this repository


def test_every_import_is_in_the_tables() -> None:
    assert faults(ROOT) == []


def test_every_entry_of_the_tables_is_used() -> None:
    parts = parts_of(PAGE)
    used: dict[str, set[str]] = {part: set() for part in parts}
    for path in sources(ROOT):
        part = part_of(name_of(path, ROOT), parts)
        used[part] |= {target for target, _ in targets(path, ROOT)}
    for part, row in parts.items():
        for entry in (*row.imports, *row.libraries):
            assert any(covers((entry,), name) for name in used[part]), (part, entry)
        for room in row.rooms:
            assert (ROOT / part.replace(".", "/") / room).is_dir(), (part, room)


def test_no_part_but_the_engine_and_the_arena_has_more_than_a_sixth_of_the_lines() -> None:
    """What grows beyond that is two parts."""
    parts = parts_of(PAGE)
    lines = dict.fromkeys(parts, 0)
    for path in (*sources(ROOT), *ROOT.glob("tengen/**/*.js"), *ROOT.glob("tengen/**/*.css")):
        text = path.read_text(encoding="utf-8")
        lines[part_of(name_of(path, ROOT), parts)] += len(text.splitlines())
    large = {part for part, count in lines.items() if count > sum(lines.values()) / 6}
    assert large <= {"engine", "tengen.arena"}


def test_setup_builds_the_engine_files_in_floor_order() -> None:
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    lists = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MODULES"
    ]
    order = [name for names in floors_of(PAGE) for name in names]
    assert len(lists) == 1
    assert lists[0] == [name for name in order if name in lists[0]]
    assert {path.stem for path in (ROOT / "engine").glob("*.pyx")} <= set(lists[0])


def test_the_architecture_page_names_files_that_exist() -> None:
    for name in re.findall(r"`((?:engine|protocol|tengen|tests|docs|scripts|\.ci)/[\w./]*)`", PAGE):
        assert (ROOT / name).exists(), name


# -- the checker itself, on small trees with one fault each


def tree(root: Path, **files: str) -> Path:
    """A tree with the given files; `engine__board_pyx` stands for engine/board.pyx."""
    for name, text in files.items():
        path = root / re.sub(r"_(pyx|pxd|py)$", r".\1", name).replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


SMALL_PAGE = """
## The house

| Part | Rooms | What it is | Imports of ours | Libraries |
|---|---|---|---|---|
| `engine/` | | the brain | nothing | `cython`, `libc` |
| `protocol/` | | its speech | `engine.model` | none |
| `tengen/game/` | `rules`, `record` | games | `engine.text` | none |
| `tengen/arena/` | `programs`, `match` | matches | `tengen.game` | `rich` |
| `tengen/opponents/` | | programs | `engine.model`, `protocol`, `tengen.game` | none |
| `tengen/*.py` | | commands | `engine.version`, `tengen.arena` | `click` |

## Floors of the engine

| Floor | Files | Contents |
|---|---|---|
| 0 | `types` | |
| 1 | `board`, `rules` | |
| 2 | `search` | |
| 3 | `text`, `model`, `api` | |

## Plain modules of the engine

| Module | What it is | Imports |
|---|---|---|
| `text` | | nothing |
| `model` | | `text` |
"""

GOOD = {
    "engine__types_pxd": "cdef enum:\n    EMPTY = 0\n",
    "engine__board_pxd": "from libc.stdint cimport int32_t\nfrom engine.types cimport EMPTY\n",
    "engine__board_pyx": "# from engine.search cimport x\nfrom engine.board cimport Board\n",
    "engine__search_pyx": "cimport cython\nfrom engine cimport (board,\n    types)\n",
    "engine__model_py": "from enum import IntEnum\nfrom engine.text import read_point\n",
    "engine__text_py": "import re\n",
    "engine__api_pyx": '"""\nfrom tengen.arena import y\n"""\nfrom engine.model import Rule\n',
    "tengen__game__rules__referee_py": "import re\nfrom engine.text import read_point\n",
    "tengen__arena__match__game_py": "from . import story\nfrom ...game.rules.referee import w\n",
    "tengen__arena__match__story_py": "import rich\nfrom tengen.arena.programs import x\n",
    "tengen__arena__programs__x_py": "",
    "tengen__opponents__simple_py": "from tengen.game import rules\nimport protocol.loop\n",
    "protocol__loop_py": "from engine.model import Rule\nfrom engine import model\n",
    "tengen__cli_py": "import click\n\ndef main():\n    from tengen.arena.match.game import m\n",
}


def test_a_good_tree_passes(tmp_path: Path) -> None:
    assert faults(tree(tmp_path, **GOOD), SMALL_PAGE) == []


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("engine__board_pxd", "from engine.search cimport S\n", "imports engine.search, which"),
        ("engine__board_pyx", "from engine cimport types, search\n", "imports engine.search, "),
        ("engine__board_pyx", "cimport engine.rules as r\n", "imports engine.rules, which"),
        ("engine__board_pyx", "    from engine.model import Rule\n", "imports engine.model, which"),
        ("engine__search_pyx", "from engine.board cimport (\n  B)\nimport numpy\n", "numpy"),
        ("engine__search_pyx", 'include "board.pxi"\n', "includes a file"),
        ("engine__api_pyx", "from protocol.loop import run\n", "imports protocol.loop"),
        ("engine__model_py", "from .board import make\n", "imports engine.board, which"),
        ("engine__extra_pyx", "", "missing from the table of engine"),
        ("protocol__loop_py", "from engine.board import Board\n", "imports engine.board"),
        ("protocol__loop_py", "def f():\n    import tengen.arena.x\n", "imports tengen.arena.x"),
        ("protocol__loop_py", "import click\n", "imports click, which"),
        ("tengen__game__rules__referee_py", "from tengen.game.record import g\n", "not below it"),
        ("tengen__game__rules__referee_py", "import tengen.arena.match\n", "tengen.arena.match"),
        ("tengen__arena__match__y_py", "from engine.model import Rule\n", "imports engine.model"),
        ("tengen__arena__match__y_py", "from protocol import coords\n", "imports protocol.coords"),
        ("tengen__arena__match__y_py", "from tests.match import helper\n", "imports tests.match"),
        (
            "tengen__arena__match__y_py",
            "def f():\n    from .story import z\n    import numpy\n",
            "numpy",
        ),
        ("tengen__arena__match__story_py", "def f():\n    from .game import z\n", "a circle: "),
        ("tengen__arena__programs__x_py", "from tengen.arena.match import y\n", "not below it"),
        ("tengen__opponents__simple_py", "import tengen.arena.match\n", "imports tengen.arena"),
        ("tengen__opponents__simple_py", "import engine.api\n", "imports engine.api"),
        ("tengen__cli_py", "from tengen.arena.match.game import m\n", "outside a function"),
        ("tengen__cli_py", 'COMMANDS = ["tengen.game.rules:play"]\n', "imports tengen.game.rules"),
        ("tengen__attic__old_py", "", "tengen.attic is missing from the table of parts"),
        ("tengen__game__attic__old_py", "", "missing from the table of tengen.game"),
        ("attic__old_py", "", "attic is missing from the table of parts"),
        ("other_py", "", "other is missing from the table of parts"),
    ],
)
def test_a_wrong_import_is_named(tmp_path: Path, file: str, text: str, fault: str) -> None:
    root = tree(tmp_path, **GOOD, tests__match__helper_py="")
    found = faults(tree(root, **{file: text}), SMALL_PAGE)
    assert len(found) == 1 and fault in found[0]
