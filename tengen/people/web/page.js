// The page of the board in the browser: shows what the server tells, and sends what people request.

import { makeAnalyse } from "./analyse.js";
import { colourOf, pointName } from "./board.js";
import { makeBoard, makeCursor } from "./boardview.js";
import { byId, html, listenToKeys } from "./dom.js";
import { makeExplorer } from "./explorer.js";
import { makeLearn } from "./learn.js";
import { keepFocus, makeTabs, makeView, rememberInput } from "./settings.js";
import { makeFiles } from "./library.js";
import { isSamePosition, makeMoves, makeNotes, same } from "./moves.js";
import { makeForm, makeSetup, moveStones } from "./newgame.js";
import { makeProof } from "./proof.js";
import { fillTexts, sideName, t, told } from "./texts.js";

const AGAIN_MS = 1000; // before the next attempt to reach the server

let game = null; // the last state
let used = { black: 0, white: 0 }; // seconds
let chosen = null; // a point that a finger chose, and has to confirm
let socket = null;
const MARKS = ["threats", "cell_values"]; // that the server is asked for
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

// -- the parts of the page

fillTexts();
const view = makeView(() => redraw());
const board = makeBoard(byId("board"), view);
const proof = makeProof(send, () => redraw());
const setup = makeSetup(send, () => redraw());
const moves = makeMoves(send);
const learn = makeLearn(send, moves, () => {
  showStatus();
  redraw();
});
const analyse = makeAnalyse(send, () => redraw());
const notes = makeNotes(send);
const files = makeFiles(send, note, view);
const form = makeForm(byId("new"), send);
const explorer = makeExplorer(send);
const showTab = makeTabs((name) => (name === "files" ? explorer.find() : explorer.ask()));

// What the board shows: the game, unless a position is being set up or a proof stepped through.
function redraw() {
  if (game === null) return;
  const line = learn.isHiding() ? null : analyse.line();
  const shown = setup.shown() || proof.shown(game) || {
    ...game, move: game.cells.length, ...(line ? { better: line } : learn.preview(game)),
    candidates: line === null && !learn.isHiding() ? analyse.candidates() : [],
    root: analyse.root(),
    fouls: game.to_move === "black" || view.hasAllFouls() ? game.fouls : [],
    notes: [...notes.shown(), ...explorer.marks(), ...game.offered.map(([x, y], i) => [x, y, "letter", `${i + 1}`])],
    chosen: chosen && [chosen, game.to_move], sign: learn.sign() || moves.sign(),
    mine: isMine() && !notes.isMarking() ? game.to_move : null,
    label: `${lastText()} ${told(game.outcome)}`,
  };
  board.draw(shown, cursorCell());
  byId("board").classList.toggle("mine", isMine());
  byId("board").classList.toggle("slides", view.touch() === "slide");
}

// -- what is shown

const isMine = () => game !== null && game.turn === "you" && game.thinks === "";
const areYouBoth = () => game.players.black === "you" && game.players.white === "you";

function statusText() {
  if (game.is_hinting) return t("status.hinting");
  if (["solve", "defend"].includes(game.work)) return t("status.solves");
  if (game.turn === "program" || game.thinks) {
    return t("status.thinks", { name: game.thinks || t("status.program") });
  }
  if (learn.says(game)) return learn.says(game);
  if (game.turn === "waiting") return t("status.paused");
  if (game.opening.length) return game.opening.map(told).join(" ");
  if (!game.cells.length && !game.setup.length && game.turn === "you") return t("status.begin");
  return t(areYouBoth() ? "status.to-move" : "status.yours", { side: sideName(game.to_move) });
}

function lastText() {
  const { cells, height, setup: stones } = game;
  if (!cells.length) return t(stones.length ? "last.setup" : "last.empty");
  return t("last.played", { side: sideName(colourOf(cells.length - 1, game)), point: pointName(cells.at(-1), height) });
}

// What is left of the time; nothing where a game has no clock.
function showClocks() {
  if (game === null) return;
  for (const colour of ["black", "white"]) {
    const left = Math.max(0, Math.ceil(game.clock_s) - used[colour]);
    const clock = byId(colour).querySelector(".clock");
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.textContent = game.clock_s === null ? "" : t("clock.left", { time });
    clock.classList.toggle("short", left < 30);
  }
}

function showPlayers() {
  const areAlike = areYouBoth() && same(game.names.black, game.names.white);
  for (const colour of ["black", "white"]) {
    const row = byId(colour);
    row.querySelector(".name").textContent = areAlike ? sideName(colour) : told(game.names[colour]);
    row.classList.toggle("won", game.turn === "over" && game.won === colour);
    row.classList.toggle("moves", game.turn !== "over" && (game.asked || game.to_move) === colour);
  }
  showClocks();
}

// The buttons of the moment, by `turn`; the others are shown when they are asked for.
const WANTED = { you: ["undo", "hint", "resign"], program: ["undo", "now", "resign"],
  waiting: ["undo", "go", "swap"], over: ["again", "look-back", "undo"] };

function showButtons() {
  const watches = game.players.black !== "you" && game.players.white !== "you";
  for (const button of WORDS) button.disabled = !game.can[button.dataset.do];
  byId("add").hidden = !game.can.add;
  byId("fifths").hidden = !game.fifths.length;
  const fifths = byId("fifths-count");
  if (fifths.options.length !== game.fifths.length + 1) {
    fifths.replaceChildren(...["", ...game.fifths].map((value) => html("option", { value }, `${value || "?"}`)));
  }
  fifths.value = game.named || "";
  for (const count of [1, 2]) byId(`balance-${count}`).disabled = !game.can_balance;
  const isOver = game.turn === "over";
  byId("look-back").hidden = !isOver;
  byId("again").hidden = !isOver || game.handicap === null;
  byId("more").hidden = isOver;
  byId("go").hidden = !watches && game.turn !== "waiting";
  byId("wait").hidden = !watches;
  byId("sit").disabled = isOver || !(game.cells.length || game.setup.length);
  const wanted = isOver ? WANTED.over
    : watches ? ["undo", game.turn === "program" ? "wait" : "go", "redo"]
      : game.opening.length ? ["undo", "swap", game.can.add ? "add" : "hint"] : WANTED[game.turn];
  for (const button of byId("buttons").children) {
    button.classList.toggle("later", button.id !== "more" && !wanted.includes(button.id));
  }
}

function note(text, isError = false) {
  byId("note").textContent = told(text);
  byId("note").classList.toggle("error", isError);
}

// Who has won, and how; else whose turn it is.
function showStatus() {
  const isOver = game.turn === "over";
  byId("status").replaceChildren(`${isOver ? told(game.outcome) : statusText()} `,
    html("span", {}, game.cells.length && !isOver && !learn.says(game) ? lastText() : ""));
}

function showState() {
  byId("rule").textContent = `${game.width}\u00d7${game.height} \u00b7 ${told(game.rule_title)}`;
  byId("rule-text").textContent = t("rule.line", { rule: game.rule_title, text: game.rule_text });
  byId("problem").textContent = told(game.problem);
  showPlayers();
  showButtons();
  form.show(game);
  files.show(game);
  moves.show(game);
  learn.show(game);
  showStatus(); // a finding that speaks there may be forgotten
  explorer.show(game);
  redraw();
}

function cursorText(cell) {
  const is = ([x, y]) => x === cell[0] && y === cell[1];
  const index = game.cells.findIndex(is);
  const set = game.setup.find(is);
  const foul = game.fouls.find(is);
  const stone = set ? set[2] : index >= 0 ? colourOf(index, game) : null;
  const answer = stone || foul ? "" : proof.says(cell);
  if (answer) return answer;
  const what = stone ? t(`cursor.${stone}`) : foul ? foul[2] : t("cursor.empty");
  return told([pointName(cell, game.height), what]);
}

// -- what people do

// A click on a point, or the Enter key there.
const play = (cell) => {
  if (cell === null || game === null) return;
  if ([setup, proof, notes, learn].some((each) => each.click(cell))) return;
  send({ do: "play", x: cell[0], y: cell[1] });
};

const cursorCell = makeCursor(
  byId("board"), board, () => (game === null ? [15, 15] : [game.width, game.height]),
  (cell) => {
    if (game === null) return;
    redraw();
    byId("cursor").textContent = cell === null ? "" : cursorText(cell);
  }, play);

// A finger plays as it was chosen; else, where cells are small, one tap chooses and a second plays.
const SURE_PIXELS = 34;
let isFinger = false;
const fingerWay = () => (!isFinger || !isMine() || [setup, proof].some((each) => each.isOn()) || notes.isMarking() ? "direct"
  : view.touch() || (board.cellSize() < SURE_PIXELS ? "confirm" : "direct"));

byId("board").addEventListener("pointerdown", ({ pointerType, clientX, clientY }) => {
  isFinger = pointerType === "touch";
  if (fingerWay() === "slide") board.slideTo(board.cellAt(clientX, clientY));
});
byId("board").addEventListener("pointermove", ({ clientX, clientY, buttons }) => {
  if (isFinger && buttons && fingerWay() === "slide") board.slideTo(board.cellAt(clientX, clientY));
});
byId("board").addEventListener("pointerup", ({ clientX, clientY }) => {
  if (fingerWay() !== "slide") return;
  board.slideTo(null);
  play(board.cellAt(clientX, clientY));
});
byId("board").addEventListener("click", ({ clientX, clientY }) => {
  const cell = board.cellAt(clientX, clientY);
  const way = fingerWay();
  if (game === null || cell === null || way === "slide") return;
  if (way === "direct" || (chosen !== null && same(chosen, cell))) {
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
  " ": analyse.toggle,
});

for (const button of WORDS) button.addEventListener("click", () => send({ do: button.dataset.do }));
for (const count of [1, 2]) byId(`balance-${count}`).addEventListener("click", () => send({ do: "balance", moves: count }));
byId("fifths-count").addEventListener("change", ({ target }) => send({ do: "fifths", number: Number(target.value) }));
byId("begin-setup").addEventListener("click", () => game !== null && setup.begin(game));
byId("again").addEventListener("click", () => form.again(game));
byId("look-back").addEventListener("click", () => {
  showTab("learn");
  if (game.can.review) send({ do: "review" });
});
for (const kind of ["turn", "mirror", "left", "right", "up", "down"]) {
  byId(`stones-${kind}`).addEventListener("click", () => {
    if (!moveStones(game, kind, send)) note(t("move.not"), true);
  });
}
function askMarks(kind) {
  board.forget(kind);
  if (byId(kind).checked && game.turn !== "over") send({ do: kind });
}
for (const kind of MARKS) {
  rememberInput(byId(kind), () => {
    askMarks(kind);
    redraw();
  });
}

// -- the server

function heardState(state) {
  const isOther = game === null || !isSamePosition(game, state);
  game = state;
  if (isOther) {
    chosen = null;
    analyse.forget();
    board.forget("hint");
    note("");
    MARKS.forEach(askMarks);
    if (!game.cells.length) byId("options").open = false; // a new game has begun
  }
  if (!state.line_count) analyse.forget();
  setup.hearAnswer(false);
  analyse.show(game);
  showState();
}

function heardMarks(message) {
  if (message.after && !same(message.after, game.cells)) return; // a stone has been played since
  board.show(message.kind, message);
  redraw();
}

const HEARERS = {
  players: (message) => {
    form.fill(message.names, message.rules);
    analyse.hearMost(message.most);
  },
  state: heardState,
  tree: (message) => {
    notes.hearTree();
    moves.hearTree(message, true);
  },
  nodes: (message) => {
    moves.hearTree(message, false);
    learn.showChart();
  },
  remarks: (message) => {
    notes.hear(message);
    redraw();
  },
  review: learn.hearReview,
  work: learn.hearWork,
  tried: learn.hearTried,
  clock: (message) => {
    used = message;
    showClocks();
  },
  analysis: (message) => {
    // Most reports change texts only, and drawing takes more time than all the rest.
    const isDrawn = analyse.hear(message);
    moves.hearChance(message.chance);
    learn.showChart();
    if (isDrawn) redraw();
    else board.tellValues(analyse.candidates(), analyse.root());
  },
  thinking: (message) => {
    const { name, depth_plies: depth, elapsed_s: elapsed, value } = message;
    byId("status").textContent = t(depth ? "status.depth" : "status.time",
      { name, depth, value, seconds: elapsed.toFixed(1) });
  },
  hint: (message) => {
    note(message.text);
    heardMarks(message);
  },
  proof: (message) => {
    note(proof.hear(message, game) ? "" : message.text);
  },
  threats: heardMarks,
  cell_values: heardMarks,
  games: explorer.hearGames,
  explored: explorer.hearExplored,
  puzzle: (message) => {
    explorer.hearPuzzle(message);
    redraw();
  },
  runs: (message) => files.hearRuns(message),
  note: (message) => note(message.text),
  error: (message) => {
    setup.hearAnswer(true);
    learn.hearRefused();
    redraw();
    note(message.text, true);
  },
};

// Reports of a search come often and take the focus from nothing but its lines. To look for the focus lays
// out the page: a slow machine would fall behind.
const isReport = ({ kind }) => kind === "thinking"
  || (kind === "analysis" && !byId("best").contains(document.activeElement));

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    byId("lost").hidden = true;
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    const hear = () => HEARERS[message.kind](message);
    (isReport(message) ? hear : () => keepFocus(hear))();
  });
  socket.addEventListener("close", () => {
    byId("lost").hidden = false;
    setTimeout(connect, AGAIN_MS);
  });
}

connect();
