// What people chose, by its name; the server keeps it, so that it is known on every port.

import { choices } from "./choices.js";

export const kept = (name) => choices[name];

// Ends when the server has it, or cannot be reached.
export async function keep(name, value) {
  choices[name] = value;
  try {
    await fetch("./choices.js", { method: "PUT", keepalive: true, body: JSON.stringify({ [name]: value }) });
  } catch {
    // The page says so elsewhere.
  }
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
