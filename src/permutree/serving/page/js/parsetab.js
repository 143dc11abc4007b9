/** Text in, trees out, as you type. */

import { parse, ServerError } from "./api.js";
import { cardList } from "./cards.js";
import { downloadMenus } from "./downloads.js";
import { button, choice, html } from "./elements.js";
import { examples } from "./examples.js";
import { copyLink, writeFragment } from "./permalink.js";
import { hasGap } from "./tree.js";

const PAUSE = 280;
const LONGEST_PAUSE = 2000;
const GUESS = { value: "", text: "Guess the language" };

/**
 * @param {HTMLElement} panel
 * @param {import("./tabs.js").Context} context
 * @returns {import("./tabs.js").Mounted}
 */
export function mount(panel, { languages, models }) {
  /** @type {AbortController | null} */
  let request = null;
  let timer = 0;
  let retries = 0;

  const area = html("textarea", {
    id: "text",
    rows: 2,
    dir: "auto",
    spellcheck: "false",
    placeholder: "Type or paste sentences here",
    "aria-describedby": "status",
  });
  const language = choice(
    "Language",
    [GUESS, ...languages.map(([code, name]) => ({ value: code, text: name }))],
    () => {
      offer();
      run(0);
    },
  );
  const model = choice("Model", [], () => run(0));
  const status = html("p", { id: "status", class: "status", role: "status" });
  const all = html("div", { class: "actions all", hidden: true });
  const list = cardList();
  const offered = examples(
    languages.map(([code]) => code),
    (text, lang) => set(text, lang),
  );
  panel.append(
    html(
      "form",
      { class: "input", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      html("label", { for: "text", class: "visually-hidden" }, "Text to parse"),
      area,
      html(
        "div",
        { class: "bar" },
        language.element,
        model.element,
        button("Clear", () => set("", language.select.value)),
        button("Copy link", () => copyLink(values())),
      ),
    ),
    offered.element,
    html("div", { class: "result-bar" }, status, all),
    list.element,
    html(
      "p",
      { class: "legend" },
      html("span", { class: "key d0" }, "coloured"),
      " has a gap",
      html("span", { class: "key shade1" }, "shaded"),
      " less sure: the darker, the less",
    ),
  );
  panel.classList.add("empty");
  // The longer a text is, the longer it takes to parse.
  area.addEventListener("input", () => run(Math.min(PAUSE + area.value.length / 50, LONGEST_PAUSE)));
  offer();
  return { show, refresh: () => run(0) };

  /** The models for the chosen language; the choice is hidden if there is none to make. */
  function offer() {
    const lang = language.select.value;
    const found = models.filter((one) => !lang || !one.language || one.language === lang);
    const kept = model.select.value;
    model.select.replaceChildren(
      html("option", { value: "" }, "The language’s own"),
      ...found.map((one) => html("option", { value: one.name, selected: one.name === kept }, one.name)),
    );
    model.element.hidden = models.length <= languages.length || found.length < 2;
  }

  /** @param {URLSearchParams} address */
  function show(address) {
    const text = address.get("text");
    const lang = address.get("lang") ?? "";
    if (text === null) {
      if (area.value) writeFragment(values());
    } else if (text !== area.value || lang !== language.select.value) set(text, lang, address.get("model") ?? "");
  }

  /**
   * @param {string} text
   * @param {string} lang
   * @param {string} [name] of a model
   */
  function set(text, lang, name = "") {
    area.value = text;
    language.select.value = languages.some(([code]) => code === lang) ? lang : "";
    offer();
    model.select.value = models.some((one) => one.name === name) ? name : "";
    run(0);
  }

  function values() {
    return { lang: language.select.value, model: model.select.value, text: area.value };
  }

  /** @param {number} pause */
  function run(pause) {
    window.clearTimeout(timer);
    timer = window.setTimeout(ask, pause);
    retries = 0;
  }

  async function ask() {
    request?.abort();
    writeFragment(values());
    grow();
    const { text, lang, model: name } = values();
    if (!text.trim()) {
      draw([], "", "", "");
      status.textContent = "";
      panel.classList.remove("busy");
      return;
    }
    request = new AbortController();
    panel.classList.add("busy");
    const start = performance.now();
    try {
      const { outcomes, language: found, model: used } = await parse({ text, lang, model: name }, request.signal);
      draw(outcomes, text, found, name);
      say(outcomes, lang ? "" : found, used, performance.now() - start);
      panel.classList.remove("busy");
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      panel.classList.remove("busy");
      complain(error);
    }
  }

  function grow() {
    area.rows = Math.min(Math.max(2, Math.ceil(area.value.length / 100) + area.value.split("\n").length - 1), 6);
  }

  /** @param {unknown} error */
  function complain(error) {
    const message = error instanceof Error ? error.message : String(error);
    status.classList.add("bad");
    if (error instanceof ServerError && error.status === 503 && retries < 5) {
      retries += 1;
      const wait = Math.min(error.retryAfter || 1, 20);
      status.textContent = `The server is busy. Trying again in ${wait} s.`;
      timer = window.setTimeout(ask, wait * 1000);
      return;
    }
    status.textContent = message;
    if (!(error instanceof ServerError && error.status === 0)) draw([], "", "", "");
  }

  /**
   * @param {import("./api.js").Outcome[]} outcomes
   * @param {string} guessed
   * @param {string} used
   * @param {number} time
   */
  function say(outcomes, guessed, used, time) {
    const gaps = outcomes.filter(({ tree }) => tree && hasGap(tree)).length;
    const failed = outcomes.filter(({ error }) => error).length;
    const named = languages.find(([code]) => code === guessed)?.[1];
    const parts = [
      outcomes.length === 1 ? "1 sentence" : `${outcomes.length.toLocaleString("en")} sentences`,
      gaps ? `${gaps} with a gap` : "none with a gap",
      failed ? `${failed} not parsed` : "",
      named ? `${named}, guessed` : "",
      model.element.hidden ? "" : `model ${used}`,
      `${Math.max(Math.round(time), 1)} ms`,
    ];
    status.classList.remove("bad");
    status.textContent = parts.filter(Boolean).join(" · ");
  }

  /**
   * @param {import("./api.js").Outcome[]} outcomes
   * @param {string} text
   * @param {string} lang
   * @param {string} name of the model
   */
  function draw(outcomes, text, lang, name) {
    list.show(outcomes, text, lang, name);
    const trees = outcomes.flatMap(({ tree }) => tree ?? []);
    all.hidden = trees.length < 2;
    all.replaceChildren(...(trees.length < 2 ? [] : [html("span", {}, "All trees:"), ...downloadMenus(() => trees)]));
    panel.classList.toggle("empty", outcomes.length === 0);
    offered.show(outcomes.length ? lang : "");
  }
}
