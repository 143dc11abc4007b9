/**
 * What was found: as keywords in context, as trees, as a table.
 *
 * @typedef {import("./api.js").Match} Match
 * @typedef {import("./tree.js").Tree} Tree
 */

import { parseDiscbracket, writeDiscbracket } from "./discbracket.js";
import { downloadMenus } from "./downloads.js";
import { html, uniqueId } from "./elements.js";
import { colourOf, inContext, phraseOf, placeOf } from "./kwic.js";
import { outline } from "./outline.js";
import { fragment } from "./permalink.js";
import { blocks, treeOf } from "./tree.js";
import { treeView } from "./treeview.js";

/** @param {Match} match */
export function treeOfMatch(match) {
  return match.discbracket ? parseDiscbracket(match.discbracket) : treeOf(match);
}

/**
 * Rows in which what was found begins at one place; a row opens to its tree.
 *
 * @param {Match[]} matches
 * @param {string} lang
 */
export function contextList(matches, lang) {
  return html(
    "ol",
    { class: "kwic" },
    matches.map((match, index) => {
      const { left, right } = inContext(match, false);
      const panel = html("div", { id: uniqueId("match"), class: "opened", hidden: true });
      const opener = html(
        "button",
        {
          type: "button",
          "aria-expanded": "false",
          "aria-controls": panel.id,
          "aria-label": `Tree ${index + 1}, ${placeOf(match)}`,
          title: placeOf(match),
          onclick: () => {
            panel.hidden = !panel.hidden;
            opener.setAttribute("aria-expanded", String(!panel.hidden));
            if (!panel.childElementCount) panel.append(...drawn(match, lang));
          },
        },
        index + 1,
      );
      return html(
        "li",
        {},
        opener,
        html("p", { class: "row", dir: "auto", lang: lang || null }, [
          html("span", { class: "left" }, left),
          " ",
          html("span", { class: "right" }, right),
        ]),
        panel,
      );
    }),
  );
}

/**
 * @param {Match[]} matches
 * @param {string} lang
 */
export function treeList(matches, lang) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const match = matches[Number(/** @type {HTMLElement} */ (target).dataset.at)];
        target.querySelector(".place-of-tree")?.replaceWith(...drawn(match, lang));
      }
    },
    { rootMargin: "600px" },
  );
  return html(
    "ol",
    { class: "cards" },
    matches.map((match, index) => {
      const { left, right } = inContext(match, true);
      const card = html(
        "li",
        { class: "card", "data-at": index },
        html(
          "header",
          {},
          html("span", { class: "number" }, index + 1),
          html("p", { class: "textline", dir: "auto", lang: lang || null }, left, " ", right),
        ),
        html("p", { class: "hint" }, placeOf(match)),
        html("div", { class: "place-of-tree" }),
      );
      observer.observe(card);
      return card;
    }),
  );
}

/**
 * The tree of a match with what was found in colour, and what can be done with it.
 *
 * @param {Match} match
 * @param {string} lang
 */
function drawn(match, lang) {
  const tree = treeOfMatch(match);
  /** @type {Map<number, string>} constituents, and words as -1 - word */
  const marks = new Map();
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const [name, { node }] of Object.entries(match.nodes)) {
    const kind = `found ${colourOf(match, name)}`;
    marks.set(node < tree.words.length ? -1 - node : node - tree.words.length, kind);
    names.set(kind, `found as ${name}`);
  }
  const view = treeView({ tree, lang, marks, markText: (mark) => names.get(mark) ?? "" });
  const comparison = fragment({ tab: "compare", lang, left: writeDiscbracket(tree), own: "left" });
  return [
    view.element,
    html(
      "div",
      { class: "actions" },
      downloadMenus(() => [tree]),
      html("a", { class: "button", href: comparison }, "Compare with the parser"),
    ),
    outline(tree, lang),
  ];
}

const COLUMNS = ["label", "text", "words", "length", "gaps"];

/**
 * Matches as the rows of a table, with the columns of `permutree search --to csv`.
 *
 * @param {Match[]} matches
 * @param {string[]} variables
 * @returns {{names: string[], rows: (string | number)[][]}}
 */
export function tableOf(matches, variables) {
  const names = variables.flatMap((name) => COLUMNS.map((column) => `${name}.${column}`));
  const rows = matches.map((match) => [
    match.file,
    match.sentence,
    match.id ?? "",
    ...variables.flatMap((name) => {
      const node = match.nodes[name];
      if (!node) return COLUMNS.map(() => "");
      const { label, words } = node;
      return [label, phraseOf(match, words), words.join(" "), words.length, blocks(words).length - 1];
    }),
    match.words.join(" "),
  ]);
  return { names: ["file", "sentence", "id", ...names, "text"], rows };
}

/**
 * @param {Match[]} matches
 * @param {string[]} variables
 */
export function matchTable(matches, variables) {
  const { names, rows } = tableOf(matches, variables);
  // Indexes of words are for files.
  const shown = names.map((name, column) => !name.endsWith(".words") && rows.some((row) => row[column] !== ""));
  return html(
    "div",
    { class: "table-frame", tabindex: 0, role: "region", "aria-label": "Table of matches" },
    html(
      "table",
      { class: "found-table" },
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          names.filter((_, column) => shown[column]).map((name) => html("th", { scope: "col" }, name)),
        ),
      ),
      html(
        "tbody",
        {},
        rows.map((row) =>
          html(
            "tr",
            {},
            row
              .map((cell, column) => html("td", { class: kindOf(names[column], cell) }, cell))
              .filter((_, column) => shown[column]),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {string} name of a column
 * @param {string | number} cell
 */
function kindOf(name, cell) {
  if (typeof cell === "number") return "figure";
  return name.endsWith("text") ? "phrase" : null;
}
