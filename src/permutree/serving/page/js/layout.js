/**
 * Where the nodes of a tree stand. The rules are those of permutree's other drawings:
 *
 * Leaves stand side by side, each in a column of its own. A constituent stands within the columns of one of its blocks,
 * so no label stands on another or on a branch; what remains is lines that cross. A constituent is one level above
 * everything between its first and its last word.
 *
 * @typedef {import("./view.js").View} View
 *
 * @typedef {object} Layout
 * @property {number[]} x the middle of each node
 * @property {number[]} level 0 for leaves
 * @property {number[]} gapped nodes that are discontinuous
 * @property {number} width
 * @property {number} height the level of the root
 */

import { blocks } from "./tree.js";

/**
 * @param {View} view its children are sorted from left to right
 * @param {number[]} widths of nodes
 * @param {number} gap between the columns of leaves
 * @returns {Layout}
 */
export function layOut(view, widths, gap) {
  const size = view.leaves.length;
  const halves = straightened(
    view,
    widths.map((width) => width / 2),
  );
  const homes = homesOf(view);
  const left = halves.slice(0, size);
  const right = halves.slice(0, size);
  for (let node = size; node < halves.length; node++) {
    const [begin, end] = homes[node];
    if (begin === end) {
      left[begin] = Math.max(left[begin], halves[node]);
      right[begin] = Math.max(right[begin], halves[node]);
    }
  }
  widen(view, homes, halves, left, right, gap);
  const { x, ends } = place(view, homes, halves, left, right, gap, true);
  const level = levelsOf(view);
  const gapped = [];
  for (let node = size; node < x.length; node++) if (isGapped(view.columns[node])) gapped.push(node);
  return { x, level, gapped, width: ends[size - 1], height: level[size] };
}

/** @param {number[]} columns */
function isGapped(columns) {
  return columns[columns.length - 1] - columns[0] + 1 !== columns.length;
}

/**
 * Widths in a unary chain are that of its widest constituent, so that the chain is straight.
 *
 * @param {View} view
 * @param {number[]} halves
 */
function straightened(view, halves) {
  const widened = [...halves];
  const size = view.leaves.length;
  const unary = [];
  for (let node = size; node < halves.length; node++) {
    if (view.children[node].length === 1 && view.children[node][0] >= size) unary.push(node);
  }
  for (const node of [...unary].reverse().concat(unary)) {
    const [child] = view.children[node];
    widened[node] = widened[child] = Math.max(widened[node], widened[child]);
  }
  return widened;
}

/**
 * The block of columns in which each node stands: the one with most of its children, of several the nearest to their middle.
 *
 * @param {View} view
 * @returns {[number, number][]}
 */
function homesOf(view) {
  const size = view.leaves.length;
  /** @type {[number, number][]} */
  const homes = view.columns.map((columns) => [columns[0], columns[columns.length - 1]]);
  const places = view.columns.map((columns) => columns[0]);
  for (let node = places.length - 1; node >= size; node--) {
    const nearby = view.children[node].map((child) => places[child]).sort((one, other) => one - other);
    let middle = (nearby[0] + nearby[nearby.length - 1]) / 2;
    if (isGapped(view.columns[node])) {
      let best = [Infinity, Infinity];
      for (const block of blocks(view.columns[node])) {
        const inside = nearby.filter((one) => block[0] <= one && one <= block[1]).length;
        const far = Math.max(block[0] - middle, middle - block[1]);
        if (-inside < best[0] || (-inside === best[0] && far < best[1])) {
          best = [-inside, far];
          homes[node] = block;
        }
      }
      middle = target(nearby, homes[node][0], homes[node][1], 0);
    }
    places[node] = middle;
  }
  return homes;
}

/**
 * Where a node should stand between begin and end: in the middle of its children, or above an inner one near to it.
 *
 * @param {number[]} places of its children, ascending
 * @param {number} begin
 * @param {number} end
 * @param {number} near
 */
function target(places, begin, end, near) {
  const inside = places.filter((one) => begin <= one && one <= end);
  const used = inside.length > 1 ? inside : places;
  let middle = (used[0] + used[used.length - 1]) / 2;
  let closest = near;
  for (const one of used.slice(1, -1)) {
    if (Math.abs(one - middle) <= closest) {
      closest = Math.abs(one - middle);
      middle = one;
    }
  }
  return Math.min(Math.max(middle, begin), end);
}

/**
 * @param {View} view
 * @param {[number, number][]} homes
 * @param {number[]} halves
 * @param {number[]} left
 * @param {number[]} right
 * @param {number} gap
 * @param {boolean} isWidened
 */
function place(view, homes, halves, left, right, gap, isWidened) {
  const size = view.leaves.length;
  const x = new Array(halves.length).fill(0);
  const starts = new Array(size);
  const ends = new Array(size);
  let edge = 0;
  for (let leaf = 0; leaf < size; leaf++) {
    starts[leaf] = edge;
    x[leaf] = edge + left[leaf];
    ends[leaf] = x[leaf] + right[leaf];
    edge = ends[leaf] + gap;
  }
  for (let node = x.length - 1; node >= size; node--) {
    view.children[node].sort((one, other) => x[one] - x[other]);
    const [begin, end] = homes[node];
    if (begin === end) {
      x[node] = x[begin];
      continue;
    }
    const wanted = target(
      view.children[node].map((child) => x[child]),
      starts[begin],
      ends[end],
      gap / 2,
    );
    const leftmost = starts[begin] + halves[node];
    const rightmost = ends[end] - halves[node];
    x[node] = leftmost <= rightmost || isWidened ? Math.min(Math.max(wanted, leftmost), rightmost) : wanted;
  }
  return { x, starts, ends };
}

/**
 * Make room at the edges of homes that are too narrow for their nodes.
 *
 * @param {View} view
 * @param {[number, number][]} homes
 * @param {number[]} halves
 * @param {number[]} left changed
 * @param {number[]} right changed
 * @param {number} gap
 */
function widen(view, homes, halves, left, right, gap) {
  const size = view.leaves.length;
  const { x, starts, ends } = place(view, homes, halves, left, right, gap, false);
  const moreLeft = new Array(size).fill(0);
  const moreRight = new Array(size).fill(0);
  for (let node = size; node < x.length; node++) {
    const [begin, end] = homes[node];
    const leftmost = starts[begin] + halves[node];
    const rightmost = ends[end] - halves[node];
    if (leftmost > rightmost) {
      const lack = leftmost - rightmost;
      const missing = Math.min(Math.max(leftmost - x[node], 0), lack);
      moreLeft[begin] = Math.max(moreLeft[begin], missing);
      moreRight[end] = Math.max(moreRight[end], lack - missing);
    }
  }
  for (let leaf = 0; leaf < size; leaf++) {
    left[leaf] += moreLeft[leaf];
    right[leaf] += moreRight[leaf];
  }
}

/**
 * The level of each node: above everything that stands between its first and its last leaf.
 *
 * @param {View} view
 */
function levelsOf(view) {
  const size = view.leaves.length;
  const level = new Array(view.columns.length).fill(0);
  const tops = new Array(size).fill(0);
  const nodes = [...level.keys()].slice(size);
  const span = (/** @type {number} */ node) =>
    view.columns[node][view.columns[node].length - 1] - view.columns[node][0];
  nodes.sort((one, other) => span(one) - span(other) || other - one);
  for (const node of nodes) {
    const first = view.columns[node][0];
    const last = view.columns[node][view.columns[node].length - 1];
    let top = 0;
    for (let column = first; column <= last; column++) top = Math.max(top, tops[column]);
    level[node] = top + 1;
    tops.fill(top + 1, first, last + 1);
  }
  return level;
}
