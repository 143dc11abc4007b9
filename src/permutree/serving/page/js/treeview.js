/**
 * A tree to look at: zoom, pan, fold, and light up a constituent by pointing at it or by keys.
 *
 * @typedef {import("./tree.js").Tree} Tree
 *
 * @typedef {object} Active what is pointed at
 * @property {number[]} words
 * @property {number} constituent -1 for a word
 * @property {number} colour rank of a discontinuous constituent, -1 for others
 *
 * @typedef {object} TreeView
 * @property {HTMLElement} element
 * @property {(tree: Tree, marks?: Map<number, string>) => void} show
 * @property {(active: Active | null) => void} light lights words up from outside, by pointing at the text
 * @property {() => Tree} tree
 */

import { captionOf } from "./caption.js";
import { drawTree, geometryOf, percent as percentOf } from "./drawing.js";
import { button, html, uniqueId } from "./elements.js";
import { navigate } from "./navigation.js";
import { makePannable } from "./panning.js";
import { isDiscontinuous, phrase, ranks } from "./tree.js";
import { viewOf } from "./view.js";

const SMALLEST = 0.2;
const LARGEST = 4;
const READABLE = 0.72;

/**
 * @param {object} options
 * @param {Tree} options.tree
 * @param {string} options.lang the language whose glossary explains the labels, "" for any
 * @param {(active: Active | null) => void} [options.onActive]
 * @param {Map<number, string>} [options.marks] constituent → class, for differences; words are -1 - word
 * @param {(mark: string) => string} [options.markText] what a mark means, for screen readers
 * @param {string} [options.title]
 * @returns {TreeView}
 */
export function treeView({ tree, lang, onActive = () => {}, marks, markText = () => "only here", title }) {
  /** @type {Set<number>} */
  const folded = new Set();
  let scale = 0;
  let isFitted = true;
  /** @type {import("./view.js").View} */
  let view;
  /** @type {import("./drawing.js").Drawing} */
  let drawing;
  /** @type {import("./drawing.js").Geometry} */
  let geometry;
  let pinned = -1;
  let active = -1;
  const help = uniqueId("keys");
  const caption = captionOf({ lang, onFold: () => pinned >= 0 && toggle(pinned) });
  const scroller = html("div", { class: "scroller" });
  const unfolder = button("Unfold all", () => unfold(), { hidden: true });
  const percent = html("output", { class: "percent", "aria-label": "Zoom" });
  const element = html(
    "div",
    { class: "treeview" },
    html(
      "div",
      { class: "zoom", role: "group", "aria-label": "Zoom and folding" },
      button("−", () => zoom(scale / 1.25), { "aria-label": "Zoom out" }),
      percent,
      button("+", () => zoom(scale * 1.25), { "aria-label": "Zoom in" }),
      button("Fit", () => fit(SMALLEST, 2.5), { title: "Show the whole tree" }),
      unfolder,
    ),
    scroller,
    caption.element,
    html(
      "p",
      { id: help, class: "visually-hidden" },
      "Arrow keys walk in the tree: up to the parent, down to the first child, left and right among siblings or words. Enter folds a constituent, Space keeps it lit, Escape lets go. Plus and minus zoom.",
    ),
  );
  scroller.addEventListener(
    "pointerover",
    (event) => event.pointerType !== "touch" && pinned < 0 && activate(nodeAt(event.target)),
  );
  scroller.addEventListener("pointerleave", () => pinned < 0 && activate(-1));
  scroller.addEventListener("focusin", (event) => {
    if (nodeAt(event.target) >= 0) activate(nodeAt(event.target));
  });
  scroller.addEventListener("focusout", () => pinned < 0 && activate(-1));
  scroller.addEventListener("click", (event) => {
    const node = nodeAt(event.target);
    pin(node === pinned ? -1 : node);
  });
  scroller.addEventListener("dblclick", (event) => {
    const node = nodeAt(event.target);
    if (node >= 0) toggle(node);
  });
  scroller.addEventListener("keydown", keys);
  makePannable(scroller, {
    zoom: (factor, x, y) => zoom(scale * factor, x, y),
    isBackground: (target) => nodeAt(target) < 0,
  });
  new ResizeObserver(() => isFitted && fit(READABLE, base())).observe(scroller);
  draw();
  return {
    element,
    show(next, nextMarks) {
      tree = next;
      marks = nextMarks;
      folded.clear();
      pinned = -1;
      draw();
    },
    light(given) {
      mark(given);
      caption.show(tree, given, pinned >= 0, false);
    },
    tree: () => tree,
  };

  function base() {
    return window.innerWidth >= 2400 ? 1.8 : window.innerWidth >= 1800 ? 1.35 : 1;
  }

  function draw() {
    unfolder.hidden = folded.size === 0;
    view = viewOf(tree, folded);
    geometry = geometryOf(view);
    drawing = drawTree(view, geometry, { title: title ?? `Tree of: ${tree.words.join(" ")}`, describe, marks, folded });
    drawing.element.setAttribute("aria-describedby", help);
    drawing.element.classList.toggle("marked", Boolean(marks));
    const isFirst = scroller.childElementCount === 0;
    scroller.replaceChildren(drawing.element);
    active = -1;
    if (isFirst || isFitted) fit(READABLE, base());
    else resize();
    caption.show(tree, null, false, false);
  }

  /** @param {number} node */
  function describe(node) {
    const size = view.leaves.length;
    if (node < size) {
      const leaf = view.leaves[node];
      const found = leaf.folded < 0 ? marks?.get(-1 - leaf.words[0]) : undefined;
      return leaf.folded >= 0
        ? `${leaf.text}, folded`
        : `${leaf.tag} ${leaf.text}${found ? `, ${markText(found)}` : ""}`;
    }
    const constituent = tree.constituents[view.ids[node - size]];
    const gap = isDiscontinuous(constituent) ? ", discontinuous" : "";
    const mark = marks?.get(view.ids[node - size]);
    const sure = typeof constituent.confidence === "number" ? `, confidence ${percentOf(constituent.confidence)}` : "";
    return `${constituent.label}${gap}${mark ? `, ${markText(mark)}` : ""}: ${phrase(tree, constituent.words)}${sure}`;
  }

  /** @param {EventTarget | null} target */
  function nodeAt(target) {
    const group = target instanceof Element ? target.closest("[data-node]") : null;
    return group instanceof SVGElement ? Number(group.dataset.node) : -1;
  }

  /**
   * @param {number} node
   * @returns {Active | null}
   */
  function activeOf(node) {
    if (node < 0) return null;
    const size = view.leaves.length;
    const leaf = node < size ? view.leaves[node] : null;
    if (leaf && leaf.folded < 0) return { words: leaf.words, constituent: -1, colour: -1 };
    const constituent = leaf ? leaf.folded : view.ids[node - size];
    return { words: tree.constituents[constituent].words, constituent, colour: ranks(tree).get(constituent) ?? -1 };
  }

  /** @param {number} node */
  function activate(node) {
    if (node === active) return;
    active = node;
    const found = activeOf(node);
    mark(found);
    caption.show(tree, found, pinned >= 0, Boolean(found && folded.has(found.constituent)));
    onActive(found);
  }

  /** @param {Active | null} found */
  function mark(found) {
    const words = new Set(found?.words);
    drawing.element.classList.toggle("has-lit", Boolean(found));
    drawing.nodes.forEach((group, node) => {
      const size = view.leaves.length;
      const own = node < size ? view.leaves[node].words : tree.constituents[view.ids[node - size]].words;
      const isInside = Boolean(found) && own.every((word) => words.has(word));
      const isAbove =
        node >= size &&
        found !== null &&
        found.constituent >= 0 &&
        own.length === words.size &&
        view.ids[node - size] < found.constituent;
      group.classList.toggle("lit", isInside && !isAbove);
      const hull = found && node < size && own[0] > found.words[0] && own[0] < found.words[found.words.length - 1];
      group.classList.toggle("in-gap", Boolean(hull) && !isInside);
    });
  }

  /** @param {number} node */
  function pin(node) {
    pinned = node;
    active = -2;
    activate(node);
    if (node >= 0) focus(node, false);
    drawing.nodes.forEach((group, other) => group.classList.toggle("pinned", other === node));
  }

  /** @param {number} node */
  function toggle(node) {
    const found = activeOf(node);
    if (!found || found.constituent < 0) return;
    const { constituent } = found;
    if (!folded.delete(constituent)) folded.add(constituent);
    const hadFocus = scroller.contains(document.activeElement);
    pinned = -1;
    isFitted = false;
    draw();
    const next = view.leaves.length + view.ids.indexOf(constituent);
    if (hadFocus) focus(next, true);
    else activate(next);
  }

  function unfold() {
    folded.clear();
    pinned = -1;
    draw();
  }

  /**
   * @param {number} node
   * @param {boolean} isMoved whether the focus itself moves
   */
  function focus(node, isMoved) {
    for (const group of drawing.nodes) group.setAttribute("tabindex", "-1");
    const group = drawing.nodes[node];
    group.setAttribute("tabindex", "0");
    if (isMoved) {
      group.focus({ preventScroll: true });
      const label = group.querySelector("text:last-of-type") ?? group;
      label.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const node = nodeAt(event.target);
    if (node < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = navigate(view, node, event.key);
    if (next >= 0) {
      if (pinned >= 0) pin(-1);
      focus(next, true);
    } else if (event.key === "Enter") toggle(node);
    else if (event.key === " ") pin(pinned === node ? -1 : node);
    else if (event.key === "Escape") pin(-1);
    else if (event.key === "+") zoom(scale * 1.25);
    else if (event.key === "-") zoom(scale / 1.25);
    else if (event.key === "0") fit(SMALLEST, 2.5);
    else return;
    event.preventDefault();
  }

  /**
   * @param {number} next
   * @param {number} [x] the place in the window that stays where it is
   * @param {number} [y]
   */
  function zoom(next, x, y) {
    const frame = scroller.getBoundingClientRect();
    const left = (x ?? frame.left + frame.width / 2) - frame.left;
    const top = (y ?? frame.top + frame.height / 2) - frame.top;
    const before = scale;
    isFitted = false;
    scale = Math.min(Math.max(next, SMALLEST), LARGEST);
    const [atX, atY] = [(scroller.scrollLeft + left) / before, (scroller.scrollTop + top) / before];
    resize();
    scroller.scrollLeft = atX * scale - left;
    scroller.scrollTop = atY * scale - top;
  }

  /**
   * @param {number} smallest
   * @param {number} largest
   */
  function fit(smallest, largest) {
    const room = scroller.clientWidth - 2;
    isFitted = true;
    scale = room > 0 ? Math.min(Math.max(room / geometry.width, smallest), largest) : largest;
    resize();
  }

  function resize() {
    drawing.element.setAttribute("width", String(Math.round(geometry.width * scale)));
    drawing.element.setAttribute("height", String(Math.round(geometry.height * scale)));
    percent.textContent = `${Math.round(scale * 100)} %`;
  }
}
