// The moves of the game: steps through them, the tree of lines that were tried, and what people write
// there, a comment on each position and marks on points.

import { colourOf, KINDS, pointName } from "./board.js";
import { byId, html } from "./dom.js";
import { keepFocus } from "./settings.js";
import { t, told } from "./texts.js";

const FIVE = [1, 2, 3, 4, 5]; // stones in a row
// So many moves of other lines are listed at once; a file can have millions.
const MOST_LISTED = 500;
// What is put beside a move, by what a review found out; and which of the board's signs it is.
const SIGNS = { inaccuracy: "?!", mistake: "?", "missed win": "?", foul: "\u00d7" };
const BLUNDER = 0.5; // what it loses of the chance to win
export const SMALL = 0.1; // a win that was missed for so little is still near
export function signOf({ kind, loss }) {
  const text = loss >= BLUNDER ? "??" : kind === "missed win" && loss < SMALL ? "?!" : SIGNS[kind];
  return { kind: KINDS[text], text };
}

// So long a position that was asked for counts as the one on the board: keys come faster than answers.
const ANSWER_MS = 1000;

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
// What makes the position, among the values of the state.
const POSITION = ["width", "height", "rule", "setup", "first", "cells"];
export const isSamePosition = (one, other) => POSITION.every((key) => same(one[key], other[key]));

export function makeMoves(send) {
  let game = null;
  // By number less one: the node before it, column, row, Black's chance, a sign, the beginning of
  // what is said there.
  let tree = { nodes: [], root: null };
  let shownPath = new Set(); // the nodes up to the current one, which are always listed
  let left = 0; // of MOST_LISTED
  let findings = new Map(); // of a review, by node
  let isHiding = false; // what they say
  const folded = new Set(); // the nodes whose line is not listed

  const nodes = () => tree.nodes;
  const whole = () => [...game.cells, ...game.ahead];
  let asked = null; // the moves of the last position that was asked for, and when
  const goTo = (cells) => {
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

  // What is said of a move in one sign: by the review that is shown, or in its file.
  function textOf(node) {
    const finding = findings.get(node);
    return finding ? signOf(finding).text : nodes()[node - 1][4];
  }

  function button(node, number) {
    const cell = nodes()[node - 1].slice(1, 3);
    const finding = findings.get(node);
    const sign = textOf(node);
    // A finding in the language of the page; while an answer is looked for, none.
    const said = finding ? !isHiding && told(finding.text) : nodes()[node - 1][5];
    return [html("button", { type: "button", class: `move ${sign.includes("?") || finding ? "marked" : ""}`,
      "aria-current": node === game.node ? "true" : null, onclick: () => goTo(cellsOf(node)) },
    html("span", { class: "n" }, `${number}.`),
    html("span", { class: `disc ${colourOf(number - 1, game)}`, "aria-hidden": "true" }),
    `${pointName(cell, game.height)}${sign ? ` ${sign}` : ""}`),
    ...(said ? [html("span", { class: "comment" }, said)] : [])];
  }

  // A line beside the main one; it can be folded to its first move.
  function otherLine(node, number, known) {
    const isInside = shownPath.has(node) && node !== game.node;
    const isFolded = folded.has(node) && !isInside;
    return html("li", {}, known[node].length ? html("button", { type: "button", class: "fold", "aria-expanded": !isFolded ? "true" : "false",
      "aria-label": t("tree.fold"), disabled: isInside, onclick: () => {
        if (!folded.delete(node)) folded.add(node);
        showTree();
      } }, isFolded ? "\u25b8" : "\u25be") : null,
    isFolded ? button(node, number) : line(node, number, known));
  }

  // A line from a node on: its moves, and below each move the other lines there.
  function line(from, number, known) {
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
      parts.push(...button(at, count));
      if (others.length && (count > number || from === known[0][0])) {
        parts.push(html("ul", {}, others.filter((other) => left > 0 || shownPath.has(other))
          .map((other) => otherLine(other, count, known))));
      }
      at = known[at][0];
      count += 1;
    }
    return parts;
  }

  function showTree() {
    const known = children();
    left = MOST_LISTED;
    shownPath = new Set();
    for (let at = game.node; at; at = nodes()[at - 1][0]) shownPath.add(at);
    const box = byId("tree");
    keepFocus(() => box.replaceChildren(...(known[0].length ? line(known[0][0], 1, known)
      : [html("div", { class: "row", "aria-hidden": "true" }, FIVE.map(() => html("span", { class: `disc ${game.first}` }))),
        html("p", {}, t("rule.line", { rule: game.rule_title, text: game.rule_text }))])));
    showCurrent();
  }

  // Scrolls the list to the move on the board, also when the list has another size.
  function showCurrent() {
    const box = byId("tree");
    const current = box.querySelector("[aria-current]") ?? box.firstElementChild;
    if (current === null) return;
    const { offsetTop: top, offsetHeight: height, offsetLeft: left, offsetWidth: width } = current;
    if (top < box.scrollTop || top + height > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
    if (left < box.scrollLeft || left + width > box.scrollLeft + box.clientWidth) {
      box.scrollLeft = left - box.clientWidth / 2;
    }
  }
  new ResizeObserver(showCurrent).observe(byId("tree"));

  // -- steps

  function showSteps() {
    const count = game.cells.length;
    const total = count + game.ahead.length;
    byId("number").textContent = total ? `${count} / ${total}` : "";
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
      if (game !== null && !same(cells(), here())) goTo(cells());
    };
    byId(id).addEventListener("click", steps[id]);
  }

  return {
    // What the buttons under the board do, by their names.
    steps,
    goTo,
    // Black's chance before the first of some moves and after each of them, as far as it is known.
    chances: (cells) => [tree.root, ...nodesAlong(cells).map((node) => nodes()[node - 1][3])],
    // Does the tree have all of these moves?
    knows: (cells) => nodesAlong(cells).length === cells.length,
    // What is said of the last move on the board in one sign, as drawBoard takes it.
    sign: () => {
      const text = game.node && nodes()[game.node - 1] ? textOf(game.node) : "";
      return text && KINDS[text] ? { kind: KINDS[text], text } : null;
    },
    // Marks the moves that a review is about, null for none, and says why unless that is hidden.
    mark: (review, hides = false) => {
      isHiding = hides;
      const along = review === null ? [] : nodesAlong(review.cells);
      findings = new Map(review === null ? [] : review.marked.map((each) => [along[each.number - 1], each]));
      if (game !== null) showTree();
    },
    show: (state) => {
      game = state;
      if (asked && same(asked[0], game.cells)) asked = null;
      showSteps();
      showTree();
    },
    // The whole tree; then nodes that are new or have changed.
    hearTree: ({ nodes: all, root }, isWhole) => {
      if (isWhole) {
        tree = { nodes: [] };
        folded.clear();
      }
      tree.root = root;
      const hasChanged = !isWhole && all.some(([number]) => tree.nodes[number - 1]);
      for (const [number, ...node] of all) tree.nodes[number - 1] = node;
      if (hasChanged && game !== null) showTree(); // no state follows
    },
    // Black's chance in the position on the board, as a search sees it now.
    hearChance: (chance) => {
      if (game.node) nodes()[game.node - 1][3] = chance;
      else tree.root = chance;
    },
  };
}

// -- comments and marks

export function makeNotes(send) {
  const [comment, kind] = ["comment", "mark"].map(byId);
  let here = { node: null, comment: "", marks: [] };
  let node = null; // the position that the comment is about, and what was said there
  let said = "";

  const show = () => {
    node = here.node;
    comment.value = said = here.comment;
    comment.readOnly = here.is_cut;
  };
  comment.addEventListener("change", () => {
    said = comment.value;
    if (node !== null) send({ do: "comment", node, text: said });
  });
  comment.addEventListener("blur", () => node !== here.node && show());
  byId("written").addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }));

  return {
    hear: (message) => {
      here = message;
      // What is being written stays, also where the game has gone on.
      const isWritten = document.activeElement === comment && (node === here.node || comment.value !== said);
      if (node === null || !isWritten) show();
    },
    // The numbers of positions may be those of another game.
    hearTree: () => { node = null; },
    shown: () => here.marks,
    isMarking: () => kind.value !== "",
    // True if the click put or took away a mark.
    click: (cell) => {
      if (kind.value === "") return false;
      send({ do: "mark", node: here.node, x: cell[0], y: cell[1], mark: kind.value, text: "" });
      return true;
    },
  };
}
