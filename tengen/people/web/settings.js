// What people chose on the page, by its name. Each choice is a cookie, which the browser knows on
// every port; what localStorage holds would be lost with the next free port.

const PREFIX = "set-";
const KEPT_S = 400 * 86400; // browsers allow no more
const MOST_CHARACTERS = 1500; // the server reads a request with all cookies

export function setting(name) {
  const start = `${PREFIX}${name}=`;
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  try {
    return JSON.parse(decodeURIComponent(found.slice(start.length)));
  } catch {
    return undefined; // never chosen
  }
}

export function saveSetting(name, value) {
  const text = encodeURIComponent(JSON.stringify(value));
  if (text.length > MOST_CHARACTERS) return;
  document.cookie = `${PREFIX}${name}=${text}; max-age=${KEPT_S}; path=/; samesite=strict`;
}

// Gives an input the value it had, and remembers from now on what it gets.
export function rememberInput(input) {
  const name = input.name || input.id;
  const value = setting(name);
  const isBox = input.type === "checkbox";
  if (isBox && typeof value === "boolean") input.checked = value;
  else if (!isBox && value !== undefined
    && (!input.options || [...input.options].some((each) => each.value === value))) input.value = value;
  input.addEventListener("change", () => saveSetting(name, isBox ? input.checked : input.value));
}
