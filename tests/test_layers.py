"""Which room may import which, as docs/ARCHITECTURE.md describes it, checked on every file.

Two tables define it: ROOMS for the packages and the folders of `tengen/`, FLOORS for the files of
`engine/`. The checker reads the import and cimport lines of every source file. It names each import
that the tables do not allow, each circle of files, and each room or engine file that they lack.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# What each room may import of ours (a name covers what is below it): only rooms that come before it
# in this table. Inside a room files import each other as long as they form no circle; in engine/
# FLOORS decides. The room "tengen" is the files of that package outside its folders.
ROOMS: dict[str, tuple[str, ...]] = {
    "engine": (),
    "protocol": ("engine.clock", "engine.model"),
    "tengen.rules": (),
    "tengen.stats": (),
    "tengen.record": ("tengen.rules",),
    "tengen.terminal": ("tengen.record.numbers", "tengen.rules"),
    "tengen.serving": (),
    "tengen.workers": (),
    "tengen.programs": ("tengen.record", "tengen.rules"),
    "tengen.match": (
        "tengen.programs",
        "tengen.record",
        "tengen.rules",
        "tengen.stats",
        "tengen.terminal",
        "tengen.workers",
    ),
    "tengen.check": ("tengen.programs", "tengen.rules", "tengen.terminal"),
    "tengen.report": tuple(
        f"tengen.{room}" for room in "programs.program record rules serving stats terminal".split()
    ),
    "tengen.bench": (
        *(f"engine.{part}" for part in "api model net network trace".split()),
        "tengen.record",
        "tengen.terminal",
    ),
    "tengen.opponents": ("engine.model", "protocol", "tengen.rules", "tengen.terminal"),
    "tengen.ladder": (
        "tengen.match",
        "tengen.opponents.registry",
        "tengen.programs",
        "tengen.record",
        "tengen.report.rating_chart",
        "tengen.rules",
        "tengen.stats",
        "tengen.terminal",
    ),
    "tengen.study": (
        "engine.api",
        "engine.breakdown",
        "engine.model",
        "engine.net",
        "tengen.record",
        "tengen.report.compact",
        "tengen.report.page",
        "tengen.report.review",
        "tengen.rules",
        "tengen.terminal",
    ),
    "tengen.selfplay": (
        "engine.api",
        "engine.model",
        "engine.network",
        "engine.params",
        "engine.trace",
        "engine.values",
        "engine.version",
        "tengen.record",
        "tengen.rules",
        "tengen.terminal",
        "tengen.workers",
    ),
    "tengen.train": (
        "engine.features",
        "engine.hand_values",
        "engine.model",
        "engine.network",
        "engine.rows",
        "engine.rulebook",
        "engine.trace",
        "engine.values",
        "tengen.record",
        "tengen.rules",
        "tengen.selfplay.keep",
        "tengen.selfplay.shards",
        "tengen.terminal",
    ),
    "tengen.timing": (
        "engine.api",
        "engine.model",
        "engine.params",
        "tengen.record",
        "tengen.rules",
        "tengen.terminal",
    ),
    "tengen.tune": (
        "engine.params",
        "tengen.match",
        "tengen.programs",
        "tengen.record",
        "tengen.rules",
        "tengen.terminal",
        "tengen.workers",
    ),
    "tengen.sitting": (
        "engine.api",
        "engine.model",
        "protocol.brain",
        "protocol.openings",
        "protocol.swap2",
        "tengen.opponents.registry",
        "tengen.programs",
        "tengen.record",
        "tengen.rules",
    ),
    "tengen.play": ("tengen.record.numbers", "tengen.rules", "tengen.sitting", "tengen.terminal"),
    # Its page also has scripts and styles of tengen.report.
    "tengen.web": (
        "engine.breakdown",
        "engine.model",
        "engine.net",
        "tengen.record",
        "tengen.rules",
        "tengen.serving",
        "tengen.sitting",
        "tengen.study",
        "tengen.terminal",
    ),
    "tengen": (
        "engine.api",
        "engine.model",
        "engine.version",
        "protocol",
        "tengen.bench.cli",
        "tengen.check.cli",
        "tengen.check.zip_cli",
        "tengen.ladder.cli",
        "tengen.match.cli",
        "tengen.match.openings_cli",
        "tengen.match.sprt_cli",
        "tengen.opponents.cli",
        "tengen.play.cli",
        "tengen.report.cli",
        "tengen.selfplay.cli",
        "tengen.selfplay.data_cli",
        "tengen.selfplay.samples_cli",
        "tengen.study.analyze_cli",
        "tengen.study.cli",
        "tengen.study.explain_cli",
        "tengen.study.mates_cli",
        "tengen.timing.cli",
        "tengen.train.cli",
        "tengen.train.train_cli",
        "tengen.tune.cli",
        "tengen.web.cli",
    ),
    "examples": ("engine.api", "engine.model"),
    "setup": (),
    "release": ("setup",),
}

# Plain readers that every room may import: of the standard library only.
EVERYWHERE = ("engine.files", "engine.text")

# What each room may import that is neither ours nor the standard library.
THIRD_PARTY: dict[str, tuple[str, ...]] = {
    "engine": ("cython", "cpython", "libc"),  # Cython's own headers: nothing at run time
    "release": ("pefile",),
    "setup": ("Cython", "setuptools"),
    "tengen.bench": ("click", "psutil"),
    "tengen.check": ("click", "psutil", "rich"),
    "tengen.ladder": ("click", "rich"),
    "tengen.match": ("click", "distributed", "rich"),
    "tengen.opponents": ("click",),
    "tengen.play": ("click", "rich"),
    "tengen.web": ("PIL", "click", "tornado"),
    "tengen.programs": ("psutil",),
    "tengen.report": ("click",),
    "tengen.selfplay": ("click", "numpy", "rich"),
    "tengen.serving": ("tornado",),
    "tengen.stats": ("numpy", "scipy"),
    "tengen.study": ("click", "rich"),
    "tengen.terminal": ("click", "rich"),
    "tengen.train": ("click", "libc", "numpy", "rich", "scipy"),
    "tengen.timing": ("click", "rich"),
    "tengen.tune": ("click", "rich"),
    "tengen.workers": ("dask", "distributed"),
    "tengen": ("click",),
}

# Programs that import rooms only inside functions, so that one sub-command loads one room.
LAZY = ("tengen",)

# The files of engine/, each importing only files that come before it. The floors are those of
# docs/ARCHITECTURE.md.
FLOORS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("0 types", ("types", "clock", "machine", "bits", "atomic", "rulebook", "files")),
    ("1 geometry", ("geometry", "zobrist")),
    (
        "2 lines and values",
        tuple("lines patterns rows values hand_values network params accumulator".split()),
    ),
    ("3 board", ("board", "rules")),
    ("4 evaluation and moves", ("net", "evaluate", "movegen", "tt", "hashfile")),
    (
        "5 parts of the search",
        tuple("ordering threats forcing vct timeman census sampler root overlook".split()),
    ),
    ("6 search", ("search", "iterate", "several", "deepen", "pool")),
    (
        "7 interface",
        (
            "version",
            "text",
            "limits",
            "strength",
            "model",
            "ending",
            "listen",
            "budget",
            "convert",
            "show",
            "proofs",
            "think",
            "api",
            "trace",
            "features",
            "breakdown",
            "_probe",
        ),
    ),
)

# Files of engine/ of plain Python for callers, with all that each may import of ours.
ISLANDS: dict[str, tuple[str, ...]] = {
    "files": (),
    "version": (),
    "text": (),
    "limits": (),
    "strength": (),
    "model": ("text", "limits", "strength"),
    "ending": (),
    "listen": (),
    "budget": ("limits",),
}

# Not rooms: no room imports anything from them.
OUTSIDE = ("build", "dist", "docs", "games", "scripts", "tests")

SUFFIXES = (".py", ".pyx", ".pxd", ".pyi")


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


def sources(root: Path) -> Iterator[tuple[str, Path]]:
    """(room, file) for every source file of a room."""
    for entry in sorted(root.iterdir()):
        if entry.is_file() and entry.suffix == ".py":
            yield entry.stem, entry
        elif entry.is_dir() and not entry.name.startswith(".") and entry.name not in OUTSIDE:
            for path in sorted(entry.rglob("*")):
                if path.suffix in SUFFIXES:
                    yield room_of(".".join(path.relative_to(root).with_suffix("").parts)), path


def room_of(name: str) -> str:
    """The room of a dotted name: a folder of tengen/, or the first word."""
    first, _, rest = name.partition(".")
    return f"{first}.{rest.partition('.')[0]}" if first == "tengen" and "." in rest else first


def faults(
    root: Path,
    rooms: dict[str, tuple[str, ...]] = ROOMS,
    floors: tuple[tuple[str, tuple[str, ...]], ...] = FLOORS,
) -> list[str]:
    """Every import that the tables do not allow, one line each."""
    order = [name for _, names in floors for name in names]
    found = []
    for room, path in sources(root):
        where = path.relative_to(root).as_posix()
        if room not in rooms:
            found.append(f"{where}: room {room} is missing from ROOMS")
            continue
        known = order.index(path.stem) if path.stem in order else None
        if room == "engine" and known is None and path.stem != "__init__":
            found.append(f"{where}: missing from FLOORS")
            continue
        for name, top in targets(path, root):
            first, _, part = name.partition(".")
            owner = next((each for each in longest_first(rooms) if covers((each,), name)), first)
            if owner == "include":
                found.append(f"{where}: includes a file; cimport a module instead")
            elif owner == "engine" and room == "engine":
                below = ISLANDS.get(path.stem, order[:known]) if known is not None else ()
                if part.partition(".")[0] not in [path.stem, *below]:
                    found.append(f"{where}: imports {name}, which is not below it")
            elif owner in rooms:
                if owner != room and not covers((*EVERYWHERE, *rooms[room]), name):
                    found.append(f"{where}: imports {name}")
                elif owner != room and top and room in LAZY and name != "engine.version":
                    found.append(f"{where}: imports {name} outside a function")
            elif owner in ("tests", *OUTSIDE) and (root / owner).is_dir():
                found.append(f"{where}: imports {name}")
            elif owner not in sys.stdlib_module_names and not covers(
                THIRD_PARTY.get(room, ()), owner
            ):
                found.append(f"{where}: imports {name}, which is not in the standard library")
    return found + circles(root)


def longest_first(rooms: dict[str, tuple[str, ...]]) -> list[str]:
    return sorted(rooms, key=len, reverse=True)


def circles(root: Path) -> list[str]:
    """Every circle of Python files that import each other, also inside functions and for types
    only, one line each. (The floors of engine/ hold no circle by themselves.)"""
    files = {
        ".".join(path.relative_to(root).with_suffix("").parts): path
        for _, path in sources(root)
        if path.suffix == ".py"
    }
    graph = {
        name: {target for target, _ in targets(path, root) if target in files and target != name}
        for name, path in files.items()
    }
    sorter = TopologicalSorter(graph)
    try:
        sorter.prepare()
    except CycleError as error:
        return [f"a circle: {' <- '.join(error.args[1])}"]
    return []


# -- this repository


def test_every_import_is_in_the_tables() -> None:
    assert faults(ROOT) == []


def test_every_entry_of_the_rooms_is_used() -> None:
    for room, allowed in ROOMS.items():
        used = {
            name for each, path in sources(ROOT) if each == room for name, _ in targets(path, ROOT)
        }
        unused = [entry for entry in allowed if not any(covers((entry,), name) for name in used)]
        assert unused == [], room


def test_rooms_import_only_rooms_that_come_before_them() -> None:
    order = longest_first(ROOMS)
    names = list(ROOMS)
    for room, allowed in ROOMS.items():
        for entry in allowed:
            owner = next(each for each in order if covers((each,), entry))
            assert names.index(owner) < names.index(room), f"{room} -> {entry}"


def test_no_room_but_the_engine_is_large() -> None:
    """A room that holds more than 15 % of all lines is two rooms."""
    lines: dict[str, int] = {}
    for room, path in sources(ROOT):
        lines[room] = lines.get(room, 0) + len(path.read_text(encoding="utf-8").splitlines())
    for path in (ROOT / "tengen").rglob("*.*s*"):  # .js and .css
        if path.suffix in (".js", ".css"):
            lines["tengen.report"] += len(path.read_text(encoding="utf-8").splitlines())
    total = sum(lines.values())
    large = {room for room, count in lines.items() if count > 0.15 * total}
    assert large <= {"engine"}


def test_setup_builds_the_engine_files_in_floor_order() -> None:
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    lists = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MODULES"
    ]
    order = [name for _, names in FLOORS for name in names]
    assert len(lists) == 1
    assert lists[0] == [name for name in order if name in lists[0]]
    assert {path.stem for path in (ROOT / "engine").glob("*.pyx")} <= set(lists[0])


def test_the_architecture_page_shows_the_same_floors() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for floor, names in FLOORS:
        row = next((line for line in page.splitlines() if line.startswith(f"| {floor} |")), "")
        assert re.findall(r"`(\w+)`", row.split("|")[2] if row else "") == list(names), floor


def rooms_of_page() -> dict[str, tuple[str, ...]]:
    """The table of rooms of docs/ARCHITECTURE.md, in the form of ROOMS."""
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("\n## Rooms\n")[2].partition("\n## ")[0]
    rooms: dict[str, tuple[str, ...]] = {}
    for line in table.splitlines():
        if not line.startswith("| `"):
            continue
        room, _, imports = (cell.strip() for cell in line.strip("|").split("|"))
        names = re.findall(r"`([\w.]+)`", imports)
        assert imports == (", ".join(f"`{name}`" for name in names) or "nothing"), line
        folder = room.strip("`").removesuffix("/").removesuffix("/*.py").removesuffix(".py")
        rooms[folder.replace("/", ".")] = tuple(
            name if name.partition(".")[0] in ("engine", "protocol", "setup") else f"tengen.{name}"
            for name in names
        )
    return rooms


def test_the_architecture_page_shows_the_same_rooms_and_imports() -> None:
    page = rooms_of_page()
    assert list(page) == list(ROOMS)  # in the same order
    for room, allowed in ROOMS.items():
        assert sorted(page[room]) == sorted(allowed), room


def test_the_architecture_page_names_files_that_exist_and_every_file_of_the_arena() -> None:
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:engine|protocol|tengen|tests|docs|scripts|\.ci)/[\w./]*)`", page):
        assert (ROOT / name).exists(), name
    rooms = "|".join(room.removeprefix("tengen.") for room in ROOMS if room.startswith("tengen."))
    named = {name.removesuffix(".py") for name in re.findall(rf"`((?:{rooms})/\w[\w.]*)`", page)}
    for name in named:
        assert (ROOT / "tengen" / f"{name}.py").is_file(), name
    for room in ("rules", "stats", "record", "programs", "match"):
        files = {f"{room}/{path.stem}" for path in (ROOT / "tengen" / room).glob("*.py")}
        assert files - named == {f"{room}/__init__"}, room


# -- the checker itself, on small trees with one fault each


def tree(root: Path, **files: str) -> Path:
    """A tree with the given files; `engine__board_pyx` stands for engine/board.pyx."""
    for name, text in files.items():
        path = root / re.sub(r"_(pyx|pxd|py)$", r".\1", name).replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


GOOD = {
    "engine__types_pxd": "cdef enum:\n    EMPTY = 0\n",
    "engine__board_pxd": "from libc.stdint cimport int32_t\nfrom engine.types cimport EMPTY\n",
    "engine__board_pyx": "# from engine.search cimport x\nfrom engine.board cimport Board\n",
    "engine__search_pyx": "cimport cython\nfrom engine cimport (board,\n    types)\n",
    "engine__model_py": "from enum import IntEnum\n",
    "engine__api_pyx": '"""\nfrom tengen.match.x import y\n"""\nfrom engine.model import Rule\n',
    "tengen__rules__referee_py": "import re\n",
    "tengen__match__game_py": "from . import story\nfrom ..rules.referee import winner\n",
    "tengen__match__story_py": "import rich\n",
    "tengen__opponents__simple_py": "from tengen.rules import referee\nimport protocol.loop\n",
    "protocol__loop_py": "from engine.model import Rule\nfrom engine import model\n",
    "tengen__cli_py": "import click\n\ndef main():\n    from tengen.match.cli import match\n",
}


def test_a_good_tree_passes(tmp_path: Path) -> None:
    assert faults(tree(tmp_path, **GOOD)) == []


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("engine__board_pxd", "from engine.search cimport S\n", "imports engine.search, which"),
        ("engine__board_pyx", "from engine cimport types, search\n", "imports engine.search, "),
        ("engine__board_pyx", "cimport engine.rules as r\n", "imports engine.rules, which"),
        ("engine__board_pyx", "    from engine.model import Rule\n", "imports engine.model, which"),
        (
            "engine__search_pyx",
            "from engine.board cimport (\n  B)\nimport numpy\n",
            "imports numpy",
        ),
        ("engine__search_pyx", 'include "board.pxi"\n', "includes a file"),
        ("engine__api_pyx", "from protocol.loop import run\n", "imports protocol.loop"),
        ("engine__model_py", "from .board import make\n", "imports engine.board, which"),
        ("engine__extra_pyx", "", "missing from FLOORS"),
        ("protocol__loop_py", "from engine.board import Board\n", "imports engine.board"),
        ("protocol__loop_py", "def f():\n    import tengen.match.x\n", "imports tengen.match.x"),
        ("protocol__loop_py", "import click\n", "imports click, which"),
        ("tengen__rules__referee_py", "from tengen.record import game\n", "imports tengen.record"),
        ("tengen__match__x_py", "from engine.model import Rule\n", "imports engine.model"),
        ("tengen__match__x_py", "from protocol import coords\n", "imports protocol.coords"),
        ("tengen__match__x_py", "from tests.match import helper\n", "imports tests.match"),
        ("tengen__match__x_py", "def f():\n    from .story import z\n    import numpy\n", "numpy"),
        ("tengen__match__story_py", "def f():\n    from .game import z\n", "a circle: "),
        (
            "tengen__opponents__simple_py",
            "from tengen.match.x import y\n",
            "imports tengen.match.x",
        ),
        ("tengen__opponents__simple_py", "import engine.api\n", "imports engine.api"),
        ("tengen__cli_py", "from tengen.match.cli import match\n", "outside a function"),
        ("tengen__cli_py", 'COMMANDS = ["tengen.match.game:play"]\n', "imports tengen.match.game"),
        ("tengen__attic__old_py", "", "room tengen.attic is missing from ROOMS"),
        ("attic__old_py", "", "room attic is missing from ROOMS"),
        ("other_py", "", "room other is missing from ROOMS"),
    ],
)
def test_a_wrong_import_is_named(tmp_path: Path, file: str, text: str, fault: str) -> None:
    root = tree(tmp_path, **GOOD, tests__match__helper_py="")
    found = faults(tree(root, **{file: text}))
    assert len(found) == 1 and fault in found[0]
