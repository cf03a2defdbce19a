"""The page in a real browser: what stands on it, and that it steps through games."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tengen.record.run_folder import load_run
from tengen.report.data import report_data
from tengen.report.page import make_page
from tests.report.report_sample import BLACK_WINS, WHITE_WINS, eight_games, game, header, write_run

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


def browse(page: Path, fragment: str = "", width: int = 1280) -> Dom:
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
    games = eight_games(*NAMES)
    values = [{"value": 10 * (-1) ** i, "depth_plies": i, "nodes": 1000} for i in range(10)]
    games[1]["reports"] = [None, *values[1:]]
    games.append(game(8, NAMES[0], NAMES[1], "black", moves=BLACK_WINS))
    write_run(folder, header(*NAMES), games, {4: "ended with <i>status</i> 3"})
    page = make_page(report_data(load_run(folder)))
    path = folder / "report.html"
    path.write_text(page.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("report"))


def point(cell: list[int]) -> str:
    return f"{chr(ord('A') + cell[0])}{cell[1] + 1}"


def test_the_first_game_at_its_end(page: Path) -> None:
    dom = browse(page)
    assert dom.stones() == [
        (i + 1, "white" if i % 2 else "black", point(cell)) for i, cell in enumerate(BLACK_WINS)
    ]
    assert len(dom.of_class("won")) == 5 and len(dom.of_class("won-line")) == 1
    assert "Game 1" in dom.by_id("players") and "five · 9 stones" in dom.by_id("players")
    assert [own["data-move"] for own, _ in dom.of_class("opening")] == ["1"]
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
        "Move 7 of 10 · Black G1 · value +10 · depth 6 · 1,000 nodes · 600\xa0ms"
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
        document.title = seen.join(" ") + " " + location.hash;
      });
    """
    dom = browse(write_page(tmp_path, script))
    title = next("".join(words) for tag, _, words in dom.elements if tag == "title")
    # Half of the curve of ten moves is the fifth; n shows the end of the next game.
    assert title == "5 6 4 0 8 3 5 10 #game=3&move=10"


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
    title = next("".join(words) for tag, _, words in dom.elements if tag == "title")
    assert title == "6 of 9 games; 5 of 9 games; 3 of 9 games; 0 of 9 games"
    assert dom.by_id("count") == "9 of 9 games"


def test_thousands_of_games_are_not_thousands_of_rows(tmp_path: Path) -> None:
    games = [game(i, *("AB" if i % 2 == 0 else "BA"), "black") for i in range(2000)]
    write_run(tmp_path, header("A", "B"), games)
    path = tmp_path / "report.html"
    path.write_text(make_page(report_data(load_run(tmp_path))), encoding="utf-8")
    dom = browse(path, "#game=1500&move=2", width=400)
    rows = [text for _, text in dom.of_class("row")]
    assert 5 < len(rows) < 60
    assert any(row.startswith("1500") for row in rows)
    assert len(dom.stones()) == 2
