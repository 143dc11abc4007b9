/** Light, dark, or as the system has it; the choice is kept in this browser. */

import { html } from "./elements.js";

const KEY = "permutree-theme";
const THEMES = ["auto", "light", "dark"];

/** @returns {HTMLElement} the switch */
export function themeSwitch() {
  let theme = stored();
  apply();
  const name = "theme";
  const field = html("fieldset", { class: "theme" }, html("legend", { class: "visually-hidden" }, "Colours"));
  for (const one of THEMES) {
    const input = html("input", { type: "radio", name, value: one, id: `theme-${one}`, checked: one === theme });
    input.addEventListener("change", () => {
      theme = one;
      apply();
      try {
        localStorage.setItem(KEY, theme);
      } catch {
        // kept for this visit only
      }
    });
    field.append(
      input,
      html("label", { for: `theme-${one}` }, one === "auto" ? "Auto" : one === "light" ? "Light" : "Dark"),
    );
  }
  return field;

  function apply() {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

function stored() {
  try {
    const found = localStorage.getItem(KEY);
    return found && THEMES.includes(found) ? found : "auto";
  } catch {
    return "auto";
  }
}
