/** Asks the server. Nothing else on the page talks to the network. */

import { treeOf } from "./tree.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {{error: string, words: string[]}} Failed a sentence that could not be parsed
 * @typedef {{words: string[], error?: undefined, tree: Tree} | (Failed & {tree?: undefined})} Outcome
 * @typedef {[levels: string, shared: string, unary: string, permutation: string]} Label
 * @typedef {{kind: string, word: number, was: string, became: string}} Repair
 * @typedef {{position?: number | null, hint?: string | null}} Place where a query cannot be understood
 * @typedef {{name: string, sentences: number, cat: string[], pos: string[], function: string[], facts: string[]}} Corpus
 * @typedef {{corpora: Corpus[], matches: number, seconds: number}} Searched
 * @typedef {{corpus: string, query: string, syntax: string, limit: number, count_by?: string[]}} Question
 * @typedef {{by: string[], rows: {values: (string | number | null)[], count: number}[], values: number}} Counts
 *
 * @typedef {object} Match
 * @property {string} file
 * @property {number} sentence
 * @property {string} [id]
 * @property {string[]} words
 * @property {Record<string, {label: string, words: number[], node: number}>} nodes
 * @property {string | null} discbracket without one, there are tags and constituents
 *
 * @typedef {object} Found
 * @property {string[]} variables
 * @property {number | null} total
 * @property {Match[]} matches
 * @property {boolean} more
 * @property {Counts} [counts]
 * @property {(Place & {error: string})[]} hints
 */

/** The server answered that something is wrong, or did not answer (status 0). */
export class ServerError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {number} [retryAfter] seconds
   * @param {Place} [place]
   */
  constructor(message, status, retryAfter = 0, place = {}) {
    super(message);
    this.name = "ServerError";
    this.status = status;
    this.retryAfter = retryAfter;
    this.place = place;
  }
}

/** @type {Set<(isThere: boolean) => void>} */
const watchers = new Set();

/**
 * Be told whether the server answers, each time it is asked.
 *
 * @param {(isThere: boolean) => void} watcher
 */
export function watchServer(watcher) {
  watchers.add(watcher);
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
async function ask(path, init) {
  let response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    for (const watcher of watchers) watcher(false);
    throw new ServerError("The server does not answer.", 0);
  }
  for (const watcher of watchers) watcher(true);
  if (response.ok) return response;
  const { message, place } = await faultOf(response);
  throw new ServerError(message, response.status, Number(response.headers.get("retry-after")) || 0, place);
}

/**
 * @param {Response} response
 * @returns {Promise<{message: string, place?: Place}>}
 */
async function faultOf(response) {
  const text = await response.text();
  try {
    const { error, detail, position, hint } = JSON.parse(text);
    if (typeof error === "string") return { message: error, place: { position, hint } };
    if (typeof detail === "string") return { message: detail };
  } catch {
    // not JSON: said below
  }
  return { message: `The server answered ${response.status} ${response.statusText}.` };
}

/**
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 */
function post(path, body, signal) {
  return ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/** @returns {Promise<{models: {name: string, language: string | null}[], languages: Record<string, string>, encodings: string[], read: string[]}>} */
export async function models() {
  return (await ask("v1/models")).json();
}

/** @returns {Promise<Searched>} */
export async function corpora() {
  return (await ask("v1/corpora")).json();
}

/**
 * @param {Question} question
 * @param {AbortSignal} [signal]
 * @returns {Promise<Found>}
 */
export async function search(question, signal) {
  return (await post("v1/search", question, signal)).json();
}

/** @returns {Promise<boolean>} */
export async function isHealthy() {
  try {
    return (await ask("healthz")).ok;
  } catch {
    return false;
  }
}

/**
 * @param {{text?: string, tokens?: string[][], lang?: string, model?: string}} request
 * @param {AbortSignal} [signal]
 * @returns {Promise<{outcomes: Outcome[], language: string, model: string}>}
 */
export async function parse({ text, tokens, lang, model }, signal) {
  const body = { ...(tokens ? { tokens } : { text }), ...(lang ? { lang } : {}), ...(model ? { model } : {}) };
  const answer = await (await post("v1/parse", body, signal)).json();
  const units = text ? unitsOf(text) : null;
  const outcomes = answer.sentences.map((/** @type {any} */ record) => {
    if (record.error) return { words: record.words, error: record.error };
    if (units && record.offsets) {
      record.offsets = record.offsets.map(
        (/** @type {[number, number] | null} */ one) => one && [units(one[0]), units(one[1])],
      );
    }
    return { words: record.words, tree: treeOf(record) };
  });
  return { outcomes, language: answer.language ?? lang ?? "", model: answer.model ?? "" };
}

/**
 * The server counts characters, JavaScript the units of UTF-16: the way from one to the other.
 *
 * @param {string} text
 * @returns {((characters: number) => number) | null} null if they are the same
 */
export function unitsOf(text) {
  if (!/[\ud800-\udbff]/u.test(text) && !/[\u{10000}-\u{10ffff}]/u.test(text)) return null;
  const starts = [0];
  for (const character of text) starts.push(starts[starts.length - 1] + character.length);
  return (characters) => starts[Math.min(characters, starts.length - 1)];
}

/**
 * The labels of a tree in all encodings.
 *
 * @param {Tree} tree
 * @param {string} levels relative or absolute
 * @returns {Promise<{labels: Record<string, Label[]>, tau: number[], order: number[]}>}
 */
export async function encode(tree, levels) {
  const answer = await (await post("v1/encode", { ...treebank([tree]), levels })).json();
  return answer.sentences[0];
}

/**
 * The tree of labels, and what was repaired.
 *
 * @param {Tree} tree whose words and tags are used
 * @param {Label[]} labels
 * @param {string} encoding
 * @param {string} levels
 * @param {AbortSignal} signal
 * @returns {Promise<{tree: Tree, repairs: Repair[]}>}
 */
export async function decode(tree, labels, encoding, levels, signal) {
  const body = { words: tree.words, tags: tree.tags, labels, encoding, levels, root: tree.constituents[0].label };
  const answer = await (await post("v1/decode", body, signal)).json();
  return { tree: treeOf(answer), repairs: answer.repairs };
}

/**
 * @param {Tree[]} gold
 * @param {Tree[]} predicted
 * @returns {Promise<{f1: number | null, precision: number | null, recall: number | null, discontinuous: {f1: number | null, gold_brackets: number, predicted_brackets: number}}>}
 */
export async function evaluate(gold, predicted) {
  const [one, other] = [treebank(gold), treebank(predicted)];
  const body = { gold: one.treebank, gold_format: one.from, predicted: other.treebank, predicted_format: other.from };
  return (await post("v1/evaluate", body)).json();
}

/**
 * The trees of a treebank in any format; sentences that cannot be read are errors in their place.
 *
 * @param {string} text
 * @param {string} [format] guessed if not given
 * @param {AbortSignal} [signal]
 * @returns {Promise<Outcome[]>}
 */
export async function readTrees(text, format, signal) {
  const answer = await (
    await post("v1/convert", { treebank: text, to: "json", ...(format ? { from: format } : {}) }, signal)
  ).json();
  return answer.sentences.map((/** @type {any} */ record) =>
    record.error ? { words: record.words, error: record.error } : { words: record.words, tree: treeOf(record) },
  );
}

/**
 * Trees in another format or as a picture.
 *
 * @param {Tree[]} trees
 * @param {string} format
 * @returns {Promise<Blob>}
 */
export async function write(trees, format) {
  const isPicture = ["svg", "png", "latex", "html"].includes(format);
  return (await post(isPicture ? "v1/draw" : "v1/convert", { ...treebank(trees), to: format })).blob();
}

/**
 * @param {Tree[]} trees
 * @returns {{treebank: string, from: string}}
 */
function treebank(trees) {
  if (trees.every((tree) => tree.discbracket && !tree.id)) {
    return { treebank: trees.map((tree) => tree.discbracket).join("\n"), from: "discbracket" };
  }
  return { treebank: trees.map(jsonLine).join("\n"), from: "jsonl" };
}

/**
 * A tree as a line of JSON, as permutree's other commands write it.
 *
 * @param {Tree} tree
 */
export function jsonLine({ id, words, tags, offsets, constituents }) {
  const records = constituents.map(({ label, words: own, confidence }) => ({
    label,
    words: own,
    ...(typeof confidence === "number" ? { confidence } : {}),
  }));
  return JSON.stringify({ ...(id ? { id } : {}), words, tags, ...(offsets ? { offsets } : {}), constituents: records });
}

/**
 * What a label means.
 *
 * @param {string} label
 * @param {string} lang "" for any language
 * @returns {Promise<{label: string, language: string, kind: string, text: string}[]>}
 */
export async function explain(label, lang) {
  const query = new URLSearchParams({ label, ...(lang ? { lang } : {}) });
  return (await (await ask(`v1/explain?${query}`)).json()).entries;
}
