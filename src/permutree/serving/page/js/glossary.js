/** What labels mean, asked once each. */

import { explain } from "./api.js";

/** @type {Map<string, Promise<{kind: string, text: string}[]>>} */
const asked = new Map();

/**
 * @param {string} label
 * @param {string} kind constituent or tag
 * @param {string} lang "" for any language
 * @returns {Promise<string | null>} null if nobody knows
 */
export async function meaning(label, kind, lang) {
  const key = `${lang} ${label}`;
  let entries = asked.get(key);
  if (!entries) {
    entries = explain(label, lang).catch(() => {
      asked.delete(key);
      return [];
    });
    asked.set(key, entries);
  }
  const found = await entries;
  return (found.find((entry) => entry.kind === kind) ?? found[0])?.text ?? null;
}
