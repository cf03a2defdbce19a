// What people chose, by its name; the server keeps it, so that it is known on every port.

import { choices } from "./choices.js";

export const kept = (name) => choices[name];

let sent = Promise.resolve(); // one after the other, so that the last choice is the one that stays

// Ends when the server has it, or cannot be reached, which the page says elsewhere.
export function keep(name, value) {
  choices[name] = value;
  const body = JSON.stringify({ [name]: value });
  sent = sent.then(() => fetch("./choices.js", { method: "PUT", keepalive: true, body })).catch(() => {});
  return sent;
}

// Gives an input the value it had, and remembers from now on what it gets.
export function keepInput(input) {
  const name = input.name || input.id;
  const value = kept(name);
  const isBox = input.type === "checkbox";
  if (isBox && typeof value === "boolean") input.checked = value;
  else if (!isBox && value !== undefined
    && (!input.options || [...input.options].some((each) => each.value === value))) input.value = value;
  input.addEventListener("change", () => keep(name, isBox ? input.checked : input.value));
}
