// The picture of the board with what is shown on top of the stones: forbidden points, best moves, a
// hint, threats, the values of cells, a stone to be confirmed, the stone under the pointer, the cursor.

import { CELL, drawBoard, layOut, pointName, stoneAt } from "./board.js";
import { byId, svg } from "./dom.js";
import { sideName, t, told } from "./texts.js";

// Each of these is drawn around [0, 0] by `mark(kind, cell, ...parts)`, which puts it on its point.
const CROSS = "M-6 -6l12 12m0 -12l-12 12";

const foulMark = ([x, y, reason], mark) => mark("forbidden", [x, y], svg("title", {}, told(reason)),
  svg("circle", { class: "foul-area", r: 14 }), svg("path", { class: "foul", d: CROSS }));

// One of the best moves, with its value for the side to move; the first one stands out.
const candidate = ({ cells: [cell], text, rank }, mark) => mark(`candidate ${rank}`, cell, svg("circle", {}),
  svg("text", { class: "number", lengthAdjust: "spacingAndGlyphs", textLength: text.length > 2 ? 24 : null }, text));

// A move of the defender against a forced win: whether it helps, and what is said of it.
const answerMark = ([cell, kind, text], mark) => mark(`answer ${kind}`, cell, svg("title", {}, text),
  svg("circle", { r: kind === "fails" ? 4.5 : 8.5 }), kind === "open" ? svg("text", { class: "number" }, "?") : null);

// A square where a side wins at once, a diamond where it gets an open four.
function threatMarks(threats, place) {
  const mark = (cell, colour, isFive) => {
    const [x, y] = place(cell);
    const side = isFive ? 13 : 11;
    return svg("rect", { class: `threat ${colour} ${isFive ? "five" : "open-four"}`, x: x - side / 2,
      y: y - side / 2, width: side, height: side, rx: 2,
      transform: isFive ? null : `rotate(45 ${x} ${y})` },
    svg("title", {}, t(isFive ? "threat.five" : "threat.four", { side: sideName(colour) })));
  };
  return ["black", "white"].flatMap((colour) => [
    ...threats[colour].fives.map((cell) => mark(cell, colour, true)),
    ...threats[colour].open_fours.map((cell) => mark(cell, colour, false)),
  ]);
}

// Squares of a colour by the value of each empty cell, and the shares of the policy in per cent.
function cellValueMarks({ cells, policy }, place) {
  const most = Math.max(1, ...cells.map(([, , value]) => Math.abs(value)));
  const squares = cells.map(([x, y, value]) => {
    const [cx, cy] = place([x, y]);
    return svg("rect", { class: `cell-value ${value > 0 ? "good" : "bad"}`, x: cx - CELL / 2, y: cy - CELL / 2,
      width: CELL, height: CELL, "fill-opacity": (0.65 * Math.sqrt(Math.abs(value) / most)).toFixed(3) },
    svg("title", {}, t("cell-values.adds", { value })));
  });
  const shares = policy.filter(([, , share]) => share >= 0.01).map(([x, y, share]) => {
    const [cx, cy] = place([x, y]);
    return svg("text", { class: "share", x: cx, y: cy }, `${Math.round(share * 100)}`);
  });
  return [...squares, ...shares];
}

const SHAPES = {
  triangle: ["polygon", { points: "0,-8 7,5 -7,5" }],
  square: ["rect", { x: -6, y: -6, width: 12, height: 12 }],
  circle: ["circle", { r: 7 }],
  cross: ["path", { d: CROSS }],
  colour: ["rect", { class: "tint", x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL }],
  letter: ["circle", { class: "under", r: 9 }],
  "black-dot": ["circle", { class: "dot", r: 5 }],
  "white-dot": ["circle", { class: "dot", r: 5 }],
};

// What people have put on a point: [column, row, kind, text].
const noteMark = ([x, y, kind, text], mark) => mark(`note ${kind}`, [x, y], svg(...SHAPES[kind]),
  kind === "letter" ? svg("text", { class: "number" }, text.slice(0, 3)) : null);

function legendText(marks) {
  const parts = [];
  if (marks.threats) parts.push(t("threat.legend"));
  if (marks.cell_values) parts.push(t("cell-values.legend", { value: marks.cell_values.value }));
  return parts.join(" ");
}

// A short knock, as of a stone that is put down.
let sounds = null;
function knock() {
  sounds ||= new AudioContext();
  const length = 0.06 * sounds.sampleRate;
  const buffer = sounds.createBuffer(1, length, sounds.sampleRate);
  buffer.getChannelData(0).forEach((_, i, all) => {
    all[i] = (Math.random() * 2 - 1) * Math.exp((-i / length) * 9) * 0.5;
  });
  const filter = new BiquadFilterNode(sounds, { type: "bandpass", frequency: 1400, Q: 1.4 });
  const source = new AudioBufferSourceNode(sounds, { buffer });
  source.connect(filter).connect(sounds.destination);
  source.start();
}

// Has one stone been played since the position before?
const isNext = (before, cells) => before !== null && cells.length === before.length + 1
  && before.every(([x, y], i) => x === cells[i][0] && y === cells[i][1]);

export function makeBoard(element, view) {
  const marks = {}; // hint, threats, cell_values: as the server has told them
  let picture = null;
  let laid = null;
  let before = null; // the moves that were shown
  let taken = new Set(); // the cells that have a stone, as texts
  let ghost = { colour: null, cell: null, isHair: false };

  // The stone of the side to move under the pointer; with lines to it where a finger slides.
  function drawGhost() {
    for (const each of picture.querySelectorAll(".ghost, .cross-hair")) each.remove();
    const { colour, cell, isHair } = ghost;
    if (colour === null || cell === null || taken.has(String(cell))) return;
    const [x, y] = laid.place(cell);
    const [left, top, wide, high] = laid.box;
    if (isHair) picture.append(svg("path", { class: "cross-hair", d: `M${left} ${y}h${wide}M${x} ${top}v${high}` }));
    picture.append(svg("g", { class: `ghost ${colour}` }, stoneAt(colour, [x, y])));
  }

  // The move that is searched, and those that lose, as far as no other mark is there.
  function drawRoot({ now, lost }) {
    for (const each of picture.querySelectorAll(".root")) each.remove();
    const ring = (cell, kind, r) => {
      const [[cx, cy], point] = [laid.place(cell), pointName(cell, laid.height)];
      const isFree = kind === "now" || !picture.querySelector(`.candidate[data-point=${point}]`);
      if (isFree) picture.append(svg("circle", { class: `root ${kind}`, cx, cy, r, "data-point": point }));
    };
    for (const cell of lost) ring(cell, "losing", 4.5);
    if (now !== null) ring(now, "now", 15);
  }

  const cellAt = (x, y) => (picture === null ? null : laid.cellAt(picture, x, y));
  function point(cell, isHair = false) {
    if (String(cell) === String(ghost.cell) && isHair === ghost.isHair) return;
    ghost = { ...ghost, cell, isHair };
    if (picture !== null) drawGhost();
  }
  element.addEventListener("pointermove", ({ pointerType, clientX, clientY }) => {
    if (pointerType !== "touch") point(cellAt(clientX, clientY));
  });
  element.addEventListener("pointerleave", () => point(null));

  return {
    // The cell under a point of the window; null beside the lines.
    cellAt,
    // How far the lines are apart on the screen, in pixels.
    cellSize: () => {
      const { a, b } = picture.getScreenCTM();
      return CELL * Math.hypot(a, b);
    },
    // A finger slides over a cell; null: over none any more.
    slideTo: (cell) => point(cell, cell !== null),
    step: (way) => laid.step(way),
    show: (kind, message) => { marks[kind] = message; },
    forget: (kind) => { delete marks[kind]; },
    // The same best moves have other values, and another move is searched.
    tellValues: (candidates, root) => {
      const texts = element.querySelectorAll(".candidate .number");
      texts.forEach((text, i) => { if (candidates[i]) text.textContent = candidates[i].text; });
      if (texts.length) drawRoot(root);
    },
    // `shown` is a position of drawBoard, with `fouls` as view.py has them, `candidates`, the best
    // moves as analyse.js has them, `root`, what is searched, likewise, `notes`, marks as tree.py has
    // them, `chosen`, a stone that is not yet played, as [cell, colour], `mine`, the colour whose stone a click puts down, or
    // nothing, and `answers` as proof.js has them.
    draw: (shown, cursor) => {
      const { fouls = [], candidates = [], notes = [], answers = [], root = null, chosen = null, mine = null, height,
        isApart = false } = shown;
      const isNew = !isApart && isNext(before, shown.cells) && shown.move === shown.cells.length;
      before = isApart ? null : shown.cells;
      taken = new Set([...shown.cells.slice(0, shown.move), ...(shown.better || []), ...(shown.setup || []).map(([x, y]) => [x, y])].map(String));
      ghost.colour = mine;
      const position = { opening: 0, line: [], numbered: view.numbersFrom() || false, isNew, ...view.look(), ...shown };
      laid = { ...layOut(position), height };
      const { place } = laid;
      picture = drawBoard(position);
      const mark = (kind, cell, ...parts) => svg("g", { class: kind, "data-point": pointName(cell, height),
        transform: `translate(${place(cell)})` }, parts);
      picture.append(...answers.map((each) => answerMark(each, mark)));
      if (!isApart) {
        picture.append(...fouls.map((foul) => foulMark(foul, mark)));
        if (marks.cell_values) picture.append(...cellValueMarks(marks.cell_values, place));
        if (marks.threats) picture.append(...threatMarks(marks.threats, place));
        picture.append(...notes.map((each) => noteMark(each, mark)));
        picture.append(...candidates.map((each) => candidate(each, mark)));
        if (candidates.length) drawRoot(root);
        if (marks.hint) picture.append(mark("hinted", marks.hint.cell, svg("circle", { r: 13 })));
        if (chosen) {
          picture.append(mark(`chosen ${chosen[1]}`, chosen[0], stoneAt(chosen[1], [0, 0]), svg("circle", { class: "ring", r: 14.2 })));
        }
      }
      if (cursor) {
        const [x, y] = place(cursor);
        picture.append(svg("rect", { class: "cursor", x: x - 15, y: y - 15, width: 30, height: 30, rx: 4 }));
      }
      document.documentElement.style.setProperty("--ratio", laid.box[2] / laid.box[3]);
      element.replaceChildren(picture);
      drawGhost();
      if (isNew && view.hasSound()) knock();
      byId("legend").textContent = isApart ? "" : legendText(marks);
    },
  };
}

// -- a cursor for the keyboard

const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

const clamp = (value, side) => Math.min(Math.max(value, 0), side - 1);

// Listens to the keys of `element` while it has a cursor: it does if the keyboard brought the focus
// to it, or Enter was pressed. `moved(cell)` is called when the cursor has moved, `chosen(cell)` at
// Enter and the space bar; `size()` gives [width, height].
export function makeCursor(element, board, size, moved, chosen) {
  let cell = null;
  let isShown = false;
  const start = () => size().map((side) => Math.floor(side / 2));
  const place = () => {
    const [width, height] = size();
    cell = cell === null ? start() : [clamp(cell[0], width), clamp(cell[1], height)];
    return cell;
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" && !isShown) {
      isShown = true;
      moved(place());
    } else if (!isShown) {
      return;
    } else if (STEPS[event.key]) {
      const [width, height] = size();
      const [x, y] = place();
      const [dx, dy] = board.step(STEPS[event.key]);
      cell = [clamp(x + dx, width), clamp(y + dy, height)];
      moved(cell);
    } else if (event.key === "Enter" || event.key === " ") {
      chosen(place());
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener("pointerdown", () => {
    isShown = false;
  });
  element.addEventListener("blur", () => {
    isShown = false;
    moved(null);
  });
  element.addEventListener("focus", () => {
    isShown = element.matches(":focus-visible");
    if (isShown) moved(place());
  });
  return () => (isShown ? place() : null);
}
