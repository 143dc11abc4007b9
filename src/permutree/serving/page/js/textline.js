/** A sentence as running text whose words light up. */

import { COLOURS } from "./drawing.js";
import { html } from "./elements.js";

/** Words beyond which the text scrolls. */
const LONG = 100;

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {import("./treeview.js").Active} Active
 *
 * @param {Tree} tree
 * @param {string} text what the offsets of words refer to; "" puts a blank between words
 * @param {string} lang
 * @param {(active: Active | null) => void} onActive a word is pointed at
 */
export function textLine(tree, text, lang, onActive) {
  const spans = tree.words.map((word, index) => html("span", { class: "w", "data-word": index }, shown(index) ?? word));
  const isLong = tree.words.length > LONG;
  const element = html("p", {
    class: isLong ? "textline long" : "textline",
    tabindex: isLong ? 0 : null,
    dir: "auto",
    lang: lang || null,
  });
  let end = tree.offsets?.[0]?.[0] ?? 0;
  spans.forEach((span, index) => {
    const offset = text ? tree.offsets?.[index] : null;
    if (offset) {
      const between = text.slice(end, offset[0]);
      if (index && between) element.append(/\S/u.test(between) ? between : " ");
      end = offset[1];
    } else if (index && !/^[,.;:!?)\]}”’]+$/u.test(tree.words[index]) && !/^[([{“‘]$/u.test(tree.words[index - 1]))
      element.append(" ");
    element.append(span);
  });
  element.addEventListener("pointerover", (event) => {
    const span = event.target instanceof HTMLElement ? event.target.closest("[data-word]") : null;
    onActive(span instanceof HTMLElement ? { words: [Number(span.dataset.word)], constituent: -1, colour: -1 } : null);
  });
  element.addEventListener("pointerleave", () => onActive(null));
  return { element, light };

  /** @param {number} index */
  function shown(index) {
    const offset = text ? tree.offsets?.[index] : null;
    return offset && offset[1] > offset[0] ? text.slice(offset[0], offset[1]).replace(/\s+/gu, " ") : null;
  }

  /** @param {Active | null} active */
  function light(active) {
    const words = new Set(active?.words);
    const first = active?.words[0] ?? 0;
    const last = active?.words[active.words.length - 1] ?? -1;
    spans.forEach((span, index) => {
      const isGap = index > first && index < last && !words.has(index);
      span.className = words.has(index)
        ? `w lit${active && active.colour >= 0 ? ` d${active.colour % COLOURS}` : ""}`
        : isGap
          ? "w in-gap"
          : "w";
    });
  }
}
