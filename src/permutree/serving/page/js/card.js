/** A sentence with its tree and all that can be done with it. */

import { writeDiscbracket } from "./discbracket.js";
import { downloadMenus } from "./downloads.js";
import { button, html, uniqueId } from "./elements.js";
import { outline } from "./outline.js";
import { paperPanel } from "./paper.js";
import { copyLink, fragment } from "./permalink.js";
import { textLine } from "./textline.js";
import { hasGap } from "./tree.js";
import { treeView } from "./treeview.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {{element: HTMLElement, number: (number: number) => void}} Card
 */

/**
 * @param {object} options
 * @param {Tree} options.tree
 * @param {string} options.text the text that the words come from, "" if there is none
 * @param {string} options.lang
 * @param {string} [options.model]
 * @returns {Card}
 */
export function treeCard({ tree, text, lang, model = "" }) {
  const line = textLine(tree, text, lang, (active) => {
    line.light(active);
    view?.light(active);
  });
  const heading = html("span", { class: "number" });
  const place = html("div", { class: "place-of-tree" });
  /** @type {import("./treeview.js").TreeView | null} */
  let view = null;
  const panel = html("div", { id: uniqueId("paper"), hidden: true });
  const opener = button("Arrangement and labels", open, {
    "aria-expanded": "false",
    "aria-controls": panel.id,
    class: "primary",
  });
  const sentence =
    text && tree.offsets?.[0]
      ? text.slice(tree.offsets[0][0], tree.offsets[tree.offsets.length - 1]?.[1])
      : tree.words.join(" ");
  const link = { lang, model, text: sentence };
  // A tree of a file is compared with the parser's.
  const comparison = { tab: "compare", lang, left: text ? sentence : writeDiscbracket(tree), own: text ? "" : "left" };
  const element = html(
    "li",
    { class: hasGap(tree) ? "card gapped" : "card" },
    html("header", {}, heading, line.element),
    place,
    html(
      "div",
      { class: "actions" },
      opener,
      downloadMenus(() => [tree]),
      button("Copy link", () => copyLink(link), { title: "A link to this sentence" }),
      html("a", { class: "button", href: fragment(comparison) }, text ? "Compare" : "Compare with the parser"),
    ),
    outline(tree, lang),
    panel,
  );
  // Drawn when it comes near the window: a book has many sentences.
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      view = treeView({ tree, lang, onActive: line.light });
      place.replaceChildren(view.element);
    },
    { rootMargin: "600px" },
  );
  observer.observe(element);
  return { element, number: (number) => (heading.textContent = String(number)) };

  function open() {
    panel.hidden = !panel.hidden;
    opener.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.childElementCount) panel.append(paperPanel(tree, lang));
  }
}

/**
 * A sentence that could not be parsed.
 *
 * @param {string[]} words
 * @param {string} error
 * @returns {Card}
 */
export function failedCard(words, error) {
  const heading = html("span", { class: "number" });
  const text = words.length > 30 ? `${words.slice(0, 30).join(" ")} …` : words.join(" ");
  const element = html(
    "li",
    { class: "card failed" },
    html("header", {}, heading, html("p", { class: "textline", dir: "auto" }, text)),
    html("p", { class: "problem" }, error),
  );
  return { element, number: (number) => (heading.textContent = String(number)) };
}
