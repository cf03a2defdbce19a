// Keys and swipes that step through a game.

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

const SHORTEST_PX = 30;

// Calls `onSwipe` with 1 for a swipe to the left (forward) and with -1 for one to the right (back).
// Moving up and down still scrolls the page; the mouse is ignored.
export function listenToSwipes(element, onSwipe) {
  element.style.touchAction = "pan-y pinch-zoom";
  let from = null;
  element.addEventListener("pointerdown", (event) => {
    from = event.isPrimary && event.pointerType !== "mouse" ? event : null;
  });
  element.addEventListener("pointercancel", () => { from = null; });
  element.addEventListener("pointerup", (event) => {
    if (!from || event.pointerId !== from.pointerId) return;
    const [right, down] = [event.clientX - from.clientX, event.clientY - from.clientY];
    from = null;
    if (Math.abs(right) >= SHORTEST_PX && Math.abs(right) > Math.abs(down)) {
      onSwipe(right < 0 ? 1 : -1);
    }
  });
}
