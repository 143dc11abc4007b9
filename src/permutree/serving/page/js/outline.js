/** The tree as a nested list, for those who cannot see the drawing and for those who would rather read. */

import { html } from "./elements.js";
import { meaning } from "./glossary.js";
import { childrenOf, isDiscontinuous, phrase } from "./tree.js";

/**
 * @param {import("./tree.js").Tree} tree
 * @param {string} lang
 * @returns {HTMLDetailsElement}
 */
export function outline(tree, lang) {
  const details = html("details", { class: "outline" }, html("summary", {}, "Read as a list"));
  details.addEventListener(
    "toggle",
    () => details.open && details.childElementCount === 1 && details.append(list(tree, lang)),
  );
  return details;
}

/**
 * @param {import("./tree.js").Tree} tree
 * @param {string} lang
 */
function list(tree, lang) {
  const children = childrenOf(tree);
  return html("ul", { class: "outline-list" }, item(0));

  /**
   * @param {number} node
   * @returns {HTMLLIElement}
   */
  function item(node) {
    if (node < 0) {
      const word = -1 - node;
      return html(
        "li",
        {},
        html("span", { class: "tag" }, tree.tags[word]),
        " ",
        html("bdi", { class: "word" }, tree.words[word]),
      );
    }
    const constituent = tree.constituents[node];
    const gloss = html("span", { class: "meaning" });
    meaning(constituent.label, "constituent", lang).then((text) => text && gloss.append(`: ${text}`));
    const gap =
      isDiscontinuous(constituent) &&
      html("span", { class: "fact" }, ", discontinuous: ", html("bdi", {}, phrase(tree, constituent.words)));
    return html("li", {}, html("b", {}, constituent.label), gloss, gap, html("ul", {}, children[node].map(item)));
  }
}
