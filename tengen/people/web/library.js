// Opening and saving games, and the address of a position.

import { pointName } from "./board.js";
import { byId, html } from "./dom.js";
import { about } from "./explorer.js";
import { gifOf, pngOf } from "./pictures.js";
import { t, told } from "./texts.js";

// As in requests.py, which reads messages of 4,000,000 characters.
const MOST_CHARACTERS = 3_900_000;
const MOST_FILE_BYTES = 50_000_000;

// `note(text, isError)` tells people something; `view` is how the board is looked at.
export function makeFiles(send, note, view) {
  let game = null;
  let opened = []; // what the server has last been asked to open

  const isTooLarge = (size, most) => {
    if (size > most) note(t("files.large"), true);
    return size > most;
  };
  const open = (asked, file, number = 0) => {
    opened = [asked, file];
    byId("runs").replaceChildren();
    send({ ...asked, rule: game === null ? 0 : game.rule, game: number }, file);
  };

  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    // As bytes: only the server knows the encodings of files of games.
    if (file && !isTooLarge(file.size, MOST_FILE_BYTES)) open({ do: "file", name: file.name }, file);
    event.target.value = ""; // the same file can be opened again
  });
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = event.target.elements.text.value;
    const link = /^\s*\S+(#\S+)\s*$/.exec(text);
    if (link && openLink(link[1])) return;
    if (!isTooLarge(JSON.stringify(text).length, MOST_CHARACTERS)) open({ do: "open", text });
  });
  addEventListener("hashchange", () => openAddress());

  // -- links: the game is behind the sign #, so that it opens on any board that runs, also from a
  // link of another one; gomocalc's have the moves alone, `#/h8i9`.

  const cellsIn = (text, height) => [...text.matchAll(/([a-v])(\d+)/g)].map(([, letter, row]) =>
    [letter.charCodeAt(0) - 97, height - Number(row)]);
  const textOf = (cells) => cells.map((cell) => pointName(cell, game.height)).join("");

  // `#15x15,0,h8i9g7,2`: size, rule, moves, how many of them are on the board; where stones were set
  // up, also black ones, white ones and who is to move.
  function linkText() {
    const { width, height, rule, cells, ahead, setup, first } = game;
    const of = (colour) => textOf(setup.filter((each) => each[2] === colour));
    const parts = [`${width}x${height}`, rule, textOf([...cells, ...ahead]), cells.length];
    if (setup.length) parts.push(of("black"), of("white"), first);
    return `#${parts.join(",")}`;
  }

  // Opens the game of a link; the one on the board goes on where it has that position. False if it
  // is none.
  function openLink(link) {
    const plain = /^#\/((?:[a-v]\d+)*)$/.exec(link);
    const found = plain ? [15, 15, game.rule, plain[1]]
      : /^#(\d+)x(\d+),(\d),([a-v0-9]*)(?:,(\d+))?(?:,([a-v0-9]*),([a-v0-9]*),(black|white))?$/.exec(link)?.slice(1);
    if (!found) return false;
    const [width, height, rule] = found.slice(0, 3).map(Number);
    const line = cellsIn(found[3], height);
    const cells = line.slice(0, Number(found[4] ?? line.length));
    const [black, white] = [5, 6].map((i) => cellsIn(found[i] || "", height));
    const own = [...game.cells, ...game.ahead];
    const isOwn = !game.setup.length && !black.length && game.width === width && game.height === height
      && game.rule === rule && JSON.stringify(own.slice(0, line.length)) === JSON.stringify(line);
    if (!isOwn) send({ do: "setup", width, height, rule, black, white, first: found[7] || "black" });
    if (!isOwn && line.length > cells.length) send({ do: "show", cells: line });
    send({ do: "show", cells });
    return true;
  }

  function openAddress() {
    if (game === null || !openLink(location.hash)) return;
    history.replaceState(null, "", location.pathname);
  }

  // -- pictures

  const draw = { png: pngOf, gif: gifOf };
  const picture = (kind) => draw[kind]({ ...game, move: game.cells.length, numbered: view.numbersFrom(), ...view.look() });

  async function download(kind) {
    const href = URL.createObjectURL(await picture(kind));
    html("a", { href, download: `game.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }
  for (const kind of Object.keys(draw)) byId(kind).addEventListener("click", () => download(kind));

  byId("resume").addEventListener("click", () => {
    const { time_s: time, ponders } = byId("new").elements;
    send({ do: "resume", time_s: Number(time.value), ponders: ponders.checked });
  });

  // -- the clipboard

  async function copy(what, write) {
    try {
      await write();
      note(t(`copied.${what}`));
    } catch (error) {
      note(t("copied.not", { error: error.message }), true);
    }
  }

  const writeText = (text) => navigator.clipboard.writeText(text);
  byId("copy-moves").addEventListener("click", () => copy("moves", () => writeText(textOf(game.cells))));
  byId("copy-address").addEventListener("click", () => copy("address", () =>
    writeText(`${location.origin}/${linkText()}`)));
  byId("copy-picture").addEventListener("click", () => copy("picture", () =>
    navigator.clipboard.write([new ClipboardItem({ "image/png": picture("png") })])));
  byId("copy-picture").hidden = !window.ClipboardItem;

  return {
    show: (state) => {
      const isFirst = game === null;
      game = state;
      byId("psq").hidden = game.setup.length > 0;
      byId("copy-moves").hidden = game.setup.length > 0 || !navigator.clipboard;
      byId("copy-address").hidden = !navigator.clipboard;
      byId("resume").hidden = game.unfinished === null;
      if (game.unfinished) byId("resume").textContent = t("resume.game", { game: about(game.unfinished) });
      if (isFirst) openAddress();
    },
    hearRuns: ({ games }) => {
      const select = html("select", {}, games.map(({ number, text }) =>
        html("option", { value: number }, `${number}. ${told(text)}`)));
      byId("runs").replaceChildren(html("label", {}, `${t("runs.name")} `, select),
        html("button", { type: "button", onclick: () => open(...opened, Number(select.value)) }, t("runs.open")));
      select.focus();
    },
  };
}
