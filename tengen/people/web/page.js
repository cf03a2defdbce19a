// The page of the board in the browser: shows what the server tells, and sends what people request.

import { makeAnalyse } from "./analyse.js";
import { pointName } from "./board.js";
import { makeBoard, makeCursor } from "./boardview.js";
import { byId, html, listenToKeys } from "./dom.js";
import { makeTabs, rememberInput, saveSetting, setting } from "./settings.js";
import { makeFiles } from "./library.js";
import { makeMoves } from "./moves.js";
import { makeNotes } from "./notes.js";
import { fillForm, listenToForm, makeSetup } from "./newgame.js";
import { makeProof } from "./proof.js";
import { fillTexts, sideName, t, told, whole } from "./texts.js";
import { makeView } from "./view.js";

const AGAIN_MS = 1000; // before the next attempt to reach the server

let game = null; // the last state
let analysis = null;
let pointed = null; // the number of the line of the analysis that is pointed at
let tapped = null; // the number of the line that was tapped
let used = { black: 0, white: 0 }; // seconds
let chosen = null; // a point that a finger chose, and has to confirm
let socket = null;
const WORDS = document.querySelectorAll("[data-do]"); // buttons that send a word

// A file goes behind the request that is about it.
const send = (request, file) => {
  if (byId("note").classList.contains("error")) note(""); // of the request before
  if (socket !== null && socket.readyState === WebSocket.OPEN) {
    // Half of a character, which no file can hold, becomes a sign for it.
    const text = JSON.stringify(request, (_, value) => value?.toWellFormed?.() ?? value);
    socket.send(file ? new Blob([text, "\n", file]) : text);
  }
};
// What makes the position, among the values of the state.
const POSITION = ["width", "height", "rule", "setup", "first", "cells"];
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// -- the parts of the page

fillTexts();
const view = makeView(() => redraw());
const board = makeBoard(byId("board"), view);
const proof = makeProof(() => redraw());
const setup = makeSetup(send, () => redraw());
const moves = makeMoves(send, () => redraw(), (text) => note(text));
const analyse = makeAnalyse(send);
const notes = makeNotes(send);
const files = makeFiles(send, note, view.numbersFrom);
makeTabs((name) => name === "files" && files.ask());

// What the board shows: the game, unless a position is being set up or a proof stepped through.
function redraw() {
  if (game === null) return;
  const line = analysis !== null && pointed !== null ? analysis.lines[pointed].cells : null;
  const shown = setup.shown() || proof.shown(game) || {
    ...game, move: game.cells.length, better: line || moves.preview(game),
    candidates: line === null && analysis !== null ? analysis.lines : [],
    fouls: game.to_move === "black" || view.hasAllFouls() ? game.fouls : [],
    notes: [...notes.shown(), ...game.offered.map(([x, y], i) => [x, y, "letter", `${i + 1}`])],
    chosen: chosen && [chosen, game.to_move],
    label: `${lastText()} ${told(game.outcome)}`,
  };
  board.draw(shown, cursorCell());
  byId("board").classList.toggle("mine", isMine());
}

// -- what is shown

const isMine = () => game !== null && game.turn === "you" && game.thinks === "";

function statusText() {
  if (game.outcome) return told(game.outcome);
  if (game.is_hinting) return t("status.hinting");
  if (game.turn === "program" || game.thinks) {
    return t("status.thinks", { name: game.thinks || t("status.program") });
  }
  if (game.turn === "waiting") return t("status.paused");
  if (game.opening.length) return game.opening.map(told).join(" ");
  const both = game.seats.black === "You" && game.seats.white === "You";
  return t(both ? "status.to-move" : "status.yours", { side: sideName(game.to_move) });
}

function lastText() {
  const { cells, height, first, setup: stones } = game;
  if (!cells.length) return t(stones.length ? "last.setup" : "last.empty");
  const isBlack = (cells.length % 2 === 1) === (first === "black");
  return t("last.played", { side: sideName(isBlack ? "black" : "white"), point: pointName(cells.at(-1), height) });
}

const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function showClocks() {
  if (game === null) return;
  for (const colour of ["black", "white"]) {
    const left = game.clock_s === null ? null : Math.max(0, Math.ceil(game.clock_s) - used[colour]);
    const clock = byId(colour).querySelector(".clock");
    clock.textContent = left === null ? clockText(used[colour]) : t("clock.left", { time: clockText(left) });
    clock.classList.toggle("short", left !== null && left < 30);
  }
}

function showPlayers() {
  for (const colour of ["black", "white"]) {
    const row = byId(colour);
    row.querySelector(".name").textContent = told(game.names[colour]);
    row.classList.toggle("moves", game.turn !== "over" && (game.asked || game.to_move) === colour);
  }
  showClocks();
}

// The buttons of the moment, by `turn`: where there is little room, only these are shown.
const WANTED = { you: ["undo", "hint", "resign"], program: ["undo", "now", "resign"],
  waiting: ["undo", "go", "swap"], over: ["undo", "redo", "swap"] };

function showButtons() {
  const watches = game.seats.black !== "You" && game.seats.white !== "You";
  const focused = document.activeElement;
  for (const button of WORDS) button.disabled = !game.can[button.dataset.do];
  byId("add").hidden = !game.can.add;
  byId("fifths").hidden = !game.fifths.length;
  const fifths = byId("fifths-count");
  if (fifths.options.length !== game.fifths.length + 1) {
    fifths.replaceChildren(...["", ...game.fifths].map((value) => html("option", { value }, `${value || "?"}`)));
  }
  fifths.value = game.named || "";
  for (const count of [1, 2]) byId(`balance-${count}`).disabled = !game.can_balance;
  byId("go").hidden = !watches && game.turn !== "waiting";
  byId("wait").hidden = !watches;
  byId("sit").disabled = game.turn === "over";
  const wanted = watches ? ["undo", game.turn === "program" ? "wait" : "go", "redo"]
    : game.opening.length ? ["undo", "swap", game.can.add ? "add" : "hint"] : WANTED[game.turn];
  for (const button of byId("buttons").children) {
    button.classList.toggle("later", button.id !== "more" && !wanted.includes(button.id));
  }
  // A button that can no longer be pressed would lose the focus to nothing.
  if (focused.closest("#buttons") && (focused.disabled || focused.hidden)) {
    byId("buttons").querySelector("button:enabled:not([hidden], .later)").focus();
  }
}

// Shows a line of the analysis on the board, by its number; null: the best moves again.
function look(number) {
  pointed = analysis === null ? null : number;
  redraw();
}

// A text that is there already is not written again: the browser would lay it out anew.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// A line of the analysis: pointed at it is shown on the board, and a click plays its first move. It
// stays in the document while its texts change, so that a click that takes a moment is not lost.
function bestLine(i) {
  return html("li", {}, html("button", {
    type: "button", onclick: ({ pointerType }) => {
      if (analysis === null) return;
      if (pointerType !== "touch" || tapped === i) play(analysis.lines[i].cells[0]);
      else look(tapped = i); // nothing points at it before a finger does
    },
    onpointerenter: () => look(i), onpointerleave: () => look(null),
    onfocus: () => look(i), onblur: () => look(null),
  }, html("span", {}, `${i + 1}.`), html("span", { class: "score" }), html("span", { class: "win" }),
  html("span", { class: "moves" })));
}

function showAnalysis() {
  const { lines, chance } = analysis || { lines: [], chance: null };
  byId("bar").hidden = chance === null;
  if (chance !== null) {
    byId("share").style.width = `${chance * 100}%`;
    say(byId("chance"), t("best.chance", { percent: (chance * 100).toFixed(0) }));
  }
  const list = byId("best");
  // In another position the buttons wait for its lines, so that none loses the focus.
  const count = analysis === null && game.line_count ? list.children.length : lines.length;
  while (list.children.length > count) list.lastChild.remove();
  while (list.children.length < count) list.append(bestLine(list.children.length));
  if (pointed !== null && pointed >= lines.length) pointed = null;
  if (analysis === null) {
    for (const text of list.querySelectorAll(".score, .win, .moves")) say(text, "");
  }
  lines.forEach((each, i) => {
    const button = list.children[i].firstChild;
    const mine = game.to_move === "black" ? each.chance : 1 - each.chance;
    const title = `${told(each.value)}: ${each.text}`;
    if (button.title !== title) button.title = title;
    say(button.querySelector(".score"), each.score);
    say(button.querySelector(".win"), `${(mine * 100).toFixed(0)} %`);
    say(button.querySelector(".moves"), each.text);
  });
  byId("depth").textContent = analysis === null ? ""
    : t("best.depth", { depth: analysis.depth_plies, nodes: whole(analysis.nodes),
      seconds: analysis.elapsed_s.toFixed(1) });
}

function note(text, isError = false) {
  byId("note").textContent = told(text);
  byId("note").classList.toggle("error", isError);
}

function showState() {
  byId("rule").textContent = t("rule.line", { size: `${game.width}x${game.height}`,
    rule: game.rule_title, text: game.rule_text });
  byId("status").textContent = game.cells.length && !game.outcome
    ? `${lastText()} ${statusText()}` : statusText();
  say(byId("problem"), told(game.problem));
  showPlayers();
  showButtons();
  files.show(game);
  moves.show(game);
  redraw();
}

function cursorText(cell) {
  const is = ([x, y]) => x === cell[0] && y === cell[1];
  const index = game.cells.findIndex(is);
  const set = game.setup.find(is);
  const foul = game.fouls.find(is);
  const colour = index % 2 === (game.first === "black" ? 0 : 1) ? "black" : "white";
  const stone = set ? set[2] : index >= 0 ? colour : null;
  const what = stone ? t(`cursor.${stone}`) : foul ? foul[2] : t("cursor.empty");
  return told([pointName(cell, game.height), what]);
}

// -- what people do

// A click on a point, or the Enter key there.
const play = (cell) => {
  if (cell === null || game === null) return;
  if ([setup, proof, notes, moves].some((each) => each.click(cell))) return;
  send({ do: "play", x: cell[0], y: cell[1] });
};

const cursorCell = makeCursor(
  byId("board"), view, () => (game === null ? [15, 15] : [game.width, game.height]),
  (cell) => {
    if (game === null) return;
    redraw();
    byId("cursor").textContent = cell === null ? "" : cursorText(cell);
  }, play);

// Where cells are small, a finger chooses a point by one tap and plays by a second one.
const SURE_PIXELS = 34;
let isFinger = false;

byId("board").addEventListener("pointerdown", ({ pointerType }) => {
  isFinger = pointerType === "touch";
});
byId("board").addEventListener("click", ({ clientX, clientY }) => {
  const cell = board.cellAt(clientX, clientY);
  if (game === null || cell === null) return;
  const asks = isFinger && isMine() && !setup.isOn() && !notes.isMarking() && board.cellSize() < SURE_PIXELS;
  if (!asks || (chosen !== null && same(chosen, cell))) {
    play(cell);
    return;
  }
  chosen = cell;
  note(t("tap.again", { point: pointName(cell, game.height) }));
  redraw();
});

byId("more").addEventListener("click", () => {
  byId("more").setAttribute("aria-expanded", byId("buttons").classList.toggle("all"));
});
const undo = () => game !== null && game.can.undo && send({ do: "undo" });
const redo = () => game !== null && game.can.redo && send({ do: "redo" });
listenToKeys({
  ArrowLeft: moves.steps.back, ArrowRight: moves.steps.forward, Home: moves.steps.first,
  End: moves.steps.last, "Ctrl+z": undo, "Ctrl+y": redo, "Ctrl+Shift+z": redo,
  " ": () => {
    const isOn = byId("lines").value !== "0";
    if (isOn) saveSetting("best", byId("lines").value);
    send({ do: "analyse", lines: isOn ? 0 : Number(setting("best") || 3) });
  },
});

for (const button of WORDS) button.addEventListener("click", () => send({ do: button.dataset.do }));
for (const count of [1, 2]) byId(`balance-${count}`).addEventListener("click", () => send({ do: "balance", moves: count }));
byId("fifths-count").addEventListener("change", ({ target }) => send({ do: "fifths", number: Number(target.value) }));
byId("begin-setup").addEventListener("click", () => game !== null && setup.begin(game));
for (const kind of ["threats", "cell_values"]) {
  rememberInput(byId(kind));
  byId(kind).addEventListener("change", () => {
    board.forget(kind);
    if (byId(kind).checked) send({ do: kind });
    redraw();
  });
}
listenToForm(byId("new"), send);

// -- the server

function heardState(state) {
  const isOther = game === null || POSITION.some((key) => !same(game[key], state[key]));
  if (isOther) {
    tapped = chosen = null;
    board.forget("hint");
    note("");
    for (const kind of ["threats", "cell_values"]) {
      board.forget(kind);
      if (byId(kind).checked && state.turn !== "over") send({ do: kind });
    }
  }
  if (isOther || !state.line_count) analysis = pointed = null;
  game = state;
  setup.hearAnswer(false);
  analyse.show(game);
  showAnalysis();
  showState();
}

// What the board shows of an analysis.
const drawnOf = ({ lines }) => (pointed === null ? lines.map(({ cells }) => cells[0])
  : (lines[pointed] || lines[0]).cells);

const HEARERS = {
  players: (message) => {
    fillForm(byId("new"), message.names, message.rules);
    analyse.hearMost(message.most);
  },
  state: heardState,
  tree: (message) => {
    notes.hearTree();
    moves.hearTree(message, true);
  },
  nodes: (message) => moves.hearTree(message, false),
  remarks: (message) => {
    notes.hear(message);
    redraw();
  },
  review: (message) => moves.hearReview(message),
  work: (message) => moves.hearWork(message),
  tried: (message) => moves.hearTried(message),
  clock: (message) => {
    used = message;
    showClocks();
  },
  analysis: (message) => {
    // Most reports change texts only, and drawing takes more time than all the rest.
    const isDrawn = analysis !== null && same(drawnOf(analysis), drawnOf(message));
    analysis = message;
    showAnalysis();
    moves.hearChance(message.chance);
    if (!isDrawn) redraw();
    else if (pointed === null) board.tellValues(message.lines);
  },
  thinking: (message) => {
    const { name, depth_plies: depth, elapsed_s: elapsed, value } = message;
    byId("status").textContent = t(depth ? "status.depth" : "status.time",
      { name, depth, value, seconds: elapsed.toFixed(1) });
  },
  hint: (message) => {
    board.show("hint", message);
    note(message.text);
    redraw();
  },
  proof: (message) => {
    note(message.text);
    proof.begin(message, game);
  },
  threats: (message) => {
    board.show("threats", message);
    redraw();
  },
  cell_values: (message) => {
    board.show("cell_values", message);
    redraw();
  },
  games: (message) => files.hearGames(message),
  runs: (message) => files.hearRuns(message),
  note: (message) => note(message.text),
  error: (message) => {
    setup.hearAnswer(true);
    note(message.text, true);
  },
};

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    byId("lost").hidden = true;
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    HEARERS[message.kind](message);
  });
  socket.addEventListener("close", () => {
    byId("lost").hidden = false;
    setTimeout(connect, AGAIN_MS);
  });
}

connect();
