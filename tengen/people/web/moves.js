// The moves of the game: steps through them, the tree of lines that were tried, the chart of Black's
// chance, and the review with its findings.

import { pointName } from "./board.js";
import { stretchedLine } from "./charts.js";
import { byId, html, svg } from "./dom.js";
import { t, told } from "./texts.js";

// So many moves of other lines are listed at once; a file can have millions.
const MOST_LISTED = 500;
const MARKS = { inaccuracy: "?!", mistake: "?", "missed win": "??", foul: t("review.foul") };

// So long a position that was asked for counts as the one on the board: keys come faster than answers.
const ANSWER_MS = 1000;

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function makeMoves(send, redraw, note) {
  let game = null;
  // By number less one: the node before it, column, row, Black's chance, a sign, is something said?
  let tree = { nodes: [], root: null };
  let shownPath = new Set(); // the nodes up to the current one, which are always listed
  let left = 0; // of MOST_LISTED
  let review = null;
  let after = null; // a better line is shown while these moves are on the board
  let better = [];
  let trying = null; // for which position a better move is looked for, and what is said of that

  const nodes = () => tree.nodes;
  const whole = () => [...game.cells, ...game.ahead];
  let asked = null; // the moves of the last position that was asked for, and when
  const show = (cells) => {
    asked = [cells, performance.now()];
    send({ do: "show", cells });
  };
  const here = () => (asked && performance.now() - asked[1] < ANSWER_MS ? asked[0] : game.cells);

  // The children of each node, in the order in which they were made.
  function children() {
    const found = Array.from({ length: nodes().length + 1 }, () => []);
    nodes().forEach(([before], i) => found[before].push(i + 1));
    return found;
  }

  function cellsOf(node) {
    const cells = [];
    for (let at = node; at; at = nodes()[at - 1][0]) cells.unshift(nodes()[at - 1].slice(1, 3));
    return cells;
  }

  // The nodes along some cells, for as long as the tree has them.
  function nodesAlong(cells) {
    const known = children();
    const along = [];
    let at = 0;
    for (const [x, y] of cells) {
      at = known[at].find((child) => nodes()[child - 1][1] === x && nodes()[child - 1][2] === y);
      if (at === undefined) break;
      along.push(at);
    }
    return along;
  }

  // -- the list of moves

  const isBlack = (number) => (number % 2 === 1) === (game.first === "black");

  function button(node, number, marks) {
    const cell = nodes()[node - 1].slice(1, 3);
    const finding = marks.get(node);
    const [, , , , sign, isSaid] = nodes()[node - 1];
    const current = node === game.node;
    return html("button", { type: "button", class: `move ${finding || sign.includes("?") ? "marked" : ""}`,
      "aria-current": current ? "true" : null, title: finding ? told(finding.text) : null,
      onclick: () => show(cellsOf(node)) },
    html("span", { class: "n" }, `${number}.`),
    html("span", { class: `disc ${isBlack(number) ? "black" : "white"}-disc`, "aria-hidden": "true" }),
    `${pointName(cell, game.height)}${sign || finding ? ` ${sign || MARKS[finding.kind]}` : ""}${isSaid ? " …" : ""}`);
  }

  // A line from a node on: its moves, and below each move the other lines there.
  function line(from, number, known, marks) {
    const parts = [];
    let at = from;
    let count = number;
    while (at !== undefined) {
      left -= 1;
      if (left < 0 && !shownPath.has(at)) {
        parts.push(t("tree.more"));
        break;
      }
      const others = known[nodes()[at - 1][0]].filter((other) => other !== at);
      parts.push(button(at, count, marks));
      if (others.length && (count > number || from === known[0][0])) {
        parts.push(html("ul", {}, others.filter((other) => left > 0 || shownPath.has(other))
          .map((other) => html("li", {}, line(other, count, known, marks)))));
      }
      at = known[at][0];
      count += 1;
    }
    return parts;
  }

  function showTree() {
    const known = children();
    const marks = new Map();
    if (review !== null) {
      const along = nodesAlong(review.cells);
      for (const each of review.marked) marks.set(along[each.number - 1], each);
    }
    left = MOST_LISTED;
    shownPath = new Set();
    for (let at = game.node; at; at = nodes()[at - 1][0]) shownPath.add(at);
    const box = byId("tree");
    const hadFocus = box.contains(document.activeElement);
    box.replaceChildren(...(known[0].length ? line(known[0][0], 1, known, marks) : []));
    const current = box.querySelector("[aria-current]");
    if (current) {
      if (hadFocus) current.focus({ preventScroll: true });
      const top = current.offsetTop; // from the top of the box
      if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) {
        box.scrollTop = top - box.clientHeight / 2;
      }
    }
  }

  // -- the chart

  function showChart() {
    const cells = whole();
    const along = nodesAlong(cells);
    const chances = [tree.root, ...along.map((node) => nodes()[node - 1][3])];
    const known = chances.filter((chance) => chance !== null && chance !== undefined);
    if (known.length < 2) {
      byId("chart").replaceChildren();
      return;
    }
    const columns = cells.length + 1;
    const place = (move) => (move + 0.5) / columns;
    const points = chances.flatMap((chance, move) => (chance === null || chance === undefined ? []
      : [[place(move), 0.04 + chance * 0.92]]));
    const x = `${place(game.cells.length) * 100}%`;
    const marked = review !== null && same(review.cells, cells.slice(0, review.cells.length))
      ? review.marked : [];
    const chart = svg("svg", { class: "chances", role: "img",
      "aria-label": t("chart.name"), onclick: (event) => {
        const box = chart.getBoundingClientRect();
        show(cells.slice(0, Math.floor(((event.clientX - box.left) / box.width) * columns)));
      } },
    svg("line", { class: "zero", x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
    stretchedLine(points, { class: "chance-line" }),
    marked.map(({ number, kind, text }) => svg("circle", { class: `finding ${kind.replace(" ", "-")}`,
      cx: `${place(number) * 100}%`, cy: `${(0.96 - (chances[number] ?? 0.5) * 0.92) * 100}%`, r: 4 },
    svg("title", {}, told(text)))),
    svg("line", { class: "here", x1: x, x2: x, y1: 0, y2: "100%" }));
    byId("chart").replaceChildren(chart,
      html("div", { class: "ends" }, html("span", {}, t("chart.start")), html("span", {}, t("chart.up")),
        html("span", {}, t("chart.move", { number: cells.length }))));
  }

  // -- the review

  // Once, when the position is on the board: what was noted before is about another one.
  function tellTrying() {
    if (trying === null || trying.isTold || !same(game.cells, trying.cells)) return;
    trying.isTold = true;
    note(trying.text);
  }

  function showFindings() {
    const box = byId("findings");
    if (review === null) {
      box.replaceChildren();
      return;
    }
    const look = (line, cells) => {
      after = JSON.stringify(cells);
      better = line;
      show(cells);
      redraw();
    };
    const finding = (each) => html("li", {}, html("button", { type: "button", class: "found",
      onclick: () => {
        trying = null;
        look(each.better, review.cells.slice(0, each.number - 1));
      } },
    t("review.finding", { ...each, point: pointName(review.cells[each.number - 1], game.height), mark: MARKS[each.kind] })),
    each.kind === "foul" ? "" : html("button", { type: "button", onclick: () => {
      const cells = review.cells.slice(0, each.number - 1);
      const point = pointName(review.cells[each.number - 1], game.height);
      trying = { cells, text: t("review.try", { point }), isTold: false };
      look([], cells);
      tellTrying();
    } }, t("review.again")));
    box.replaceChildren(
      ...review.sentences.map((text) => html("p", {}, t("review.sentence", { text: capital(told(text)) }))),
      review.marked.length ? html("ul", {}, review.marked.map(finding))
        : html("p", {}, t("review.none")));
  }

  function showWork() {
    for (const id of ["enough", "progress", "work-step"]) byId(id).hidden = game.work === "";
    if (game.work === "") byId("progress").removeAttribute("value");
  }

  function showSteps() {
    const count = game.cells.length;
    const total = count + game.ahead.length;
    byId("number").textContent = `${count} / ${total}`;
    for (const id of ["first", "back"]) byId(id).disabled = count === 0;
    for (const id of ["forward", "last"]) byId(id).disabled = count === total;
  }

  const TARGETS = {
    first: () => [], back: () => here().slice(0, -1),
    forward: () => whole().slice(0, here().length + 1), last: whole,
  };
  const steps = {};
  for (const [id, cells] of Object.entries(TARGETS)) {
    steps[id] = () => {
      if (game !== null && !same(cells(), here())) show(cells());
    };
    byId(id).addEventListener("click", steps[id]);
  }

  function showAll() {
    if (game === null) return;
    showSteps();
    showTree();
    showChart();
    showFindings();
    showWork();
  }

  return {
    // What the buttons under the board do, by their names.
    steps,
    // A click on a point; true if it is a try for a better move.
    click: ([x, y]) => {
      if (trying === null || !same(game.cells, trying.cells)) return false;
      send({ do: "try", cells: trying.cells, x, y });
      return true;
    },
    hearTried: ({ text, is_good: isGood }) => {
      if (isGood) trying = null;
      note(text);
    },
    // The better line to show in this position; [] for none.
    preview: (state) => (after !== null && JSON.stringify(state.cells) === after ? better : []),
    show: (state) => {
      const isOther = game !== null && !same(game.setup, state.setup);
      game = state;
      if (asked && same(asked[0], game.cells)) asked = null;
      if (isOther || (review !== null && nodesAlong(review.cells).length < review.cells.length)) {
        review = after = trying = null;
      }
      showAll();
      tellTrying();
    },
    // The whole tree; then nodes that are new or have changed.
    hearTree: ({ nodes: all, root }, isWhole) => {
      if (isWhole) tree = { nodes: [] };
      tree.root = root;
      const hasChanged = !isWhole && all.some(([number]) => tree.nodes[number - 1]);
      for (const [number, ...node] of all) tree.nodes[number - 1] = node;
      if (hasChanged && game !== null) showTree(); // no state follows
    },
    // Black's chance in the position on the board, as a search sees it now.
    hearChance: (chance) => {
      if (game.node) nodes()[game.node - 1][3] = chance;
      else tree.root = chance;
      showChart();
    },
    hearReview: (message) => {
      review = message;
      showAll();
    },
    hearWork: ({ step, done, total }) => {
      byId("work-step").textContent = told(step);
      if (!total) return; // nobody knows how much is left
      byId("progress").max = total;
      byId("progress").value = done;
    },
  };
}
