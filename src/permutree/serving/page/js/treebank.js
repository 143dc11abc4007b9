/** Reads treebank files: discbracket here, other formats with the help of the server. */

import { readTrees } from "./api.js";
import { parseDiscbracket } from "./discbracket.js";
import { hasGap } from "./tree.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 *
 * @typedef {object} Entry a sentence of the file
 * @property {number} number from 1
 * @property {string} line words, labels and id, to search in
 * @property {string} text
 * @property {boolean} hasGap
 * @property {() => Tree} tree
 */

/** Bytes, unpacked: what the server takes, and what a browser reads in seconds. */
export const LIMIT = 7_500_000;
export const LIMIT_DISCBRACKET = 60_000_000;
/** Sentences between which the browser may draw. */
const PART = 500;

/** @param {number} bytes */
export function megabytes(bytes) {
  return `${bytes / 1_000_000} MB`;
}

/**
 * @param {File} file
 * @param {(done: number) => void} onProgress
 * @returns {Promise<{entries: Entry[], bad: string[]}>}
 */
export async function readTreebank(file, onProgress) {
  if (file.size > LIMIT_DISCBRACKET) throw new Error(tooLarge(file.name, file.size, LIMIT_DISCBRACKET));
  const text = await textOf(file);
  if (isDiscbracket(text)) return readLines(text, onProgress);
  if (new Blob([text]).size > LIMIT) throw new Error(tooLarge(file.name, text.length, LIMIT));
  const outcomes = await readTrees(text);
  const bad = outcomes.flatMap(({ error }) => error ?? []);
  const trees = outcomes.flatMap(({ tree }) => tree ?? []);
  return { entries: trees.map((tree, index) => entryOf(tree, index + 1)), bad };
}

/**
 * @param {string} name
 * @param {number} size
 * @param {number} limit
 */
function tooLarge(name, size, limit) {
  return `${name} has ${(size / 1_000_000).toFixed(1)} MB, and this page reads ${megabytes(limit)} of its format. Convert it with “permutree convert ${name} ${name}.discbracket”, or cut it.`;
}

/** @param {File} file */
async function textOf(file) {
  const isPacked = /\.gz$/iu.test(file.name);
  if (/\.(xz|zip|bz2|zst)$/iu.test(file.name)) throw new Error(`Browsers unpack .gz only. Unpack ${file.name} first.`);
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const bytes = await new Response(stream).arrayBuffer();
  if (bytes.byteLength > LIMIT_DISCBRACKET) throw new Error(tooLarge(file.name, bytes.byteLength, LIMIT_DISCBRACKET));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Older export files are in Latin-1.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** @param {string} text */
function isDiscbracket(text) {
  const line = text
    .slice(0, 20_000)
    .split("\n")
    .find((one) => one.trim());
  return line !== undefined && /^\s*\(.*\s\d+=\S/u.test(line);
}

/**
 * @param {string} text
 * @param {(done: number) => void} onProgress
 */
async function readLines(text, onProgress) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {string[]} */
  const bad = [];
  let number = 0;
  for (const line of text.split("\n")) {
    if (!line.trim()) continue;
    number += 1;
    try {
      const { words, discbracket, ...rest } = parseDiscbracket(line);
      const gap = hasGap({ words, ...rest });
      entries.push({ number, line, text: words.join(" "), hasGap: gap, tree: () => parseDiscbracket(line) });
    } catch (error) {
      bad.push(`sentence ${number}: ${error instanceof Error ? error.message : error}`);
    }
    if (number % PART === 0) {
      onProgress(number);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return { entries, bad };
}

/**
 * @param {Tree} tree
 * @param {number} number
 * @returns {Entry}
 */
function entryOf(tree, number) {
  const line = [tree.id ?? "", ...tree.words, ...tree.tags, ...tree.constituents.map(({ label }) => label)].join(" ");
  return { number, line, text: tree.words.join(" "), hasGap: hasGap(tree), tree: () => tree };
}
