// Keys that step through a game.

// Fields that use letters and arrow keys themselves. The slider is among them: its own keys step
// through the game too.
const FIELDS = "select, textarea, input:not([type=checkbox])";

// Calls the function of a key, by its name as in KeyboardEvent.key, when it is pressed outside a
// field.
export function listenToKeys(actions) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest(FIELDS) || !actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  });
}
