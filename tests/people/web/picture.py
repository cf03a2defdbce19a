"""Makes the pictures of the board for the documentation.

python -m tests.people.web.picture      # writes docs/board.png and docs/review.png
"""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from tests.paths import ROOT
from tests.people.web.browsing import CHROMIUM, paste
from tests.people.web.running import Running

DOCS = ROOT / "docs"
MOVES = "h8i9g9i7i8g8h10"
# Both sides make mistakes.
GAME = "h8i9i8h7j8k8g8f8i7h6j6k5i6i5k6h9h10"
SEARCHED_MS = 3000


def main() -> None:
    """Asks for the best moves of a position, and for the review of a game."""
    with Running(rule=4, seats=("you", "you")) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 880})
        page.goto(running.server.http.address)
        page.wait_for_selector("#board svg")
        paste(page, MOVES, 7)
        page.click("#tab-analyse")
        page.check("#is-on")
        page.wait_for_timeout(SEARCHED_MS)
        page.screenshot(path=DOCS / "board.png")
        page.uncheck("#is-on")
        paste(page, GAME, 17)
        page.click("#tab-learn")
        page.click("#review")
        page.wait_for_selector("#findings > *", timeout=60_000)
        page.locator("#findings .found").first.click()
        page.wait_for_selector("#board .better")
        page.screenshot(path=DOCS / "review.png")
        browser.close()


if __name__ == "__main__":
    main()
