/** The method, live: the arrangement of a sentence and the labels that say it. */

import { arrangementFigure } from "./arrangement.js";
import { html } from "./elements.js";
import { labelsPanel } from "./labels.js";

/**
 * @param {import("./tree.js").Tree} tree
 * @param {string} lang
 * @returns {HTMLElement}
 */
export function paperPanel(tree, lang) {
  return html(
    "section",
    { class: "paper", "aria-label": "Arrangement and labels" },
    html("h3", {}, "The arrangement"),
    html(
      "p",
      { class: "lead" },
      "Walk over the tree, children by their leftmost word, and note each word as you meet it. In this order every constituent is in one piece, however scattered its words are in the sentence.",
    ),
    arrangementFigure(tree),
    html("h3", {}, "The labels"),
    html(
      "p",
      { class: "lead" },
      "One label a word says the whole tree. A parser that predicts these labels, word by word, is a parser of discontinuous trees.",
    ),
    labelsPanel(tree, lang),
  );
}
