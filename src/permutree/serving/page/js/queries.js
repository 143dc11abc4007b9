/** Queries to begin with, for the annotation scheme that the labels of a corpus are those of. */

import { button, html } from "./elements.js";

/**
 * @typedef {{shows: string, syntax: string, query: string, by?: string}} Example
 * @typedef {{scheme: string, lang: string, labels: string[], queries: Example[]}} Scheme
 */

/** @type {Promise<Scheme[]> | null} */
let loaded = null;

/** @returns {Promise<Scheme[]>} */
export function schemes() {
  loaded ??= fetch(new URL("../queries.json", import.meta.url)).then((response) => response.json());
  return loaded;
}

/**
 * The scheme with the most labels in common; the last one, which has none, if no scheme has half of its labels there.
 *
 * @param {string[]} labels
 * @param {Scheme[]} known
 */
export function schemeOf(labels, known) {
  const there = new Set(labels);
  const shares = known.map((one) => one.labels.filter((label) => there.has(label)).length / (one.labels.length || 1));
  const best = Math.max(...shares);
  return best >= 0.5 ? known[shares.indexOf(best)] : known[known.length - 1];
}

/**
 * @param {Scheme} scheme
 * @param {(example: Example) => void} action
 */
export function exampleQueries({ scheme, queries }, action) {
  return html(
    "div",
    { class: "example-row" },
    html("span", { class: "lang" }, scheme || "Examples"),
    html(
      "ul",
      {},
      queries.map((example) =>
        html(
          "li",
          {},
          button(example.shows, () => action(example), { title: example.query }),
        ),
      ),
    ),
  );
}
