// How a game begins: the level, the form of a new game and of others who play on in this one, the
// same game again with colours exchanged; a position that is set up, where a click puts down or takes
// away a stone, or whose stones are moved.

import { colourOf } from "./board.js";
import { byId, html } from "./dom.js";
import { rememberInput } from "./settings.js";
import { t, told } from "./texts.js";

const COLOURS = ["black", "white"];
const LEVELS = 10;

export function makeForm(form, send) {
  const { elements } = form;
  let game = null;
  const number = (name) => Number(elements[name].value);
  const seat = (colour) => elements[colour].value || `cmd=${elements[`${colour}_command`].value}`;
  const strength = () => ({ level: number("level"), time_s: number("time_s"), ponders: elements.ponders.checked });

  byId("levels").append(...Array.from({ length: LEVELS }, (_, i) => html("label", {},
    html("input", { type: "radio", name: "level", value: i + 1, checked: i === 4 }), i + 1)));

  // What is set, in one line.
  function tellSet() {
    const minutes = number("clock_min");
    const word = (select) => select.selectedOptions[0]?.textContent;
    byId("options-set").textContent = [`${elements.width.value}\u00d7${elements.height.value}`, word(elements.rule),
      COLOURS.map((colour) => word(elements[colour])).join("\u00a0\u2013 "), ...(minutes ? [t("new.clock", { minutes })] : [])].join("\u00a0\u00b7 ");
    for (const colour of COLOURS) byId(`${colour}-command`).hidden = elements[colour].value !== "";
  }

  function begin(game) {
    send({ do: "new", ...game, ...strength() });
    byId("board").focus({ preventScroll: true });
  }

  form.addEventListener("input", tellSet);
  form.addEventListener("change", ({ target }) => {
    // These count at once, for a Tengen that plays here.
    if (["level", "ponders"].includes(target.name) && game !== null && game.level !== null && game.turn !== "over") {
      send({ do: "sit", ...game.players, ...strength() });
    }
  });
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!form.checkValidity()) byId("options").open = true; // so that the browser can point at it
    if (!form.reportValidity()) return;
    begin({ black: seat("black"), white: seat("white"), clock_s: number("clock_min") * 60 || null,
      handicap: number("handicap"), rule: number("rule"), width: number("width"), height: number("height"),
      opening: elements.opening.value || null });
  });
  byId("sit").addEventListener("click", () => {
    if (form.reportValidity()) send({ do: "sit", black: seat("black"), white: seat("white"), ...strength() });
  });

  return {
    fill: (players, rules) => {
      if (elements.black.options.length) return;
      for (const [name, first] of [["black", "you"], ["white", "tengen"]]) {
        const option = (value, text) => html("option", { value, selected: value === first }, text);
        elements[name].append(...players.map((player) => option(player, player === "you" ? t("You")
          : player[0].toUpperCase() + player.slice(1))), option("", t("new.command")));
      }
      elements.rule.append(...rules.map(([value, title]) => html("option", { value }, told(title))));
      for (const input of elements) if (input.name) rememberInput(input);
      tellSet();
    },
    // The level of the game on the board is the one that is chosen.
    show: (state) => {
      game = state;
      if (game.level !== null) elements.level.value = String(game.level);
    },
    // The same game with colours exchanged; where sides were chosen in the opening, the other player begins it.
    again: ({ players: { black, white }, opener, width, height, rule, clock_s, begins: opening, handicap }) => begin({
      ...(opener === "white" ? { black, white } : { black: white, white: black }), clock_s, rule, width, height, opening,
      handicap }),
  };
}

const STEPS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

// Begins a game in which all stones are turned, mirrored or shifted; false if they have no room.
export function moveStones({ width, height, rule, cells, ahead, setup, first }, kind, send) {
  const [dx, dy] = STEPS[kind] || [0, 0];
  const moved = ([x, y]) => (kind === "turn" ? [height - 1 - y, x] : kind === "mirror" ? [width - 1 - x, y]
    : [x + dx, y + dy]);
  const [wide, high] = kind === "turn" ? [height, width] : [width, height];
  const line = [...cells, ...ahead].map(moved);
  const stones = setup.map(([x, y, colour]) => [...moved([x, y]), colour]);
  const isInside = ([x, y]) => x >= 0 && x < wide && y >= 0 && y < high;
  if (![...line, ...stones].every(isInside)) return false;
  const of = (colour) => stones.filter(([, , own]) => own === colour).map(([x, y]) => [x, y]);
  send({ do: "setup", width: wide, height: high, rule, black: of("black"), white: of("white"), first });
  for (const shown of [line, line.slice(0, cells.length)]) send({ do: "show", cells: shown });
  return true;
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
      const moved = cells.map(([x, y], i) => [x, y, colourOf(i, { first })]);
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
