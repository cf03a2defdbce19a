// What people chose on the page, by its name, and what has the focus. Each choice is a cookie, which the
// browser knows on every port; what localStorage holds would be lost with the next free port. One is the
// tab that is shown, others say how the board is looked at.

import { byId } from "./dom.js";

const PREFIX = "set-";
const KEPT_S = 400 * 86400; // browsers allow no more
const MOST_CHARACTERS = 1500; // the server reads a request with all cookies

export function setting(name) {
  const start = `${PREFIX}${name}=`;
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  try {
    return JSON.parse(decodeURIComponent(found.slice(start.length)));
  } catch {
    return undefined; // never chosen
  }
}

export function saveSetting(name, value) {
  const text = encodeURIComponent(JSON.stringify(value));
  if (text.length > MOST_CHARACTERS) return;
  document.cookie = `${PREFIX}${name}=${text}; max-age=${KEPT_S}; path=/; samesite=strict`;
}

// Gives an input the value it had, and remembers from now on what it gets; then calls `changed()`.
export function rememberInput(input, changed = () => {}) {
  const name = input.name || input.id;
  const value = setting(name);
  const isBox = input.type === "checkbox";
  if (isBox && typeof value === "boolean") input.checked = value;
  else if (input.type === "radio" && value !== undefined) input.checked = input.value === String(value);
  else if (!isBox && value !== undefined
    && (!input.options || [...input.options].some((each) => each.value === value))) input.value = value;
  input.addEventListener("change", () => {
    saveSetting(name, isBox ? input.checked : input.value);
    changed();
  });
}

// -- the focus

const FOCUSABLE = ":enabled:not(fieldset),a[href],summary,[tabindex='0']";
const focusable = (part) => [...part.querySelectorAll(FOCUSABLE)];
const canHave = (each) => each.isConnected && each.matches(FOCUSABLE) && each.getClientRects().length > 0;

// Changes the page. If that takes away what has the focus, by removing, hiding or disabling it, the focus
// goes to what stands next to it in the smallest part around it, in a new list to what has its place.
export function keepFocus(change) {
  const focused = document.activeElement;
  const parts = [];
  for (let part = focused.matches(FOCUSABLE) ? focused.parentElement : null; part; part = part.parentElement) {
    parts.push([part, focusable(part)]);
  }
  change();
  if (![focused, document.body].includes(document.activeElement) || canHave(focused)) return;
  const next = ([part, before]) => {
    const [at, now] = [before.indexOf(focused), focusable(part).filter(canHave)];
    return before.slice(at).find(canHave) ?? before.slice(0, at).findLast(canHave) ?? now[Math.min(at, now.length - 1)];
  };
  parts.map(next).find(Boolean)?.focus({ preventScroll: true });
}

// -- the tabs: each shows its panel, by what one is doing

// Calls `opened(name)` with the name of the panel when another one is shown.
export function makeTabs(opened) {
  const tabs = [...byId("tabs").children];
  const nameOf = (tab) => tab.getAttribute("aria-controls");

  function show(name) {
    for (const tab of tabs) {
      const isShown = nameOf(tab) === name;
      tab.setAttribute("aria-selected", isShown);
      tab.tabIndex = isShown ? 0 : -1;
      byId(nameOf(tab)).hidden = !isShown;
    }
    byId("side").dataset.tab = name;
    saveSetting("tab", name);
    opened(name);
  }

  for (const tab of tabs) {
    tab.addEventListener("click", ({ detail }) => {
      show(nameOf(tab));
      if (detail) tab.blur(); // after a click by hand the arrow keys step through the game
    });
  }
  const places = { ArrowLeft: (at) => at - 1, ArrowRight: (at) => at + 1, Home: () => 0, End: () => -1 };
  byId("tabs").addEventListener("keydown", (event) => {
    if (!places[event.key]) return;
    const tab = tabs.at(places[event.key](tabs.indexOf(event.target)) % tabs.length);
    show(nameOf(tab));
    tab.focus();
    event.preventDefault();
  });
  show(tabs.some((tab) => nameOf(tab) === setting("tab")) ? setting("tab") : nameOf(tabs[0]));
  return show;
}

// -- the view: the look of the board, turned and mirrored, with coordinates or without, with numbers
// from a move on

export function makeView(changed) {
  let turns = setting("turns") || 0;
  let isMirrored = setting("mirrored") || false;
  const small = matchMedia("(max-aspect-ratio: 1/1) and (max-width: 33rem), (max-height: 33rem)");
  small.addEventListener("change", changed);

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
  for (const each of document.querySelectorAll("#view :is(input, select:not(#language))")) rememberInput(each, changed);

  return {
    // The first move whose number is shown; 0 = none.
    numbersFrom: () => (byId("numbers").checked ? Math.max(1, Number(byId("numbers-from").value)) : 0),
    hasAllFouls: () => byId("all-fouls").checked,
    hasSound: () => byId("sound").checked,
    // How a finger plays: "direct", "confirm", "slide", or "" as the size of a cell allows.
    touch: () => byId("touch").value,
    // As drawBoard takes it.
    look: () => ({ look: byId("look").value, turns, isMirrored, hasCoordinates: byId("coordinates").checked, isSmall: small.matches }),
  };
}
