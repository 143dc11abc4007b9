/** Starts the page. */

import { corpora, models, ServerError } from "./api.js";
import { watchConnection } from "./connection.js";
import { html } from "./elements.js";
import { showTabs } from "./tabs.js";
import { themeSwitch } from "./theme.js";

const nav = /** @type {HTMLElement} */ (document.querySelector("nav"));
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
// The fragment is the state of the page, so the link to the content must not change it.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.querySelector("#theme")?.replaceWith(themeSwitch());
/** @type {{refresh: () => void} | null} */
let tabs = null;
watchConnection(() => (tabs ? tabs.refresh() : start()));
start();

async function start() {
  try {
    const [offered, searched] = await Promise.all([models(), corpora()]);
    const served = new Set(offered.models.map(({ language }) => language));
    const languages = /** @type {[string, string][]} */ (
      Object.entries(offered.languages).filter(([code]) => served.has(code))
    );
    main.querySelector(".problem")?.remove();
    tabs ??= showTabs(nav, main, { languages, models: offered.models, searched });
  } catch (error) {
    if (error instanceof ServerError && error.status === 0) return;
    main.append(html("p", { class: "problem" }, error instanceof Error ? error.message : String(error)));
  }
}
