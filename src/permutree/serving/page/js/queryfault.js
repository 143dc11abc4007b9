/** What is wrong with a query: the message, the query with the place marked, a hint. */

import { unitsOf } from "./api.js";
import { button, html } from "./elements.js";

/**
 * @typedef {{error: string, position?: number | null, hint?: string | null}} Fault
 *
 * @param {string} query
 * @param {Fault[]} faults
 * @param {HTMLTextAreaElement} area
 */
export function faultList(query, faults, area) {
  return faults.map(({ error, position, hint }) => {
    /** @type {HTMLElement[]} */
    const parts = [html("p", {}, error)];
    if (typeof position === "number") {
      // The server counts characters, the field the units of UTF-16.
      const at = unitsOf(query)?.(position) ?? position;
      const [sign] = query.slice(at);
      const marked = html("mark", {}, sign && sign !== "\n" ? sign : " ");
      parts.push(
        html("pre", {}, query.slice(0, at), marked, sign === "\n" ? "\n" : "", query.slice(at + (sign?.length ?? 0))),
      );
      parts.push(
        html(
          "p",
          {},
          hint ? `Hint: ${hint} ` : "",
          button(`Go to character ${position + 1}`, () => {
            area.focus();
            area.setSelectionRange(at, at + (sign?.length ?? 0));
          }),
        ),
      );
    } else if (hint) parts.push(html("p", {}, `Hint: ${hint}`));
    return html("div", { class: "fault" }, parts);
  });
}
