// A board with stones, as SVG that scales with its box. It depends only on
// `svg` of dom.js and the styles of board.css.

import { svg } from "./dom.js";

export const CELL = 32;
const STONE = 14.6; // the radius of a stone

const letter = (x) => String.fromCharCode(97 + x);

// `h8` for a cell counted from zero at the top left: the row is counted from the bottom, as on a
// printed board and in every command of tengen.
export const pointName = ([x, y], height) => `${letter(x)}${height - y}`;

// The points that boards mark, to count lines by.
function starPoints(width, height) {
  const places = (side) => (side >= 13 ? [3, (side - 1) / 2, side - 4]
    : side >= 9 ? [2, (side - 1) / 2, side - 3] : [(side - 1) / 2]).filter(Number.isInteger);
  const middle = (value, side) => value === (side - 1) / 2;
  return places(width).flatMap((x) => places(height).map((y) => [x, y]))
    .filter(([x, y]) => middle(x, width) === middle(y, height));
}

// -- where things are

// Of a matrix (a b c d): quarter turns, clockwise.
const TURNS = [[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]];

// How a board of that size is laid out when it is turned so many quarters, and then mirrored:
//   place   the place of a cell in the picture, as [x, y]; the lines of a board that is not turned
//           begin at [0, 0].
//   cellAt  the cell under a point of the window; null beside the lines.
//   step    a step on the screen, as one on the board.
//   box     [x, y, width, height] of the picture.
// A small one has coordinates on the left and below only.
export function layOut({ width, height, turns = 0, isMirrored = false, hasCoordinates = true, isSmall = false }) {
  const [p, b, q, d] = TURNS[turns];
  const [a, c] = isMirrored ? [-p, -q] : [p, q];
  const back = (x, y) => (x < 0 ? width - 1 : 0) + (y < 0 ? height - 1 : 0);
  const [e, f] = [back(a, c), back(b, d)];
  const [wide, high] = turns % 2 ? [height, width] : [width, height];
  const span = (Math.max(wide, high) - 1) * CELL;
  const edge = hasCoordinates ? 23 + span * 0.026 + (isSmall ? 3 : 0) : 21;
  const far = isSmall ? 18 : edge; // at the top and on the right
  const step = ([x, y]) => [a * x + b * y, c * x + d * y];
  return {
    edge, step,
    letterSize: span * 0.017 + 1.6,
    box: [-edge, -far, (wide - 1) * CELL + edge + far, (high - 1) * CELL + edge + far],
    place: ([x, y]) => [(a * x + c * y + e) * CELL, (b * x + d * y + f) * CELL],
    cellAt: (picture, clientX, clientY) => {
      const at = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
      const [x, y] = step([Math.round(at.x / CELL) - e, Math.round(at.y / CELL) - f]);
      return x >= 0 && x < width && y >= 0 && y < height ? [x, y] : null;
    },
  };
}

// -- the board without stones

const ball = (id, ...stops) => svg("radialGradient", { id, cx: 0.36, cy: 0.3, r: 0.78 },
  stops.map(([offset, colour]) => svg("stop", { offset, "stop-color": colour })));

const DEFINED = () => svg("defs", {},
  ball("black-stone", [0, "#858b92"], [0.16, "#565b61"], [0.5, "#24272b"], [1, "#060708"]),
  ball("white-stone", [0, "#ffffff"], [0.5, "#f8f6f0"], [0.82, "#e3ded2"], [1, "#bfb7a7"]),
  svg("radialGradient", { id: "shade" }, svg("stop", { offset: 0.62, "stop-color": "#2a160076" }),
    svg("stop", { offset: 1, "stop-color": "#2a160000" })));

// The fibres of the wood, straight from top to bottom and the same on every board: fine ones, and
// here and there a broad one, which is darker or lighter than the ground.
function grain([left, top, wide, high]) {
  let seed = 7;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const fibres = [];
  for (let x = left + 2; x < left + wide - 2; x += 2 + chance() * 5) {
    const isBroad = chance() < 0.24;
    const [thick, faint] = isBroad ? [6 + chance() * 24, 0.01 + chance() * 0.014]
      : [0.4 + chance() * 0.7, 0.015 + chance() ** 3 * 0.06];
    fibres.push(svg("path", { class: isBroad && chance() < 0.45 ? "grain light" : "grain", "stroke-width": thick.toFixed(1),
      opacity: faint.toFixed(3), d: `M${x.toFixed(1)} ${top}v${high}` }));
  }
  return fibres;
}

function ground({ width, height, hasCoordinates = true, isSmall = false }, { place, box, edge, letterSize }) {
  const [x, y, wide, high] = box;
  const [columns, rows] = [[...Array(width).keys()], [...Array(height).keys()]];
  const line = (from, to) => `M${place(from)}L${place(to)}`;
  const away = (edge - STONE) / 2 + STONE - 0.5; // of a coordinate from its line
  // Beside the last point of a line, on the side where the line ends.
  const name = (text, cell, before) => {
    const [[x1, y1], [x2, y2]] = [place(cell), place(before)];
    return isSmall && (x1 > x2 || y1 < y2) ? null : svg("text", { class: "coordinate",
      x: x1 + Math.sign(x1 - x2) * away, y: y1 + Math.sign(y1 - y2) * away }, text);
  };
  return [
    svg("rect", { class: "wood", x, y, width: wide, height: high, rx: 8 }),
    grain(box),
    svg("path", { class: "line", d: [...columns.map((i) => line([i, 0], [i, height - 1])),
      ...rows.map((i) => line([0, i], [width - 1, i]))].join("") }),
    starPoints(width, height).map((cell) => {
      const [cx, cy] = place(cell);
      return svg("circle", { class: "star", cx, cy, r: 3.6 });
    }),
    hasCoordinates ? svg("g", { "font-size": letterSize.toFixed(1) },
      ...columns.flatMap((i) => [name(letter(i), [i, 0], [i, 1]), name(letter(i), [i, height - 1], [i, height - 2])]),
      ...rows.flatMap((i) => [name(height - i, [0, i], [1, i]), name(height - i, [width - 1, i], [width - 2, i])])) : [],
  ];
}

// -- stones

// A stone with its shadow, for a group that has the class of its colour.
export const stoneAt = (colour, [cx, cy]) => [
  svg("circle", { class: "shade", cx: cx + 1.1, cy: cy + 2.4, r: STONE + 1.4, fill: "url(#shade)" }),
  svg("circle", { class: "body", cx, cy, r: STONE, fill: `url(#${colour}-stone)` })];

export const colourOf = (index, position) =>
  ((index % 2 === 1) !== (position.first === "white") ? "white" : "black");
const isIn = (cells, [x, y]) => cells.some((other) => other[0] === x && other[1] === y);

function stone(cell, index, position, place) {
  const [isLast, isOpening] = [index === position.move - 1, index < position.opening];
  const colour = colourOf(index, position);
  const kind = ["stone", colour, isLast && "last", isLast && position.isNew && "now", isOpening && "opening",
    isIn(position.line, cell) && "five"].filter(Boolean).join(" ");
  const [cx, cy] = place(cell);
  return svg("g", { class: kind, "data-move": index + 1, "data-point": pointName(cell, position.height) },
    stoneAt(colour, [cx, cy]), isOpening ? svg("circle", { class: "mark", cx, cy, r: 11.4 }) : null);
}

function setStone([x, y, colour], position, place) {
  const kind = `stone set ${colour} ${isIn(position.line, [x, y]) ? "five" : ""}`.trim();
  return svg("g", { class: kind, "data-point": pointName([x, y], position.height) }, stoneAt(colour, place([x, y])));
}

const number = (index, text, [x, y], position, kind = "") =>
  svg("text", { class: `number on-${colourOf(index, position)} ${kind} ${text > 99 ? "long" : ""}`.trim(), x, y }, text);

// What is drawn on a stone: its number, or a dot if it is the last one and has no sign.
function label(cell, index, position, place) {
  const isLast = index === position.move - 1;
  if (position.numbered && index + 1 >= position.numbered) {
    return number(index, index + 1, place(cell), position, isLast ? "newest" : "");
  }
  const [cx, cy] = place(cell);
  return isLast && (!position.sign || position.sign.cell) ? svg("circle", { class: `dot on-${colourOf(index, position)}`, cx, cy, r: 5 }) : null;
}

// A move of a line; small and aside where a stone is shown.
function betterMove(cell, index, position, [x, y], isTaken) {
  const colour = colourOf(position.move + index, position);
  return svg("g", { class: `better ${colour} ${index ? "" : "first"}`.trim(), "data-point": pointName(cell, position.height),
    transform: isTaken ? `translate(${x - 10} ${y + 10}) scale(0.7)` : `translate(${x} ${y})` },
  stoneAt(colour, [0, 0]), number(position.move + index, index + 1, [0, 0], position));
}

// The kinds of signs.
export const KINDS = { "?!": "inaccuracy", "?": "mistake", "??": "missed", "\u00d7": "foul", "!": "good", "!!": "good" };

// The beginning of a line that is better than a move at `cell`, for a board: up to five moves, as far
// as that point is free.
export function beginningOf(better, cell) {
  const taken = better.findIndex((other) => isIn([cell], other));
  return better.slice(0, taken < 0 ? 5 : Math.min(5, taken));
}

// A sign such as "?", of its kind, aside on a stone; as large as the stone where that is faint, for it
// is not played there.
function sign({ kind, text }, [x, y], position, isPlayed) {
  const colour = colourOf(position.move, position);
  return [isPlayed ? null : svg("g", { class: `instead ${colour}` }, stoneAt(colour, [x, y])),
    svg("g", { class: `sign ${kind} ${isPlayed ? "aside" : ""}`.trim(), transform: `translate(${x} ${y})` }, svg("circle", { r: 11.5 }), svg("text", {}, text))];
}

// An SVG element that shows `position`, an object with
//   width, height   the size of the board
//   cells           all moves of the game in order, each as [x, y] from zero at the top left
//   setup           stones before the first move, as [x, y, "black" or "white"]; may be left out
//   first           who makes the first move, "black" if left out
//   move            how many of them to show
//   isNew           the last one has just been played
//   opening         how many of them are marked as stones of the opening
//   line            the cells of the winning line, or []; lit up when all stones are shown
//   better          cells of a line to show as well, or []; numbered
//   numbered        the first move whose stone shows its number, or true for all; false for none
//   sign            what is said of the last move shown, or of one at `cell` that might follow it,
//                   as {kind, text, cell}, or nothing
//   label           what the picture shows, for readers who do not see it
//   look            "wood", "paper" or "dark"; wood if left out
//   turns, isMirrored, hasCoordinates, isSmall   as for `layOut`
export function drawBoard(position) {
  const { height, cells, move, better = [], setup = [], look = "wood" } = position;
  const laid = layOut(position);
  const { place } = laid;
  const shown = cells.slice(0, move);
  const line = move === cells.length ? position.line || [] : [];
  const seen = { ...position, line };
  const at = position.sign && (position.sign.cell || shown.at(-1));
  const kind = `board look-${look} ${position.isNew ? "now-over" : ""}`.trim();
  return svg("svg", { class: kind, role: "img", "aria-label": position.label, viewBox: laid.box.join(" ") },
    DEFINED(), ground(position, laid),
    line.length ? svg("path", { class: "won-line", d: `M${line.map(place).join("L")}` }) : null,
    setup.map((each) => setStone(each, seen, place)),
    shown.map((cell, i) => stone(cell, i, seen, place)),
    line.map(place).map(([cx, cy]) => svg("circle", { class: "won", cx, cy, r: STONE + 1.3 })),
    shown.map((cell, i) => label(cell, i, position, place)),
    better.map((cell, i) => betterMove(cell, i, position, place(cell), isIn(shown, cell))),
    at && (isIn(shown, at) || !isIn(better, at)) ? sign(position.sign, place(at), position, isIn(shown, at)) : null);
}
