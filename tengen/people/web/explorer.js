// The base of games: what was played in the position on the board, the list of all games, and
// puzzles made from them.

import { pointName } from "./board.js";
import { byId, html } from "./dom.js";
import { same } from "./moves.js";
import { sideName, short, t, told } from "./texts.js";

export const about = ({ began, black, white, rule, size, moves, result }) =>
  told([`${began ? `${began}: ` : ""}${[black, white].filter(Boolean).map(told).join(" - ")}`, rule, size, moves, result].filter(Boolean));

const open = (send, { id, name }) => send(name ? { do: "load", name } : { do: "known", game: id });

const gameButton = (send, game) =>
  html("button", { type: "button", onclick: () => open(send, game) }, about(game));

export function makeExplorer(send) {
  let game = null;
  let asked = null; // the position that the server was asked about

  // -- what was played here

  const panel = byId("explored");

  function ask() {
    if (!panel.open || game === null || panel.closest("[hidden]")) return;
    const position = [game.width, game.height, game.rule, game.setup, game.first, game.cells];
    if (same(position, asked)) return;
    asked = position;
    send({ do: "explore" });
  }
  panel.addEventListener("toggle", ask);

  function playedRow([cell, count, black, drawn, white, chance, libraries]) {
    const ends = t("explored.ends", { black, drawn, white });
    const parts = [["black", black], ["drawn", drawn], ["white", white]];
    const bar = html("span", { class: "ends-bar", title: ends, "aria-label": ends, role: "img" },
      parts.map(([name]) => html("span", { class: name })));
    parts.forEach(([, part], i) => {
      bar.children[i].style.flexGrow = part;
    });
    return html("li", {}, html("button", { type: "button",
      onclick: () => send({ do: "show", cells: [...game.cells, cell] }) },
    html("b", {}, pointName(cell, game.height)), html("span", {}, [count && short(count), libraries && `+${libraries}`].filter(Boolean).join(" ")),
    count ? bar : html("span", {}, t("explored.libraries", { count: libraries })),
    html("span", {}, chance === null ? "" : `${Math.round(chance * 100)} %`)));
  }

  function hearExplored({ count, libraries, moves, games, after }) {
    if (game === null || !same(after, game.cells)) return;
    byId("explored-count").textContent = [t("explored.count", { count: short(count) }),
      libraries ? t("explored.libraries", { count: libraries }) : ""].filter(Boolean).join(" · ");
    byId("played").replaceChildren(...moves.map(playedRow));
    byId("behind").replaceChildren(...games.map((each) => html("li", {}, gameButton(send, each))));
  }

  // -- the list of all games

  const find = () => send({ do: "find", words: byId("search").value.slice(0, 1000) });
  byId("search").addEventListener("input", find);
  byId("add-files").addEventListener("submit", (event) => {
    event.preventDefault();
    send({ do: "gather", path: event.target.elements.path.value });
  });

  function hearGames({ games, folder, total }) {
    const remove = ({ name }, text) => {
      if (!confirm(`${t("kept.sure")}\n${text}`)) return;
      send({ do: "delete", name });
      find();
    };
    const rows = games.map((each) => html("li", {}, gameButton(send, each), each.name
      ? html("button", { type: "button", "aria-label": t("kept.delete-game", { game: about(each) }),
        onclick: () => remove(each, about(each)) }, t("kept.delete")) : ""));
    byId("kept").replaceChildren(rows.length ? html("ul", { class: "rows" }, rows)
      : html("p", {}, t(total ? "kept.none-found" : "kept.none")),
    html("p", { class: "folder" }, t("kept.total", { count: short(total) }), " ", folder));
  }

  // -- puzzles

  const begin = (isMissed) => send({ do: "puzzle", kind: byId("puzzle-kind").value, is_missed: isMissed });
  byId("puzzle-new").addEventListener("click", () => begin(false));
  byId("puzzle-missed").addEventListener("click", () => begin(true));
  byId("puzzle-answer").addEventListener("click", () => send({ do: "answer" }));

  let last = []; // the last move before the puzzle, if it is known, as a mark

  function hearPuzzle({ state, side, what, moves, last: cells = [], answer, streak, solved, missed }) {
    last = cells.map(([x, y]) => [x, y, side === "black" ? "white-dot" : "black-dot"]);
    const says = { asked: `ask-${what}` }[state] || state;
    byId("puzzle-text").textContent = state
      ? t(`puzzle.${says}`, { side: side && sideName(side), moves, answer }) : "";
    byId("puzzle-score").textContent = solved + missed ? t("puzzle.score", { streak, solved, tried: solved + missed }) : "";
    byId("puzzle-missed").hidden = !missed;
    byId("puzzle-answer").hidden = !["asked", "right", "wrong"].includes(state);
  }

  return {
    ask,
    find,
    hearExplored,
    hearGames,
    hearPuzzle,
    // What is marked on the board before the first answer.
    marks: () => (game.cells.length ? [] : last),
    show: (state) => {
      const hasAdded = game?.work === "add" && state.work !== "add";
      if ((game === null || hasAdded) && !byId("kept").closest("[hidden]")) find();
      game = state;
      ask();
    },
  };
}
