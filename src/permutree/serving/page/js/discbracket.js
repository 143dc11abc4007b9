/** Trees in discbracket, one a line: read in the browser, so that treebanks in it need no server. */

/** @typedef {import("./tree.js").Tree} Tree */

const BRACKETS = /** @type {Record<string, string>} */ ({ "-LRB-": "(", "-RRB-": ")" });

/**
 * The tree of a line.
 *
 * @param {string} line
 * @returns {Tree}
 * @throws {Error} if it is no tree; the message says why
 */
export function parseDiscbracket(line) {
  const tokens = line.match(/\(|\)|[^\s()]+/gu) ?? [];
  /** @type {{label: string, words: number[], parent: number}[]} */
  const constituents = [];
  /** @type {string[]} */
  const words = [];
  /** @type {string[]} */
  const tags = [];
  /** @type {{label: string, index: number}[]} */
  const open = [];
  /** @type {string | null} */
  let label = null;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === "(") {
      if (label !== null) enter();
      if (at && !open.length) throw new Error("more than one tree in a line");
      label = tokens[++at];
      if (label === undefined || label === "(" || label === ")") throw new Error("a bracket without a label");
    } else if (token === ")") {
      if (label !== null) throw new Error(`${label} has no words`);
      const closed = open.pop();
      if (!closed) throw new Error("a closing bracket too many");
      if (!constituents[closed.index].words.length) throw new Error(`${closed.label} has no words`);
    } else {
      if (label === null) throw new Error(`${token} stands outside a bracket`);
      const [, index, word] = /^(\d+)=(.+)$/su.exec(token) ?? [];
      if (index === undefined) throw new Error(`${token} is no word with an index, such as 0=How`);
      if (tokens[++at] !== ")") throw new Error(`${token} is not closed`);
      const place = Number(index);
      if (place > tokens.length) throw new Error(`index ${index} is outside the sentence`);
      if (words[place] !== undefined) throw new Error(`index ${index} comes twice`);
      words[place] = word.replace(/-[LR]RB-/gu, (name) => BRACKETS[name]);
      tags[place] = label;
      for (const { index: above } of open) constituents[above].words.push(place);
      label = null;
    }
  }
  if (open.length || label !== null) throw new Error("a bracket is not closed");
  if (!constituents.length) throw new Error("there is no tree");
  for (let place = 0; place < words.length; place++) {
    if (words[place] === undefined) throw new Error(`index ${place} is missing`);
  }
  return { words, tags, constituents: sorted(constituents), discbracket: line.trim() };

  function enter() {
    const parent = open.length ? open[open.length - 1].index : -1;
    constituents.push({ label: /** @type {string} */ (label), words: [], parent });
    open.push({ label: /** @type {string} */ (label), index: constituents.length - 1 });
    label = null;
  }
}

/**
 * Constituents in pre-order by leftmost word, whatever the order of the brackets.
 *
 * @param {{label: string, words: number[], parent: number}[]} constituents
 */
function sorted(constituents) {
  for (const { words } of constituents) words.sort((one, other) => one - other);
  /** @type {number[][]} */
  const children = constituents.map(() => []);
  constituents.forEach(({ parent }, index) => parent >= 0 && children[parent].push(index));
  /** @type {{label: string, words: number[], parent: number}[]} */
  const ordered = [];
  const stack = [{ index: 0, parent: -1 }];
  while (stack.length) {
    const { index, parent } = /** @type {{index: number, parent: number}} */ (stack.pop());
    ordered.push({ ...constituents[index], parent });
    const below = children[index].sort((one, other) => constituents[other].words[0] - constituents[one].words[0]);
    for (const child of below) stack.push({ index: child, parent: ordered.length - 1 });
  }
  return ordered;
}

/**
 * A tree as a line.
 *
 * @param {Tree} tree
 */
export function writeDiscbracket(tree) {
  if (tree.discbracket) return tree.discbracket;
  const escaped = (/** @type {string} */ word) => word.replace(/[()]/gu, (one) => (one === "(" ? "-LRB-" : "-RRB-"));
  /** @type {string[][]} */
  const inside = tree.constituents.map(() => []);
  const parents = new Array(tree.words.length).fill(0);
  tree.constituents.forEach(({ words }, index) => words.forEach((word) => (parents[word] = index)));
  const leaves = tree.words.map((word, index) => `(${tree.tags[index]} ${index}=${escaped(word)})`);
  for (let index = tree.constituents.length - 1; index >= 0; index--) {
    const { label, words, parent } = tree.constituents[index];
    const own = words.filter((word) => parents[word] === index).map((word) => ({ at: word, text: leaves[word] }));
    const parts = [...own, .../** @type {any[]} */ (inside[index])].sort((one, other) => one.at - other.at);
    const text = `(${label} ${parts.map((part) => part.text).join(" ")})`;
    if (parent < 0) return text;
    /** @type {any[]} */ (inside[parent]).push({ at: words[0], text });
  }
  return "";
}
