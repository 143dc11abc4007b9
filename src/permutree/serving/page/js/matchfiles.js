/** Matches and counts as files. All matches that the server gives are downloaded, not only those that are shown. */

import { search } from "./api.js";
import { countTable } from "./counts.js";
import { writeDiscbracket } from "./discbracket.js";
import { menu, save } from "./downloads.js";
import { tableOf, treeOfMatch } from "./matches.js";
import { announce } from "./notices.js";

/**
 * @param {import("./api.js").Question} question
 * @param {import("./api.js").Found | null} found what is shown of the matches
 * @param {import("./api.js").Counts | null} counts in place of matches
 */
export function matchMenu(question, found, counts) {
  const stem = `${question.corpus}-${counts ? "counts" : "matches"}`;
  /** @type {{name: string, text: string, suffix: string}[]} */
  const formats = [
    { name: "csv", text: "CSV table", suffix: "csv" },
    { name: "json", text: "JSON lines", suffix: "jsonl" },
    ...(counts ? [] : [{ name: "discbracket", text: "Trees (discbracket)", suffix: "discbracket" }]),
  ];
  return menu("Download", formats, async ({ name, suffix }) => {
    const content = counts ? ofCounts(counts, name) : await ofMatches(name);
    save(new Blob([content], { type: name === "csv" ? "text/csv" : "text/plain" }), `${stem}.${suffix}`);
  });

  /** @param {string} format */
  async function ofMatches(format) {
    const all = found?.more ? await search(question) : found;
    const matches = all?.matches ?? [];
    if (all?.more) announce(`The file has the first ${matches.length.toLocaleString("en")} matches.`);
    if (format === "csv") return csv(tableOf(matches, all?.variables ?? []));
    if (format === "json") return lines(matches.map((match) => JSON.stringify(match)));
    return lines([...new Set(matches.map((match) => writeDiscbracket(treeOfMatch(match))))]);
  }
}

/**
 * @param {import("./api.js").Counts} counts
 * @param {string} format
 */
function ofCounts(counts, format) {
  const { names, rows } = countTable(counts);
  if (format === "csv") return csv({ names, rows });
  return lines(rows.map((row) => JSON.stringify(Object.fromEntries(row.map((cell, at) => [names[at], cell])))));
}

/** @param {string[]} texts */
function lines(texts) {
  return texts.map((text) => `${text}\n`).join("");
}

/** @param {{names: string[], rows: (string | number)[][]}} table */
function csv({ names, rows }) {
  const quoted = (/** @type {string | number} */ cell) =>
    /[",\n\r]/u.test(String(cell)) ? `"${String(cell).replace(/"/gu, '""')}"` : String(cell);
  return lines([names, ...rows].map((row) => row.map(quoted).join(",")));
}
