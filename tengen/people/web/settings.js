// What people chose on the page, by its name. Each choice is a cookie, which the browser knows on
// every port; what localStorage holds would be lost with the next free port. One is the tab that is
// shown.

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

// Gives an input the value it had, and remembers from now on what it gets.
export function rememberInput(input) {
  const name = input.name || input.id;
  const value = setting(name);
  const isBox = input.type === "checkbox";
  if (isBox && typeof value === "boolean") input.checked = value;
  else if (input.type === "radio" && value !== undefined) input.checked = input.value === String(value);
  else if (!isBox && value !== undefined
    && (!input.options || [...input.options].some((each) => each.value === value))) input.value = value;
  input.addEventListener("change", () => saveSetting(name, isBox ? input.checked : input.value));
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
