// Swipes of a finger to the left and right.

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
