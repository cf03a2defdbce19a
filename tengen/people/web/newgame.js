// The form of a new game, and of others who play on in this one.

import { byId, html } from "./dom.js";
import { rememberInput } from "./settings.js";
import { t, told } from "./texts.js";

const COLOURS = ["black", "white"];

export function fillForm(form, players, rules) {
  if (form.elements.black.options.length) return;
  for (const [name, first] of [["black", "you"], ["white", "tengen"]]) {
    const option = (value, text) => html("option", { value, selected: value === first }, text);
    form.elements[name].append(...players.map((player) => option(player, player === "you" ? t("You") : player)),
      option("", t("new.command")));
  }
  form.elements.rule.append(...rules.map(([value, title]) => html("option", { value }, told(title))));
  for (const input of form.elements) if (input.name) rememberInput(input);
  form.dispatchEvent(new Event("change"));
}

export function listenToForm(form, send) {
  const { elements } = form;
  const showCommands = () => {
    for (const colour of COLOURS) byId(`${colour}-command`).hidden = elements[colour].value !== "";
  };
  const seat = (colour) => elements[colour].value || `cmd=${elements[`${colour}_command`].value}`;
  const players = () => ({ black: seat("black"), white: seat("white"),
    level: Number(elements.level.value), time_s: Number(elements.time_s.value) });
  form.addEventListener("change", showCommands);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const number = (name) => Number(elements[name].value);
    send({ do: "new", ...players(), clock_s: number("clock_min") * 60 || null, handicap: number("handicap"),
      rule: number("rule"), width: number("width"), height: number("height"),
      opening: elements.opening.value || null });
    byId("board").focus({ preventScroll: false });
  });
  byId("sit").addEventListener("click", () => {
    if (form.reportValidity()) send({ do: "sit", ...players() });
  });
}
