"""The page in a real browser: what it shows, how one steps through games, and its downloads."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tengen.arena.programs.program import Program, as_record
from tengen.arena.report.data import report_data
from tengen.arena.report.page import make_page
from tengen.game.record.game import Game, Job, Move, Setting
from tengen.game.record.games_jsonl import game_record, timing_record
from tengen.game.record.move_report import Report
from tengen.game.record.psq import to_psq
from tengen.game.record.run_folder import load_run
from tengen.game.record.sgf import to_sgf
from tengen.game.record.termination import Termination
from tengen.game.record.time_control import TimeControl
from tengen.game.rules.referee import BLACK, WHITE
from tests.arena.report.report_sample import (
    BLACK_WINS,
    WHITE_WINS,
    eight_games,
    game,
    header,
    write_run,
)

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason=f"no browser here: none of {', '.join(BROWSERS)} is on the path"
)

NAMES = ("A <b>bold</b>", "</script><script>document.title='bad'</script>", "C & co")


class Dom(HTMLParser):
    """What a browser has made of the page: elements with attributes, and the text in them."""

    _VOID = ("br", "hr", "input", "link", "meta")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str], list[str]]] = []
        self._open: list[tuple[str, list[str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        words: list[str] = []
        self.elements.append((tag, {key: value or "" for key, value in attrs}, words))
        if tag not in self._VOID:
            self._open.append((tag, words))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for _, words in self._open:
            words.append(data)

    def of_class(self, name: str) -> list[tuple[dict[str, str], str]]:
        """Attributes and text of all elements of a class."""
        return [
            (attributes, "".join(words))
            for _, attributes, words in self.elements
            if name in attributes.get("class", "").split()
        ]

    def by_id(self, name: str) -> str:
        """The text of the element with an id."""
        return next("".join(words) for _, own, words in self.elements if own.get("id") == name)

    def stones(self) -> list[tuple[int, str, str]]:
        """The stones on the board: (number, colour, point)."""
        return [
            (
                int(own["data-move"]),
                "black" if "black" in own["class"].split() else "white",
                own["data-point"],
            )
            for own, _ in self.of_class("stone")
        ]


def browse(page: Path, fragment: str = "", width: int = 1280, *options: str) -> Dom:
    """The page after its scripts have run; fails if the console has anything to say."""
    assert BROWSER is not None
    run = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",  # a sandbox needs rights that containers do not give
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--enable-logging=stderr",
            "--virtual-time-budget=4000",
            f"--window-size={width},900",
            f"--user-data-dir={page.parent / 'profile'}",
            *options,
            "--dump-dom",
            page.as_uri() + fragment,
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    said = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    assert said == []
    return Dom(run.stdout)


def write_page(folder: Path, script: str = "") -> Path:
    """A page of three programs and nine games; `script` runs when the page is ready."""
    write_games(folder)
    return with_script(folder, script)


def with_script(folder: Path, script: str) -> Path:
    """The page of the run in a folder; `script` runs when it is ready."""
    page = make_page(report_data(load_run(folder)))
    path = folder / "report.html"
    path.write_text(page.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    return path


def write_games(folder: Path) -> None:
    """A run of three programs and nine games."""
    games = eight_games(*NAMES)
    values = [{"value": 10 * (-1) ** i, "depth_plies": i, "nodes": 1000} for i in range(10)]
    games[1]["reports"] = [None, *values[1:]]
    games.append(game(8, NAMES[0], NAMES[1], "black", moves=BLACK_WINS))
    write_run(folder, header(*NAMES), games, {4: "ended with <i>status</i> 3"})


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("report"))


def title_of(dom: Dom) -> str:
    """The title of the page: scripts of tests write their results there."""
    return next("".join(words) for tag, _, words in dom.elements if tag == "title")


def point(cell: list[int]) -> str:
    """A point as people write it, on a board of 15 rows."""
    return f"{chr(ord('a') + cell[0])}{15 - cell[1]}"


def test_games_open_at_their_start(page: Path) -> None:
    dom = browse(page)
    assert dom.stones() == [] and "Game 1" in dom.by_id("players")
    assert dom.by_id("caption") == "Before the first move"
    dom = browse(page, "#game=2")
    assert dom.stones() == [] and "Game 2" in dom.by_id("players")


def test_the_tables_and_the_end_of_a_game(page: Path) -> None:
    dom = browse(page, "#game=1&move=9")
    assert dom.stones() == [
        (i + 1, "white" if i % 2 else "black", point(cell)) for i, cell in enumerate(BLACK_WINS)
    ]
    assert len(dom.of_class("won")) == 5 and len(dom.of_class("won-line")) == 1
    assert "Game 1" in dom.by_id("players") and "five · 9 stones" in dom.by_id("players")
    assert [own["data-move"] for own, _ in dom.of_class("opening")] == ["1"]
    # Each program's row has the strip of its own rating.
    strips = [own for own, _ in dom.of_class("interval") if "aria-label" in own]
    names = [text for _, text in dom.of_class("name") if text in NAMES]
    assert [own["aria-label"].split(": Elo")[0] for own in strips] == names[:3]
    # The whole cross table: each program's points against each, then all together.
    cells = [re.sub(r"\s", "", text) for _, text in dom.of_class("met")]
    assert sorted(cells) == sorted(["3.53–1–1", "1.51–3–1", "11–1–0", "11–1–0", "22–0–0", "00–2–0"])
    assert sorted(text for _, text in dom.of_class("total")) == ["1of 4", "3.5of 7", "4.5of 7"]
    # Names are text, whatever they look like.
    assert dom.by_id("title") == "3 programs"
    assert not any(tag in ("b", "i") and words == ["bold"] for tag, _, words in dom.elements)
    assert NAMES[1] in dom.by_id("ratings") and "<i>status</i>" in dom.by_id("failures")


def test_the_address_opens_a_game_and_a_move(page: Path) -> None:
    dom = browse(page, "#game=2&move=7")
    assert dom.stones() == [
        (i + 1, "white" if i % 2 else "black", point(cell)) for i, cell in enumerate(WHITE_WINS[:7])
    ]
    assert "Game 2" in dom.by_id("players")
    assert dom.of_class("won") == []
    (last,) = [own for own, _ in dom.of_class("last")]
    assert last["data-move"] == "7"
    assert dom.by_id("caption") == (
        "Move 7 of 10 · Black g15 · value +10 · depth 6 · 1,000 nodes · 600\xa0ms"
    )
    (current,) = [own for own, _ in dom.of_class("move") if own.get("aria-current") == "true"]
    assert current["data-move"] == "7"
    # Both programs have a dot on the curve for every move but the opening, and one in the legend.
    dots = [
        own["class"] for tag, own, _ in dom.elements if tag == "circle" and "cx" in own
        and own.get("class") in ("of-black", "of-white")
    ]  # fmt: skip
    assert (dots.count("of-black"), dots.count("of-white")) == (4 + 1, 5 + 1)


def test_addresses_out_of_range(page: Path) -> None:
    assert len(browse(page, "#game=3&move=999").stones()) == 10
    assert browse(page, "#game=5&move=0").stones() == []
    assert "Game 1" in browse(page, "#game=99&move=x").by_id("players")


def test_keys_buttons_slider_moves_and_curve(tmp_path: Path) -> None:
    script = """
      const key = (name) => document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
      const seen = [];
      const note = () => seen.push(document.querySelectorAll(".stone").length);
      location.hash = "#game=2&move=5";
      addEventListener("hashchange", () => {
        note();
        key("ArrowRight"); note();
        key("ArrowLeft"); key("ArrowLeft"); note();
        document.querySelector("#controls button").click(); note();
        const slider = document.querySelector("#controls input[type=range]");
        slider.value = 8; slider.dispatchEvent(new Event("input")); note();
        document.querySelector("#moves [data-move='3']").click(); note();
        const chart = document.querySelector("#curve svg");
        const box = chart.getBoundingClientRect();
        chart.dispatchEvent(new MouseEvent("click", { clientX: box.left + box.width / 2 })); note();
        key("n"); note();
        key("End"); note();
        document.title = seen.join(" ") + " " + location.hash;
      });
    """
    dom = browse(write_page(tmp_path, script))
    # The middle of the curve of ten moves is the fifth; n shows the start of the next game.
    assert title_of(dom) == "5 6 4 0 8 3 5 0 10 #game=3&move=10"


def test_home_and_end_work_everywhere_but_in_fields(tmp_path: Path) -> None:
    script = """
      const seen = [];
      const key = (place, name, more) => {
        const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true,
          ...more });
        document.querySelector(place).dispatchEvent(event);
        seen.push(document.querySelectorAll(".stone").length, event.defaultPrevented);
      };
      key("body", "End"); key("nav a", "Home"); key(".cross button", "End"); key("#moves", "Home");
      key("#rows", "End"); key("#controls button", "ArrowLeft"); key("#filters select", "Home");
      key("#filters select", "ArrowLeft"); key("body", "Home", { ctrlKey: true });
      document.title = seen.join(" ");
    """
    assert title_of(browse(write_page(tmp_path, script))) == (
        "9 true 0 true 9 true 0 true 9 true 8 true 8 false 8 false 8 false"
    )


def test_a_swipe_steps_through_the_game(tmp_path: Path) -> None:
    script = """
      const seen = [];
      const send = (kind, x, y, more) => document.querySelector("#board svg").dispatchEvent(
        new PointerEvent(kind, { pointerId: 5, pointerType: "touch", isPrimary: true,
          bubbles: true, clientX: x, clientY: y, ...more }));
      const swipe = (right, down, more, last = "pointerup") => {
        send("pointerdown", 200, 300, more);
        send("pointermove", 200 + right / 2, 300 + down / 2, more);
        send(last, 200 + right, 300 + down, more);
        seen.push(document.querySelectorAll(".stone").length);
      };
      swipe(-60, 10); swipe(-200, -30); swipe(-80, 0); swipe(80, 20);
      // No swipes: a tap, a move that scrolls the page, one that the browser took, a second finger,
      // the mouse.
      swipe(-5, 0); swipe(-40, 90); swipe(-80, 0, {}, "pointercancel");
      swipe(-80, 0, { isPrimary: false, pointerId: 6 }); swipe(-80, 0, { pointerType: "mouse" });
      swipe(300, 0); swipe(300, 0); swipe(300, 0);
      const { touchAction } = getComputedStyle(document.getElementById("board"));
      document.title = `${seen.join(" ")} ${touchAction}`;
    """
    assert title_of(browse(write_page(tmp_path, script))) == (
        "1 2 3 2 2 2 2 2 2 1 0 0 pan-y pinch-zoom"
    )


# A wide window on a touch screen, and that of a phone.
COARSE = "--blink-settings=primaryPointerType=2,availablePointerTypes=2"


@pytest.mark.parametrize(("width", "options"), [(1280, [COARSE]), (400, [])])
def test_every_control_is_large_enough_for_a_finger(
    tmp_path: Path, width: int, options: list[str]
) -> None:
    script = """
      const controls = document.querySelectorAll("a, button, select, input, #curve > svg");
      const small = [...controls].filter((control) => {
        const box = (control.closest("label:has([type=checkbox])") || control)
          .getBoundingClientRect();
        return !control.matches(".skip") && (box.width < 44 || box.height < 44);
      });
      document.title = controls.length + " " + small.map((control) => control.outerHTML).join("; ");
    """
    dom = browse(write_page(tmp_path, script), "#game=1&move=1", width, *options)
    count, _, small = title_of(dom).partition(" ")
    assert int(count) > 50
    assert small == ""


@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_jumps_while_games_are_looked_through(tmp_path: Path, width: int) -> None:
    """The board and the controls do not move when names and reports change."""
    script = """
      const key = (name) => document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true }));
      const places = () => ["board", "controls", "options", "moves"].map((id) =>
        Math.round(document.getElementById(id).getBoundingClientRect().top + scrollY)).join(" ");
      const seen = new Set();
      let looks = 0;
      for (let game = 1; game <= 9; game += 1) {
        for (let move = 0; move <= 10; move += 1) {
          seen.add(places());
          looks += 1;
          key("ArrowRight");
        }
        key("n");
      }
      document.title = `${location.hash} ${looks} ${[...seen].join(", ")}`;
    """
    dom = browse(write_page(tmp_path, script), "", width)
    address, looks, places = title_of(dom).split(" ", 2)
    assert (address, looks) == ("#game=9&move=9", "99")
    assert "," not in places


def test_filters_list_what_they_say(tmp_path: Path) -> None:
    script = """
      const set = (place, value) => {
        const control = document.querySelectorAll("#filters select")[place];
        control.value = [...control.options].find((option) => option.text === value).value;
        control.dispatchEvent(new Event("change"));
        return document.getElementById("count").textContent;
      };
      const seen = [set(3, "five"), set(0, "A <b>bold</b>"), set(2, "program won"),
        set(1, "C & co")];
      document.querySelector("#filters button").click();
      document.title = seen.join("; ");
    """
    dom = browse(write_page(tmp_path, script))
    assert title_of(dom) == "6 of 9 games; 5 of 9 games; 3 of 9 games; 0 of 9 games"
    assert dom.by_id("count") == "9 of 9 games"


def test_thousands_of_games_are_not_thousands_of_rows(tmp_path: Path) -> None:
    games = [game(i, "AB"[i % 2], "BA"[i % 2], "black") for i in range(2000)]
    write_run(tmp_path, header("A", "B"), games)
    path = tmp_path / "report.html"
    path.write_text(make_page(report_data(load_run(tmp_path))), encoding="utf-8")
    dom = browse(path, "#game=1500&move=2", width=400)
    rows = [text for _, text in dom.of_class("row")]
    assert 5 < len(rows) < 60
    assert any(row.startswith("1500") for row in rows)
    assert len(dom.stones()) == 2


# -- files

# Blanks of several kinds, signs that sgf escapes, and a name that looks like a move.
NAMES_TO_WRITE = ("A \x85 b\\c]d:e\u3000 \u200bf", "8,8 , 0")


def played_games() -> list[Game]:
    """Games of every ending, with reports of every kind and times that are hard to round."""
    times = [0.0005, 0.0015, 0.0025, 0.01246, 0.0285, 0.0995, 0.099951, 0.1005, 2.5005, 12.345678]
    reports = [
        None,
        Report(value=35, depth_plies=4, nodes=120),
        Report(value=-7),
        Report(value=0, depth_plies=0, nodes=0),
        Report(mate_plies=5, depth_plies=9),
        Report(mate_plies=-4),
        Report(depth_plies=3),
        Report(nodes=77),
        Report(),
        Report(value=100000),
    ]
    games = []
    for index, termination in enumerate(Termination):
        moves = [
            Move(x, y, WHITE if i % 2 else BLACK, *((times[i], reports[i]) if i else (0.0, None)))
            for i, (x, y) in enumerate(WHITE_WINS)
        ]
        black, white = NAMES_TO_WRITE if index % 2 else NAMES_TO_WRITE[::-1]
        winner = (0, BLACK, WHITE)[index % 3]
        if termination in (Termination.FULL, Termination.INTERRUPTED):
            winner = 0
        setting = Setting(15 + index % 2, 15, (0, 4, 9, 1)[index % 4])
        job = Job(index, index // 2, black, white, opening=((0, 0),))
        games.append(Game(job, setting, winner, termination, "why", tuple(moves)))
    return games


def test_downloads_are_the_files_that_a_match_writes(tmp_path: Path) -> None:
    script = """
      const files = [];
      const blobs = [];
      URL.createObjectURL = (blob) => {
        blobs.push(blob);
        return "data:,";
      };
      HTMLAnchorElement.prototype.click = function () { files.push([this.download]); };
      const key = (name) => document.body.dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true }));
      for (let game = 1; game <= COUNT; game += 1) {
        for (const button of document.querySelectorAll("[data-file]")) button.click();
        key("n");
      }
      Promise.all(blobs.map((blob) => blob.text())).then((texts) => {
        texts.forEach((text, i) => files[i].push(text));
        const place = document.createElement("pre");
        place.id = "files";
        place.textContent = JSON.stringify(files);
        document.body.append(place);
      });
    """
    games = played_games()
    controls = {NAMES_TO_WRITE[0]: TimeControl(turn_s=0.7), NAMES_TO_WRITE[1]: TimeControl()}
    programs = [
        as_record(Program(name, ("program",), control=control))
        for name, control in controls.items()
    ]
    lines = {
        "games.jsonl": [{"programs": programs}, *map(game_record, games)],
        "timing.jsonl": [*map(timing_record, games)],
    }
    for name, records in lines.items():
        text = "".join(json.dumps(record) + "\n" for record in records)
        (tmp_path / name).write_text(text, encoding="ascii")
    dom = browse(with_script(tmp_path, script.replace("COUNT", str(len(games)))))
    written = dict(json.loads(dom.by_id("files")))
    expected = {}
    for number, each in enumerate(games, start=1):
        expected[f"game-{number}.psq"] = to_psq(each, controls)
        expected[f"game-{number}.sgf"] = to_sgf(each)
    assert written == expected
