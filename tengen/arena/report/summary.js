// What stands above and below the games: tables and charts of a run, the findings of a review.

import { pointName } from "./board.js";
import { lengthsChart, ratingStrips, shareBar, testChart, usageCharts } from "./charts.js";
import {
  UNKNOWN, byId, decimal, html, percent, plural, seconds, short, signed, table, whole,
} from "./dom.js";
import { DATA, NAMES, share, unpack, winsLossesDraws } from "./viewer.js";

const gameLink = (number, move, text) =>
  html("a", { href: `#game=${number}${move === undefined ? "" : `&move=${move}`}` },
    text || `game ${number}`);

function showHead() {
  byId("title").textContent = DATA.title;
  const facts = DATA.conditions.filter(([label]) => ["Rule", "Board", "Limits"].includes(label))
    .map(([, value]) => value);
  byId("lead").textContent = [plural(DATA.games.length, "game"), ...facts, DATA.date]
    .filter(Boolean).join(" · ");
  const { pairs, colour, lengths } = DATA;
  const complete = pairs.one_program + pairs.one_colour + pairs.drawn;
  const tiles = [
    ["Games", whole(DATA.games.length), complete ? `${whole(complete)} pairs` : ""],
    ["Programs", NAMES.length, ""],
    ["First player scored", percent(colour.score), colour.elo ? `${colour.elo} Elo` : ""],
    ["Draws", whole(colour.black.d), percent(DATA.games.length
      ? colour.black.d / DATA.games.length : null)],
    ["Failures", whole(DATA.failures.length), DATA.failures.length ? "see below" : "none"],
    ["Median length", lengths ? `${lengths.median}` : UNKNOWN, "stones"],
  ];
  byId("tiles").append(...tiles.map(([label, value, more]) =>
    html("div", {}, html("dt", {}, label), html("dd", {}, value, html("small", {}, more)))));
}

function showDuel() {
  const duel = DATA.head_to_head;
  if (!duel) return;
  const { first, second } = duel;
  const words = ["lost both", "lost one, drew one", "shared", "won one, drew one", "won both"];
  byId("duel").append(
    html("p", { class: "statement" }, html("strong", {}, first), " against ",
      html("strong", {}, second), ": ", html("strong", { class: "figure" }, duel.text),
      ...duel.is_known ? [" Elo (95 %), likelihood of superiority ", percent(duel.los)]
        : [" for an Elo"], "."),
    table({ class: "numbers small" }, ["Pairs", ...words],
      [[whole(duel.pairs), ...duel.pentanomial.map(whole)]]));
}

function showSprt() {
  const test = DATA.sprt;
  if (!test) return;
  const elo = (value) => `${signed(value, Number.isInteger(value) ? 0 : 1)} Elo`;
  const open = test.verdict === "undecided";
  const kind = open ? "" : test.verdict.startsWith("H1") ? "good" : "bad";
  byId("sprt").append(
    html("h3", {}, "Sequential test"),
    html("p", { class: "statement" },
      html("strong", { class: `verdict ${kind}` }, test.verdict),
      ` · log-likelihood ratio ${decimal(test.llr, 2)} between`,
      ` ${decimal(test.lower, 2)} (H0) and ${decimal(test.upper, 2)} (H1)`),
    testChart(test),
    html("p", { class: "note" },
      `H0: ${elo(test.elo0)}, H1: ${elo(test.elo1)} (${test.model}),`,
      ` α = ${test.alpha}, β = ${test.beta}.`,
      open ? "" : " When a test stops early, the Elo of its games overestimates the difference."));
}

function showRatings() {
  const [axis, ...strips] = ratingStrips(DATA.ratings);
  // Two programs have the Elo above, and no ratings besides.
  const isRated = NAMES.length !== 2;
  const rows = DATA.ratings.map((rating, i) => [
    [{ class: "rank" }, i + 1],
    [{ class: "name" }, rating.name],
    ...isRated ? [
      rating.elo === null ? UNKNOWN : signed(rating.elo),
      [{ class: "chart" }, strips[i]],
      [{ class: "muted roomy" }, rating.elo === null ? rating.why
        : `${signed(rating.low)} … ${signed(rating.high)}`],
    ] : [],
    [{ class: "roomy" }, whole(rating.games)],
    [{ class: "roomy" }, rating.points],
    percent(share(rating)),
  ]);
  const head = [[{ class: "rank" }, "#"], [{ class: "name" }, "Program"],
    ...isRated ? ["Elo", [{ class: "chart" }, axis], [{ class: "roomy" }, "95 % interval"]] : [],
    [{ class: "roomy" }, "Games"], [{ class: "roomy" }, "Points"], "Score"];
  byId("ratings").append(table({ class: "numbers ratings" }, head, rows));
}

function showCross(filterGames) {
  const head = [[{ class: "name" }, "Program"],
    ...NAMES.map((name, i) => [{ title: name, class: "wrap" }, NAMES.length > 3 ? i + 1 : name]),
    "Points"];
  const rows = NAMES.map((name, row) => [
    [{ class: "name" }, NAMES.length > 3 ? [html("span", { class: "rank" }, row + 1), name] : name],
    ...NAMES.map((other, column) => {
      const score = DATA.cross[row][column];
      if (!score) return [{ class: "none" }, row === column ? "" : UNKNOWN];
      const games = score.w + score.l + score.d;
      const label = `${name} against ${other}: ${score.points} of ${games} points,`
        + ` won ${score.w}, lost ${score.l}, drew ${score.d}. List the games.`;
      return [{ class: "met", style: tint(score.points / games) },
        html("button", { type: "button", "aria-label": label, title: label,
          onclick: () => filterGames({ program: row, opponent: column }) },
        html("b", {}, score.points), html("small", {}, winsLossesDraws(score)))];
    }),
    [{ class: "total" }, html("b", {}, DATA.ratings[row].points),
      html("small", {}, `of ${DATA.ratings[row].games}`)],
  ]);
  byId("cross").append(table({ class: "cross" }, head, rows),
    html("p", { class: "note" },
      "Points of the program in the row; below them its wins–losses–draws."));
}

// From the colour of losses, through none at half the points, to that of wins.
function tint(part) {
  const strength = Math.round(Math.abs(part - 0.5) * 2 * 26);
  const colour = `var(${part > 0.5 ? "--good" : "--bad"}) ${strength}%`;
  return `background: color-mix(in srgb, ${colour}, transparent)`;
}

function showEndings(filterGames) {
  const filterLink = (count, label, wish) => (count === 0 ? [{ class: "muted" }, "0"]
    : html("button", { type: "button", class: "link", "aria-label": label,
      onclick: () => filterGames(wish) }, whole(count)));
  const rows = DATA.endings.map((row) => [
    [{ class: `name ${row.failure ? "failed" : ""}` }, row.word],
    filterLink(row.games, `${row.word}: list the games`, { termination: row.termination }),
    ...NAMES.map((name, i) => filterLink(row.lost[i], `${name} lost by ${row.word}: list the games`,
      { program: i, result: "lost", termination: row.termination })),
    filterLink(row.draws, `drawn by ${row.word}: list the games`,
      { result: "d", termination: row.termination }),
  ]);
  const head = [[{ class: "name" }, "Reason"], "Games",
    ...NAMES.map((name) => [{ class: "wrap" }, html("small", {}, "lost by "), name]), "Drawn"];
  byId("reasons").append(table({ class: "numbers" }, head, rows));
  byId("failures").append(DATA.failures.length
    ? html("ul", { class: "failures" }, DATA.failures.slice(0, 100).map((failure) => html("li", {},
      gameLink(failure.game), ": ", html("b", {}, NAMES[failure.loser]), ", ",
      html("span", { class: "failed" }, failure.why))))
    : html("p", { class: "note" },
      "None: no program crashed, exceeded its time or made an illegal move."));
  if (DATA.failures.length > 100) {
    byId("failures").append(html("p", { class: "note" },
      `These are the first 100 of ${whole(DATA.failures.length)}; the list under Games has all.`));
  }
}

function showColour() {
  const { black, score, elo, programs } = DATA.colour;
  const { pairs } = DATA;
  byId("colour").append(
    html("p", { class: "statement" }, "Black, the first player, scored ",
      html("strong", { class: "figure" }, percent(score)),
      elo ? ` (${elo} Elo)` : "",
      "."),
    shareBar([["Black won", black.w, "is-black"], ["drawn", black.d, "is-draw"],
      ["White won", black.l, "is-white"]]),
    table({ class: "numbers" }, [[{ class: "name" }, "Program"], "as Black", "", "as White", ""],
      programs.map((own, i) => [[{ class: "name" }, NAMES[i]],
        winsLossesDraws(own.black), [{ class: "muted" }, percent(share(own.black))],
        winsLossesDraws(own.white), [{ class: "muted" }, percent(share(own.white))]])),
    html("p", { class: "note" }, "Pairs of games: one program won both in"
      + ` ${whole(pairs.one_program)}, one colour won both in ${whole(pairs.one_colour)},`
      + ` a game was drawn in ${whole(pairs.drawn)}`
      + `${pairs.incomplete ? `, one game is missing in ${whole(pairs.incomplete)}` : ""}.`));
}

function showLengths() {
  if (DATA.lengths) byId("lengths").append(...lengthsChart(DATA.lengths));
}

function showUsage() {
  const rows = DATA.usage.programs.map((own, i) => [
    [{ class: "name" }, NAMES[i]],
    whole(own.moves),
    ...["mean", "median", "p95"].map((key) => seconds(own.time ? own.time[key] : null)),
    own.time ? gameLink(own.time.game, own.time.move, seconds(own.time.max)) : UNKNOWN,
    short(own.nodes ? own.nodes.mean : null), short(own.nodes ? own.nodes.median : null),
    short(own.nodes_per_s),
    own.depth ? decimal(own.depth.mean, 1) : UNKNOWN, own.depth ? own.depth.max : UNKNOWN,
    own.peak_mib ? `${whole(own.peak_mib)} MiB` : UNKNOWN,
  ]);
  byId("figures").append(table({ class: "numbers" }, [[{ class: "name" }, "Program"], "Moves",
    "Mean time", "Median", "95 %", "Longest", "Mean nodes", "Median", "Nodes/s", "Mean depth",
    "Max. depth", "Peak memory"], rows));
  byId("courses").append(usageCharts(DATA.usage, NAMES));
}

function showConditions() {
  byId("facts").append(...DATA.conditions.map(([label, value]) =>
    html("div", {}, html("dt", {}, label), html("dd", {}, value))));
  byId("programs").append(table({}, [[{ class: "name" }, "Program"], "Version", "Limits",
    "Memory limit", "Threads", "Options", "Command"], DATA.programs.map((program) => [
    [{ class: "name" }, program.name], program.version || UNKNOWN, program.limits || UNKNOWN,
    program.memory_mib ? `${whole(program.memory_mib)} MiB` : UNKNOWN, program.threads || UNKNOWN,
    program.options || UNKNOWN, html("code", {}, program.command)])));
}

// Fills all tables. `filterGames` is called with filters (see GameList.set) when a count is tapped.
export function showSummary(filterGames) {
  showHead();
  showSprt();
  showDuel();
  showRatings();
  showCross(filterGames);
  showEndings(filterGames);
  showColour();
  showLengths();
  showUsage();
  showConditions();
}

// What a review has found. All its links are to the one game.
export function showFindings() {
  byId("title").textContent = DATA.title;
  byId("lead").textContent = DATA.lead;
  byId("sentences").append(...DATA.sentences.map((text) =>
    html("p", { class: "statement" }, text)));
  const [game] = DATA.games;
  const { moves, height } = unpack(game);
  const rows = moves.flatMap(({ cell, isBlack, remark }, i) => (remark ? [[
    gameLink(game.g, i + 1, String(i + 1)), isBlack ? "Black" : "White",
    pointName(cell, height), remark.mark, remark.text,
    remark.better.map((other) => pointName(other, height)).join(" "),
  ]] : []));
  byId("remarks").append(rows.length
    ? table({ class: "marked-moves" }, ["Move", "Side", "Point", "", "", "Better line"], rows)
    : html("p", { class: "note" }, "No move is marked."));
}
