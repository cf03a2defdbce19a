// What the page says, in the language of the browser, or the one that was chosen: texts/ has a file
// for each. The server says everything in English; its sentences are keys of the files themselves.

import { byId, html } from "./dom.js";
import { saveSetting, setting } from "./settings.js";

const LANGUAGES = {
  en: "English", ja: "日本語", ko: "한국어", ru: "Русский", vi: "Tiếng Việt", zh: "中文",
};

const wanted = [setting("language"), ...navigator.languages].map((tag) => String(tag).slice(0, 2));
const language = wanted.find((tag) => LANGUAGES[tag]) || "en";
const texts = await (await fetch(`texts/${language}.json`)).json();

// The text of a key, with values in the {places} of their names.
export const t = (key, values = {}) =>
  (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => told(values[name]));

// What the server says: a sentence or word, a list of such, or one with values, {tr, values}.
export function told(said) {
  if (Array.isArray(said)) return said.map(told).join(t("list.comma"));
  return said instanceof Object ? t(said.tr, said.values) : texts[said] ?? String(said);
}

export const sideName = (colour) => t(colour === "black" ? "Black" : "White");
export const whole = (count) => count.toLocaleString(language);

// Fills in the texts of page.html, and lets people choose another language.
export function fillTexts() {
  document.documentElement.lang = t("language.tag");
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = t(each.dataset.text);
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", t(each.dataset.label));
  for (const each of document.querySelectorAll("[data-hint]")) each.placeholder = t(each.dataset.hint);
  const select = byId("language");
  select.append(...Object.entries(LANGUAGES).map(([tag, name]) => html("option", { value: tag, lang: tag }, name)));
  select.value = language;
  select.addEventListener("change", () => {
    saveSetting("language", select.value);
    location.reload();
  });
}
