// The picture of the board with what is shown on top of the stones: forbidden points, best moves, a
// hint, threats, the values of cells, a stone to be confirmed, the cursor.

import { cellAt, drawBoard, placeOf, pointName } from "./board.js";
import { byId, svg } from "./dom.js";
import { sideName, t, told } from "./texts.js";

const CELL = 32;
const MARGIN = 24; // what remains beside the lines without coordinates

function foulMark([x, y, reason], height) {
  const [cx, cy] = placeOf([x, y]);
  const cross = (dx, dy) => svg("line", { class: "foul", x1: cx - dx, y1: cy - dy, x2: cx + dx, y2: cy + dy });
  return svg("g", { class: "forbidden", "data-point": pointName([x, y], height) },
    svg("title", {}, told(reason)), svg("circle", { class: "foul-area", cx, cy, r: 14 }),
    cross(6, 6), cross(6, -6));
}

// One of the best moves, with its value for the side to move; the first one stands out.
function candidate({ cells: [cell], score }, rank, height) {
  const [x, y] = placeOf(cell);
  return svg("g", { class: `candidate ${rank === 1 ? "best" : ""}`, "data-point": pointName(cell, height) },
    svg("circle", { cx: x, cy: y, r: 14 }), svg("text", { class: "number", x, y }, score));
}

// A square where a side wins at once, a diamond where it gets an open four.
function threatMarks(threats) {
  const mark = (cell, colour, isFive) => {
    const [x, y] = placeOf(cell);
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
function cellValueMarks({ cells, policy }) {
  const most = Math.max(1, ...cells.map(([, , value]) => Math.abs(value)));
  const squares = cells.map(([x, y, value]) => {
    const [cx, cy] = placeOf([x, y]);
    return svg("rect", { class: `cell-value ${value > 0 ? "good" : "bad"}`, x: cx - CELL / 2, y: cy - CELL / 2,
      width: CELL, height: CELL, "fill-opacity": (0.65 * Math.sqrt(Math.abs(value) / most)).toFixed(3) },
    svg("title", {}, t("cell-values.adds", { value })));
  });
  const shares = policy.filter(([, , share]) => share >= 0.01).map(([x, y, share]) => {
    const [cx, cy] = placeOf([x, y]);
    return svg("text", { class: "share", x: cx, y: cy }, `${Math.round(share * 100)}`);
  });
  return [...squares, ...shares];
}

// What people have put on a point: [column, row, kind, text].
function noteMark([x, y, kind, text], height) {
  const [cx, cy] = placeOf([x, y]);
  const corners = (points) => points.map(([dx, dy]) => `${cx + dx},${cy + dy}`).join(" ");
  const polygon = (points) => [svg("polygon", { points: corners(points) })];
  const shapes = {
    triangle: () => polygon([[0, -8], [7, 5], [-7, 5]]),
    square: () => polygon([[-6, -6], [6, -6], [6, 6], [-6, 6]]),
    circle: () => [svg("circle", { cx, cy, r: 7 })],
    cross: () => [svg("path", { d: `M${cx - 6} ${cy - 6}l12 12m0 -12l-12 12` })],
    colour: () => [svg("rect", { class: "tint", x: cx - CELL / 2, y: cy - CELL / 2, width: CELL, height: CELL })],
    letter: () => [svg("circle", { class: "under", cx, cy, r: 9 }),
      svg("text", { class: "number", x: cx, y: cy }, text.slice(0, 3))],
  };
  return svg("g", { class: `note ${kind}`, "data-point": pointName([x, y], height) }, shapes[kind]());
}

function legendText(marks) {
  const parts = [];
  if (marks.threats) parts.push(t("threat.legend"));
  if (marks.cell_values) parts.push(t("cell-values.legend", { value: marks.cell_values.value }));
  return parts.join(" ");
}

// Turns the picture; its texts stay upright.
function turn(picture, view) {
  const { width, height } = picture.viewBox.baseVal;
  const inside = svg("g", {}, ...picture.childNodes);
  picture.append(inside);
  if (view.isTurned()) {
    const [a, b, c, d, e, f] = view.matrix(width, height);
    inside.setAttribute("transform", `matrix(${[a, b, c, d, e, f]})`);
    for (const text of inside.querySelectorAll("text")) {
      const [x, y] = [text.getAttribute("x"), text.getAttribute("y")];
      text.setAttribute("transform", `translate(${x} ${y}) matrix(${[a, c, b, d]} 0 0) translate(${-x} ${-y})`);
    }
  }
  let box = [0, 0, width, height];
  if (!view.hasCoordinates()) {
    const cut = placeOf([0, 0])[0] - MARGIN;
    for (const each of inside.querySelectorAll(".coordinate")) each.remove();
    const [x, y] = view.isTurned() ? view.matrix(width - cut, height - cut).slice(4) : [0, 0];
    box = [x ? 0 : cut, y ? 0 : cut, width - cut, height - cut];
  }
  if (view.isOnItsSide()) box = [box[0], box[1], box[3], box[2]];
  picture.setAttribute("viewBox", box.join(" "));
  return [inside, box[2] / box[3]];
}

export function makeBoard(element, view) {
  const marks = {}; // hint, threats, cell_values: as the server has told them
  let inside = null; // the part of the picture that is turned
  let size = [15, 15];
  return {
    // The cell under a point of the window; null beside the lines.
    cellAt: (x, y) => (inside === null ? null : cellAt(inside, x, y, ...size)),
    // How far the lines are apart on the screen, in pixels.
    cellSize: () => {
      const { a, b } = inside.getScreenCTM();
      return CELL * Math.hypot(a, b);
    },
    show: (kind, message) => { marks[kind] = message; },
    forget: (kind) => { delete marks[kind]; },
    // The same best moves have other values.
    tellValues: (lines) => {
      const texts = element.querySelectorAll(".candidate .number");
      texts.forEach((text, i) => { if (lines[i]) text.textContent = lines[i].score; });
    },
    // `shown` is a position of drawBoard, with `fouls` as view.py has them, `candidates`, lines of
    // an analysis, `notes`, marks as tree.py has them, and `chosen`, a stone that is not yet played,
    // as [cell, colour].
    draw: (shown, cursor) => {
      const { fouls = [], candidates = [], notes = [], chosen = null, height, isApart = false } = shown;
      size = [shown.width, height];
      const picture = drawBoard({ opening: 0, line: [], numbered: view.numbersFrom() || false, ...shown });
      if (!isApart) {
        picture.append(...fouls.map((foul) => foulMark(foul, height)));
        if (marks.cell_values) picture.append(...cellValueMarks(marks.cell_values));
        if (marks.threats) picture.append(...threatMarks(marks.threats));
        picture.append(...notes.map((each) => noteMark(each, height)));
        picture.append(...candidates.map((line, i) => candidate(line, i + 1, height)));
        if (marks.hint) {
          const [cx, cy] = placeOf(marks.hint.cell);
          picture.append(svg("circle", { class: "hinted", cx, cy, r: 13 }));
        }
        if (chosen) {
          const [cx, cy] = placeOf(chosen[0]);
          picture.append(svg("g", { class: `chosen ${chosen[1]}`, "data-point": pointName(chosen[0], height) },
            svg("circle", { class: "body", cx, cy, r: 14.2 })));
        }
      }
      if (cursor) {
        const [x, y] = placeOf(cursor);
        picture.append(svg("rect", { class: "cursor", x: x - 15, y: y - 15, width: 30, height: 30, rx: 4 }));
      }
      let ratio;
      [inside, ratio] = turn(picture, view);
      element.style.setProperty("--ratio", ratio);
      element.replaceChildren(picture);
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
export function makeCursor(element, view, size, moved, chosen) {
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
      const [dx, dy] = view.stepOf(STEPS[event.key]);
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
