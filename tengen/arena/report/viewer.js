// The run that the page shows, the value that data.py describes, and one of its games to step
// through: the board, its controls, the curve of values, the moves.

import { KINDS, beginningOf, drawBoard, pointName } from "./board.js";
import { stretchedLine } from "./charts.js";
import { MINUS, byId, html, listenToSwipes, plural, seconds, short, svg, whole } from "./dom.js";

export const DATA = JSON.parse(document.getElementById("data").textContent);
export const NAMES = DATA.programs.map((program) => program.name);

// Results for people, by the letter in a record.
export const RESULTS = { b: "1\u20130", w: "0\u20131", d: "\u00bd\u2013\u00bd" };

const ENDINGS = new Map(DATA.endings.map((row) => [row.termination, row]));

// How the game ended: { word, failure }.
export const endingOf = (game) => ENDINGS.get(game.t);

export const stonesOf = (game) => (game.m || "").length / 2;

// The number of steps through a game. A mistake is shown in the position before it, so the position
// after the last move is a step of its own if that move is one.
export const stepsOf = (game) => stonesOf(game) + (game.a?.[stonesOf(game)]?.better ? 1 : 0);

// A score as text, and as a share of all points.
export const winsLossesDraws = (score) => `${score.w}\u2013${score.l}\u2013${score.d}`;
export const share = (score) => {
  const games = score.w + score.l + score.d;
  return games ? score.points / games : null;
};

// Two letters to a cell, column and row, both from a.
function cellsOf(text) {
  const cells = [];
  for (let i = 0; i + 1 < (text || "").length; i += 2) {
    cells.push([text.charCodeAt(i) - 97, text.charCodeAt(i + 1) - 97]);
  }
  return cells;
}

// What a review says about a move: { mark, text, better }, the last one a list of cells; null if it
// says nothing.
function remarkOf(record, number) {
  const remark = (record.a || {})[number];
  return remark ? { ...remark, better: cellsOf(remark.better) } : null;
}

// A game's short record as an object, with an object for each move.
export function unpack(record) {
  const column = (key) => (record[key] ? record[key].split(",") : []);
  const [values, depths, nodes, times, lines] = ["v", "d", "n", "e", "q"].map(column);
  const cells = cellsOf(record.m);
  const [width, height] = DATA.board;
  return {
    record, cells, width, height, opening: record.o || 0, line: cellsOf(record.l),
    black: NAMES[record.b], white: NAMES[record.w], ending: endingOf(record),
    moves: cells.map((cell, i) => ({
      cell, remark: remarkOf(record, i + 1), isBlack: i % 2 === 0, program: i % 2 ? record.w : record.b,
      value: values[i] || "", depth: depths[i] || "",
      nodes: nodes[i] ? Number(nodes[i]) : null,
      ms: times[i] ? Number(times[i]) : null,
      expected: lines[i] || "", // in the program's own words
    })),
  };
}

// Lets the browser save a text as a file.
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  html("a", { href: address, download: name }).click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

const isMate = (value) => /^-?M/.test(value);
// The value of a move as its side gave it; those of one analyst are all Black's.
function valueText({ value, isBlack }) {
  if (value === "" || value === "0") return value;
  const isMinus = value.startsWith("-") !== (DATA.analyst !== undefined && !isBlack);
  return `${isMinus ? MINUS : "+"}${value.replace("-", "")}`;
}

// A value from Black's side between -1 and 1; null if there is none.
function heightOf(move) {
  if (move.value === "") return null;
  const sign = move.isBlack ? 1 : -1;
  if (isMate(move.value)) return move.value.startsWith("-") ? -sign : sign;
  const number = Number(move.value);
  return (sign * number * 0.96) / (Math.abs(number) + DATA.scales[move.program]);
}

// The other game of the pair; undefined if there is none.
const otherOf = (record) => (record.p === undefined ? undefined
  : DATA.games.find((game) => game.p === record.p && game !== record));

export class Viewer {
  // `onMove` is called with the step to show when the user steps through the game.
  constructor(onMove) {
    this.onMove = onMove;
    this.game = null;
    this.step = 0;
    this.move = 0; // the number of the move of that step
    const button = (label, path, target) => html("button", { type: "button", "aria-label": label,
      title: label, onclick: () => this.onMove(target()) },
    svg("svg", { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
      svg("path", { d: path })));
    this.slider = html("input", { type: "range", min: 0, step: 1, "aria-label": "Move",
      oninput: () => this.onMove(Number(this.slider.value)) });
    this.numbers = html("input", { type: "checkbox", checked: true,
      onchange: () => this.showBoard() });
    byId("controls").append(
      button("First position (Home)", "M3 3V13M13 3V13L6 8Z", () => 0),
      button("Back (left arrow)", "M12 3V13L4 8Z", () => this.step - 1),
      this.slider,
      button("Forward (right arrow)", "M4 3V13L12 8Z", () => this.step + 1),
      button("Last position (End)", "M13 3V13M3 3V13L10 8Z", () => stepsOf(this.game.record)));
    this.pair = html("input", { type: "checkbox", onchange: () => this.showBoard() });
    this.beside = html("div", { id: "beside" });
    byId("options").after(this.beside);
    const hasPairs = DATA.games.some(otherOf);
    byId("options").append(html("label", {}, this.numbers, "Numbers"),
      hasPairs ? html("label", {}, this.pair, "Other game of the pair") : "",
      html("span", { class: "downloads" }, html("button", { type: "button",
        onclick: () => download(`game-${this.game.record.g}.sgf`, this.game.record.f) },
      "Download sgf")));
    listenToSwipes(byId("board"), (step) => this.onMove(this.step + step));
    this.moveRows = [];
  }

  show(record, step) {
    if (!this.game || this.game.record !== record) {
      this.game = unpack(record);
      this.showPlayers();
      this.showMoves();
      this.showCurve();
    }
    this.step = step;
    this.move = Math.min(step, this.game.cells.length);
    this.showBoard();
    this.slider.max = stepsOf(record);
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `${this.move} of ${this.game.cells.length}`);
    byId("caption").replaceChildren(...this.caption());
    this.markMove();
    this.markCurve();
  }

  showPlayers() {
    const { record, black, white, ending } = this.game;
    const kind = (colour) => `player ${record.r === colour ? "winner" : ""}`;
    const side = (name, colour) => html("span", { class: kind(colour), title: name },
      html("span", { class: `disc ${colour === "b" ? "black" : "white"}`, "aria-hidden": "true" }),
      html("span", { class: "unseen" }, colour === "b" ? "Black: " : "White: "), name);
    const outcome = [ending.word, plural(this.game.cells.length, "stone"), record.x]
      .filter(Boolean).join(" · ");
    byId("players").replaceChildren(
      html("span", { class: "outcome", title: outcome },
        html("span", { class: "muted" }, `Game ${record.g} · `),
        html("b", {}, RESULTS[record.r]), html("span", { class: "muted" }, ` · ${outcome}`)),
      side(black, "b"), side(white, "w"));
  }

  caption() {
    const { moves, opening, height } = this.game;
    if (this.move === 0) return ["Before the first move"];
    const move = moves[this.move - 1];
    const parts = [`${move.isBlack ? "Black" : "White"} ${pointName(move.cell, height)}`];
    if (this.move <= opening) parts.push("opening");
    if (move.value) parts.push(`${DATA.analyst ? "Black's " : ""}value ${valueText(move)}`);
    if (move.depth) parts.push(`depth ${move.depth}`);
    if (move.nodes !== null) parts.push(`${whole(move.nodes)} nodes`);
    if (move.ms !== null) parts.push(seconds(move.ms / 1000));
    if (move.expected) parts.push(`line ${move.expected}`);
    if (move.remark) parts.push(move.remark.text);
    return [html("b", {}, `Move ${this.move}`), ` of ${moves.length} · ${parts.join(" · ")}`];
  }

  showBoard() {
    const { width, height, cells, moves, opening, line, record } = this.game;
    const { remark, cell } = moves[this.move - 1] || {};
    // A mistake is shown in the position before it, with what would have been better.
    const better = remark && this.step === this.move ? beginningOf(remark.better, cell) : [];
    const move = this.move - (better.length ? 1 : 0);
    const sign = remark && { kind: KINDS[remark.mark], text: remark.mark, cell: better.length ? cell : null };
    byId("board").replaceChildren(drawBoard({ width, height, cells, opening, line, move,
      numbered: this.numbers.checked, better, sign,
      label: `Board of game ${record.g} after ${plural(move, "stone")}` }));
    const other = this.pair.checked ? otherOf(record) : undefined;
    this.beside.replaceChildren(...(other ? this.otherGame(unpack(other)) : []));
  }

  // The same opening with colours exchanged, at the same move.
  otherGame(game) {
    const { record, black, white, width, height, cells, opening, line, ending } = game;
    const move = Math.min(this.move, cells.length);
    return [
      html("p", { class: "caption" }, html("a", { href: `#game=${record.g}&move=${move}` },
        `Game ${record.g}`), `: ${black} – ${white}, ${RESULTS[record.r]}, ${ending.word},`
        + ` ${plural(cells.length, "stone")}`),
      drawBoard({ width, height, cells, opening, line, move, numbered: this.numbers.checked,
        label: `Board of game ${record.g} after ${plural(move, "stone")}` }),
    ];
  }

  showMoves() {
    const { moves, opening, height } = this.game;
    const row = (move, i) => html("button", { type: "button", "data-move": i + 1,
      class: `move ${move.remark ? "marked" : ""}`, title: move.remark && move.remark.text,
      onclick: () => this.onMove(i + 1) },
    html("span", { class: "n" }, i + 1),
    html("span", { class: `disc ${move.isBlack ? "black" : "white"}`, "aria-hidden": "true" }),
    html("span", { class: "at" }, pointName(move.cell, height)),
    html("span", { class: "value" }, i < opening ? "opening" : valueText(move),
      move.remark && html("b", {}, ` ${move.remark.mark}`)),
    html("span", { class: "depth" }, move.depth && `d${move.depth}`),
    html("span", { class: "nodes" }, move.nodes === null ? "" : short(move.nodes)),
    html("span", { class: "time" }, move.ms === null ? "" : seconds(move.ms / 1000)));
    this.moveRows = moves.map(row);
    byId("moves").replaceChildren(...this.moveRows);
  }

  markMove() {
    this.moveRows.forEach((row, i) => {
      if (i === this.move - 1) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
    const box = byId("moves");
    const row = this.moveRows[Math.max(0, this.move - 1)];
    if (!row) return;
    // Only the box scrolls, never the page.
    const top = row.offsetTop;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + row.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + row.offsetHeight - box.clientHeight;
    }
  }

  showCurve() {
    const { moves, black, white } = this.game;
    const heights = moves.map(heightOf);
    // A curve for each program, or one of all moves. Marks stay off the frame.
    const names = DATA.analyst ? [DATA.analyst] : [`${black} (Black)`, `${white} (White)`];
    const kinds = ["of-black", "of-white"];
    const series = names.map((_, which) => heights
      .map((height, i) => (i % names.length === which && height !== null
        ? [this.curvePlace(i + 1), 0.5 + height * 0.46] : null)));
    this.cursor = svg("line", { class: "cursor", y1: 0, y2: "100%" });
    const pick = (event) => {
      const box = chart.getBoundingClientRect();
      this.onMove(Math.floor(((event.clientX - box.left) / box.width) * (moves.length + 1)));
    };
    const chart = svg("svg", { class: "frame", role: "img", onclick: pick,
      "aria-label": `Values of ${DATA.analyst || "both programs"} over the moves, seen from Black` },
    svg("line", { class: "zero", x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
    series.map((points, which) => [
      stretchedLine(points.filter(Boolean), { class: kinds[which] }),
      points.map((point) => point && svg("circle", { class: kinds[which],
        cx: `${(point[0] * 100).toFixed(2)}%`, cy: `${((1 - point[1]) * 100).toFixed(2)}%`,
        r: moves.length > 80 ? 1.8 : 2.6 })),
    ]), this.cursor);
    byId("curve").replaceChildren(chart, html("div", { class: "ends" },
      html("span", {}, "start"), html("span", {}, "up: better for Black"),
      html("span", {}, `move ${moves.length}`)));
    byId("curve-legend").replaceChildren(...names
      .map((name, i) => html("span", { class: "series", title: name },
        svg("svg", { width: 22, height: 10, "aria-hidden": "true" },
          svg("path", { class: kinds[i], d: "M0 5H22" }),
          svg("circle", { class: kinds[i], cx: 11, cy: 5, r: 3 })),
        html("span", {}, name))));
  }

  // The place of a move between the left end (0) and the right end (1): every move has a column,
  // and so has the position before the first.
  curvePlace(move) {
    return (move + 0.5) / (this.game.cells.length + 1);
  }

  markCurve() {
    const x = `${this.curvePlace(this.move) * 100}%`;
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }
}
