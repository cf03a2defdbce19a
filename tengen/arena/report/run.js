// The run that the page shows: the value that data.py describes, and how to read the short records
// of its games (see compact_game there).

export const DATA = JSON.parse(document.getElementById("data").textContent);
export const NAMES = DATA.programs.map((program) => program.name);

// Results for people, by the letter in a record.
export const RESULTS = { b: "1\u20130", w: "0\u20131", d: "\u00bd\u2013\u00bd" };

const ENDINGS = new Map(DATA.endings.map((row) => [row.termination, row]));

// How the game ended: { word, failure, psq_code }.
export const endingOf = (game) => ENDINGS.get(game.t);

export const stonesOf = (game) => (game.m || "").length / 2;

// A score as text, and as a share of all points.
export const winsLossesDraws = (score) => `${score.w}\u2013${score.l}\u2013${score.d}`;
export const share = (score) => {
  const games = score.w + score.l + score.d;
  return games ? score.points / games : null;
};

// Two letters to a cell, column and row, both from a.
function cellsOf(text) {
  const cells = [];
  for (let i = 0; i + 1 < (text || "").length; i += 2) {
    cells.push([text.charCodeAt(i) - 97, text.charCodeAt(i + 1) - 97]);
  }
  return cells;
}

// What a review says about a move: { mark, text, better }, the last one a list of cells; null if it
// says nothing.
function remarkOf(record, number) {
  const remark = (record.a || {})[number];
  return remark ? { ...remark, better: cellsOf(remark.better) } : null;
}

// A game's short record as an object, with an object for each move.
export function unpack(record) {
  const column = (key) => (record[key] ? record[key].split(",") : []);
  const [values, depths, nodes, times, lines] = ["v", "d", "n", "e", "q"].map(column);
  const cells = cellsOf(record.m);
  const [width, height, rule] = record.s || DATA.setting;
  return {
    record, cells, width, height, rule, opening: record.o || 0, line: cellsOf(record.l),
    black: NAMES[record.b], white: NAMES[record.w], ending: endingOf(record),
    moves: cells.map((cell, i) => ({
      cell, remark: remarkOf(record, i + 1), isBlack: i % 2 === 0, program: i % 2 ? record.w : record.b,
      value: values[i] || "", depth: depths[i] || "",
      nodes: nodes[i] ? Number(nodes[i]) : null,
      ms: times[i] ? Number(times[i]) : null,
      expected: lines[i] || "", // in the program's own words
    })),
  };
}
