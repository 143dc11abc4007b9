/** Sentences that the bundled models parse right; a test compares them with these trees. */

import { button, html } from "./elements.js";

/** @type {Promise<{lang: string, name: string, sentences: {text: string, shows: string, tree: string}[]}[]> | null} */
let loaded = null;

/**
 * Beside a text, only the examples of its language are shown, until somebody asks for all.
 *
 * @param {string[]} served codes of languages
 * @param {(text: string, lang: string) => void} action
 * @returns {{element: HTMLElement, show: (lang: string) => void}}
 */
export function examples(served, action) {
  const rows = html("div", { class: "rows" });
  const more = button("All examples", () => element.classList.toggle("all-rows"), { class: "more" });
  const element = html("section", { class: "examples", "aria-label": "Examples" }, rows, more);
  let wanted = "";
  loaded ??= fetch(new URL("../examples.json", import.meta.url)).then((response) => response.json());
  loaded.then((languages) => {
    for (const { lang, name, sentences } of languages.filter((one) => served.includes(one.lang))) {
      rows.append(
        html(
          "div",
          { class: "example-row", "data-lang": lang },
          html("span", { class: "lang" }, name),
          html(
            "ul",
            {},
            sentences.map(({ text, shows }) =>
              html(
                "li",
                {},
                button(text, () => action(text, lang), { lang, title: shows }),
              ),
            ),
          ),
        ),
      );
    }
    show(wanted);
  });
  return { element, show };

  /** @param {string} lang "" shows all */
  function show(lang) {
    wanted = lang;
    element.classList.toggle("few", Boolean(lang));
    if (!lang) element.classList.remove("all-rows");
    for (const row of rows.children) {
      row.classList.toggle("other", row instanceof HTMLElement && row.dataset.lang !== lang);
    }
  }
}
