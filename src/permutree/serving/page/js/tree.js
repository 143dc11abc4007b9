/**
 * Trees as the page knows them: words, and constituents in pre-order with the words that each has.
 *
 * @typedef {object} Constituent
 * @property {string} label
 * @property {number[]} words indexes of words, ascending
 * @property {number} parent index of the constituent above, -1 for the root
 * @property {number | null} [confidence] from 0 to 1, where a parser gave one
 *
 * @typedef {object} Tree
 * @property {string[]} words
 * @property {string[]} tags
 * @property {Constituent[]} constituents in pre-order, the root first
 * @property {string} [discbracket]
 * @property {string | null} [id]
 * @property {([number, number] | null)[] | null} [offsets] the characters of the text that each word stands for
 * @property {number | null} [confidence]
 */

/**
 * A tree from what the server sends. Parents are worked out where they are not given.
 *
 * @param {any} record with words, tags and constituents
 * @returns {Tree}
 */
export function treeOf(record) {
  const size = record.words.length;
  /** @type {Constituent[]} */
  const constituents = record.constituents.map((/** @type {any} */ one) => ({ ...one, words: [...one.words] }));
  if (constituents.length === 0) {
    constituents.push({ label: "ROOT", words: [...record.words.keys()], parent: -1 });
  }
  const open = /** @type {number[]} */ ([]);
  const above = new Int32Array(size).fill(-1);
  constituents.forEach((constituent, index) => {
    while (open.length && above[constituent.words[0]] !== open[open.length - 1]) open.pop();
    constituent.parent = open.length ? open[open.length - 1] : -1;
    for (const word of constituent.words) above[word] = index;
    open.push(index);
  });
  return { ...record, constituents };
}

/**
 * The constituent right above each word.
 *
 * @param {Tree} tree
 * @returns {number[]}
 */
export function wordParents(tree) {
  const parents = new Array(tree.words.length).fill(-1);
  tree.constituents.forEach((constituent, index) => {
    for (const word of constituent.words) parents[word] = index;
  });
  return parents;
}

/**
 * The children of each constituent: constituents and words (as -1 - word), by their leftmost word.
 *
 * @param {Tree} tree
 * @returns {number[][]}
 */
export function childrenOf(tree) {
  /** @type {number[][]} */
  const children = tree.constituents.map(() => []);
  tree.constituents.forEach(({ parent }, index) => parent >= 0 && children[parent].push(index));
  wordParents(tree).forEach((parent, word) => children[parent].push(-1 - word));
  const leftmost = (/** @type {number} */ child) => (child < 0 ? -1 - child : tree.constituents[child].words[0]);
  for (const list of children) list.sort((one, other) => leftmost(one) - leftmost(other));
  return children;
}

/**
 * The words in the order in which a walk over the tree meets them: the continuous arrangement.
 *
 * @param {Tree} tree
 * @returns {number[]} word at each place
 */
export function arrangement(tree) {
  const children = childrenOf(tree);
  /** @type {number[]} */
  const order = [];
  const stack = [0];
  while (stack.length) {
    const node = /** @type {number} */ (stack.pop());
    if (node < 0) order.push(-1 - node);
    else for (const child of [...children[node]].reverse()) stack.push(child);
  }
  return order;
}

/**
 * Ascending numbers cut into runs of neighbours.
 *
 * @param {number[]} numbers
 * @returns {[number, number][]} first and last of each
 */
export function blocks(numbers) {
  /** @type {[number, number][]} */
  const found = [];
  for (const number of numbers) {
    const last = found[found.length - 1];
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}

/** @param {Constituent} constituent */
export function isDiscontinuous({ words }) {
  return words[words.length - 1] - words[0] + 1 !== words.length;
}

/** @param {Tree} tree */
export function hasGap(tree) {
  return tree.constituents.some(isDiscontinuous);
}

/**
 * Discontinuous constituents → their rank in pre-order, which chooses their colour.
 *
 * @param {Tree} tree
 * @returns {Map<number, number>}
 */
export function ranks(tree) {
  const found = new Map();
  tree.constituents.forEach((one, index) => isDiscontinuous(one) && found.set(index, found.size));
  return found;
}

/**
 * The words of a constituent as a phrase, with an ellipsis for each gap.
 *
 * @param {Tree} tree
 * @param {number[]} words
 * @param {number} [longest] words of a block beyond which its middle is left out
 */
export function phrase(tree, words, longest = 12) {
  const parts = blocks(words).map(([first, last]) => {
    const block = tree.words.slice(first, last + 1);
    return block.length > longest
      ? `${block.slice(0, longest >> 1).join(" ")} [+${block.length - longest + 1}] ${block.slice(1 - (longest >> 1)).join(" ")}`
      : block.join(" ");
  });
  return parts.join(" … ");
}
