// A cursor on the board for the keyboard. It knows the size of the board only.

const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

const clamp = (value, side) => Math.min(Math.max(value, 0), side - 1);

// Listens to the keys of `element`. `moved(cell)` is called when the cursor has moved, `chosen(cell)`
// at Enter and the space bar; `size()` gives [width, height].
export function makeCursor(element, size, moved, chosen) {
  let cell = null;
  const start = () => size().map((side) => Math.floor(side / 2));
  const place = () => {
    const [width, height] = size();
    cell = cell === null ? start() : [clamp(cell[0], width), clamp(cell[1], height)];
    return cell;
  };
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (STEPS[event.key]) {
      const [width, height] = size();
      const [x, y] = cell === null ? start() : cell;
      const [dx, dy] = cell === null ? [0, 0] : STEPS[event.key];
      cell = [clamp(x + dx, width), clamp(y + dy, height)];
      moved(cell);
    } else if (event.key === "Enter" || event.key === " ") {
      chosen(place());
    } else {
      return;
    }
    event.preventDefault();
  });
  element.addEventListener("blur", () => moved(null));
  element.addEventListener("focus", () => {
    if (element.matches(":focus-visible")) moved(place());
  });
  return () => (document.activeElement === element ? cell : null);
}
