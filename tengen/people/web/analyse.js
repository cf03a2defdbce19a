// What the analysis may use: how many best moves it shows, threads and memory. Tells the server when
// nobody sees the page, so that it pauses.

import { byId, html } from "./dom.js";
import { t } from "./texts.js";

const MEMORY_MIB = [64, 128, 350, 1024, 2048, 4096, 8192, 16384, 32768];

const memoryText = (mib) => (mib >= 1024 ? t("use.gb", { count: mib / 1024 }) : t("use.mb", { count: mib }));

// The numbers from 1 on that are worth choosing, up to the processors there are.
function threadCounts(most) {
  const counts = [];
  for (let count = 1; count < most; count *= 2) counts.push(count);
  return [...counts, most];
}

function choices(select, values, text, current) {
  const all = [...new Set([...values, current])].sort((one, other) => one - other);
  if (select.children.length !== all.length) {
    select.replaceChildren(...all.map((value) => html("option", { value }, text(value))));
  }
  select.value = String(current);
}

export function makeAnalyse(send) {
  let most = { threads: 1, memory_mib: 0 };
  const [lines, threads, memory] = ["lines", "threads-used", "memory-used"].map(byId);
  lines.addEventListener("change", () => send({ do: "analyse", lines: Number(lines.value) }));
  for (const select of [threads, memory]) {
    select.addEventListener("change", () => {
      send({ do: "use", threads: Number(threads.value), memory_mib: Number(memory.value) });
    });
  }
  const tellLook = () => send({ do: document.hidden ? "away" : "here" });
  document.addEventListener("visibilitychange", tellLook);
  return {
    hearMost: (message) => {
      most = message;
      if (document.hidden) tellLook();
    },
    show: (game) => {
      lines.value = String(game.line_count);
      choices(threads, threadCounts(most.threads), String, game.threads);
      choices(memory, MEMORY_MIB.filter((mib) => mib <= most.memory_mib), memoryText, game.memory_mib);
    },
  };
}
