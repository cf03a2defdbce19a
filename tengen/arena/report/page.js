// The whole page, of a run or of one game that was reviewed: shows the game and the move that the
// address names, `#game=12&move=7`.

import { byId, html, listenToKeys, plural, whole } from "./dom.js";
import { showFindings, showSummary } from "./summary.js";
import { DATA, NAMES, RESULTS, Viewer, endingOf, stepsOf, stonesOf } from "./viewer.js";

// The list of games: filters, and rows. Only the rows that can be seen are in the document.

const ROW_HEIGHT = 46; // as in page.css
const ROWS_AROUND = 6; // drawn above and below what can be seen

class GameList {
  constructor() {
    this.shown = DATA.games;
    this.chosen = null;
    this.box = byId("rows");
    this.spacer = html("div", { class: "spacer" });
    this.box.append(this.spacer);
    this.box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.box);
    const select = (label, options) => {
      const control = html("select", { onchange: () => this.filter() },
        options.map(([value, text]) => html("option", { value }, text)));
      byId("filters").append(html("label", {}, html("span", {}, label), control));
      return control;
    };
    const names = NAMES.map((name, i) => [i, name]);
    this.program = select("Program", [["", "any"], ...names]);
    this.opponent = select("Opponent", [["", "any"], ...names]);
    this.result = select("Result", [["", "any"], ["won", "program won"], ["lost", "program lost"],
      ["d", "drawn"], ["b", "Black won"], ["w", "White won"]]);
    this.termination = select("Ended by", [["", "anything"],
      ...DATA.endings.map((row) => [row.termination, row.word])]);
    byId("filters").append(html("button", { type: "button", class: "link",
      onclick: () => this.set({}) }, "Show all"));
    this.filter();
  }

  // Sets all filters: { program, opponent, result, termination }; those not named are cleared.
  set(wish) {
    for (const key of ["program", "opponent", "result", "termination"]) {
      this[key].value = wish[key] === undefined ? "" : String(wish[key]);
    }
    this.filter();
  }

  filter() {
    const number = (control) => (control.value === "" ? null : Number(control.value));
    const [program, opponent] = [number(this.program), number(this.opponent)];
    const [result, termination] = [this.result.value, this.termination.value];
    const plays = (game, index) => index === null || game.b === index || game.w === index;
    const needs = program === null && (result === "won" || result === "lost");
    this.shown = DATA.games.filter((game) => {
      if (!plays(game, program) || !plays(game, opponent)) return false;
      if (termination && game.t !== termination) return false;
      if (!result || needs) return true;
      if (result === "won" || result === "lost") {
        const own = game.b === program ? "b" : "w";
        return game.r !== "d" && (game.r === own) === (result === "won");
      }
      return game.r === result;
    });
    byId("count").textContent = needs ? "Choose a program to see the games that it won or lost."
      : `${whole(this.shown.length)} of ${plural(DATA.games.length, "game")}`;
    this.spacer.style.height = `${this.shown.length * ROW_HEIGHT}px`;
    this.box.scrollTop = 0;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - ROWS_AROUND);
    const last = Math.min(this.shown.length,
      Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW_HEIGHT) + ROWS_AROUND);
    const rows = [];
    for (let i = first; i < last; i += 1) rows.push(this.row(this.shown[i], i));
    this.spacer.replaceChildren(...rows);
  }

  row(game, i) {
    const side = (index, colour) => html("span", { class: game.r === colour ? "winner" : "" },
      html("span", { class: `disc ${colour === "b" ? "black" : "white"}`, "aria-hidden": "true" }),
      NAMES[index]);
    const { word, failure } = endingOf(game);
    return html("div", { role: "listitem", class: "row", style: `top: ${i * ROW_HEIGHT}px`,
      "aria-posinset": i + 1, "aria-setsize": this.shown.length },
    html("a", { href: `#game=${game.g}`, "aria-current": game === this.chosen && "true" },
      html("span", { class: "n" }, game.g),
      html("span", { class: "names" }, side(game.b, "b"), " ", side(game.w, "w")),
      html("span", { class: "result" }, RESULTS[game.r]),
      html("span", { class: `how ${failure ? "failed" : ""}` },
        `${word}, ${stonesOf(game)}`)));
  }

  // Marks a game, and scrolls it into view if it is listed.
  choose(game) {
    this.chosen = game;
    const i = this.shown.indexOf(game);
    if (i >= 0) {
      const top = i * ROW_HEIGHT;
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      else if (top + ROW_HEIGHT > this.box.scrollTop + this.box.clientHeight) {
        this.box.scrollTop = top + ROW_HEIGHT - this.box.clientHeight;
      }
    }
    this.draw();
  }
}

const state = { game: null, move: 0 };
let viewer = null;
let list = null; // that of a run

function go(game, move, isWritten = true) {
  const isNew = state.game !== game;
  state.game = game;
  state.move = Math.min(stepsOf(game), Math.max(0, move));
  viewer.show(game, state.move);
  if (isNew && list) list.choose(game);
  if (isWritten) history.replaceState(null, "", `#game=${game.g}&move=${state.move}`);
}

// An address with a move alone means the first game, one without a move the start of the game.
function goByAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const isNamed = (record) => record.g === Number(words.get("game"));
  const wanted = DATA.games.find(words.has("move") && !words.has("game") ? () => true : isNamed);
  if (!wanted) return;
  const move = Number(words.get("move"));
  go(wanted, Number.isInteger(move) ? move : 0, false);
  // A link from elsewhere on the page scrolls to the board; one in the list does not scroll.
  const box = byId("board").getBoundingClientRect();
  if (box.top > innerHeight * 0.7 || box.bottom < innerHeight * 0.3) {
    byId("players").scrollIntoView({ behavior: "instant" });
  }
}

// Lists the games of a pairing, of an ending and so on, and shows the first of them.
function filterGames(wish) {
  list.set(wish);
  byId("games").scrollIntoView();
  if (list.shown.length) go(list.shown[0], 0);
}

const KEYS = {
  ArrowLeft: () => go(state.game, state.move - 1),
  ArrowRight: () => go(state.game, state.move + 1),
  Home: () => go(state.game, 0),
  End: () => go(state.game, Infinity),
};

function showRun() {
  showSummary(filterGames);
  list = new GameList();
  const goOn = (step) => {
    const game = list.shown[list.shown.indexOf(state.game) + step];
    if (game) go(game, 0);
  };
  Object.assign(KEYS, { n: () => goOn(1), p: () => goOn(-1) });
}

function start() {
  if (DATA.analyst) showFindings();
  else showRun();
  viewer = new Viewer((move) => go(state.game, move));
  addEventListener("hashchange", goByAddress);
  if (DATA.games.length) {
    listenToKeys(KEYS);
    go(DATA.games[0], 0, false);
  } else byId("viewer").replaceChildren(html("p", { class: "note" }, "No game has ended yet."));
  goByAddress();
}

start();
