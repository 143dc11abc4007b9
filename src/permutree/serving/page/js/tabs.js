/**
 * The parts of the page. To add one, write a module with a `mount` and add a line to the list.
 *
 * @typedef {object} Context what the server offers
 * @property {[code: string, name: string][]} languages
 * @property {{name: string, language: string | null}[]} models
 * @property {import("./api.js").Searched} searched the corpora, and the limits of searches in them
 *
 * @typedef {object} Mounted
 * @property {(values: URLSearchParams) => void} show the address has changed
 * @property {() => void} [refresh] the server is back
 *
 * @typedef {object} Tab
 * @property {string} id stands in the address as `#tab=…`; the first tab needs none
 * @property {string} title
 * @property {(context: Context) => boolean} [isOffered] whether the server has what it needs
 * @property {(panel: HTMLElement, context: Context) => Mounted} mount fills the panel, when it is first shown
 */

import * as comparetab from "./comparetab.js";
import { html } from "./elements.js";
import * as parsetab from "./parsetab.js";
import { fragment, readFragment } from "./permalink.js";
import * as searchtab from "./searchtab.js";
import * as treebanktab from "./treebanktab.js";

/** @type {Tab[]} */
const TABS = [
  { id: "", title: "Parse", mount: parsetab.mount },
  { id: "compare", title: "Compare", mount: comparetab.mount },
  { id: "treebank", title: "Treebank", mount: treebanktab.mount },
  {
    id: "search",
    title: "Search",
    mount: searchtab.mount,
    isOffered: ({ searched }) => searched.corpora.length > 0,
  },
];

/**
 * @param {HTMLElement} nav
 * @param {HTMLElement} main
 * @param {Context} context
 */
export function showTabs(nav, main, context) {
  /** @type {Map<string, {panel: HTMLElement, mounted: Mounted, values: string}>} */
  const panels = new Map();
  const tabs = TABS.filter(({ isOffered }) => isOffered?.(context) ?? true);
  const links = tabs.map(({ id, title }) => html("a", { href: fragment({ tab: id }) || "#", "data-tab": id }, title));
  nav.append(
    html(
      "ul",
      {},
      links.map((link) => html("li", {}, link)),
    ),
  );
  window.addEventListener("hashchange", show);
  show();
  return { refresh: () => panels.get(current().id)?.mounted.refresh?.() };

  function current() {
    const wanted = readFragment().get("tab") ?? "";
    return tabs.find(({ id }) => id === wanted) ?? tabs[0];
  }

  function show() {
    const { id, title, mount } = current();
    for (const link of links) {
      if (link.dataset.tab === id) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    for (const { panel } of panels.values()) panel.hidden = true;
    let found = panels.get(id);
    if (!found) {
      const panel = html("section", { class: `tab ${id || "parse"}`, "aria-label": title });
      main.append(panel);
      found = { panel, mounted: mount(panel, context), values: "" };
      panels.set(id, found);
    }
    found.panel.hidden = false;
    found.mounted.show(readFragment());
    document.title = id ? `${title} – permutree` : "permutree";
  }
}
