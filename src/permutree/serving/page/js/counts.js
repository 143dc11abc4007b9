/** Counts as bars, in a table that reads without them. */

import { html, svg } from "./elements.js";

/** @typedef {import("./api.js").Counts} Counts */

const MOST = 40;

/**
 * @param {Counts} counts
 * @param {number} total
 */
export function barChart(counts, total) {
  const largest = counts.rows[0]?.count ?? 1;
  const rest = counts.values - Math.min(counts.rows.length, MOST);
  return html(
    "div",
    { class: "chart" },
    html(
      "table",
      {},
      html("caption", { class: "visually-hidden" }, `Matches by ${counts.by.join(", ")}`),
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "col" }, counts.by.join(", ")),
          html("th", { scope: "col", class: "figure" }, "matches"),
          html("th", { scope: "col", class: "figure" }, "%"),
          html("td", {}),
        ),
      ),
      html(
        "tbody",
        {},
        counts.rows
          .slice(0, MOST)
          .map(({ values, count }) =>
            html(
              "tr",
              {},
              html("th", { scope: "row" }, html("bdi", {}, values.map((value) => value ?? "–").join(" · "))),
              html("td", { class: "figure" }, count.toLocaleString("en")),
              html("td", { class: "figure" }, ((100 * count) / total).toFixed(1)),
              html(
                "td",
                { class: "bar-cell" },
                svg(
                  "svg",
                  { class: "bar-line", height: 14, "aria-hidden": "true" },
                  svg("rect", { width: `${Math.max((100 * count) / largest, 0.3)}%`, height: 14, rx: 1 }),
                ),
              ),
            ),
          ),
      ),
    ),
    rest > 0 && html("p", { class: "hint" }, `And ${rest.toLocaleString("en")} further values; the download has more.`),
  );
}

/**
 * @param {Counts} counts
 * @returns {{names: string[], rows: (string | number)[][]}}
 */
export function countTable({ by, rows }) {
  return {
    names: [...by, "count"],
    rows: rows.map(({ values, count }) => [...values.map((value) => value ?? ""), count]),
  };
}
