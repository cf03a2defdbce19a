// How the board is looked at: its look, turned and mirrored, with coordinates or without, with numbers
// from a move on. What was chosen is remembered by the browser.

import { byId } from "./dom.js";
import { rememberInput, saveSetting, setting } from "./settings.js";

export function makeView(changed) {
  let turns = setting("turns") || 0;
  let isMirrored = setting("mirrored") || false;

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
  for (const id of ["look", "touch", "sound", "numbers", "numbers-from", "coordinates", "all-fouls"]) {
    rememberInput(byId(id));
    byId(id).addEventListener("change", changed);
  }

  return {
    // The first move whose number is shown; 0 = none.
    numbersFrom: () => (byId("numbers").checked ? Math.max(1, Number(byId("numbers-from").value)) : 0),
    hasAllFouls: () => byId("all-fouls").checked,
    hasSound: () => byId("sound").checked,
    // How a finger plays: "direct", "confirm", "slide", or "" as the size of a cell allows.
    touch: () => byId("touch").value,
    // As drawBoard takes it.
    look: () => ({ look: byId("look").value, turns, isMirrored, hasCoordinates: byId("coordinates").checked }),
  };
}
