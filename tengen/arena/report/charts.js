// Charts as SVG: curves and bars. Places are percentages, so that a chart fits any width. They
// depend on their arguments and dom.js only; summary.js and viewer.js say what they show.

import { decimal, html, plural, seconds, svg, whole } from "./dom.js";

// ---- lines: the curve is stretched to its box; marks and texts are not

// `points` are [x, y] with x and y between 0 and 1, y upwards; null breaks the line.
export function stretchedLine(points, attributes) {
  let pen = "M";
  const path = points.map((point) => {
    if (!point) {
      pen = "M";
      return "";
    }
    const step = `${pen}${(point[0] * 1000).toFixed(1)} ${((1 - point[1]) * 1000).toFixed(1)}`;
    pen = "L";
    return step;
  }).join("");
  return svg("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", width: "100%",
    height: "100%" },
  svg("path", { d: path, "vector-effect": "non-scaling-stroke", ...attributes }));
}

export function testChart(test) {
  const span = Math.max(test.upper, -test.lower, ...test.course.map(([, llr]) => Math.abs(llr)));
  const reach = span * 1.08;
  const up = (llr) => (llr / reach + 1) / 2;
  const last = test.course.length ? test.course[test.course.length - 1][0] : 1;
  const points = [[0, up(0)], ...test.course.map(([pairs, llr]) => [pairs / last, up(llr)])];
  const bound = (llr, word) => {
    const y = `${((1 - up(llr)) * 100).toFixed(2)}%`;
    return [svg("line", { class: llr ? "bound" : "zero", x1: 0, x2: "100%", y1: y, y2: y }),
      svg("text", { x: 4, y, dy: llr > 0 ? 14 : -5 }, word)];
  };
  return html("figure", { class: "test" },
    svg("svg", { class: "frame", role: "img",
      "aria-label": `Log-likelihood ratio over ${last} pairs, ending at ${decimal(test.llr, 2)}` },
    stretchedLine(points, { class: "course" }),
    bound(test.upper, "H1 accepted"), bound(test.lower, "H0 accepted"), bound(0, "")),
    ends("0", `log-likelihood ratio over ${plural(last, "pair")}`));
}

// ---- ratings: a strip for each, all on one scale of Elo, which holds zero

const ELO_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const MOST_PARTS = 6;

const eloText = (elo) => decimal(Math.round(elo), 0);

// The axis with its numbers, then for each rating { name, elo, low, high } its point on its
// interval; null for one whose Elo is null.
export function ratingStrips(ratings) {
  const ends = [0, ...ratings.flatMap(({ elo, low, high }) => (elo === null ? [] : [low, high]))];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const step = ELO_STEPS.find((size) => (most - least) / size <= MOST_PARTS) || 5000;
  // Some room on both sides.
  const first = Math.floor(least / step - 1 / 8);
  const last = Math.ceil(most / step + 1 / 8);
  const place = (elo) => `${((100 * (elo / step - first)) / (last - first)).toFixed(2)}%`;
  const lines = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  const line = (kind, from, to, y1, y2) => svg("line", { class: kind, x1: place(from),
    x2: place(to), y1, y2 });
  // A narrow chart can leave out the labels of the class `minor`.
  const axis = svg("svg", { class: "interval axis", "aria-hidden": "true" },
    lines.slice(1, -1).map((elo) => svg("text", { class: `elo${(elo / step) % 2 ? " minor" : ""}`,
      x: place(elo), y: 15 }, eloText(elo))));
  return [axis, ...ratings.map(({ name, elo, low, high }) => (elo === null ? null
    : svg("svg", { class: "interval", role: "img",
      "aria-label": `${name}: Elo ${eloText(elo)}, from ${eloText(low)} to`
        + ` ${eloText(high)}` },
    lines.map((at) => line(at ? "grid" : "zero", at, at, 0, 22)),
    line("whisker", low, high, 11, 11), line("whisker", low, low, 7, 15),
    line("whisker", high, high, 7, 15),
    svg("circle", { class: "point", cx: place(elo), cy: 11, r: 4.5 }))))];
}

// ---- bars, and what stands below charts

// Bars of equal width from the left, each a list of parts from the bottom up; the highest one fills
// the height. `kinds` are the classes of the parts, `title` says what bar number i shows.
function bars(columns, { height, kinds = [], title, ...attributes }) {
  const most = Math.max(...columns.map((parts) => parts.reduce((sum, part) => sum + part, 0))) || 1;
  const width = 100 / Math.max(1, columns.length);
  return svg("svg", { role: "img", ...attributes }, columns.map((parts, i) => {
    let y = height;
    return svg("g", {}, svg("title", {}, title(i)), parts.map((part, k) => {
      const tall = part ? Math.max(1.5, (part / most) * height) : 0;
      y -= tall;
      return tall ? svg("rect", { class: kinds[k], x: `${((i + 0.06) * width).toFixed(3)}%`, y,
        width: `${(width * 0.88).toFixed(3)}%`, height: tall }) : null;
    }));
  }), svg("line", { class: "base", x1: 0, x2: "100%", y1: height + 0.5, y2: height + 0.5 }));
}

// The texts below a chart, from its left end to its right one.
const ends = (...texts) => html("div", { class: "ends" }, texts.map((text) =>
  html("span", {}, text)));

// What the colours mean: [label, class].
const legend = (rows) => html("ul", { class: "legend" }, rows.map(([label, kind]) =>
  html("li", {}, html("span", { class: `swatch ${kind}` }), label)));

export function usageCharts(usage, names) {
  const { edges_s: edges, stones_per_bar: stones } = usage;
  const figure = (head, values, label, title, left, right, most = "") => html("figure", {},
    html("figcaption", {}, html("span", {}, head), html("span", { class: "most" }, most)),
    bars(values.map((value) => [value || 0]), { class: "bars", "aria-label": label, height: 52,
      title: (i) => title(values[i], i) }),
    ends(left, right));
  const range = (i) => `stones ${i * stones + 1}\u2013${(i + 1) * stones}`;
  const lasting = Math.max(1, ...usage.programs.map((own) =>
    Math.max(own.time_by_stone.length, own.depth_by_stone.length)));
  const padded = (values) => Array.from({ length: lasting }, (_, i) => values[i] ?? null);
  const peak = (values) => Math.max(...values.filter((value) => value !== null));
  const course = (values, head, name, words) => (values.some((value) => value !== null)
    ? figure(head, padded(values), `${head} of ${name}`,
      (value, i) => `${range(i)}: ${value === null ? "none" : words(value)}`,
      "stone 1", `${lasting * stones}`, `up to ${words(peak(values))}`) : null);
  return html("div", { class: "courses" }, usage.programs.map((own, i) => {
    const name = names[i];
    return html("div", { class: "course-row" }, html("h3", {}, name),
      own.time ? figure("Moves by time", own.histogram, `How many moves of ${name} took how long`,
        (value, k) =>
          `${seconds(edges[k])} to ${seconds(edges[k + 1])}: ${plural(value, "move")}`,
        seconds(edges[0]), seconds(edges[edges.length - 1])) : null,
      course(own.time_by_stone, "Mean time over a game", name, seconds),
      course(own.depth_by_stone, "Mean depth over a game", name, (value) => decimal(value, 1)),
      own.moves ? null : html("p", { class: "note" }, "No moves."));
  }));
}

// One bar divided into parts: [label, count, class].
export function shareBar(parts) {
  const total = parts.reduce((sum, [, count]) => sum + count, 0) || 1;
  return html("div", { class: "shares" },
    html("div", { class: "share-bar", "aria-hidden": "true" }, parts.map(([, count, kind]) =>
      html("span", { class: kind, style: `width: ${(count / total) * 100}%` }))),
    legend(parts.map(([label, count, kind]) => [`${label} ${whole(count)}`, kind])));
}

// Games by their number of stones; each bar has three parts: Black won, drawn, White won.
export function lengthsChart(lengths) {
  const kinds = ["is-black", "is-draw", "is-white"];
  const from = (i) => lengths.from + i * lengths.width;
  const stones = (i) => (lengths.width > 1 ? `${from(i)}\u2013${from(i + 1) - 1}` : from(i));
  const most = Math.max(...lengths.bars.map((bar) => bar[0] + bar[1] + bar[2]));
  return [
    bars(lengths.bars, { class: "lengths", height: 120, kinds,
      "aria-label": `Games by length: from ${lengths.shortest} to ${lengths.longest} stones`,
      title: (i) => `${stones(i)} stones: Black won ${lengths.bars[i][0]}, drawn`
        + ` ${lengths.bars[i][1]}, White won ${lengths.bars[i][2]}` }),
    ends(from(0), `mean ${lengths.mean}, median ${lengths.median}, most in a bar ${most}`,
      from(lengths.bars.length)),
    legend(["Black won", "drawn", "White won"].map((label, k) => [label, kinds[k]])),
  ];
}
