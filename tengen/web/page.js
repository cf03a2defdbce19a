// The page of the board in the browser: shows what the server tells, and sends what people wish.

import { cellAt, drawBoard, placeOf, pointName } from "./board.js";
import { makeCursor } from "./cursor.js";
import { byId, html, svg } from "./dom.js";

const WORDS = ["undo", "redo", "hint", "now", "go", "wait", "swap"];
const RULES = [[0, "freestyle"], [1, "standard"], [4, "renju"], [8, "caro"], [9, "caro, exactly five"]];
const AGAIN_MS = 1000; // before the next attempt to reach the server

let game = null; // the last state
let hint = null;
let analysis = null;
let pointed = null; // the number of the line of the analysis that is pointed at
let picture = null;
let socket = null;

const send = (wish) => {
  if (socket !== null && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(wish));
};

// -- what is shown

const isMine = () => game !== null && game.turn === "you" && game.thinks === "";

function statusText() {
  if (game.outcome) return game.outcome;
  if (game.is_hinting) return "Tengen looks for a hint ...";
  if (game.turn === "program" || game.thinks) return `${game.thinks || "The program"} thinks ...`;
  if (game.turn === "waiting") return "Paused. Go on lets the programs play.";
  if (game.opening) return game.opening;
  const both = game.seats.black === "You" && game.seats.white === "You";
  const colour = game.to_move === "black" ? "Black" : "White";
  return both ? `${colour} to move.` : `Your move: you are ${colour}.`;
}

function lastText() {
  const { cells, height } = game;
  if (!cells.length) return "The board is empty.";
  const colour = cells.length % 2 ? "Black" : "White";
  return `${colour} played ${pointName(cells[cells.length - 1], height)}.`;
}

function foulMark([x, y, reason]) {
  const [cx, cy] = placeOf([x, y]);
  const cross = (dx, dy) => svg("line", { class: "foul", x1: cx - dx, y1: cy - dy, x2: cx + dx, y2: cy + dy });
  return svg("g", { class: "forbidden", "data-point": pointName([x, y], game.height) },
    svg("title", {}, reason), svg("circle", { class: "foul-area", cx, cy, r: 14 }),
    cross(6, 6), cross(6, -6));
}

function candidate(cell, rank) {
  const [x, y] = placeOf(cell);
  return svg("g", { class: "candidate", "data-point": pointName(cell, game.height) },
    svg("circle", { cx: x, cy: y, r: 11 }), svg("text", { class: "number", x, y }, rank));
}

function drawGame(cursor) {
  const shown = analysis !== null && pointed !== null ? analysis.lines[pointed] : undefined;
  const { width, height, cells, line } = game;
  picture = drawBoard({
    width, height, cells, line, move: cells.length, opening: 0, numbered: byId("numbers").checked,
    better: shown === undefined ? [] : shown.cells,
    label: `${lastText()} ${game.outcome}`,
  });
  picture.append(...game.fouls.map(foulMark));
  if (analysis !== null && shown === undefined) {
    picture.append(...analysis.lines.map((each, i) => candidate(each.cells[0], i + 1)));
  }
  if (hint !== null) {
    const [cx, cy] = placeOf(hint.cell);
    picture.append(svg("circle", { class: "hinted", cx, cy, r: 13 }));
  }
  if (cursor) {
    const [x, y] = placeOf(cursor);
    picture.append(svg("rect", { class: "cursor", x: x - 15, y: y - 15, width: 30, height: 30, rx: 4 }));
  }
  byId("board").replaceChildren(picture);
  byId("board").classList.toggle("mine", isMine());
}

function showPlayers() {
  for (const colour of ["black", "white"]) {
    const row = byId(colour);
    row.querySelector(".name").textContent = game.seats[colour];
    row.classList.toggle("moves", game.turn !== "over" && game.to_move === colour);
  }
}

function showButtons() {
  const thinks = game.thinks !== "";
  const watches = game.seats.black !== "You" && game.seats.white !== "You";
  const able = {
    undo: game.can_undo, redo: game.can_redo, now: thinks, swap: game.can_swap,
    hint: game.turn === "you" && !thinks, go: game.turn === "waiting",
    wait: watches && game.turn === "program",
  };
  for (const word of WORDS) byId(word).disabled = !able[word];
  byId("go").hidden = !watches && game.turn !== "waiting";
  byId("wait").hidden = !watches;
}

// Shows a line of the analysis on the board, by its number; null: the best moves again.
function look(number) {
  pointed = number;
  drawGame(cursorCell());
}

// A line of the analysis: pointed at it is shown on the board, and a click plays its first move. It
// stays in the document while its texts change, so that a click that takes a moment is not lost.
function bestLine(i) {
  return html("li", {}, html("button", {
    type: "button", onclick: () => play(analysis.lines[i].cells[0]),
    onpointerenter: () => look(i), onpointerleave: () => look(null),
    onfocus: () => look(i), onblur: () => look(null),
  }, html("span", {}, `${i + 1}.`), html("span", { class: "score" }), html("span", { class: "moves" })));
}

function showAnalysis() {
  const { lines, chance } = analysis || { lines: [], chance: null };
  byId("bar").hidden = chance === null;
  if (chance !== null) {
    byId("share").style.width = `${chance * 100}%`;
    byId("chance").textContent = `Black ${(chance * 100).toFixed(0)} %`;
  }
  const list = byId("best");
  while (list.children.length > lines.length) list.lastChild.remove();
  while (list.children.length < lines.length) list.append(bestLine(list.children.length));
  lines.forEach((each, i) => {
    const button = list.children[i].firstChild;
    button.title = `${each.value}: ${each.text}`;
    button.querySelector(".score").textContent = each.score;
    button.querySelector(".moves").textContent = each.text;
  });
  byId("depth").textContent = analysis === null ? ""
    : `depth ${analysis.depth_plies}, ${analysis.nodes.toLocaleString("en-US")} nodes`;
  drawGame(cursorCell());
}

function note(text, isError = false) {
  byId("note").textContent = text;
  byId("note").classList.toggle("error", isError);
}

function showState() {
  byId("rule").textContent = `${game.width}x${game.height}, ${game.rule_title}: ${game.rule_text}.`;
  byId("status").textContent = game.cells.length && !game.outcome
    ? `${lastText()} ${statusText()}` : statusText();
  showPlayers();
  showButtons();
  drawGame(cursorCell());
}

function cursorText(cell) {
  const index = game.cells.findIndex(([x, y]) => x === cell[0] && y === cell[1]);
  const foul = game.fouls.find(([x, y]) => x === cell[0] && y === cell[1]);
  const what = index >= 0 ? (index % 2 ? "white stone" : "black stone") : foul ? foul[2] : "empty";
  return `${pointName(cell, game.height)}, ${what}`;
}

// -- what people do

const play = (cell) => {
  if (cell !== null && game !== null) send({ do: "play", x: cell[0], y: cell[1] });
};

const cursorCell = makeCursor(
  byId("board"), () => (game === null ? [15, 15] : [game.width, game.height]),
  (cell) => {
    if (game === null) return;
    drawGame(cell);
    byId("cursor").textContent = cell === null ? "" : cursorText(cell);
  }, play);

byId("board").addEventListener("click", (event) => {
  if (picture === null || game === null) return;
  play(cellAt(picture, event.clientX, event.clientY, game.width, game.height));
});

byId("lines").addEventListener("change", (event) => {
  send({ do: "analyse", lines: Number(event.target.value) });
});
for (const word of WORDS) byId(word).addEventListener("click", () => send({ do: word }));
byId("numbers").addEventListener("change", () => game !== null && drawGame(cursorCell()));

byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  const wish = Object.fromEntries(new FormData(event.target));
  for (const name of ["width", "height", "rule", "level", "time_s"]) wish[name] = Number(wish[name]);
  send({ do: "new", ...wish });
  byId("board").focus({ preventScroll: false });
});

// -- the server

function fillForm(players) {
  const form = byId("new");
  if (form.elements.black.options.length) return;
  for (const [name, first] of [["black", "you"], ["white", "tengen"]]) {
    const words = players.map((player) => html("option", { value: player, selected: player === first },
      player === "you" ? "You" : player));
    form.elements[name].append(...words);
  }
  form.elements.rule.append(...RULES.map(([value, title]) => html("option", { value }, title)));
}

function hear(message) {
  switch (message.kind) {
    case "players":
      fillForm(message.names);
      break;
    case "state":
      if (game === null || String(game.cells) !== String(message.cells)) {
        hint = null;
        note("");
      }
      if (game === null || !message.line_count || String(game.cells) !== String(message.cells)) {
        analysis = pointed = null;
      }
      game = message;
      byId("lines").value = String(game.line_count);
      showState();
      showAnalysis();
      break;
    case "analysis":
      analysis = message;
      showAnalysis();
      break;
    case "thinking":
      byId("status").textContent = `${message.name} thinks, ${message.elapsed_s.toFixed(1)} s`
        + `${message.depth_plies ? `, depth ${message.depth_plies}: ${message.value}` : " ..."}`;
      break;
    case "hint":
      hint = message;
      drawGame(cursorCell());
      note(message.text);
      break;
    default:
      note(message.text, message.kind === "error");
  }
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => { byId("lost").hidden = true; });
  socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    byId("lost").hidden = false;
    setTimeout(connect, AGAIN_MS);
  });
}

connect();
