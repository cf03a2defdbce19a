// The analysis: the best moves as a list and as circles on the board, what the search may use, and how
// values are shown. Tells the server when nobody sees the page, so that it pauses.

import { pointName } from "./board.js";
import { byId, html } from "./dom.js";
import { rememberInput } from "./settings.js";
import { short, sideName, t, told } from "./texts.js";

const MEMORY_MIB = [64, 128, 350, 1024, 2048, 4096, 8192, 16384, 32768];
// Where a search ends: a name of Use in requests.py with its value; none, while one looks.
const LIMITS = ["", "seconds 5", "seconds 30", "seconds 300", "depth 10", "depth 16", "depth 22",
  "nodes 1000000", "nodes 10000000", "nodes 100000000"];
// A move that loses no more of the chance to win than this is nearly as good as the best one.
const NEAR = 0.04;

const memoryText = (mib) => (mib >= 1024 ? t("use.gb", { count: mib / 1024 }) : t("use.mb", { count: mib }));

function limitText(limit) {
  const [kind, count] = limit.split(" ");
  return kind === "" ? t("limit.none") : t(`limit.${kind}`, { count: short(Number(count)) });
}

// The numbers from 1 on that are worth choosing, up to the processors there are.
function threadCounts(most) {
  const counts = [];
  for (let count = 1; count < most; count *= 2) counts.push(count);
  return [...counts, most];
}

function choices(select, values, text, current) {
  if (select.children.length !== values.length) {
    select.replaceChildren(...values.map((value) => html("option", { value }, text(value))));
  }
  select.value = String(current);
}
const withOwn = (values, own) => [...new Set([...values, own])].sort((one, other) => one - other);

// A text that is there already is not written again: the browser would lay it out anew.
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// `changed()` is called when the board is to be drawn again.
export function makeAnalyse(send, changed) {
  let most = { threads: 1, memory_mib: 0 };
  let game = null;
  let found = null; // the last report on the position
  let pointed = null; // what is shown of a line, as [its number, how many moves]
  let pinned = null; // what a finger or a click has chosen of it
  const [isOn, lines, limit, near, threads, memory, values] = ["is-on", "lines", "limit", "near", "threads-used",
    "memory-used", "values"].map(byId);

  const tellLines = () => send({ do: "analyse", lines: isOn.checked ? Number(lines.value) : 0 });
  const tellUse = () => {
    const [kind, count] = limit.value.split(" ");
    send({ do: "use", threads: Number(threads.value), memory_mib: Number(memory.value), near: Number(near.value),
      ...(kind === "" ? {} : { [kind]: Number(count) }) });
  };
  isOn.addEventListener("change", tellLines);
  rememberInput(lines, () => isOn.checked && tellLines());
  for (const select of [limit, near, threads, memory]) select.addEventListener("change", tellUse);
  for (const input of [values, byId("circles")]) {
    rememberInput(input, () => {
      show();
      changed();
    });
  }
  const tellLook = () => send({ do: document.hidden ? "away" : "here" });
  document.addEventListener("visibilitychange", tellLook);

  const chanceOf = (line) => (game.to_move === "black" ? line.chance : 1 - line.chance);
  const isMate = (line) => line.score.includes("M");
  const isChance = (line) => !isMate(line) && values.value !== "stones";
  // The value for the side to move: its chance in per cent, at most 99, or centi-stones; a proved win or loss by its length.
  const valueText = (line) => (isChance(line) ? `${Math.min(99, Math.round(chanceOf(line) * 100))}` : line.score.replace("+", ""));

  function rankOf(line, i) {
    if (i === 0) return "best";
    if (line.score.startsWith("-M")) return "lost";
    return chanceOf(found.lines[0]) - chanceOf(line) <= NEAR ? "near" : "far";
  }

  // -- the lines

  function look(next) {
    if (String(next) === String(pointed)) return;
    pointed = next;
    markShown();
    changed();
  }

  function markShown() {
    [...byId("best").children].forEach((row, i) => {
      [...row.querySelector(".moves").children].forEach((button, k) =>
        button.classList.toggle("shown", pointed !== null && pointed[0] === i && k < pointed[1]));
    });
  }

  // Plays on to a move of a line.
  const goTo = (i, count) => send({ do: "show", cells: [...game.cells, ...found.lines[i].cells.slice(0, count)] });

  // A move of a line: pointed at, the board is shown up to there; a double click, a second tap, or
  // Enter goes there. The arrow keys point at the moves before and after.
  function moveButton(i, k) {
    const at = [i, k + 1];
    const isPinned = () => String(pinned) === String(at);
    return html("button", { type: "button", tabindex: k ? -1 : 0,
      onpointerenter: ({ pointerType }) => pointerType === "mouse" && look(at),
      onpointerleave: ({ pointerType }) => pointerType === "mouse" && look(pinned),
      onfocus: ({ target }) => target.matches(":focus-visible") && look(at),
      onblur: () => look(pinned),
      onkeydown: (event) => {
        const next = { ArrowRight: event.target.nextSibling, ArrowLeft: event.target.previousSibling }[event.key];
        if (next === undefined) return;
        event.stopPropagation();
        event.preventDefault();
        next?.focus();
      },
      onclick: ({ detail, pointerType }) => {
        if (found === null) return;
        if (detail === 0 || detail === 2 || (pointerType !== "mouse" && isPinned())) goTo(i, k + 1);
        else look(pinned = isPinned() ? null : at);
      } });
  }

  const row = () => html("li", {}, html("span", { class: "score" }), html("div", { class: "moves" }),
    html("span", { class: "at" }));

  // The buttons stay in the document while their texts change, so that no click and no focus is lost.
  function fill(list, count, make) {
    while (list.children.length > count) list.lastChild.remove();
    while (list.children.length < count) list.append(make(list.children.length));
  }

  function show() {
    if (game === null) return;
    const shown = found === null ? [] : found.lines;
    byId("share").style.width = `${(found?.chance ?? 0.5) * 100}%`;
    // All values are those of the side to move, which the first one names.
    const [disc, side, value] = byId("chance").children;
    disc.className = `disc ${game.to_move}`;
    say(side, sideName(game.to_move));
    say(value, shown.length ? valueText(shown[0]) + (isChance(shown[0]) ? "\u202f%" : "") : "");
    const count = game.turn === "over" ? 0 : game.line_count;
    for (const id of ["bar", "chance"]) byId(id).hidden = !count;
    fill(byId("best"), count, row);
    [...byId("best").children].forEach((each, i) => {
      const line = shown[i];
      const [score, moves, at] = each.children;
      each.className = line ? rankOf(line, i) : "";
      say(score, line ? valueText(line) : "");
      // In another position the buttons wait for its lines, so that none loses the focus.
      if (line) fill(moves, line.cells.length, (k) => moveButton(i, k));
      [...moves.children].forEach((button, k) => say(button, line ? pointName(line.cells[k], game.height) : "\u2003"));
      say(at, line ? line.at : "");
      const title = line ? told(line.value) : "";
      if (each.title !== title) each.title = title;
    });
    markShown();
    const now = found?.now ? `${t("best.now", { point: pointName(found.now, game.height) })} \u00b7 ` : "";
    byId("depth").classList.toggle("now", now !== "");
    say(byId("depth"), found === null ? "" : now + t("best.depth", { depth: found.depth_plies, far: found.seldepth_plies,
      speed: short(found.speed_nps, 2), seconds: Math.round(found.elapsed_s) }));
  }

  return {
    hearMost: (message) => {
      most = message;
      if (document.hidden) tellLook();
    },
    // The space bar switches it.
    toggle: () => {
      isOn.checked = !isOn.checked;
      tellLines();
    },
    // Another position, or nothing is searched any more.
    forget: () => { found = pointed = pinned = null; },
    // A report; true if the board is to be drawn for it.
    hear: (message) => {
      const cellsOf = (report) => report && JSON.stringify(report.lines.map((line) => [line.cells[0], isMate(line)]));
      const isOther = cellsOf(found) !== cellsOf(message) || pointed !== null;
      found = message;
      show();
      return isOther;
    },
    show: (state) => {
      game = state;
      isOn.checked = game.line_count > 0;
      if (isOn.checked) lines.value = String(game.line_count);
      choices(threads, withOwn(threadCounts(most.threads), game.threads), String, game.threads);
      choices(memory, withOwn(MEMORY_MIB.filter((mib) => mib <= most.memory_mib), game.memory_mib), memoryText,
        game.memory_mib);
      choices(limit, LIMITS, limitText, game.limit);
      choices(near, [0, 1, 2, 3, 4], (count) => (count ? t("near.points", { count }) : t("near.all")), game.near);
      show();
    },
    // The moves of a line to show on the board; null for none.
    line: () => (found === null || pointed === null || !found.lines[pointed[0]] ? null
      : found.lines[pointed[0]].cells.slice(0, pointed[1])),
    // The best moves for the board, with their values and ranks.
    candidates: () => (found === null || !byId("circles").checked ? []
      : found.lines.map((line, i) => ({ ...line, text: valueText(line), rank: rankOf(line, i) }))),
    // The move that is searched, null for none, and those that lose.
    root: () => ({ now: found?.now ?? null, lost: found?.lost ?? [] }),
  };
}
