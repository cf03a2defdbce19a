// Ground: the data, elements, and numbers as people write them. Text from the data becomes text
// nodes only, never markup.

const DATA = JSON.parse(document.getElementById("data").textContent);
const NAMES = DATA.programs.map((program) => program.name);

const byId = (id) => document.getElementById(id);

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

const html = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);

const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// A table in a box that scrolls sideways where the screen is narrow. Cells are nodes, texts, or
// [attributes, content...].
function table(attributes, head, rows) {
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

const MINUS = "\u2212";
const UNKNOWN = "\u2013";

const whole = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
const decimal = (value, digits) => value.toFixed(digits).replace("-", MINUS);
const percent = (part) => (part === null ? UNKNOWN : `${decimal(part * 100, 1)}\u00a0%`);
const half = (points) => String(points);
const plural = (count, word) => `${whole(count)} ${word}${count === 1 ? "" : "s"}`;

function signed(value, digits = 0) {
  const number = Number(value);
  if (Math.abs(number) === Infinity) return `${number > 0 ? "+" : MINUS}\u221e`;
  const text = Math.abs(number).toFixed(digits);
  return (Number(text) === 0 ? "" : number > 0 ? "+" : MINUS) + text;
}

function seconds(value) {
  if (value === null || value === undefined) return UNKNOWN;
  if (value < 0.001) return `${Number((value * 1000).toPrecision(2))}\u00a0ms`;
  if (value < 1) return `${Number((value * 1000).toPrecision(3))}\u00a0ms`;
  if (value < 60) return `${Number(value.toPrecision(3))}\u00a0s`;
  return `${whole(Math.floor(value / 60))} min ${Math.round(value % 60)}\u00a0s`;
}

function short(count) {
  if (count === null || count === undefined) return UNKNOWN;
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (count >= size) return `${Number((count / size).toPrecision(3))}${letter}`;
  }
  return String(Math.round(count));
}

const winsLossesDraws = (score) => `${score.w}${UNKNOWN}${score.l}${UNKNOWN}${score.d}`;
const share = (score) => {
  const games = score.w + score.l + score.d;
  return games ? score.points / games : null;
};
