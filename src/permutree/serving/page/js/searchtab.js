/** Ask a corpus of the server what crosses: a query in, matches out, as lines, trees, a table or counts. */

import { search, ServerError } from "./api.js";
import { completion, suggest } from "./completion.js";
import { barChart } from "./counts.js";
import { button, choice, html } from "./elements.js";
import { contextList, matchTable, treeList } from "./matches.js";
import { matchMenu } from "./matchfiles.js";
import { copyLink, writeFragment } from "./permalink.js";
import { exampleQueries, schemeOf, schemes } from "./queries.js";
import { faultList } from "./queryfault.js";

const FIRST = 50;
const SYNTAXES = [
  { value: "tiger", text: "TIGERSearch" },
  { value: "tregex", text: "Tregex" },
  { value: "example", text: "by example" },
];
const VIEWS = { lines: "In context", trees: "Trees", table: "Table", counts: "Counts" };
const FACTS = ["label", "cat", "pos", "word", "lemma", "function", "text", "length", "gaps", "depth"];

/**
 * @param {HTMLElement} panel
 * @param {import("./tabs.js").Context} context
 * @returns {import("./tabs.js").Mounted}
 */
export function mount(panel, { searched: { corpora, matches: most, seconds } }) {
  /** @type {AbortController | null} */
  let request = null;
  /** @type {import("./api.js").Found | null} */
  let found = null;
  let view = "lines";
  let asked = "";
  let lang = "";
  let time = 0;

  const area = html("textarea", {
    id: "query",
    class: "code",
    rows: 2,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    "aria-describedby": "query-keys search-faults",
  });
  const corpus = choice(
    "Corpus",
    corpora.map(({ name, sentences }) => ({ value: name, text: `${name} (${sentences.toLocaleString("en")})` })),
    offer,
  );
  const syntax = choice("Language", SYNTAXES, completeNothing);
  const completions = completion(area, () => suggest(area.value, area.selectionStart, syntax.select.value, chosen()));
  const go = button("Search", () => run(FIRST), { class: "primary" });
  const stop = button("Stop", () => request?.abort(), { hidden: true, title: `After ${seconds} s it stops by itself` });
  const status = html("p", { class: "status", role: "status" });
  const faults = html("div", { id: "search-faults", class: "faults", role: "alert" });
  const offered = html("section", { class: "examples", "aria-label": "Example queries" });
  const views = Object.entries(VIEWS).map(([name, text]) =>
    button(text, () => look(name), { "aria-pressed": "false", "data-view": name }),
  );
  const facts = html("datalist", { id: "count-facts" });
  const by = html("input", {
    type: "search",
    id: "count-by",
    list: facts.id,
    autocomplete: "off",
    onchange: () => look("counts"),
  });
  const counting = html("span", { class: "choice" }, html("label", { for: by.id }, "Count by"), by, facts);
  const all = html("div", { class: "actions all" });
  const tools = html(
    "div",
    { class: "result-bar", hidden: true },
    html(
      "div",
      { class: "bar" },
      html("div", { class: "views", role: "group", "aria-label": "Show as" }, views),
      counting,
    ),
    all,
  );
  const place = html("div", { class: "results" });
  const more = html("p", { class: "more-cards" });
  panel.append(
    html("h2", {}, "Search a corpus"),
    html(
      "form",
      { class: "input", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      html("label", { for: area.id, class: "visually-hidden" }, "Query"),
      html("div", { class: "query" }, area, completions.element),
      html("p", { id: "query-keys", class: "hint" }, "Enter searches, Shift and Enter begin a new line."),
      html(
        "div",
        { class: "bar" },
        corpus.element,
        syntax.element,
        go,
        stop,
        button("Copy link", () => copyLink(values())),
      ),
    ),
    offered,
    faults,
    status,
    tools,
    place,
    more,
  );
  area.addEventListener("keydown", (event) => {
    if (completions.keydown(event) || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    run(FIRST);
  });
  offer();
  return { show };

  function chosen() {
    return corpora.find(({ name }) => name === corpus.select.value);
  }

  function completeNothing() {
    completions.close();
  }

  /** Examples for the labels of the corpus. */
  async function offer() {
    const { cat = [] } = chosen() ?? {};
    const scheme = schemeOf(cat, await schemes());
    lang = scheme.lang;
    offered.replaceChildren(
      exampleQueries(scheme, (example) => {
        area.value = example.query;
        syntax.select.value = example.syntax;
        by.value = example.by ?? "";
        view = example.by ? "counts" : view === "counts" ? "lines" : view;
        run(FIRST);
      }),
    );
    area.placeholder = scheme.queries[0].query;
  }

  /** @param {URLSearchParams} address */
  async function show(address) {
    const query = address.get("query");
    if (query === null) {
      if (area.value) writeFragment(values());
      return;
    }
    const wanted = fromAddress(address);
    if (asked === JSON.stringify(wanted)) return;
    corpus.select.value = wanted.corpus;
    syntax.select.value = wanted.syntax;
    area.value = query;
    view = wanted.view;
    by.value = wanted.by;
    await offer();
    run(FIRST);
  }

  /** @param {URLSearchParams} address */
  function fromAddress(address) {
    const known = (/** @type {string} */ name, /** @type {string[]} */ values) =>
      values.find((value) => value === address.get(name)) ?? values[0];
    return {
      tab: "search",
      corpus: known(
        "corpus",
        corpora.map(({ name }) => name),
      ),
      syntax: known(
        "syntax",
        SYNTAXES.map(({ value }) => value),
      ),
      query: address.get("query") ?? "",
      view: known("view", Object.keys(VIEWS)),
      by: address.get("by") ?? "",
    };
  }

  function values() {
    return {
      tab: "search",
      corpus: corpus.select.value,
      syntax: syntax.select.value,
      query: area.value,
      view,
      by: view === "counts" ? by.value : "",
    };
  }

  /**
   * The request of the query as it stands.
   *
   * @param {number} limit
   */
  function question(limit) {
    const { corpus: name, syntax: language, query } = values();
    return { corpus: name, syntax: language, query, limit };
  }

  /** @param {number} limit of the matches to show */
  async function run(limit) {
    completions.close();
    if (!area.value.trim()) return;
    found = null;
    await asking(async (signal) => {
      const start = performance.now();
      found = await search(question(Math.min(limit, most)), signal);
      time = Math.max(Math.round(performance.now() - start), 1);
      const { variables } = found;
      // Counts of the query before may be of a variable that this one has not.
      if ([...by.value.matchAll(/#([^.,\s]+)/gu)].some(([, name]) => !variables.includes(name))) by.value = "";
      faults.replaceChildren(...faultList(area.value, found.hints, area));
      facts.replaceChildren(
        ...variables.flatMap((name) => FACTS.map((fact) => html("option", { value: `#${name}.${fact}` }))),
        ...(chosen()?.facts ?? []).map((fact) => html("option", { value: fact })),
      );
      await draw(signal);
    });
  }

  /** @param {import("./api.js").Found} answer */
  function say({ total, more: isCut, matches }) {
    const figure = (/** @type {number} */ number) => number.toLocaleString("en");
    const parts = [
      total === null
        ? "More matches than can be counted in time"
        : total === 1
          ? "1 match"
          : `${figure(total)} matches`,
      isCut && view !== "counts" ? `the first ${figure(matches.length)} are shown` : "",
      `${time} ms`,
    ];
    status.textContent = total === 0 ? "Nothing found." : parts.filter(Boolean).join(" · ");
  }

  /**
   * Does something that may be stopped; what goes wrong is shown.
   *
   * @param {(signal: AbortSignal) => Promise<void>} work
   */
  async function asking(work) {
    request?.abort();
    const own = new AbortController();
    request = own;
    writeFragment(values());
    asked = JSON.stringify(values());
    panel.classList.add("busy");
    stop.hidden = false;
    status.classList.remove("bad");
    for (const field of [area, by]) field.removeAttribute("aria-invalid");
    faults.replaceChildren();
    try {
      await work(own.signal);
    } catch (error) {
      if (own === request) complain(error);
    }
    if (own !== request) return;
    panel.classList.remove("busy");
    stop.hidden = true;
  }

  /** @param {unknown} error */
  function complain(error) {
    // If matches are there, it is the counts that went wrong.
    const field = found ? by : area;
    if (found) place.replaceChildren();
    else clear();
    if (error instanceof DOMException && error.name === "AbortError") {
      status.textContent = "Stopped.";
    } else if (error instanceof ServerError && error.status === 422) {
      status.textContent = "";
      field.setAttribute("aria-invalid", "true");
      faults.replaceChildren(...faultList(area.value, [{ error: error.message, ...error.place }], area));
    } else {
      status.classList.add("bad");
      status.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  function clear() {
    found = null;
    tools.hidden = true;
    place.replaceChildren();
    more.replaceChildren();
  }

  /** @param {string} name of a view */
  function look(name) {
    view = name;
    asking(draw);
  }

  /** @param {AbortSignal} signal */
  async function draw(signal) {
    if (found) say(found);
    if (!found?.matches.length) {
      clear();
      return;
    }
    const { matches, variables } = found;
    if (view === "counts" && !by.value.trim()) by.value = `#${variables[0]}.label`;
    writeFragment(values());
    asked = JSON.stringify(values());
    for (const one of views) one.setAttribute("aria-pressed", String(one.dataset.view === view));
    counting.hidden = view !== "counts";
    tools.hidden = false;
    more.replaceChildren();
    if (view === "counts") {
      const keys = by.value.split(",").map((key) => key.trim());
      const answer = await search({ ...question(0), count_by: keys }, signal);
      const counts = /** @type {import("./api.js").Counts} */ (answer.counts);
      place.replaceChildren(barChart(counts, answer.total ?? 1));
      all.replaceChildren(matchMenu(question(most), null, counts));
      return;
    }
    place.replaceChildren(
      view === "table"
        ? matchTable(matches, variables)
        : view === "trees"
          ? treeList(matches, lang)
          : contextList(matches, lang),
    );
    all.replaceChildren(matchMenu(question(most), found, null));
    if (!found.more) return;
    const shown = matches.length;
    more.append(
      shown < most
        ? button("Show more", () => run(shown * 4))
        : html("span", { class: "hint" }, `The server shows ${most.toLocaleString("en")} matches at most.`),
    );
  }
}
