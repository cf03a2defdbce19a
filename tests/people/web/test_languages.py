"""The page in a browser in each of its languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tengen.people.session.engine_player import names
from tengen.people.web.server import LANGUAGES
from tests.people.web.browsing import (
    CROSS,
    Browser,
    analyse,
    click,
    do,
    expect,
    needs_chromium,
    opened,
    paste,
    play_all,
)
from tests.people.web.running import Running
from tests.people.web.test_lines import BLUNDERED
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
  document.getElementById("options").open = true;
  document.getElementById("view").showPopover();
  const found = [...document.querySelectorAll("button")].filter(isWide);
  const scrolls = document.documentElement.scrollWidth > 390;
  setup.hidden = false;
  found.push(...[...setup.querySelectorAll("button")].filter(isWide));
  return [scrolls, ...found.map((button) => button.textContent)];
}"""


# Everything that is said about a game, also where one has to point at it or listen.
SAID = r"""() => [
  ...[...document.querySelectorAll("#status, #note, #findings, #rule, #legend, #proof, #players,"
    + "#best .at, #chance, #lesson-text, #rule-text, #options-set, #chart, #tree, #kept li,"
    + "#new option, #new span, title")]
    .map((each) => each.textContent),
  ...[...document.querySelectorAll("#best li, #tree button")].map((each) => each.title),
  document.querySelector("#board svg").getAttribute("aria-label"),
].join("\n")"""
# Names of programs, formats and units, which are the same in Chinese.
SAME = {"tengen", "swap", "sgf", "caro"}


@pytest.mark.parametrize(
    ("locale", "language"),
    [("ja-JP", "ja"), ("zh-TW", "hant"), ("zh-CN", "zh"), ("fr-FR", "en"), ("ru", "ru")],
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


def test_what_the_server_says_is_translated(browser: Browser) -> None:
    """A game in Chinese, in which no English word is left."""
    with (
        Running(rule=4, seats=("you", "you")) as running,
        opened(browser, running, locale="zh-CN") as page,
    ):
        known = SAME.union(*(re.findall("[a-z]{3,}", name) for name in names()))

        def check(selector: str, text: str) -> None:
            expect(page.locator(selector)).to_contain_text(text)
            words = {word.lower() for word in re.findall("[A-Za-z]{3,}", page.evaluate(SAID))}
            assert words <= known

        play_all(page, CROSS)
        check("#status", "轮到黑方")
        check("#board .forbidden title", "三三禁手")
        click(page, 7, 7)
        check("#note", "h8 是黑方禁手点：三三禁手")
        do(page, "hint")
        check("#note", "提示：")
        page.click("#tab-analyse")
        page.click("#engine-open")
        page.check("#threats")
        page.check("#cell_values")
        check("#legend", "静态评估值")
        page.keyboard.press("Escape")
        analyse(page, 3)
        expect(page.locator("#board .candidate")).to_have_count(3)
        check("#chance", "黑方")
        do(page, "resign")
        check("#status", "黑方认输")
        page.click("#tab-files")
        page.fill("#paste textarea", "h8h8")
        page.click("#paste button")
        check("#note", "文本：第 2 手：'h8' 已有第 1 手")
        paste(page, "h8a1i8a3j8a5", 6)
        page.click("#tab-analyse")
        page.click("#solve")
        check("#proof-text", "请在这里或棋盘上选择白方的应手")
        check("#proof-about", "证明已由裁判程序验证")
        page.click("#proof-leave")
        paste(page, BLUNDERED, 9)
        page.click("#tab-learn")
        page.click("#review")
        check("#findings", "准确率：黑方")
        page.locator("#findings .found").last.click()
        check("#status", "损失")
        page.click("#lesson-begin")
        check("#lesson-text", "更好的一手")
        first = int(page.locator("#findings .found .n").first.text_content() or 0)
        expect(page.locator("#number")).to_have_text(f"{first - 1} / 9")
        click(page, 0, 0)
        check("#lesson-text", "方 a15：损失")
        page.click("#tab-files")
        check("#kept", "9 手，黑胜")
