/** The continuous arrangement: the words slide into it, and the branches no longer cross. */

import { drawTree, geometryOf } from "./drawing.js";
import { button, html } from "./elements.js";
import { arrangement, hasGap, phrase } from "./tree.js";
import { viewOf } from "./view.js";

const DURATION = 1400;
/** How far below the others words pass that move to the left. */
const DIVE = 38;

/**
 * @param {import("./tree.js").Tree} tree
 * @returns {HTMLElement}
 */
export function arrangementFigure(tree) {
  const order = arrangement(tree);
  const before = viewOf(tree, new Set());
  const after = viewOf(tree, new Set(), order);
  const from = geometryOf(before);
  const to = geometryOf(after);
  const size = tree.words.length;
  const columnOf = new Array(size);
  order.forEach((word, place) => (columnOf[word] = place));
  // The nodes of the sentence, in the places of the arrangement.
  const shift = Math.max(from.height, to.height) - to.height;
  const drop = Math.max(from.height, to.height) - from.height;
  const startX = from.x;
  const startY = from.y.map((y) => y + drop);
  const endX = before.parents.map((_, node) => to.x[node < size ? columnOf[node] : node]);
  const endY = before.parents.map((_, node) => to.y[node < size ? columnOf[node] : node] + shift);
  const height = Math.max(from.height, to.height) + DIVE;
  const width = Math.max(from.width, to.width);
  const drawing = drawTree(before, from, { title: "The tree over the continuous arrangement", describe: () => "" });
  for (const name of ["role", "aria-label"]) drawing.element.removeAttribute(name);
  drawing.element.setAttribute("aria-hidden", "true");
  for (const node of drawing.nodes) node.removeAttribute("tabindex");
  drawing.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
  drawing.element.setAttribute("width", String(Math.round(width)));
  drawing.element.setAttribute("height", String(Math.round(height)));
  drawing.nodes.forEach((group, node) => node < size && group.classList.toggle("moves", columnOf[node] !== node));
  let state = 0;
  let frame = 0;
  drawing.move(startX, startY, true);

  const status = html("p", { class: "order", "aria-live": "polite" });
  const toggle = button("", () => play(state ? 0 : 1), { class: "primary" });
  say();
  return html(
    "figure",
    { class: "arrangement" },
    html("div", { class: "bar" }, toggle, status),
    html(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": "Drawing of the arrangement" },
      drawing.element,
    ),
  );

  function say() {
    toggle.textContent = state ? "Back to the sentence" : "Slide into the arrangement";
    const text = html(
      "bdi",
      { class: "object" },
      phrase(tree, state ? [] : [...tree.words.keys()], 40) || order.map((word) => tree.words[word]).join(" "),
    );
    const note = state
      ? "Arrangement: "
      : hasGap(tree)
        ? "Sentence: "
        : "No constituent has a gap, so the arrangement is the sentence: ";
    status.replaceChildren(note, text);
    toggle.disabled = !hasGap(tree);
  }

  /** @param {number} goal */
  function play(goal) {
    cancelAnimationFrame(frame);
    state = goal;
    say();
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches || size > 200;
    if (isStill) {
      put(goal);
      return;
    }
    const start = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = Math.min((now - start) / DURATION, 1);
      const eased = part < 0.5 ? 4 * part ** 3 : 1 - (2 - 2 * part) ** 3 / 2;
      put(goal ? eased : 1 - eased);
      if (part < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }

  /** @param {number} part from 0, the sentence, to 1, the arrangement */
  function put(part) {
    const arc = Math.sin(Math.PI * part) * DIVE;
    const x = startX.map((one, node) => one + (endX[node] - one) * part);
    const y = startY.map((one, node) => {
      const dive = node < size && columnOf[node] < node ? arc : 0;
      return one + (endY[node] - one) * part + dive;
    });
    drawing.move(x, y, part === 0);
  }
}
