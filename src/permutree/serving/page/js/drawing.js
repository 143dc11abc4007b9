/**
 * A tree as an SVG element whose parts can be found, marked and moved.
 *
 * @typedef {import("./view.js").View} View
 *
 * @typedef {object} Geometry
 * @property {import("./layout.js").Layout} layout
 * @property {number[]} x
 * @property {number[]} y the middle of each label or tag
 * @property {number[]} widths
 * @property {number} width
 * @property {number} height
 *
 * @typedef {object} Drawing
 * @property {SVGSVGElement} element
 * @property {SVGGElement[]} nodes the group of each node of the view
 * @property {(x: number[], y: number[], isExact: boolean) => void} move puts the nodes elsewhere
 */

import { svg } from "./elements.js";
import { layOut } from "./layout.js";
import { measure, SIZES } from "./measures.js";
import { ranks } from "./tree.js";

const MARGIN = 12;
const GAP = 16;
const DROP = 13;
const STEP = 38;
/** Trees with more levels than this are drawn denser. */
const HIGH = 12;
const DENSE = 31;
const CLEAR = 5;
const RADIUS = 5;
export const COLOURS = 6;

/** Below these, confidence is shaded light, middle and dark. */
export const SHADES = [0.9, 0.75, 0.5];

/**
 * @param {View} view
 * @returns {Geometry}
 */
export function geometryOf(view) {
  const { tree, leaves, ids } = view;
  const widths = [
    ...leaves.map(
      ({ text, tag }) => Math.max(measure(text, "word"), measure(tag, "tag")) + (leaves.length > 1 ? 0 : 8),
    ),
    ...ids.map((id) => measure(tree.constituents[id].label, "label") + 6),
  ];
  const layout = layOut(view, widths, GAP);
  const x = layout.x.map((one) => one + MARGIN);
  const step = layout.height > HIGH ? DENSE : STEP;
  const y = layout.level.map((level) => MARGIN + SIZES.label * 0.6 + (layout.height - level) * step);
  const height = y[0] + SIZES.tag * 0.65 + SIZES.word * 1.7 + MARGIN;
  return { layout, x, y, widths, width: layout.width + 2 * MARGIN, height };
}

/**
 * @param {View} view
 * @param {Geometry} geometry
 * @param {{title: string, describe: (node: number) => string, marks?: Map<number, string>, folded?: ReadonlySet<number>}} options
 * @returns {Drawing}
 */
export function drawTree(view, geometry, { title, describe, marks, folded }) {
  const { tree, leaves, ids } = view;
  const size = leaves.length;
  const colours = ranks(tree);
  const depths = depthsOf(view);
  const nodes = view.parents.map((_, node) => {
    const isLeaf = node < size;
    const id = isLeaf ? -1 : ids[node - size];
    const classes = ["node", isLeaf ? "leaf" : "constituent"];
    if (isLeaf && leaves[node].folded >= 0) classes.push("piece");
    const rank = colours.get(isLeaf ? leaves[node].folded : id);
    if (rank !== undefined) classes.push("gapped", `d${rank % COLOURS}`);
    const mark = marks?.get(isLeaf && leaves[node].folded < 0 ? -1 - leaves[node].words[0] : id);
    if (mark) classes.push(mark);
    const group = svg("g", {
      class: classes.join(" "),
      "data-node": node,
      role: "treeitem",
      tabindex: node === size ? 0 : -1,
      "aria-level": depths[node],
      "aria-label": describe(node),
      "aria-expanded": isLeaf ? null : String(!folded?.has(id)),
    });
    if (isLeaf) {
      group.append(
        svg("rect", { class: "hit" }),
        svg("text", { class: "tag" }, leaves[node].tag),
        " ",
        svg("text", { class: "word", direction: isRightToLeft(leaves[node].text) ? "rtl" : null }, leaves[node].text),
      );
    } else {
      const { label, confidence } = tree.constituents[id];
      const shade = typeof confidence === "number" ? SHADES.filter((limit) => confidence < limit).length : 0;
      group.append(
        svg("path", { class: "hit" }),
        svg("path", { class: "branches" }),
        svg("rect", { class: shade ? `plate shade${shade}` : "plate", rx: 3 }),
        svg("text", { class: "label" }, label),
      );
    }
    return group;
  });
  // Constituents first: what is drawn later lies above.
  const element = svg(
    "svg",
    {
      class: "tree",
      role: "tree",
      "aria-label": title,
      width: round(geometry.width),
      height: round(geometry.height),
      viewBox: `0 0 ${round(geometry.width)} ${round(geometry.height)}`,
    },
    nodes.slice(size),
    nodes.slice(0, size),
  );
  const drawing = { element, nodes, move };
  move(geometry.x, geometry.y, true);
  return drawing;

  /** @type {Drawing["move"]} */
  function move(x, y, isExact) {
    const passing = isExact ? passersOf(view, geometry) : null;
    nodes.forEach((group, node) => {
      const width = geometry.widths[node];
      const parts = /** @type {any} */ (group.children);
      if (node < size) {
        const wordY = y[node] + SIZES.tag * 0.65 + SIZES.word * 0.85;
        place(
          parts[0],
          x[node] - width / 2 - 4,
          y[node] - SIZES.tag * 0.8,
          width + 8,
          SIZES.tag * 1.6 + SIZES.word * 1.5,
        );
        write(parts[1], x[node], y[node] + SIZES.tag * 0.35);
        write(parts[2], x[node], wordY + SIZES.word * 0.35);
      } else {
        const path = branchesOf(view, geometry, node, x, y, passing);
        parts[0].setAttribute("d", path);
        parts[1].setAttribute("d", path);
        place(parts[2], x[node] - width / 2 - 2, y[node] - SIZES.label * 0.75, width + 4, SIZES.label * 1.5);
        write(parts[3], x[node], y[node] + SIZES.label * 0.35);
      }
    });
  }
}

/** @param {View} view */
function depthsOf(view) {
  const size = view.leaves.length;
  const depths = new Array(view.parents.length).fill(1);
  for (let node = size; node < depths.length; node++) depths[node] = (depths[view.parents[node]] ?? 0) + 1;
  for (let leaf = 0; leaf < size; leaf++) depths[leaf] = depths[view.parents[leaf]] + 1;
  return depths;
}

/**
 * For each discontinuous node, where the branches of others pass through the line below it.
 *
 * @param {View} view
 * @param {Geometry} geometry
 * @returns {Map<number, number[]>}
 */
function passersOf(view, { layout, x }) {
  const found = new Map();
  for (const node of layout.gapped) {
    const children = view.children[node];
    const begin = Math.min(x[node], x[children[0]]);
    const end = Math.max(x[node], x[children[children.length - 1]]);
    const through = [];
    for (let other = 0; other < x.length; other++) {
      const parent = view.parents[other];
      if (
        other !== node &&
        parent >= 0 &&
        parent !== node &&
        layout.level[other] < layout.level[node] &&
        layout.level[parent] > layout.level[node] &&
        begin < x[other] &&
        x[other] < end
      ) {
        through.push(x[other]);
      }
    }
    found.set(
      node,
      through.sort((one, other) => one - other),
    );
  }
  return found;
}

/**
 * The lines below a constituent: down from its label, across, and down to its children. Corners are round; the line
 * across is open where branches of others pass.
 *
 * @param {View} view
 * @param {Geometry} geometry
 * @param {number} node
 * @param {number[]} x
 * @param {number[]} y
 * @param {Map<number, number[]> | null} passing
 */
function branchesOf(view, geometry, node, x, y, passing) {
  const size = view.leaves.length;
  const children = view.children[node];
  const middle = y[node] + DROP;
  const from = y[node] + SIZES.label * 0.7;
  const parts = [];
  const [first] = children;
  if (children.length === 1 && first < size && view.leaves[first].folded >= 0)
    return triangle(x[node], from, geometry, first, x, y);
  const places = children.map((child) => x[child]);
  const begin = Math.min(x[node], ...places);
  const end = Math.max(x[node], ...places);
  const legs = children.map((child) => {
    const isPiece = child < size && view.leaves[child].folded >= 0;
    const top = y[child] - (child < size ? SIZES.tag * 0.75 : SIZES.label * 0.75);
    if (isPiece) parts.push(triangle(x[child], middle + 4, geometry, child, x, y));
    return { x: x[child], far: isPiece ? middle + 4 : top };
  });
  const uprights = [{ x: x[node], far: from }, ...legs];
  const corners = new Map();
  const radius = Math.min(RADIUS, (end - begin) / 2);
  for (const [side, inwards] of /** @type {[number, number][]} */ ([
    [begin, radius],
    [end, -radius],
  ])) {
    const here = uprights.filter((one) => Math.abs(one.x - side) < 0.01);
    if (end > begin && here.length === 1) {
      corners.set(side, side + inwards);
      const turn = middle + (here[0].far > middle ? radius : -radius);
      parts.push(
        `M${round(side)} ${round(here[0].far)}V${round(turn)}Q${round(side)} ${round(middle)} ${round(side + inwards)} ${round(middle)}`,
      );
    }
  }
  let start = corners.get(begin) ?? begin;
  const stop = corners.get(end) ?? end;
  for (const other of passing?.get(node) ?? []) {
    if (other - CLEAR > start) parts.push(`M${round(start)} ${round(middle)}H${round(other - CLEAR)}`);
    start = other + CLEAR;
  }
  if (stop > start) parts.push(`M${round(start)} ${round(middle)}H${round(stop)}`);
  for (const upright of uprights) {
    const isCorner = [...corners.keys()].some((side) => Math.abs(side - upright.x) < 0.01);
    if (!isCorner) parts.push(`M${round(upright.x)} ${round(middle)}V${round(upright.far)}`);
  }
  return parts.join("");
}

/**
 * @param {number} apex
 * @param {number} top
 * @param {Geometry} geometry
 * @param {number} leaf
 * @param {number[]} x
 * @param {number[]} y
 */
function triangle(apex, top, geometry, leaf, x, y) {
  const half = geometry.widths[leaf] / 2;
  const bottom = y[leaf] + SIZES.tag * 0.4;
  return `M${round(apex)} ${round(top)}L${round(x[leaf] - half)} ${round(bottom)}H${round(x[leaf] + half)}Z`;
}

/**
 * @param {SVGRectElement} rect
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
function place(rect, x, y, width, height) {
  rect.setAttribute("x", String(round(x)));
  rect.setAttribute("y", String(round(y)));
  rect.setAttribute("width", String(round(width)));
  rect.setAttribute("height", String(round(height)));
}

/**
 * @param {SVGTextElement} text
 * @param {number} x
 * @param {number} y
 */
function write(text, x, y) {
  text.setAttribute("x", String(round(x)));
  text.setAttribute("y", String(round(y)));
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/**
 * A probability to read; nothing is quite sure.
 *
 * @param {number} value
 */
export function percent(value) {
  return value >= 0.995 ? "over 99 %" : `${Math.round(value * 100)} %`;
}

/** @param {string} text */
export function isRightToLeft(text) {
  return /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text);
}
