/**
 * What of a tree is drawn: its words in some order, with folded constituents in one piece.
 *
 * @typedef {import("./tree.js").Tree} Tree
 *
 * @typedef {object} Leaf
 * @property {number[]} words the words of the sentence that stand here
 * @property {string} text
 * @property {string} tag
 * @property {number} folded the folded constituent that this is a part of, -1 if it is a word
 *
 * @typedef {object} View nodes are numbered: leaves from 0, then constituents in pre-order
 * @property {Tree} tree
 * @property {Leaf[]} leaves from left to right
 * @property {number[]} ids the constituent that each node from `leaves.length` on stands for
 * @property {number[]} parents -1 for the root
 * @property {number[][]} children
 * @property {number[][]} columns of each node: the leaves below it, from left to right
 */

import { blocks, wordParents } from "./tree.js";

const LONGEST = 4;

/**
 * @param {Tree} tree
 * @param {ReadonlySet<number>} folded constituents
 * @param {number[] | null} [order] the words from left to right, if not as in the sentence
 * @returns {View}
 */
export function viewOf(tree, folded, order = null) {
  const places = order ?? [...tree.words.keys()];
  const placeOf = new Array(places.length);
  places.forEach((word, place) => (placeOf[word] = place));
  const parentsOfWords = wordParents(tree);
  // The highest folded constituent above each, or -1.
  const hidden = tree.constituents.map(() => -1);
  tree.constituents.forEach(({ parent }, index) => {
    const above = parent < 0 ? -1 : hidden[parent];
    hidden[index] = above >= 0 ? above : folded.has(index) ? index : -1;
  });
  const ids = [...tree.constituents.keys()].filter((index) => hidden[index] < 0 || hidden[index] === index);
  /** @type {{place: number, leaf: Leaf, parent: number}[]} */
  const found = [];
  places.forEach((word, place) => {
    const parent = parentsOfWords[word];
    if (hidden[parent] < 0) {
      found.push({ place, parent, leaf: { words: [word], text: tree.words[word], tag: tree.tags[word], folded: -1 } });
    }
  });
  for (const index of ids.filter((one) => hidden[one] === one)) {
    const at = tree.constituents[index].words.map((word) => placeOf[word]).sort((one, other) => one - other);
    for (const [first, last] of blocks(at)) {
      const words = places.slice(first, last + 1);
      found.push({
        place: first,
        parent: index,
        leaf: { words, text: shortened(tree, words), tag: "", folded: index },
      });
    }
  }
  found.sort((one, other) => one.place - other.place);
  const size = found.length;
  const nodeOf = new Map(ids.map((id, index) => [id, size + index]));
  const parents = [
    ...found.map(({ parent }) => /** @type {number} */ (nodeOf.get(parent))),
    ...ids.map((id) => nodeOf.get(tree.constituents[id].parent) ?? -1),
  ];
  /** @type {number[][]} */
  const children = parents.map(() => []);
  /** @type {number[][]} */
  const columns = parents.map((_, node) => (node < size ? [node] : []));
  for (let node = size; node < parents.length; node++) if (parents[node] >= 0) children[parents[node]].push(node);
  for (let leaf = 0; leaf < size; leaf++) children[parents[leaf]].push(leaf);
  for (let leaf = 0; leaf < size; leaf++) {
    for (let node = parents[leaf]; node >= 0; node = parents[node]) columns[node].push(leaf);
  }
  return { tree, leaves: found.map(({ leaf }) => leaf), ids, parents, children, columns };
}

/**
 * @param {Tree} tree
 * @param {number[]} words
 */
function shortened(tree, words) {
  const texts = words.map((word) => tree.words[word]);
  return texts.length > LONGEST ? `${texts.slice(0, 2).join(" ")} … ${texts[texts.length - 1]}` : texts.join(" ");
}
