/** The sentences of a text, one card each; only so many at once as a browser draws with ease. */

import { failedCard, treeCard } from "./card.js";
import { button, html } from "./elements.js";

/**
 * @typedef {import("./api.js").Outcome} Outcome
 * @typedef {import("./card.js").Card} Card
 */

const PAGE = 100;

export function cardList() {
  /** @type {Map<string, Card[]>} */
  let cards = new Map();
  let what = "";
  let wanted = PAGE;
  const list = html("ol", { class: "cards" });
  const more = html("p", { class: "more-cards" });
  return { element: html("div", {}, list, more), show };

  /**
   * Sentences that stay the same keep their cards, with what is folded or open in them. A text that is parsed once more
   * shows as many as before.
   *
   * @param {Outcome[]} outcomes
   * @param {string} text
   * @param {string} lang
   * @param {string} model
   */
  function show(outcomes, text, lang, model) {
    const now = JSON.stringify([text, lang, model]);
    if (now !== what) wanted = PAGE;
    what = now;
    /** @type {Map<string, Card[]>} */
    const next = new Map();
    const shown = outcomes.slice(0, wanted).map((outcome, index) => {
      const { tree, part } = cut(outcome, text);
      const key = JSON.stringify([lang, model, outcome.words, outcome.error ?? outcome.tree.constituents, part]);
      const card =
        cards.get(key)?.shift() ??
        (tree ? treeCard({ tree, text: part, lang, model }) : failedCard(outcome.words, outcome.error ?? ""));
      card.number(index + 1);
      next.set(key, [...(next.get(key) ?? []), card]);
      return card.element;
    });
    cards = next;
    list.replaceChildren(...shown);
    const rest = outcomes.length - shown.length;
    more.hidden = rest === 0;
    more.replaceChildren(
      button(`Show ${Math.min(rest, PAGE)} more`, () => {
        wanted += PAGE;
        show(outcomes, text, lang, model);
      }),
      html("span", { class: "hint" }, ` ${rest.toLocaleString("en")} sentences are not drawn yet.`),
    );
  }
}

/**
 * The tree of a sentence with offsets from the sentence's own beginning, and its part of the text.
 *
 * @param {Outcome} outcome
 * @param {string} text
 */
function cut({ tree }, text) {
  const offsets = tree?.offsets;
  if (!tree || !offsets) return { tree, part: "" };
  const start = offsets[0]?.[0] ?? 0;
  const own = offsets.map((one) => one && /** @type {[number, number]} */ ([one[0] - start, one[1] - start]));
  return { tree: { ...tree, offsets: own }, part: text.slice(start, offsets[offsets.length - 1]?.[1]) };
}
