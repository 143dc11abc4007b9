/** What the components of a label say, in a sentence each, and what repairs mean. */

/** @type {{name: "levels" | "shared" | "unary" | "permutation", letter: string, title: string, text: string}[]} */
export const COMPONENTS = [
  {
    name: "levels",
    letter: "n",
    title: "levels",
    text: "How many constituents the word shares with its neighbour, the next word of the arrangement, counted from the word before: −1 is one fewer.",
  },
  { name: "shared", letter: "x", title: "shared", text: "The label of the lowest constituent that the two share." },
  {
    name: "unary",
    letter: "u",
    title: "unary",
    text: "The constituents over this word alone, from the top down; _ if there are none.",
  },
  {
    name: "permutation",
    letter: "p",
    title: "permutation",
    text: "Where the word goes in the arrangement; each encoding has its own way to say it.",
  },
];

/** @type {Record<string, string>} */
export const ENCODINGS = {
  absolute: "The position in the arrangement, from 0; INV if the word stays where it is.",
  relative: "How many places the word moves to the left (negative: to the right); INV if it stays.",
  lehmer: "The k-th number says which of the words that are left comes k-th in the arrangement, from 0.",
  "inverse-lehmer": "Which of the positions that are still free the word takes, from 0.",
  pointer: "The word is put after the one before it (NEXT), or after the j-th word with tag t to its left (-j t).",
  "pointer-simplified": "As pointer, with coarse tags.",
  predecessor: "The word is put after the one before it (NEXT), or after the j-th word to its left (-j).",
};

/** @type {Record<string, string>} */
export const REPAIRS = {
  "levels-last": "exactly one word must be the last of the arrangement (_)",
  "levels-symbol": "not a number",
  "levels-range": "neighbours share at least one constituent, the root",
  "levels-unlabelled": "nothing branches at this level, or no word labels it",
  "shared-missing": "the constituent needs a label",
  "shared-conflict": "another word gave the same constituent another label, and the first from the left counts",
  "shared-last": "the last word shares nothing with a next one",
  "unary-symbol": "not a chain of labels",
  "unary-root": "this label stands over whole sentences only",
  "permutation-symbol": "not a symbol of this encoding",
  "permutation-range": "outside the sentence, or more than is left",
  "permutation-taken": "another word has this place",
  "permutation-pointer": "there is no such word to point to",
  "permutation-last": "the word that is marked as last goes to the end",
};

/**
 * What a label says of its word, in words.
 *
 * @param {import("./tree.js").Tree} tree
 * @param {number[]} order the arrangement
 * @param {number} word
 * @returns {string}
 */
export function reading(tree, order, word) {
  const place = order.indexOf(word);
  const name = `“${tree.words[word]}”`;
  if (place === order.length - 1)
    return `${name} is the last word of the arrangement: it has no neighbour, so n and x are empty.`;
  const next = order[place + 1];
  const shared = sharedBy(tree, word, next);
  const before = place ? sharedBy(tree, order[place - 1], word).count : 0;
  const change = shared.count - before;
  const counted = place
    ? `, ${change === 0 ? "as many as" : `${Math.abs(change)} ${change > 0 ? "more" : "fewer"} than`} the word before shares with it`
    : "";
  const moved = place === word ? "It stays where it is." : `It moves from place ${word} to place ${place}.`;
  return `${name} and its neighbour “${tree.words[next]}” share ${shared.count} ${shared.count === 1 ? "level" : "levels"} of constituents${counted}; the lowest is ${shared.label}. ${moved}`;
}

/**
 * The constituents over two words; a chain over the same words counts as one, its labels joined.
 *
 * @param {import("./tree.js").Tree} tree
 * @param {number} one
 * @param {number} other
 */
function sharedBy(tree, one, other) {
  let count = 0;
  let label = "";
  let size = -1;
  for (const constituent of tree.constituents) {
    if (!constituent.words.includes(one) || !constituent.words.includes(other)) continue;
    if (constituent.words.length === size) label += `+${constituent.label}`;
    else {
      count += 1;
      label = constituent.label;
    }
    size = constituent.words.length;
  }
  return { count, label };
}
