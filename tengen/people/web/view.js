// How the board is looked at: turned and mirrored, with coordinates or without, with numbers from a
// move on. What was chosen is remembered by the browser.

import { byId } from "./dom.js";
import { rememberInput, saveSetting, setting } from "./settings.js";

// Of an SVG matrix(a b c d e f): quarter turns, clockwise.
const TURNS = [[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]];

export function makeView(changed) {
  let turns = setting("turns") || 0;
  let isMirrored = setting("mirrored") || false;

  const linear = () => {
    const [a, b, c, d] = TURNS[turns];
    return isMirrored ? [-a, b, -c, d] : [a, b, c, d];
  };

  function change() {
    saveSetting("turns", turns);
    saveSetting("mirrored", isMirrored);
    byId("mirror").setAttribute("aria-pressed", isMirrored);
    changed();
  }

  byId("mirror").setAttribute("aria-pressed", isMirrored);
  byId("turn").addEventListener("click", () => {
    turns = (turns + (isMirrored ? 3 : 1)) % 4;
    change();
  });
  byId("mirror").addEventListener("click", () => {
    isMirrored = !isMirrored;
    change();
  });
  for (const id of ["numbers", "numbers-from", "coordinates", "all-fouls"]) {
    rememberInput(byId(id));
    byId(id).addEventListener("change", changed);
  }

  return {
    // The first move whose number is shown; 0 = none.
    numbersFrom: () => (byId("numbers").checked ? Math.max(1, Number(byId("numbers-from").value)) : 0),
    hasCoordinates: () => byId("coordinates").checked,
    hasAllFouls: () => byId("all-fouls").checked,
    isTurned: () => turns !== 0 || isMirrored,
    // The matrix of the whole picture, of a width and a height that are not turned.
    matrix: (width, height) => {
      const [a, b, c, d] = linear();
      const back = (x, y) => (x < 0 ? width : 0) + (y < 0 ? height : 0);
      return [a, b, c, d, back(a, c), back(b, d)];
    },
    isOnItsSide: () => turns % 2 === 1,
    // A step on the screen as a step on the board.
    stepOf: ([x, y]) => {
      const [a, b, c, d] = linear();
      return [a * x + b * y, c * x + d * y];
    },
  };
}
