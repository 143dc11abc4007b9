/** Short notices at the foot of the page, read out by screen readers. */

import { html } from "./elements.js";

const place = html("div", { class: "notices", role: "status", "aria-live": "polite" });
document.body.append(place);

/**
 * @param {string} text
 * @param {boolean} [isError] stays longer
 */
export function announce(text, isError = false) {
  const notice = html("p", { class: isError ? "notice bad" : "notice" }, text);
  place.replaceChildren(notice);
  setTimeout(() => notice.remove(), isError ? 9000 : 3000);
}
