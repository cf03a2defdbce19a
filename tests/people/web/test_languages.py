"""The page in a browser in each of its languages."""

from __future__ import annotations

from typing import Any

import pytest

from tengen.people.web.server import LANGUAGES
from tests.people.web.browsing import Browser, click, expect, needs_chromium, opened
from tests.people.web.running import Running
from tests.people.web.test_texts import TEXTS

pytestmark = needs_chromium

# Shows all there is at once, and then the form of a position, which hides the rest; returns the
# buttons whose text is wider than they are, and those that a phone of 390 pixels cuts off. Without
# a font for them East Asian letters are narrower than people see them: each gets the width that it
# has in all such fonts.
WIDE = r"""() => {
  const isWide = (button) => {
    if (!button.getClientRects().length) return false;
    button.replaceChildren(...button.textContent.split(/([\u3000-\u9fff\uac00-\ud7af\uff00-\uffef])/)
      .map((part, i) => {
        const box = document.createElement("span");
        box.textContent = i % 2 ? "" : part;
        if (i % 2) Object.assign(box.style, { display: "inline-block", width: "1em" });
        return box;
      }));
    const text = document.createRange();
    text.selectNodeContents(button);
    const { left, right } = button.getBoundingClientRect();
    const { paddingLeft, paddingRight } = getComputedStyle(button);
    const room = button.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return text.getBoundingClientRect().width > room + 0.5 || left < 0 || right > 390;
  };
  const setup = document.getElementById("setup");
  for (const each of document.querySelectorAll("[hidden]")) each.hidden = each === setup;
  document.getElementById("buttons").classList.add("all");
  document.getElementById("view").showPopover();
  const found = [...document.querySelectorAll("button")].filter(isWide);
  const scrolls = document.documentElement.scrollWidth > 390;
  setup.hidden = false;
  found.push(...[...setup.querySelectorAll("button")].filter(isWide));
  return [scrolls, ...found.map((button) => button.textContent)];
}"""


@pytest.mark.parametrize(
    ("locale", "language"), [("ja-JP", "ja"), ("zh-TW", "zh"), ("fr-FR", "en"), ("ru", "ru")]
)
def test_the_browser_chooses_the_language(browser: Browser, locale: str, language: str) -> None:
    with Running() as running, opened(browser, running, locale=locale) as page:
        assert page.get_attribute("html", "lang") == TEXTS[language]["language.tag"]
        expect(page.locator("#undo")).to_have_text(TEXTS[language]["do.undo"])


def test_every_language_fits_on_a_phone(browser: Browser) -> None:
    look: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
    with Running(seats=("you", "you")) as running, opened(browser, running, **look) as page:
        click(page, 7, 7)
        for language in LANGUAGES:
            page.click("#view-open")
            with page.expect_navigation():
                page.select_option("#language", language)
            expect(page.locator("#more")).to_have_attribute(
                "aria-label", TEXTS[language]["do.more"]
            )
            expect(page.locator("#board .stone")).to_have_count(1)
            assert page.evaluate(WIDE) == [False], language
            page.reload()  # what was chosen is remembered
            expect(page.locator("#undo")).to_have_text(TEXTS[language]["do.undo"])
