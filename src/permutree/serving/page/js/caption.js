/** What is known of the constituent or word that is pointed at: label, meaning, confidence, words and gaps. */

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./treeview.js").Active} Active
 */

import { COLOURS, percent } from "./drawing.js";
import { button, html } from "./elements.js";
import { meaning } from "./glossary.js";
import { blocks, phrase } from "./tree.js";

/**
 * @param {{lang: string, onFold: () => void}} options
 */
export function captionOf({ lang, onFold }) {
  const element = html("div", { class: "caption", "aria-live": "polite" });
  let turn = 0;
  return { element, show };

  /**
   * @param {Tree} tree
   * @param {Active | null} active
   * @param {boolean} isPinned
   * @param {boolean} isFolded
   */
  async function show(tree, active, isPinned, isFolded) {
    const mine = ++turn;
    element.classList.toggle("on", active !== null);
    if (!active) {
      element.replaceChildren(html("span", { class: "hint" }, hint()));
      return;
    }
    const isWord = active.constituent < 0;
    const label = isWord ? tree.tags[active.words[0]] : tree.constituents[active.constituent].label;
    const confidence = isWord ? null : tree.constituents[active.constituent].confidence;
    const text = await meaning(label, isWord ? "tag" : "constituent", lang);
    if (mine !== turn) return;
    const pieces = blocks(active.words).length;
    const parts = [
      html("b", { class: active.colour >= 0 ? `label d${active.colour % COLOURS}` : "label" }, label),
      html("span", { class: "meaning" }, text ?? "not in the glossary"),
      html("bdi", { class: "phrase" }, phrase(tree, active.words)),
    ];
    if (pieces > 1) parts.push(html("span", { class: "fact" }, pieces === 2 ? "one gap" : `${pieces - 1} gaps`));
    if (typeof confidence === "number")
      parts.push(html("span", { class: "fact" }, `confidence ${percent(confidence)}`));
    element.replaceChildren(...parts);
    if (isPinned && !isWord) element.append(button(isFolded ? "Unfold" : "Fold", onFold));
  }
}

function hint() {
  return matchMedia("(hover: none)").matches
    ? "Tap a constituent to light up its words, and to fold it."
    : "Point at a constituent to light up its words. Click keeps it, double-click folds it.";
}
