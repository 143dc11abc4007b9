/**
 * Completion of labels, tags and names while a query is typed.
 *
 * @typedef {import("./api.js").Corpus} Corpus
 * @typedef {{from: number, options: string[]}} Suggested what may stand from there to the caret
 */

import { html, uniqueId } from "./elements.js";

const MOST = 10;
const FEATURES = ["cat", "pos", "word", "lemma", "morph", "function"];
const NAMES = [
  ...["discontinuous", "continuous", "extraposed", "fronted", "intervener", "gap", "block", "fills", "crosses"],
  ...["precedes", "adjacent", "blocks", "gaps", "length", "arity", "tokenarity", "depth", "rank", "first", "last"],
  ...["root", "exists", "forall", "contains"],
];

/**
 * @param {string} text
 * @param {number} caret
 * @param {string} syntax
 * @param {Corpus | undefined} corpus
 * @returns {Suggested}
 */
export function suggest(text, caret, syntax, corpus) {
  const before = text.slice(0, caret);
  const labels = corpus ? [...corpus.cat, ...corpus.pos] : [];
  if (syntax !== "tiger") {
    const [begun] = /[^\s()<>[\]|&!=:/@"']*$/u.exec(before) ?? [""];
    return begun ? among(begun, labels, caret) : none(caret);
  }
  const quoted = /^(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*"((?:[^"\\]|\\.)*)$/su.exec(before);
  if (quoted) {
    const [, feature] = /(\w+)\s*!?=[^=]*$/u.exec(before.slice(0, -quoted[1].length - 1)) ?? [];
    return among(quoted[1], valuesOf(feature, corpus), caret);
  }
  const edge = />~?([\p{L}][\p{L}\p{N}_-]*)$/u.exec(before);
  if (edge) return among(edge[1], corpus?.function ?? [], caret);
  const [name] = /(?<![#\p{L}\p{N}_])[a-z]+$/u.exec(before) ?? [""];
  if (!name) return none(caret);
  const isInside = before.lastIndexOf("[") > before.lastIndexOf("]");
  return among(name, isInside ? [...FEATURES, ...(corpus?.facts ?? [])] : NAMES, caret);
}

/**
 * @param {string | undefined} feature
 * @param {Corpus | undefined} corpus
 */
function valuesOf(feature, corpus) {
  if (feature === "cat") return corpus?.cat ?? [];
  if (feature === "pos") return corpus?.pos ?? [];
  return feature && ["function", "func", "edge"].includes(feature) ? (corpus?.function ?? []) : [];
}

/** @param {number} caret */
function none(caret) {
  return { from: caret, options: [] };
}

/**
 * @param {string} begun
 * @param {string[]} values
 * @param {number} caret
 */
function among(begun, values, caret) {
  const wanted = begun.toLowerCase();
  const exact = values.filter((value) => value.startsWith(begun));
  const others = values.filter((value) => !value.startsWith(begun) && value.toLowerCase().startsWith(wanted));
  const options = [...exact, ...others].slice(0, MOST);
  return { from: caret - begun.length, options: options.length === 1 && options[0] === begun ? [] : options };
}

/**
 * Puts a list of suggestions below a field. Arrows choose, Enter and Tab take, Escape closes.
 *
 * @param {HTMLTextAreaElement} area
 * @param {() => Suggested} ask
 */
export function completion(area, ask) {
  const list = html("ul", { class: "suggestions", id: uniqueId("suggestions"), role: "listbox", hidden: true });
  list.setAttribute("aria-label", "Suggestions");
  let at = -1;
  /** @type {Suggested} */
  let offered = { from: 0, options: [] };
  area.setAttribute("aria-autocomplete", "list");
  area.setAttribute("aria-controls", list.id);
  area.addEventListener("input", open);
  area.addEventListener("blur", close);
  area.addEventListener("click", close);
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const option = event.target instanceof Element ? event.target.closest("[data-at]") : null;
    if (option instanceof HTMLElement) take(Number(option.dataset.at));
  });
  return { element: list, keydown, close };

  function open() {
    offered = ask();
    list.replaceChildren(
      ...offered.options.map((text, index) =>
        html("li", { role: "option", id: `${list.id}-${index}`, "data-at": index, "aria-selected": "false" }, text),
      ),
    );
    choose(-1);
    list.hidden = offered.options.length === 0;
  }

  function close() {
    list.hidden = true;
    choose(-1);
  }

  /** @param {number} index */
  function choose(index) {
    at = index;
    [...list.children].forEach((option, other) => option.setAttribute("aria-selected", String(other === index)));
    if (index < 0) area.removeAttribute("aria-activedescendant");
    else area.setAttribute("aria-activedescendant", `${list.id}-${index}`);
  }

  /** @param {number} index */
  function take(index) {
    area.setRangeText(offered.options[index], offered.from, area.selectionStart, "end");
    close();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was meant for the list
   */
  function keydown(event) {
    if (list.hidden) return false;
    const size = offered.options.length;
    if (event.key === "ArrowDown") choose((at + 1) % size);
    else if (event.key === "ArrowUp") choose(at < 0 ? size - 1 : at - 1);
    else if (event.key === "Escape") close();
    else if ((event.key === "Enter" && at >= 0) || (event.key === "Tab" && at >= 0)) take(at);
    else return false;
    event.preventDefault();
    return true;
  }
}
