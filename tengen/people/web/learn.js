// What one learns from a game: the chart of Black's chance, the review with its findings, and the
// lesson, in which one looks for a better move than each mistake, with the answer hidden.

import { beginningOf, colourOf, pointName } from "./board.js";
import { stretchedLine } from "./charts.js";
import { byId, html, svg } from "./dom.js";
import { same, signOf, SMALL } from "./moves.js";
import { keepFocus } from "./settings.js";
import { sideName, t, told } from "./texts.js";

// The rows where work is begun that is no review, by what they have.
const WORK_PLACES = { add: "add-files", solve: "solve", defend: "solve", puzzle: "puzzle-new", judge: "puzzle-new" };

export function makeLearn(send, moves, redraw) {
  let game = null;
  let review = null;
  let shown = null; // the finding that one looks at
  let line = null; // to show on the board: {after: the moves there, better} as of drawBoard
  let lesson = null; // {number: of the finding, state: "asked" or "solved"}

  const whole = () => [...game.cells, ...game.ahead];
  const before = (finding) => review.cells.slice(0, finding.number - 1);
  const pointOf = (finding) => pointName(review.cells[finding.number - 1], game.height);
  const lessons = () => review.marked.filter(({ kind }) => kind !== "foul");
  const asked = () => lessons()[lesson.number];

  // The finding that one looks at; in its position it is what follows.
  const looked = () => (lesson === null ? shown : asked());
  const isBefore = (finding) => Boolean(finding) && same(game.cells, before(finding));

  // -- the chart

  const up = (chance) => 0.1 + chance * 0.8; // with room for dots at the edges

  function showChart() {
    if (game === null) return;
    const cells = whole();
    const chances = moves.chances(cells);
    const known = chances.filter((chance) => chance !== null && chance !== undefined);
    // Its keys are those of the page, which step through the game.
    const here = chances[game.cells.length];
    const values = { tabindex: known.length < 2 ? -1 : 0, "aria-valuemax": cells.length,
      "aria-valuenow": game.cells.length, "aria-valuetext": t("chart.move", { number: game.cells.length })
        + (here === null || here === undefined ? "" : `: ${Math.round(here * 100)} %`) };
    Object.entries(values).forEach(([name, value]) => byId("chart").setAttribute(name, value));
    if (known.length < 2) {
      byId("chart").replaceChildren();
      return;
    }
    const columns = cells.length + 1;
    const place = (move) => (move + 0.5) / columns;
    const points = chances.flatMap((chance, move) => (chance === null || chance === undefined ? []
      : [[place(move), up(chance)]]));
    const x = `${place(game.cells.length + isBefore(looked())) * 100}%`;
    const marked = review !== null && same(review.cells, cells.slice(0, review.cells.length))
      ? review.marked : [];
    const chart = svg("svg", { class: "chances", "aria-hidden": "true", onclick: (event) => {
        const box = chart.getBoundingClientRect();
        moves.goTo(cells.slice(0, Math.floor(((event.clientX - box.left) / box.width) * columns)));
      } },
    svg("line", { class: "zero", x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
    stretchedLine([[points[0][0], 0], ...points, [points.at(-1)[0], 0]], { class: "chance-line" }),
    svg("line", { class: "here", x1: x, x2: x, y1: 0, y2: "100%" }),
    marked.map((each) => svg("circle", { class: `finding ${signOf(each).kind} ${each === looked() ? "shown" : ""}`,
      cx: `${place(each.number) * 100}%`, cy: `${(1 - up(chances[each.number] ?? 0.5)) * 100}%`, r: 4.5 },
    svg("title", {}, lesson === null ? told(each.text) : ""))));
    byId("chart").replaceChildren(chart,
      html("div", { class: "ends" }, html("span", {}, t("chart.start")), html("span", {}, t("chart.up")),
        html("span", {}, t("chart.move", { number: cells.length }))));
  }

  // -- the findings

  // What was said of a puzzle stands where a lesson and a finding speak.
  const forgetPuzzle = () => byId("puzzle-text").replaceChildren();

  // What would have been better in place of the move; without that, the position after it.
  function lookAt(finding) {
    endLesson();
    forgetPuzzle();
    shown = finding;
    line = { after: finding.better.length ? before(finding) : review.cells.slice(0, finding.number), better: finding.better };
    moves.goTo(line.after);
    showFindings();
    showChart();
    redraw();
  }

  // What a move has lost; that a forced win was let go says more than a chance, which may still be good.
  function lossText({ kind, loss }) {
    if (lesson !== null || !(loss >= 0.005)) return "";
    return kind === "missed win" ? t(loss < SMALL ? "review.still" : "review.missed") : `\u2212${Math.round(loss * 100)}\u202f%`;
  }

  function row(finding) {
    const sign = signOf(finding);
    return html("li", {}, html("button", { type: "button", class: `found ${finding === looked() ? "shown" : ""}`,
      onclick: () => lookAt(finding) },
    html("span", { class: `badge ${sign.kind}` }, sign.text),
    html("span", { class: "n" }, finding.number),
    html("span", { class: `disc ${colourOf(finding.number - 1, game)}`, "aria-hidden": "true" }),
    html("span", {}, pointOf(finding)),
    html("span", {}, lossText(finding))));
  }

  function showFindings() {
    const box = byId("findings");
    for (const id of ["lesson-begin", "next-mistake"]) {
      byId(id).hidden = review === null || lesson !== null || !(id === "lesson-begin" ? lessons() : review.marked).length;
    }
    byId("review").hidden = review === null ? !whole().length : same(review.cells, whole());
    if (review === null) {
      box.replaceChildren();
      return;
    }
    keepFocus(() => box.replaceChildren(
      review.marked.length ? html("ul", { class: "rows" }, review.marked.map(row)) : html("p", {}, t("review.none")),
      ...review.sentences.map((text) => html("p", {}, t("review.sentence", { text: told(text) })))));
  }

  byId("next-mistake").addEventListener("click", () => {
    const at = review.marked.indexOf(shown);
    lookAt(review.marked[(at + 1) % review.marked.length]);
  });

  // -- the lesson

  const say = (text) => { byId("lesson-text").textContent = text; };

  function ask(number) {
    forgetPuzzle();
    lesson = { number, state: "asked" };
    shown = line = null;
    moves.mark(review, true);
    byId("lesson").hidden = false;
    byId("lesson-show").disabled = false;
    const finding = asked();
    moves.goTo(before(finding));
    say(t("lesson.find", { number: number + 1, count: lessons().length, point: pointOf(finding),
      side: sideName(colourOf(finding.number - 1, game)) }));
    showFindings();
    showChart();
    redraw();
  }

  function endLesson() {
    if (lesson === null) return;
    lesson = line = null;
    moves.mark(review);
    say("");
    byId("lesson").hidden = true;
    showFindings();
    showChart();
    redraw();
  }

  // A button that can no longer be pressed would lose the focus to nothing.
  const onClick = (id, then, act) => byId(id).addEventListener("click", () => {
    act();
    if (!byId(id).getClientRects().length || byId(id).disabled) byId(then).focus();
  });
  onClick("lesson-begin", "lesson-show", () => ask(0));
  onClick("lesson-end", "next-mistake", endLesson);
  onClick("lesson-next", "next-mistake", () => {
    if (lesson.number + 1 < lessons().length) ask(lesson.number + 1);
    else endLesson();
  });
  onClick("lesson-show", "lesson-next", () => {
    const finding = asked();
    lesson.state = "solved";
    line = { after: before(finding), better: finding.better };
    byId("lesson-show").disabled = true;
    say(t("review.sentence", { text: told(finding.text) }));
    moves.goTo(before(finding));
    redraw();
  });

  // What is being done, and the button that stops it, stand behind the row where it was begun.
  function showWork() {
    const row = byId(WORK_PLACES[game.work] ?? "review").closest(".row");
    const work = byId("work");
    work.hidden = game.work === "";
    if (work.hidden) byId("progress").removeAttribute("value");
    else if (row.nextElementSibling !== work) row.after(work);
  }

  function showAll() {
    if (game === null) return;
    showChart();
    showFindings();
    showWork();
  }

  return {
    // An answer is looked for: nothing may show it.
    isHiding: () => lesson !== null && lesson.state !== "solved" && isBefore(asked()),
    // A click on a point; true if it is a try for a better move.
    click: ([x, y]) => {
      if (lesson === null || lesson.state === "solved" || !isBefore(asked())) return false;
      send({ do: "try", cells: before(asked()), x, y });
      line = { after: before(asked()), better: [[x, y]] };
      redraw();
      return true;
    },
    // What the engine says of a try, and how it answers.
    hearTried: ({ text, is_good: isGood, cells, cell, reply }) => {
      if (lesson === null || !same(cells, before(asked()))) return;
      if (isGood) lesson.state = "solved";
      line = { after: cells, better: [cell, ...reply] };
      say(told(text));
      byId("lesson-show").disabled = isGood;
      redraw();
    },
    // A try may have been refused.
    hearRefused: () => { if (lesson?.state === "asked") line = null; },
    // The line to show in this position, as drawBoard takes it.
    preview: (state) => (line !== null && same(state.cells, line.after) ? line : {}),
    // The mistake that one looks at, which is not played there, as the sign of drawBoard; null for none.
    sign: () => (isBefore(looked()) ? { ...signOf(looked()), cell: review.cells[looked().number - 1] } : null),
    // What the review says of the mistake that one looks at, while its position is on the board.
    says: (state) => (lesson === null && shown !== null && same(state.cells, line?.after) ? t("review.sentence", { text: told(shown.text) }) : ""),
    show: (state) => {
      const isOther = game !== null && !same(game.setup, state.setup);
      game = state;
      if (review !== null && (isOther || !moves.knows(review.cells))) {
        endLesson();
        review = shown = line = null;
        moves.mark(null);
      }
      showAll();
    },
    showChart,
    hearReview: (message) => {
      for (const each of message.marked) each.better = beginningOf(each.better, message.cells[each.number - 1]);
      review = message;
      forgetPuzzle();
      shown = null;
      moves.mark(review);
      if (game === null) return;
      showAll();
      redraw();
    },
    hearWork: ({ step, done, total }) => {
      byId("work-step").textContent = told(step);
      if (!total) return; // nobody knows how much is left
      byId("progress").max = total;
      byId("progress").value = done;
    },
  };
}
