// Creates elements, formats numbers for people, and listens to keys and swipes. Texts become text
// nodes only, never markup. It depends on no other file.

export const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export const html = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// A table in a box that scrolls sideways on a narrow screen. Cells are nodes, texts, or
// [attributes, content...].
export function table(attributes, head, rows) {
  const cell = (tag, content, scope) => {
    const [own, ...inner] = Array.isArray(content) ? content : [{}, content];
    return html(tag, { scope, ...own }, inner);
  };
  return html("div", { class: "scroll" },
    html("table", attributes,
      html("thead", {}, html("tr", {}, head.map((content) => cell("th", content, "col")))),
      html("tbody", {}, rows.map((row) => html("tr", {},
        row.map((content, i) => (i ? cell("td", content) : cell("th", content, "row"))))))));
}

export const MINUS = "\u2212";
export const UNKNOWN = "\u2013";

export const whole = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
export const decimal = (value, digits) => value.toFixed(digits).replace("-", MINUS);
export const percent = (part) => (part === null ? UNKNOWN : `${decimal(part * 100, 1)}\u00a0%`);
export const plural = (count, word) => `${whole(count)} ${word}${count === 1 ? "" : "s"}`;

export function signed(value, digits = 0) {
  const number = Number(value);
  if (Math.abs(number) === Infinity) return `${number > 0 ? "+" : MINUS}\u221e`;
  const text = Math.abs(number).toFixed(digits);
  return (Number(text) === 0 ? "" : number > 0 ? "+" : MINUS) + text;
}

export function seconds(value) {
  if (value === null || value === undefined) return UNKNOWN;
  if (value < 0.001) return `${Number((value * 1000).toPrecision(2))}\u00a0ms`;
  if (value < 1) return `${Number((value * 1000).toPrecision(3))}\u00a0ms`;
  if (value < 60) return `${Number(value.toPrecision(3))}\u00a0s`;
  return `${whole(Math.floor(value / 60))} min ${Math.round(value % 60)}\u00a0s`;
}

export function short(count) {
  if (count === null || count === undefined) return UNKNOWN;
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (count >= size) return `${Number((count / size).toPrecision(3))}${letter}`;
  }
  return String(Math.round(count));
}

// ---- keys and swipes

// Fields that use letters and arrow keys themselves. The slider is among them: its own keys step
// through the game too.
const FIELDS = "select, textarea, input:not([type=checkbox])";
// What the space bar presses.
const PRESSED = "button, a, input, summary";

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
