// How a game begins: the form of a new one, and of others who play on in this one, and a position
// that is set up, where a click puts down or takes away a stone.

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

// -- a position that is set up

const tool = () => document.querySelector('#setup input[name="tool"]:checked').value;

export function makeSetup(send, redraw) {
  let board = null; // {width, height, rule} while a position is being set up
  let stones = new Map();
  let awaits = false; // the position is at the server, which may refuse it

  const key = ([x, y]) => `${x},${y}`;
  const list = (colour) => [...stones.values()].filter(([, , own]) => own === colour)
    .map(([x, y]) => [x, y]);

  function leave() {
    board = null;
    awaits = false;
    byId("setup").hidden = true;
    byId("board").focus({ preventScroll: true });
    redraw();
  }

  byId("setup-cancel").addEventListener("click", leave);
  byId("setup-empty").addEventListener("click", () => {
    stones = new Map();
    redraw();
  });
  byId("setup-done").addEventListener("click", () => {
    awaits = true;
    send({ do: "setup", ...board, black: list("black"), white: list("white"), first: byId("to-move").value });
  });

  return {
    // The server has answered: the position stays if it was refused.
    hearAnswer: (isRefused) => {
      if (awaits && !isRefused) leave();
      awaits = false;
    },
    // Begins with the stones of the game.
    begin: ({ width, height, rule, cells, setup, first, to_move: toMove }) => {
      board = { width, height, rule };
      const other = first === "black" ? "white" : "black";
      const moved = cells.map(([x, y], i) => [x, y, i % 2 ? other : first]);
      stones = new Map([...setup, ...moved].map((stone) => [key(stone), stone]));
      byId("to-move").value = toMove;
      byId("setup").hidden = false;
      document.querySelector('#setup input[name="tool"]:checked').focus({ preventScroll: true });
      for (const each of [byId("side"), document.scrollingElement]) each.scrollTop = 0;
      redraw();
    },
    isOn: () => board !== null,
    // The position to show instead of the game; null if none is being set up.
    shown: () => (board === null ? null : { ...board, setup: [...stones.values()], cells: [], move: 0,
      isApart: true, label: t("setup.label") }),
    // True if the click put down or took away a stone.
    click: (cell) => {
      if (board === null) return false;
      const colour = tool();
      const there = stones.get(key(cell));
      if (colour === "" || (there && there[2] === colour)) stones.delete(key(cell));
      else stones.set(key(cell), [...cell, colour]);
      redraw();
      return true;
    },
  };
}
