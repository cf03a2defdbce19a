"""Makes the picture of the board for the documentation.

python -m tests.web.picture      # writes docs/board.png
"""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.web.running import Running

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "board.png"
MOVES = ("h8", "i9", "g9", "i7", "i8", "g8", "h10")
SEARCHED_MS = 3000


def main() -> None:
    """Plays some moves, asks for the best ones, and takes the picture."""
    with Running(rule=4, seats=("you", "you")) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1200, "height": 960})
        page.goto(running.server.address)
        page.wait_for_selector("#board svg")
        for number, name in enumerate(MOVES, start=1):
            cell = ord(name[0]) - ord("a"), 15 - int(name[1:])
            running.play(cell)
            page.wait_for_function(
                "n => document.querySelectorAll('#board .stone').length === n", arg=number
            )
        page.check("#numbers")
        page.select_option("#lines", "3")
        page.wait_for_timeout(SEARCHED_MS)
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
