// What the browser remembers of choices, by their names.

const NAME = "tengen";

function all() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) || {};
  } catch {
    return {}; // of another program on this port, or storage is switched off
  }
}

export const kept = (name) => all()[name];

export function keep(name, value) {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...all(), [name]: value }));
  } catch {
    // Without storage nothing is remembered.
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
