// What people write in a game: a comment on each position, and marks on points.

import { byId } from "./dom.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function makeNotes(send) {
  const [comment, kind] = ["comment", "mark"].map(byId);
  let here = { node: null, comment: "", marks: [] };

  comment.addEventListener("change", () => send({ do: "comment", text: comment.value }));

  // A point that has a letter gives it back; another one gets the first letter that is free.
  function letterFor([x, y]) {
    const own = here.marks.find((mark) => mark[0] === x && mark[1] === y && mark[2] === "letter");
    const taken = here.marks.map((mark) => mark[3]);
    return own ? own[3] : [...LETTERS].find((letter) => !taken.includes(letter)) || "?";
  }

  return {
    hear: (message) => {
      // What is being written on this position stays.
      if (message.node !== here.node || document.activeElement !== comment) comment.value = message.comment;
      here = message;
    },
    shown: () => here.marks,
    isMarking: () => kind.value !== "",
    // True if the click put or took away a mark.
    click: (cell) => {
      if (kind.value === "") return false;
      const text = kind.value === "letter" ? letterFor(cell) : "";
      send({ do: "mark", x: cell[0], y: cell[1], mark: kind.value, text });
      return true;
    },
  };
}
