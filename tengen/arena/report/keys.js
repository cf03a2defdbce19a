// Keys that step through a game.

// Fields that use letters and arrow keys themselves. The slider is among them: its own keys step
// through the game too.
const FIELDS = "select, textarea, input:not([type=checkbox])";
// What the space bar presses.
const PRESSED = "button, a, input";

// Calls the function of a key when it is pressed outside a field. It has the name of
// KeyboardEvent.key; with Ctrl held it is `Ctrl+z`, with Shift too `Ctrl+Shift+z`.
export function listenToKeys(actions) {
  addEventListener("keydown", (event) => {
    const isHeld = event.ctrlKey || event.metaKey;
    if (event.altKey || (event.shiftKey && !isHeld) || event.defaultPrevented) return;
    const held = `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.toLowerCase()}`;
    const action = actions[isHeld ? held : event.key];
    if (!action || event.target.closest(event.key === " " ? `${FIELDS}, ${PRESSED}` : FIELDS)) return;
    action();
    event.preventDefault();
  });
}
