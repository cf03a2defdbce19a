// A board with stones, as SVG that scales with its box. It depends only on
// `svg` of dom.js and the styles of board.css.

import { svg } from "./dom.js";

const CELL = 32;
const EDGE = 40; // from the first line to the border, with the coordinates in between
const FAR_EDGE = 24; // from the last line to the border

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

const at = (line) => EDGE + line * CELL;

const extent = (side) => at(side - 1) + FAR_EDGE;

function boardLines(width, height) {
  const [wide, high] = [extent(width), extent(height)];
  const parts = [svg("rect", { class: "wood", width: wide, height: high, rx: 6 })];
  for (let x = 0; x < width; x += 1) {
    parts.push(svg("line", { class: "line", x1: at(x), x2: at(x), y1: at(0), y2: at(height - 1) }));
    parts.push(svg("text", { class: "coordinate", x: at(x), y: 15 }, letter(x)));
  }
  for (let y = 0; y < height; y += 1) {
    parts.push(svg("line", { class: "line", y1: at(y), y2: at(y), x1: at(0), x2: at(width - 1) }));
    parts.push(svg("text", { class: "coordinate", x: 14, y: at(y) }, height - y));
  }
  for (const [x, y] of starPoints(width, height)) {
    parts.push(svg("circle", { class: "star", cx: at(x), cy: at(y), r: 3 }));
  }
  return parts;
}

const isWhite = (index, position) => (index % 2 === 1) !== (position.first === "white");

function stone(cell, index, position) {
  const isLast = index === position.move - 1;
  const isOpening = index < position.opening;
  const kind = ["stone", isWhite(index, position) ? "white" : "black", isLast && "last",
    isOpening && "opening"].filter(Boolean).join(" ");
  const [cx, cy] = cell.map(at);
  const point = pointName(cell, position.height);
  return svg("g", { class: kind, "data-move": index + 1, "data-point": point },
    svg("circle", { class: "body", cx, cy, r: 14.2 }),
    isOpening ? svg("circle", { class: "mark", cx, cy, r: 11.4 }) : null);
}

function setStone([x, y, colour], position) {
  const [cx, cy] = [x, y].map(at);
  return svg("g", { class: `stone set ${colour}`, "data-point": pointName([x, y], position.height) },
    svg("circle", { class: "body", cx, cy, r: 14.2 }));
}

// What is drawn on a stone: its number, or a dot if it is the last one.
function label(cell, index, position) {
  const [x, y] = cell.map(at);
  if (position.numbered && index + 1 >= position.numbered) {
    const kind = `number on-${isWhite(index, position) ? "white" : "black"}`;
    return svg("text", { class: kind, x, y }, index + 1);
  }
  return index === position.move - 1 ? svg("circle", { class: "dot", cx: x, cy: y, r: 4 }) : null;
}

function betterMove(cell, index, position) {
  const [x, y] = cell.map(at);
  return svg("g", { class: "better", "data-point": pointName(cell, position.height) },
    svg("circle", { cx: x, cy: y, r: 13 }), svg("text", { class: "number", x, y }, index + 1));
}

// The cell under a point of the window, as [x, y] from zero at the top left; null beside the lines.
// `picture` is what drawBoard has made, or the part of it that is turned with the board.
export function cellAt(picture, clientX, clientY, width, height) {
  const place = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
  const cell = [place.x, place.y].map((value) => Math.round((value - EDGE) / CELL));
  const inside = cell[0] >= 0 && cell[0] < width && cell[1] >= 0 && cell[1] < height;
  return inside ? cell : null;
}

// The place of a cell in the picture, as [x, y].
export const placeOf = (cell) => cell.map(at);

// An SVG element that shows `position`, an object with
//   width, height   the size of the board
//   cells           all moves of the game in order, each as [x, y] from zero at the top left
//   setup           stones before the first move, as [x, y, "black" or "white"]; may be left out
//   first           who makes the first move, "black" if left out
//   move            how many of them to show
//   opening         how many of them are marked as stones of the opening
//   line            the cells of the winning line, or []; marked when all stones are shown
//   better          cells of a line that would have been better, or []; numbered where they are empty
//   numbered        the first move whose stone shows its number, or true for all; false for none
//   label           what the picture shows, for readers who do not see it
export function drawBoard(position) {
  const { width, height, cells, move, line, better = [], setup = [] } = position;
  const shown = cells.slice(0, move);
  const last = move > 0 ? cells[move - 1].map(at) : null;
  const won = move === cells.length ? line.map((cell) => cell.map(at)) : [];
  const [x1, y1] = won[0] || [];
  const [x2, y2] = won[won.length - 1] || [];
  return svg("svg", { class: `board ${Math.max(width, height) > 15 ? "large" : ""}`, role: "img",
    "aria-label": position.label, viewBox: `0 0 ${extent(width)} ${extent(height)}` },
  boardLines(width, height),
  won.length ? svg("line", { class: "won-line", x1, y1, x2, y2 }) : null,
  setup.map((stone) => setStone(stone, position)),
  shown.map((cell, i) => stone(cell, i, position)),
  won.map(([cx, cy]) => svg("circle", { class: "won", cx, cy, r: 14.2 })),
  last ? svg("circle", { class: "ring", cx: last[0], cy: last[1], r: 14.2 }) : null,
  shown.map((cell, i) => label(cell, i, position)),
  better.map((cell, i) => (shown.some((other) => other[0] === cell[0] && other[1] === cell[1])
    ? null : betterMove(cell, i, position))));
}
