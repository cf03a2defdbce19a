// Steps through forced wins: the attacker's moves are given, and people choose the defences. A node of
// the proof is [the attacker's move, [[defence, node], ...], node for all other defences or -1]. A
// choice comes before it where the question was what stops a win: `moves` do, `unknown` were not
// decided, `refuted` and all others do not, and the server then tells the win against one of them.

import { pointName } from "./board.js";
import { byId, html } from "./dom.js";
import { isSamePosition, same } from "./moves.js";
import { keepFocus } from "./settings.js";
import { sideName, t, told } from "./texts.js";

const SHOWN = 12; // defences of a kind that get a button
const SIGNS = { stops: "\u25cf", open: "?", fails: "\u25cb" };

export function makeProof(send, redraw) {
  let game = null; // as it was when the answer came
  let choice = null;
  let proof = null;
  let path = []; // of [node, the defence that led to it, or null]
  let picked = null; // of the choice, a move that was clicked

  const asked = () => proof ?? choice; // what is on the board
  const node = () => proof.nodes[path.at(-1)[0]];

  // The moves of the proof that are on the board.
  const played = () => path.flatMap(([number, defence]) => [
    ...(defence === null ? [] : [defence]), proof.nodes[number][0]]);

  // What is known of the next move of the defender, as [cell, kind].
  const answers = () => (proof !== null ? node()[1].map(([cell]) => [cell, "fails"])
    : [["moves", "stops"], ["unknown", "open"], ["refuted", "fails"]].flatMap(
      ([name, kind]) => choice[name].map((cell) => [cell, kind])));
  const kindOf = (cell) => answers().find(([other]) => same(other, cell))?.[1] ?? "fails";
  const saying = (cell, kind) => t(`defend.${kind}`, { point: pointName(cell, game.height) });

  function defend(cell) {
    const all = [...game.setup.map(([x, y]) => [x, y]), ...game.cells, ...(proof === null ? [] : played())];
    if (all.some((other) => same(other, cell))) return;
    if (proof === null) {
      choose(cell);
      return;
    }
    const [, replies, otherwise] = node();
    const reply = replies.find(([other]) => same(other, cell));
    const next = reply ? reply[1] : otherwise;
    if (next === -1) return;
    path.push([next, cell]);
    show();
  }

  // A move that helps is played when it is chosen twice; another one is refuted.
  function choose(cell) {
    if (game.to_move === "black" && game.fouls.some(([x, y]) => same([x, y], cell))) return;
    const kind = kindOf(cell);
    if (kind === "fails") send({ do: "refute", cells: choice.after, x: cell[0], y: cell[1] });
    else if (same(picked, cell)) send({ do: "play", x: cell[0], y: cell[1] });
    picked = cell;
    byId("proof-text").textContent = saying(cell, kind);
    redraw();
  }

  // The first buttons of each kind.
  function buttons() {
    const shown = Object.keys(SIGNS).flatMap((sign) => answers().filter(([, kind]) => kind === sign).slice(0, SHOWN));
    return shown.map(([cell, kind]) => html("li", {}, html("button", { type: "button",
      "aria-label": choice === null ? null : saying(cell, kind), onclick: () => keepFocus(() => defend(cell)) },
    choice === null ? "" : html("span", { "aria-hidden": "true" }, `${SIGNS[kind]} `), pointName(cell, game.height))));
  }

  function show() {
    const attacker = sideName(asked().side);
    const defender = sideName(asked().side === "black" ? "white" : "black");
    if (proof === null) {
      byId("proof-text").textContent = t("defend.choose", { defender });
    } else {
      const [move, replies, otherwise] = node();
      byId("proof-text").textContent = t(!replies.length && otherwise === -1 ? "proof.won" : "proof.choose",
        { attacker, defender, point: pointName(move, game.height) });
    }
    byId("proof").hidden = false;
    byId("proof-about").textContent = told(asked().text);
    byId("defences").replaceChildren(...buttons());
    byId("proof-back").disabled = proof === null || (path.length === 1 && choice === null);
    redraw();
  }

  function forget() {
    choice = proof = picked = null;
    byId("proof").hidden = true;
  }

  byId("proof-back").addEventListener("click", () => keepFocus(() => {
    path.pop();
    if (!path.length) proof = null;
    show();
  }));
  byId("proof-leave").addEventListener("click", () => keepFocus(() => {
    forget();
    redraw();
  }));

  return {
    // A win, or what stops one. False if there is nothing of it to show.
    hear: (message, state) => {
      if (!same(message.after, state.cells) || !(message.moves || message.nodes?.length)) return false;
      game = state;
      picked = null;
      if (!message.first) choice = message.moves ? message : null;
      proof = message.moves ? null : message;
      path = [[0, message.first ?? null]];
      show();
      return true;
    },
    // The position to show instead of the game; null if no win is looked at.
    shown: (state) => {
      if (asked() === null) return null;
      if (!isSamePosition(game, state)) {
        forget();
        return null;
      }
      const cells = [...state.cells, ...(proof === null ? [] : played())];
      return { width: state.width, height: state.height, setup: state.setup, first: state.first, cells,
        move: cells.length, isApart: true, label: byId("proof-text").textContent,
        better: proof === null && picked !== null ? [picked] : [],
        answers: answers().map(([cell, kind]) => [cell, kind, choice === null ? "" : saying(cell, kind)]) };
    },
    isOn: () => asked() !== null,
    // What is known of a point, for the cursor; "" for nothing.
    says: (cell) => (asked() === null || choice === null ? "" : saying(cell, kindOf(cell))),
    // True if the click was an answer in the proof.
    click: (cell) => {
      if (asked() === null) return false;
      defend(cell);
      return true;
    },
  };
}
