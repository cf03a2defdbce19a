// Opening, saving and finding games again, and the address of a position.

import { pointName } from "./board.js";
import { byId, html } from "./dom.js";

const MOST_CHARACTERS = 3_900_000; // with what is around it; wishes.py reads messages of 4,000,000

export function makeFiles(send, refuse) {
  let game = null;
  let opened = {}; // what the server has last been asked to open

  const isTooLarge = (characters) => {
    if (characters > MOST_CHARACTERS) {
      refuse("This is too large for the page; start tengen board with the name of the file.");
    }
    return characters > MOST_CHARACTERS;
  };
  const open = (asked, number = 0) => {
    opened = asked;
    byId("runs").replaceChildren();
    send({ ...asked, rule: game === null ? 0 : game.rule, game: number });
  };

  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file && !isTooLarge(file.size / 3 * 4)) { // in base64
      // As bytes: only the server knows the encodings of files of games.
      const reader = new FileReader();
      reader.onload = () => open({ do: "file", data: reader.result.replace(/^[^,]*,?/, ""), name: file.name });
      reader.readAsDataURL(file);
    }
    event.target.value = ""; // the same file can be opened again
  });
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = event.target.elements.text.value;
    if (!isTooLarge(JSON.stringify(text).length)) open({ do: "open", text });
  });
  byId("files").addEventListener("toggle", (event) => {
    if (event.target.open) send({ do: "games" });
  });
  addEventListener("hashchange", () => openAddress());

  // An address such as #15x15,0,h8i9 opens that position, and is then taken from the address.
  function openAddress() {
    const found = /^#(\d+)x(\d+),(\d),([a-v0-9]*)$/.exec(location.hash);
    if (!found) return;
    history.replaceState(null, "", location.pathname);
    const [, width, height, rule, moves] = found;
    const cells = [...moves.matchAll(/([a-v])(\d+)/g)].map(([, letter, row]) =>
      [letter.charCodeAt(0) - 97, Number(height) - Number(row)]);
    send({ do: "setup", width: Number(width), height: Number(height), rule: Number(rule), black: [],
      white: [], first: "black" });
    send({ do: "show", cells });
  }

  const address = ({ width, height, rule, cells }) => `#${width}x${height},${rule},`
    + cells.map((cell) => pointName(cell, height)).join("");

  function showPictures() {
    const numbers = byId("numbers").checked ? "?numbers=1" : "";
    for (const kind of ["png", "gif"]) byId(kind).href = `game.${kind}${numbers}`;
  }

  return {
    openAddress,
    show: (state) => {
      game = state;
      const isWhole = !game.setup.length;
      byId("psq").hidden = byId("address").hidden = !isWhole;
      byId("address").href = isWhole ? address(game) : "#";
      showPictures();
    },
    showPictures,
    hearGames: ({ games, folder }) => {
      const row = ({ name, began }) => html("li", {}, html("button", { type: "button",
        onclick: () => send({ do: "load", name }) }, began));
      byId("kept").replaceChildren(games.length ? html("ul", {}, games.map(row))
        : html("p", {}, "None yet."), html("p", { class: "folder" }, folder));
    },
    hearRuns: ({ games }) => {
      const select = html("select", {}, games.map(({ number, text }) =>
        html("option", { value: number }, `${number}. ${text}`)));
      byId("runs").replaceChildren(html("label", {}, "Games in this file ", select),
        html("button", { type: "button", onclick: () => open(opened, Number(select.value)) }, "Open this game"));
      select.focus();
    },
  };
}
