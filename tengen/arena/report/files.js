// A game as psq and sgf: the same texts, byte by byte, that game/files/psq.py and sgf.py write.

import { html } from "./dom.js";
import { DATA } from "./run.js";

// What Python's str.split() takes for blanks; JavaScript's \s is a different set.
const BLANKS = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const oneLine = (text) => text.split(BLANKS).filter(Boolean).join(" ");

// Rounds to the nearest whole number, and halves to the even one, as Python does.
function wholeMs(ms) {
  const below = Math.floor(ms || 0);
  const rest = (ms || 0) - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

// A name as one line that no reader takes for a move: such a one gets quotes.
function psqName(name) {
  const line = oneLine(name);
  const number = "[ \\t]*[0-9]{1,9}[ \\t]*";
  const move = new RegExp(`^${number},${number}(,${number})?$`);
  return move.test(line.replace(/^"+|"+$/g, "")) ? `"${line}"` : line;
}

export function toPsq(game) {
  const level = (program) => DATA.programs[program].psq_level;
  const { record } = game;
  return [
    `Piskvorky ${game.width}x${game.height}, ${level(record.b)}:${level(record.w)}, 0`,
    ...game.moves.map(({ cell: [x, y], ms }) => `${x + 1},${y + 1},${wholeMs(ms)}`),
    psqName(game.black), psqName(game.white), game.ending.psq_code, "",
  ].join("\n");
}

const escaped = (text) => oneLine(text).replace(/[\\\]:]/g, "\\$&");

function sgfResult({ record, ending }) {
  if (record.t === "INTERRUPTED") return "Void";
  if (record.r === "d") return "0";
  const winner = record.r === "b" ? "B" : "W";
  if (record.t === "TIMEOUT") return `${winner}+T`;
  if (record.t === "RESIGNED") return `${winner}+R`;
  return `${winner}+${ending.failure ? "F" : ""}`;
}

function sgfComment(move) {
  const value = move.value.startsWith("M") ? `+${move.value}` : move.value;
  const depth = move.depth && `/${move.depth}`;
  const time = move.ms === null ? "" : `${wholeMs(move.ms)} ms`;
  return `${value}${depth} ${time}`.trim();
}

export function toSgf(game) {
  const { width, height, record } = game;
  const size = width === height ? width : `${width}:${height}`;
  const letter = (line) => String.fromCharCode(97 + line);
  const head = `(;FF[4]GM[4]CA[UTF-8]SZ[${size}]RU[${escaped(DATA.rules[game.rule])}]`
    + `GN[${record.g}]PB[${escaped(game.black)}]PW[${escaped(game.white)}]`
    + `RE[${sgfResult(game)}]GC[${escaped(game.ending.word)}]`;
  const nodes = game.moves.map((move, i) => {
    const comment = i < game.opening ? "opening" : sgfComment(move);
    const point = move.cell.map(letter).join("");
    return `;${move.isBlack ? "B" : "W"}[${point}]C[${escaped(comment)}]`;
  });
  return `${[head, ...nodes].join("\n")})\n`;
}

// Lets the browser save a text as a file.
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  html("a", { href: address, download: name }).click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}
