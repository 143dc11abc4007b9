/** The labels of every word in each encoding. Edit one, and see which tree they decode to and what was repaired. */

import { decode, encode } from "./api.js";
import { differences } from "./differences.js";
import { button, choice, html } from "./elements.js";
import { COMPONENTS, ENCODINGS, reading, REPAIRS } from "./encodings.js";
import { treeView } from "./treeview.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./api.js").Label} Label
 * @typedef {{word: number, component: number, encoding: string}} Cell
 */

const PAUSE = 200;
/** With more words or in a narrower window, only the chosen encoding is shown. */
const LONG = 120;
const NARROW = 640;

/**
 * @param {Tree} tree
 * @param {string} lang
 * @returns {HTMLElement}
 */
export function labelsPanel(tree, lang) {
  let encoding = "pointer";
  let scale = "relative";
  /** @type {Record<string, Label[]>} */
  let labels = {};
  /** @type {Record<string, Label[]>} */
  let gold = {};
  /** @type {number[]} */
  let tau = [];
  /** @type {number[]} */
  let order = [];
  /** @type {Map<string, HTMLInputElement>} */
  const inputs = new Map();
  /** @type {AbortController | null} */
  let request = null;
  let timer = 0;
  /** @type {import("./treeview.js").TreeView | null} */
  let shown = null;

  const encodings = Object.keys(ENCODINGS).map((name) => ({ value: name, text: name }));
  const chosen = choice("Encoding", encodings, choose, encoding);
  const levels = choice(
    "Levels",
    [
      { value: "relative", text: "relative" },
      { value: "absolute", text: "absolute" },
    ],
    (value) => {
      scale = value;
      load();
    },
  );
  const how = html("p", { class: "how" });
  const explanation = html("p", { class: "reading", "aria-live": "polite" });
  const frame = html("div", { class: "table-frame", role: "region", tabindex: 0, "aria-label": "Labels" });
  const result = html("div", { class: "decoded", "aria-live": "polite" });
  const reset = button("Reset", load, { disabled: true });
  const element = html(
    "section",
    { class: "labels", "aria-label": "Labels" },
    html(
      "dl",
      { class: "components" },
      COMPONENTS.map(({ letter, title, text }) =>
        html("div", {}, html("dt", {}, html("i", {}, letter), " ", title), html("dd", {}, text)),
      ),
    ),
    html("div", { class: "bar" }, chosen.element, levels.element, reset),
    how,
    frame,
    explanation,
    result,
  );
  load();
  return element;

  async function load() {
    window.clearTimeout(timer);
    request?.abort();
    try {
      const answer = await encode(tree, scale);
      gold = answer.labels;
      labels = structuredClone(gold);
      ({ tau, order } = answer);
    } catch (error) {
      frame.replaceChildren(html("p", { class: "problem" }, error instanceof Error ? error.message : String(error)));
      return;
    }
    result.replaceChildren();
    shown = null;
    table();
    explanation.textContent = "Edit any label: the tree of the changed labels appears here. Any labels give a tree.";
  }

  /** @param {string} name */
  function choose(name) {
    encoding = name;
    chosen.select.value = name;
    table();
    if (isEdited()) schedule();
  }

  function table() {
    inputs.clear();
    reset.disabled = !isEdited();
    how.replaceChildren(html("b", {}, encoding), ": ", ENCODINGS[encoding] ?? "");
    const names = (tree.words.length > LONG || window.innerWidth < NARROW ? [encoding] : Object.keys(ENCODINGS)).filter(
      (name) => name in labels,
    );
    const head = html(
      "thead",
      {},
      html(
        "tr",
        {},
        html("th", { scope: "col", class: "place" }, "i"),
        html("th", { scope: "col", class: "word" }, "word"),
        html("th", { scope: "col", class: "place", title: "position in the arrangement" }, "τ"),
        COMPONENTS.slice(0, 3).map(({ letter, title }) =>
          html(
            "th",
            { scope: "col", title },
            html("i", {}, letter),
            html("span", { class: "visually-hidden" }, ` ${title}`),
          ),
        ),
        names.map((name) =>
          html(
            "th",
            { scope: "col", class: name === encoding ? "p chosen" : "p" },
            html("i", {}, "p"),
            html("span", { class: "encoding" }, ` ${name}`),
          ),
        ),
      ),
    );
    const rows = tree.words.map((word, index) =>
      html(
        "tr",
        { class: tau[index] === index ? null : "moves" },
        html("td", { class: "place" }, index),
        html("th", { scope: "row", class: "word" }, html("bdi", {}, word), html("small", {}, tree.tags[index])),
        html("td", { class: "place" }, tau[index]),
        [0, 1, 2].map((component) => html("td", {}, field({ word: index, component, encoding: "" }))),
        names.map((name) =>
          html(
            "td",
            { class: name === encoding ? "p chosen" : "p" },
            field({ word: index, component: 3, encoding: name }),
          ),
        ),
      ),
    );
    frame.replaceChildren(html("table", {}, head, html("tbody", {}, rows)));
  }

  /** @param {Cell} cell */
  function valueOf({ word, component, encoding: name }) {
    return labels[name || encoding][word][component];
  }

  /** @param {Cell} cell */
  function field(cell) {
    const { word, component, encoding: name } = cell;
    const value = valueOf(cell);
    const input = html("input", {
      value,
      size: Math.max(value.length, component === 1 || component === 2 ? 4 : 3),
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-label": `${COMPONENTS[component].letter} of ${tree.words[word]}${name ? `, ${name}` : ""}`,
    });
    const change = () => {
      const names = name ? [name] : Object.keys(labels);
      for (const one of names) labels[one][word][component] = input.value;
      input.classList.toggle("edited", input.value !== gold[name || encoding][word][component]);
      reset.disabled = !isEdited();
      if (name && name !== encoding) {
        encoding = name;
        chosen.select.value = name;
        how.replaceChildren(html("b", {}, encoding), ": ", ENCODINGS[encoding] ?? "");
        mark();
      }
      schedule();
    };
    input.addEventListener("input", change);
    input.addEventListener(
      "focus",
      () => (explanation.textContent = `${isEdited() ? "In the parser’s tree: " : ""}${reading(tree, order, word)}`),
    );
    input.addEventListener("keydown", (event) => walk(event, cell));
    input.classList.toggle("edited", value !== gold[name || encoding][word][component]);
    inputs.set(key(cell), input);
    return input;
  }

  /** Shows which of the columns of p is decoded. */
  function mark() {
    for (const cell of frame.querySelectorAll(".p")) cell.classList.remove("chosen");
    for (const [name, input] of inputs) {
      if (name.endsWith(` 3 ${encoding}`)) input.parentElement?.classList.add("chosen");
    }
    for (const head of frame.querySelectorAll("th.p"))
      head.classList.toggle("chosen", head.textContent === `p ${encoding}`);
  }

  /**
   * Up and down, and Enter, go to the word above and below.
   *
   * @param {KeyboardEvent} event
   * @param {Cell} cell
   */
  function walk(event, cell) {
    const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key];
    if (!step) return;
    const next = inputs.get(key({ ...cell, word: cell.word + step }));
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.select();
  }

  function isEdited() {
    return Object.keys(labels).some((name) =>
      labels[name].some((label, word) => label.some((value, component) => value !== gold[name][word][component])),
    );
  }

  function schedule() {
    window.clearTimeout(timer);
    timer = window.setTimeout(show, PAUSE);
  }

  async function show() {
    request?.abort();
    request = new AbortController();
    try {
      const decoded = await decode(tree, labels[encoding], encoding, scale, request.signal);
      draw(decoded.tree, decoded.repairs);
    } catch (error) {
      if (error instanceof DOMException) return;
      shown = null;
      result.replaceChildren(html("p", { class: "problem" }, error instanceof Error ? error.message : String(error)));
    }
  }

  /**
   * @param {Tree} decoded
   * @param {import("./api.js").Repair[]} repairs
   */
  function draw(decoded, repairs) {
    for (const input of inputs.values()) {
      input.classList.remove("repaired");
      input.removeAttribute("title");
    }
    for (const { kind, word, became } of repairs) {
      const component = COMPONENTS.findIndex(({ name }) => kind.startsWith(`${name}-`));
      const input = inputs.get(key({ word, component, encoding: component === 3 ? encoding : "" }));
      input?.classList.add("repaired");
      input?.setAttribute("title", `read as ${became}`);
    }
    const found = differences(tree, decoded);
    const isSame = found.left.size === 0 && found.right.size === 0;
    const heading = isSame
      ? "The same tree as the parser’s."
      : `Another tree: ${found.right.size} of its ${decoded.constituents.length} constituents are new, ${found.left.size} of the parser’s are gone.`;
    const list = repairs.length
      ? html(
          "ul",
          { class: "repairs" },
          repairs.map((repair) => repairText(tree, repair)),
        )
      : html("p", { class: "repairs none" }, "Nothing was repaired.");
    if (shown) shown.show(decoded, found.right);
    else shown = treeView({ tree: decoded, lang, marks: found.right, title: "Tree of the edited labels" });
    result.replaceChildren(html("h4", {}, heading), list, shown.element);
  }
}

/** @param {Cell} cell */
function key({ word, component, encoding }) {
  return `${word} ${component} ${encoding}`;
}

/**
 * @param {Tree} tree
 * @param {import("./api.js").Repair} repair
 */
function repairText(tree, { kind, word, was, became }) {
  const component = COMPONENTS.find(({ name }) => kind.startsWith(`${name}-`));
  return html(
    "li",
    {},
    html("i", {}, component?.letter ?? ""),
    " of ",
    html("bdi", { class: "object" }, tree.words[word]),
    ": ",
    html("code", {}, was || "(empty)"),
    " was read as ",
    html("code", {}, became || "(empty)"),
    `: ${REPAIRS[kind] ?? kind}.`,
  );
}
