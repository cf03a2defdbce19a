"""Measures `tengen board` as its users meet it: a browser, and a server in a process of its own.

    python -m tests.people.web.figures --games 200

Printed are the time from a click to the stone on the board, the time of the engine's answer beyond
what it was given, how often the live analysis is shown anew and what that costs, and the memory of
server and page over many games.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

EDGE, CELL = 40, 32
# Counts stones; resolves with the times, in ms since the click, when they were there.
_WATCH = """(count) => new Promise((resolve) => {
  const board = document.getElementById("board");
  const times = [];
  let begin = null;
  const note = () => { begin = performance.now(); };
  board.addEventListener("click", note, { once: true, capture: true });
  const stones = board.querySelectorAll(".stone").length;
  const observer = new MutationObserver(() => {
    const now = board.querySelectorAll(".stone").length - stones;
    while (begin !== null && times.length < now) times.push(performance.now() - begin);
    if (times.length >= count) { observer.disconnect(); resolve(times); }
  });
  observer.observe(board, { childList: true, subtree: true });
})"""


@contextmanager
def served() -> Iterator[tuple[str, psutil.Process]]:
    """The address and the process of a server."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tengen", "board", "--no-browser", "--out", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield found[0], psutil.Process(process.pid)
            process.terminate()


def click(page: Page, x: int, y: int, stones: int) -> list[float]:
    """A click on a point; the ms until each of so many new stones was there."""
    page.evaluate(f"void (window.waiting = ({_WATCH})({stones}))")
    box = page.locator("#board svg").bounding_box()
    assert box is not None
    scale = box["width"] / (EDGE + 14 * CELL + 24)
    page.mouse.click(box["x"] + scale * (EDGE + CELL * x), box["y"] + scale * (EDGE + CELL * y))
    found: list[float] = page.evaluate("window.waiting")
    return found


def begin(page: Page, **form: str) -> None:
    """A new game with these fields of the form."""
    for name, value in form.items():
        field = page.locator(f"#new [name={name}]")
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.click("#new button[type=submit]")
    page.wait_for_timeout(200)


def said(what: str, values: list[float]) -> None:
    print(f"{what}: median {statistics.median(values):.1f}, longest {max(values):.1f}", flush=True)


def clicks(page: Page) -> None:
    begin(page, black="you", white="you")
    cells = [(x, y) for y in range(0, 15, 2) for x in range(0, 15, 3)]
    said("click to stone, ms", [click(page, x, y, 1)[0] for x, y in cells])
    begin(page, black="you", white="tengen", level="10", time_s="0.5")
    beyond = []
    for x, y in [(7, 7), (0, 0), (14, 0), (0, 14), (14, 14), (2, 0), (0, 2), (12, 0)]:
        if page.locator("#resign").is_disabled():
            break
        own, answer = click(page, x, y, 2)
        beyond.append(answer - own - 500)
    said("the engine's stone beyond its 500 ms, ms", beyond)


def analysis(page: Page, seconds: float) -> None:
    begin(page, black="you", white="you")
    click(page, 7, 7, 1)
    page.select_option("#lines", "3")
    page.wait_for_selector("#best button")
    page.evaluate("""() => {
      window.updates = 0;
      new MutationObserver(() => { window.updates += 1; }).observe(
        document.getElementById("depth"), { childList: true, characterData: true, subtree: true });
    }""")
    renderers = [
        process for process in psutil.process_iter() if "--type=renderer" in _words(process)
    ]
    before = sum(_cpu_s(process) for process in renderers)
    page.wait_for_timeout(seconds * 1000)
    used = sum(_cpu_s(process) for process in renderers) - before
    count = page.evaluate("window.updates")
    rate, share = count / seconds, 100 * used / seconds
    print(f"live analysis: {rate:.1f} updates a second, page {share:.1f} % of a core", flush=True)
    page.select_option("#lines", "0")


def memory(page: Page, session: CDPSession, server: psutil.Process, games: int) -> None:
    begin(page, width="7", height="7", time_s="0.02", level="1")
    for number in range(1, games + 1):
        begin(page, black="simple", white="tengen")
        page.wait_for_function(
            "() => /wins|draw/.test(document.getElementById('status').textContent)",
            timeout=60_000,
        )
        if number in (10, games // 2, games):
            session.send("HeapProfiler.collectGarbage")
            heap = page.evaluate("performance.memory.usedJSHeapSize")
            rss = server.memory_info().rss
            shown = f"server {rss / 2**20:.1f} MiB, page {heap / 2**20:.2f} MiB"
            print(f"after {number} games: {shown}", flush=True)


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    with served() as (address, server), sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1200, "height": 1400})
        began = time.perf_counter()
        page.goto(address)
        page.wait_for_selector("#board svg")
        print(f"page shown after {time.perf_counter() - began:.2f} s", flush=True)
        clicks(page)
        analysis(page, given.seconds)
        memory(page, page.context.new_cdp_session(page), server, given.games)
        browser.close()


if __name__ == "__main__":
    main()
