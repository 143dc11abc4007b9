/** Where two trees differ. */

/** @typedef {import("./tree.js").Tree} Tree */

/**
 * The constituents that only one of two trees has. One whose words are a constituent of the other tree, but with another
 * label, is `relabelled`; any other is `only`. Trees over different words are compared over the words in common.
 *
 * @param {Tree} left
 * @param {Tree} right
 * @returns {{left: Map<number, string>, right: Map<number, string>, isSameWords: boolean}}
 */
export function differences(left, right) {
  const isSameWords =
    left.words.length === right.words.length && left.words.every((word, index) => word === right.words[index]);
  const shared = isSameWords ? null : alignment(left.words, right.words);
  const leftSpans = spansOf(left, shared && new Map(shared));
  const rightSpans = spansOf(right, shared && new Map(shared.map(([, there]) => [there, there])));
  return {
    left: marks(left, leftSpans, right, rightSpans),
    right: marks(right, rightSpans, left, leftSpans),
    isSameWords,
  };
}

/**
 * The words of each constituent, as numbers of the right sentence.
 *
 * @param {Tree} tree
 * @param {Map<number, number> | null} places null if words keep their numbers
 * @returns {string[]} "" for constituents without a common word
 */
function spansOf(tree, places) {
  return tree.constituents.map(({ words }) => {
    const kept = places ? words.flatMap((word) => places.get(word) ?? []).sort((one, other) => one - other) : words;
    return kept.join(" ");
  });
}

/**
 * @param {Tree} tree
 * @param {string[]} spans
 * @param {Tree} other
 * @param {string[]} otherSpans
 */
function marks(tree, spans, other, otherSpans) {
  /** @type {Map<string, string[]>} the labels of the other tree that are not yet met, by words */
  const left = new Map();
  otherSpans.forEach((span, index) => left.set(span, [...(left.get(span) ?? []), other.constituents[index].label]));
  /** @type {Map<number, string>} */
  const found = new Map();
  spans.forEach((span, index) => {
    const labels = left.get(span);
    const at = labels?.indexOf(tree.constituents[index].label) ?? -1;
    if (labels && at >= 0 && span) labels.splice(at, 1);
    else found.set(index, "only");
  });
  for (const index of found.keys()) if (left.get(spans[index])?.length && spans[index]) found.set(index, "relabelled");
  return found;
}

/**
 * Which words of two sentences are the same: the longest common subsequence, then words that stand elsewhere, in the
 * order in which they come. Punctuation is left out, as it is where trees are scored.
 *
 * @param {string[]} left
 * @param {string[]} right
 * @returns {[number, number][]}
 */
export function alignment(left, right) {
  const pairs = subsequence(left, right);
  const isTaken = new Set(pairs.map(([, there]) => there));
  const isMet = new Set(pairs.map(([here]) => here));
  left.forEach((word, here) => {
    const there = isMet.has(here) ? -1 : right.findIndex((other, index) => other === word && !isTaken.has(index));
    if (there < 0) return;
    isTaken.add(there);
    pairs.push([here, there]);
  });
  return pairs.filter(([here]) => /[\p{L}\p{N}]/u.test(left[here]));
}

/**
 * @param {string[]} left
 * @param {string[]} right
 * @returns {[number, number][]}
 */
function subsequence(left, right) {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  /** @type {[number, number][]} */
  const pairs = [];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}
