// The tabs: each shows its panel, by what one is doing. The last one is remembered by the browser.

import { byId } from "./dom.js";
import { saveSetting, setting } from "./settings.js";

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
