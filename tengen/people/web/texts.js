// What the page says, in the language of the browser, or the one that was chosen: texts/ has a file
// for each. The server says everything in English; its sentences are keys of the files themselves.

import { byId, html } from "./dom.js";
import { saveSetting, setting } from "./settings.js";

const LANGUAGES = {
  en: "English", ja: "日本語", ko: "한국어", ru: "Русский", vi: "Tiếng Việt", zh: "简体中文",
  hant: "繁體中文",
};

// Chinese is written in two ways: by the name of its script, or where it is spoken.
const nameOf = (tag) => (/^zh-(hant|tw|hk|mo)/i.test(tag) ? "hant" : String(tag).split("-")[0]);
const wanted = [setting("language"), ...navigator.languages].map(nameOf);
const language = wanted.find((name) => LANGUAGES[name]) || "en";
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
// A large number in few characters, such as 1.4M.
export const short = (count, digits = 3) => count.toLocaleString("en", { notation: "compact", maximumSignificantDigits: digits });

// Fills in the texts of page.html, and lets people choose another language.
export function fillTexts() {
  document.documentElement.lang = t("language.tag");
  for (const each of document.querySelectorAll("[data-text]")) each.textContent = t(each.dataset.text);
  for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", t(each.dataset.label));
  for (const each of document.querySelectorAll("[data-hint]")) each.placeholder = t(each.dataset.hint);
  // A group of keys and their names in it, each with the value that it stands for unless that is the same.
  for (const each of document.querySelectorAll("[data-options]")) {
    const [group, ...names] = each.dataset.options.split(" ");
    each.append(...names.map((name) => name.split("=")).map(([key, value = key]) => html("option", { value }, t(`${group}.${key}`))));
  }
  const select = byId("language");
  select.append(...Object.entries(LANGUAGES).map(([tag, name]) => html("option", { value: tag, lang: tag === "hant" ? "zh-Hant" : tag }, name)));
  select.value = language;
  select.addEventListener("change", () => {
    saveSetting("language", select.value);
    location.reload();
  });
}
