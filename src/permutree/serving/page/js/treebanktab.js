/** Open a treebank file and walk through its trees, discontinuous ones first. */

import { treeCard } from "./card.js";
import { button, choice, html } from "./elements.js";
import { LIMIT, LIMIT_DISCBRACKET, megabytes, readTreebank } from "./treebank.js";

/** Sentences in the list at once. */
const PAGE = 200;

/**
 * @param {HTMLElement} panel
 * @param {import("./tabs.js").Context} context
 * @returns {import("./tabs.js").Mounted}
 */
export function mount(panel, { languages }) {
  /** @type {import("./treebank.js").Entry[]} */
  let entries = [];
  /** @type {import("./treebank.js").Entry[]} */
  let chosen = [];
  let at = 0;
  let from = 0;
  const input = html("input", {
    type: "file",
    id: "treebank-file",
    onchange: () => input.files?.[0] && open(input.files[0]),
  });
  const status = html("p", { class: "status", role: "status" });
  const filter = html("input", {
    type: "search",
    id: "treebank-filter",
    placeholder: "word, label or id",
    autocomplete: "off",
  });
  const only = choice(
    "Show",
    [
      { value: "first", text: "discontinuous first" },
      { value: "only", text: "discontinuous only" },
      { value: "all", text: "in file order" },
    ],
    choose,
  );
  const language = choice(
    "Glossary",
    [{ value: "", text: "any language" }, ...languages.map(([code, name]) => ({ value: code, text: name }))],
    () => show(at),
  );
  const list = html("ol", { class: "sentences", role: "listbox", tabindex: 0, "aria-label": "Sentences" });
  const more = html("div", { class: "actions" });
  const place = html("ol", { class: "cards single" });
  const steps = html(
    "div",
    { class: "bar" },
    button("Previous", () => show(at - 1)),
    button("Next", () => show(at + 1)),
  );
  const body = html(
    "div",
    { class: "browser", hidden: true },
    html(
      "div",
      { class: "index" },
      html(
        "div",
        { class: "bar" },
        only.element,
        html("span", { class: "choice" }, html("label", { for: filter.id }, "Find"), filter),
      ),
      list,
      more,
    ),
    html("div", { class: "reader" }, html("div", { class: "bar" }, ...steps.children, language.element), place),
  );
  const drop = html(
    "div",
    { class: "drop" },
    html("label", { for: input.id }, "Treebank file"),
    input,
    html(
      "p",
      { class: "hint" },
      `Drop a file here or choose one: discbracket up to ${megabytes(LIMIT_DISCBRACKET)} (read in this browser), any other format of permutree up to ${megabytes(LIMIT)} (converted by the server, which keeps nothing); .gz as well. Cut or convert larger ones with `,
      html("code", {}, "permutree convert"),
      ".",
    ),
  );
  panel.append(html("h2", {}, "Walk through a treebank"), drop, status, body);
  for (const name of ["dragover", "drop"]) {
    panel.addEventListener(name, (event) => {
      event.preventDefault();
      const file = name === "drop" && event instanceof DragEvent ? event.dataTransfer?.files[0] : null;
      if (file) open(file);
    });
  }
  filter.addEventListener("input", choose);
  list.addEventListener("click", (event) => {
    const row = event.target instanceof Element ? event.target.closest("[data-at]") : null;
    if (row instanceof HTMLElement) show(Number(row.dataset.at));
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(Math.min(Math.max(at + step, 0), chosen.length - 1));
  });
  return { show() {} };

  /** @param {File} file */
  async function open(file) {
    status.className = "status";
    status.textContent = `Reading ${file.name} …`;
    body.hidden = true;
    try {
      const { entries: found, bad } = await readTreebank(
        file,
        (done) => (status.textContent = `Reading ${file.name}: ${done.toLocaleString("en")} sentences …`),
      );
      entries = found;
      const gaps = entries.filter((entry) => entry.hasGap).length;
      const problems = bad.length ? ` ${bad.length.toLocaleString("en")} could not be read, the first: ${bad[0]}` : "";
      status.textContent = `${file.name}: ${entries.length.toLocaleString("en")} sentences, ${gaps.toLocaleString("en")} with a gap.${problems}`;
      body.hidden = entries.length === 0;
      drop.classList.toggle("loaded", entries.length > 0);
      filter.value = "";
      choose();
    } catch (error) {
      status.className = "status bad";
      const message = error instanceof Error ? error.message : String(error);
      status.textContent = message.includes(file.name) ? message : `${file.name}: ${message}`;
    }
  }

  function choose() {
    const wanted = filter.value.trim().toLowerCase();
    const mode = only.select.value;
    chosen = entries.filter(
      (entry) => (mode !== "only" || entry.hasGap) && (!wanted || entry.line.toLowerCase().includes(wanted)),
    );
    if (mode === "first")
      chosen = [...chosen.filter((entry) => entry.hasGap), ...chosen.filter((entry) => !entry.hasGap)];
    from = 0;
    show(0);
  }

  /** @param {number} index */
  function show(index) {
    if (!chosen.length) {
      list.replaceChildren(
        html("li", { class: "hint", role: "option", "aria-selected": "false" }, "No sentence like that."),
      );
      place.replaceChildren();
      more.replaceChildren();
      return;
    }
    if (index < 0 || index >= chosen.length) return;
    at = index;
    from = Math.floor(at / PAGE) * PAGE;
    const rows = chosen.slice(from, from + PAGE).map((entry, offset) =>
      html(
        "li",
        {
          role: "option",
          id: `row-${from + offset}`,
          "data-at": from + offset,
          "aria-selected": String(from + offset === at),
          class: entry.hasGap ? "gapped" : null,
        },
        html("span", { class: "number" }, entry.number),
        html("bdi", {}, entry.text),
      ),
    );
    list.replaceChildren(...rows);
    list.setAttribute("aria-activedescendant", `row-${at}`);
    rows[at - from].scrollIntoView({ block: "nearest" });
    more.replaceChildren(
      html("span", { class: "hint" }, `${(at + 1).toLocaleString("en")} of ${chosen.length.toLocaleString("en")}`),
    );
    const entry = chosen[at];
    const card = treeCard({ tree: entry.tree(), text: "", lang: language.select.value });
    card.number(entry.number);
    place.replaceChildren(card.element);
  }
}
