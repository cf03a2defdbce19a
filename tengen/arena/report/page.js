// The whole page: shows the game and the move that the address names, `#game=12&move=7`.

import { byId, html } from "./dom.js";
import { listenToKeys } from "./keys.js";
import { GameList } from "./list.js";
import { DATA, stonesOf } from "./run.js";
import { showSummary } from "./summary.js";
import { Viewer } from "./viewer.js";

const state = { game: null, move: 0 };
let viewer = null;
let list = null;

// The game and move that the address names; the start of the game if it names no move, and null if
// it names no game of this run.
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const game = DATA.games.find((record) => record.g === Number(words.get("game")));
  if (!game) return null;
  const move = Number(words.get("move"));
  return { game, move: Number.isInteger(move) ? move : 0 };
}

function go(game, move, isWritten = true) {
  const isNew = state.game !== game;
  state.game = game;
  state.move = Math.min(stonesOf(game), Math.max(0, move));
  viewer.show(game, state.move);
  if (isNew) list.choose(game);
  if (isWritten) history.replaceState(null, "", `#game=${game.g}&move=${state.move}`);
}

function goByAddress() {
  const wanted = readAddress();
  if (!wanted) return;
  go(wanted.game, wanted.move, false);
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

const gameAfter = (step) => list.shown[list.shown.indexOf(state.game) + step];

const KEYS = {
  ArrowLeft: () => go(state.game, state.move - 1),
  ArrowRight: () => go(state.game, state.move + 1),
  Home: () => go(state.game, 0),
  End: () => go(state.game, Infinity),
  n: () => gameAfter(1) && go(gameAfter(1), 0),
  p: () => gameAfter(-1) && go(gameAfter(-1), 0),
};

function start() {
  showSummary(filterGames);
  viewer = new Viewer((move) => go(state.game, move));
  list = new GameList();
  addEventListener("hashchange", goByAddress);
  if (DATA.games.length) {
    listenToKeys(KEYS);
    go(DATA.games[0], 0, false);
  } else byId("viewer").replaceChildren(html("p", { class: "note" }, "No game has ended yet."));
  goByAddress();
}

start();
