// What people write in a game: a comment on each position, and marks on points.

import { byId } from "./dom.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function makeNotes(send) {
  const [comment, kind] = ["comment", "mark"].map(byId);
  let here = { node: null, comment: "", marks: [] };
  let node = null; // the position that the comment is about, and what was said there
  let said = "";

  const show = () => {
    node = here.node;
    comment.value = said = here.comment;
    comment.readOnly = here.is_cut;
  };
  comment.addEventListener("change", () => {
    said = comment.value;
    if (node !== null) send({ do: "comment", node, text: said });
  });
  comment.addEventListener("blur", () => node !== here.node && show());

  // A point that has a letter gives it back; another one gets the first letter that is free.
  function letterFor([x, y]) {
    const own = here.marks.find((mark) => mark[0] === x && mark[1] === y && mark[2] === "letter");
    const taken = here.marks.map((mark) => mark[3]);
    return own ? own[3] : [...LETTERS].find((letter) => !taken.includes(letter)) || "?";
  }

  return {
    hear: (message) => {
      here = message;
      // What is being written stays, also where the game has gone on.
      const isWritten = document.activeElement === comment && (node === here.node || comment.value !== said);
      if (node === null || !isWritten) show();
    },
    // The numbers of positions may be those of another game.
    hearTree: () => { node = null; },
    shown: () => here.marks,
    isMarking: () => kind.value !== "",
    // True if the click put or took away a mark.
    click: (cell) => {
      if (kind.value === "") return false;
      const text = kind.value === "letter" ? letterFor(cell) : "";
      send({ do: "mark", node: here.node, x: cell[0], y: cell[1], mark: kind.value, text });
      return true;
    },
  };
}
