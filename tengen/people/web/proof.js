// Steps through the proof of a forced win: the attacker's moves are given, and people choose the
// defences. A node of the proof is [the attacker's move, [[defence, node], ...], node for all other
// defences or -1].

import { pointName } from "./board.js";
import { byId, html } from "./dom.js";
import { sideName, t } from "./texts.js";

const SHOWN = 12; // defences that get a button

const same = ([x1, y1], [x2, y2]) => x1 === x2 && y1 === y2;

export function makeProof(redraw) {
  let proof = null;
  let base = null; // the game's moves where the proof begins
  let path = []; // of [node, the defence that led to it, or null]
  let height = 15;

  const node = () => proof.nodes[path[path.length - 1][0]];

  // The moves of the proof that are on the board.
  const played = () => path.flatMap(([number, defence]) => [
    ...(defence === null ? [] : [defence]), proof.nodes[number][0]]);

  function defend(cell) {
    const [, replies, otherwise] = node();
    const taken = [...base, ...played()].some((other) => same(other, cell));
    const reply = replies.find(([other]) => same(other, cell));
    const next = reply ? reply[1] : otherwise;
    if (taken || next === -1) return;
    path.push([next, cell]);
    show();
  }

  function show() {
    const [move, replies, otherwise] = node();
    const attacker = sideName(proof.side);
    const defender = sideName(proof.side === "black" ? "white" : "black");
    const isOver = !replies.length && otherwise === -1;
    const hadFocus = byId("proof").contains(document.activeElement);
    byId("proof-text").textContent = t(isOver ? "proof.won" : "proof.choose",
      { attacker, defender, point: pointName(move, height) });
    byId("defences").replaceChildren(...replies.slice(0, SHOWN).map(([cell]) => html("li", {},
      html("button", { type: "button", onclick: () => defend(cell) }, pointName(cell, height)))));
    byId("proof-back").disabled = path.length === 1;
    // The button that was pressed is gone, or can no longer be pressed.
    if (hadFocus) (byId("defences").querySelector("button") || byId("proof-leave")).focus();
    redraw();
  }

  function leave() {
    proof = null;
    byId("proof").hidden = true;
    redraw();
  }

  byId("proof-back").addEventListener("click", () => {
    path.pop();
    show();
  });
  byId("proof-leave").addEventListener("click", leave);

  return {
    begin: (message, game) => {
      if (!message.nodes.length || JSON.stringify(message.after) !== JSON.stringify(game.cells)) return;
      proof = message;
      base = [...game.setup.map(([x, y]) => [x, y]), ...game.cells];
      height = game.height;
      path = [[0, null]];
      byId("proof").hidden = false;
      show();
    },
    // The position to show instead of the game; null if no proof is stepped through.
    shown: (game) => {
      if (proof === null) return null;
      if (JSON.stringify(proof.after) !== JSON.stringify(game.cells)) {
        proof = null;
        byId("proof").hidden = true;
        return null;
      }
      const cells = [...game.cells, ...played()];
      return { width: game.width, height, setup: game.setup, first: game.first, cells,
        move: cells.length, isApart: true, label: byId("proof-text").textContent };
    },
    // True if the click was an answer in the proof.
    click: (cell) => {
      if (proof === null) return false;
      defend(cell);
      return true;
    },
  };
}
