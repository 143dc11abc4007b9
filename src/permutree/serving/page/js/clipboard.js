/** Texts in the clipboard. */

import { html } from "./elements.js";
import { announce } from "./notices.js";

/**
 * @param {string} text
 * @param {string} [what] said when it is done
 */
export async function copy(text, what = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission, or not on a secure address.
    const area = html("textarea", { class: "visually-hidden", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce(what);
}
