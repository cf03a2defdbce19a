// The page of one game that was gone through: shows the move that the address names, `#move=12`.

import { pointName } from "./board.js";
import { byId, html, table } from "./dom.js";
import { listenToKeys } from "./input.js";
import { DATA, stonesOf, unpack } from "./run.js";
import { Viewer } from "./viewer.js";

const state = { game: DATA.games[0], move: 0 };
let viewer = null;

function go(move, isWritten = true) {
  state.move = Math.min(stonesOf(state.game), Math.max(0, move));
  viewer.show(state.game, state.move);
  if (isWritten) history.replaceState(null, "", `#move=${state.move}`);
}

function goByAddress() {
  const move = Number(new URLSearchParams(location.hash.slice(1)).get("move"));
  go(Number.isInteger(move) ? move : 0, false);
}

function showFindings() {
  byId("title").textContent = DATA.title;
  byId("lead").textContent = DATA.lead;
  byId("sentences").append(...DATA.sentences.map((text) =>
    html("p", { class: "statement" }, text)));
  const { moves, height } = unpack(state.game);
  const rows = moves.flatMap(({ cell, isBlack, remark }, i) => (remark ? [[
    html("a", { href: `#move=${i + 1}` }, `${i + 1}`), isBlack ? "Black" : "White",
    pointName(cell, height), remark.mark, remark.text,
    remark.better.map((other) => pointName(other, height)).join(" "),
  ]] : []));
  byId("remarks").append(rows.length
    ? table({ class: "marked-moves" }, ["Move", "Side", "Point", "", "", "Better line"], rows)
    : html("p", { class: "note" }, "No move is marked."));
}

const KEYS = {
  ArrowLeft: () => go(state.move - 1),
  ArrowRight: () => go(state.move + 1),
  Home: () => go(0),
  End: () => go(Infinity),
};

function start() {
  showFindings();
  viewer = new Viewer((move) => go(move));
  addEventListener("hashchange", goByAddress);
  listenToKeys(KEYS);
  goByAddress();
}

start();
