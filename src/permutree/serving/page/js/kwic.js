/** A sentence with what was found in it: each block of a node in brackets of its colour, gaps dotted. */

import { COLOURS } from "./drawing.js";
import { html } from "./elements.js";
import { blocks } from "./tree.js";

/** @typedef {import("./api.js").Match} Match */

/** Words of context on each side. */
const CONTEXT = 9;

/**
 * The class of a variable, which chooses its colour.
 *
 * @param {Match} match
 * @param {string} name
 */
export function colourOf(match, name) {
  return `v${Object.keys(match.nodes).indexOf(name) % COLOURS}`;
}

/**
 * What comes before the first word that was found, and the rest.
 *
 * @param {Match} match
 * @param {boolean} isWhole whether all of the sentence is shown
 * @returns {{left: (Node | string)[], right: (Node | string)[]}}
 */
export function inContext(match, isWhole) {
  const { words, nodes } = match;
  const found = Object.entries(nodes);
  const all = found.flatMap(([, node]) => node.words);
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const begin = isWhole ? 0 : Math.max(first - CONTEXT, 0);
  const end = isWhole ? words.length : Math.min(last + CONTEXT + 1, words.length);
  /** @type {Map<number, {name: string, size: number}[]>} */
  const opened = new Map();
  /** @type {Map<number, {name: string, size: number}[]>} */
  const closed = new Map();
  const owner = new Map();
  const gaps = new Set();
  for (const [name, node] of [...found].sort(([, one], [, other]) => other.words.length - one.words.length)) {
    for (const word of node.words) owner.set(word, name);
    for (let word = node.words[0]; word < node.words[node.words.length - 1]; word++) gaps.add(word);
    for (const [from, to] of blocks(node.words)) {
      opened.set(from, [...(opened.get(from) ?? []), { name, size: to - from }]);
      closed.set(to, [...(closed.get(to) ?? []), { name, size: to - from }]);
    }
  }
  const left = words.slice(begin, first).join(" ");
  /** @type {(Node | string)[]} */
  const right = [];
  for (let word = first; word < end; word++) {
    if (word > first) right.push(" ");
    const before = (opened.get(word) ?? []).sort((one, other) => other.size - one.size);
    const after = (closed.get(word) ?? []).sort((one, other) => one.size - other.size);
    for (const { name } of before)
      right.push(html("span", { class: `bracket ${colourOf(match, name)}` }, "[", html("sub", {}, name)), " ");
    const kind = owner.has(word)
      ? `hit ${colourOf(match, owner.get(word))}`
      : gaps.has(word)
        ? "w in-gap"
        : word > last
          ? "after"
          : "";
    right.push(kind ? html("span", { class: kind }, words[word]) : words[word]);
    for (const { name } of after) right.push(html("span", { class: `bracket ${colourOf(match, name)}` }, "]"));
  }
  if (end < words.length) right.push(" …");
  return { left: left ? [begin ? `… ${left}` : left] : [begin ? "…" : ""], right };
}

/**
 * A fact of a node: its words as a phrase, with … for each gap.
 *
 * @param {Match} match
 * @param {number[]} words
 */
export function phraseOf(match, words) {
  return blocks(words)
    .map(([from, to]) => match.words.slice(from, to + 1).join(" "))
    .join(" … ");
}

/** @param {Match} match */
export function placeOf(match) {
  return match.id ? `${match.file}:${match.sentence} (${match.id})` : `${match.file}:${match.sentence}`;
}
