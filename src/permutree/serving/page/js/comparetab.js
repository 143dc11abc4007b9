/** Two trees side by side: two models, two sentences, or a tree of your own and the parser's. */

import { evaluate, parse, readTrees } from "./api.js";
import { differences } from "./differences.js";
import { choice, html, uniqueId, button } from "./elements.js";
import { writeFragment } from "./permalink.js";
import { textLine } from "./textline.js";
import { treeView } from "./treeview.js";

/**
 * @typedef {import("./tree.js").Tree} Tree
 * @typedef {{element: HTMLElement, isTree: () => boolean, text: () => string, lang: () => string, model: () => string, set: (values: {text?: string, lang?: string, model?: string, isTree?: boolean}) => void}} Side
 */

const PAUSE = 350;
const OWN =
  "(ROOT (SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=want) (S (VP (TO 4=to) (VP (VB 5=eat))))) (VBP 1=do) (NP (PRP 2=you))) (. 6=?)))";

/**
 * @param {HTMLElement} panel
 * @param {import("./tabs.js").Context} context
 * @returns {import("./tabs.js").Mounted}
 */
export function mount(panel, context) {
  let timer = 0;
  /** @type {AbortController | null} */
  let request = null;
  const schedule = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(compare, PAUSE);
  };
  const left = side("Left, the reference", context, schedule, "A sentence");
  const right = side("Right", context, schedule, "Empty: the same words as on the left");
  const result = html("div", { class: "comparison", "aria-live": "polite" });
  panel.append(
    html("h2", {}, "Compare trees"),
    html(
      "p",
      { class: "lead" },
      "Two models on one sentence, two sentences, or a tree of your own with the parser’s. What only one side has is coloured, and bold.",
    ),
    html("div", { class: "bar presets" }, html("span", {}, "Try:"), presets()),
    html("div", { class: "sides" }, left.element, right.element),
    result,
  );
  return { show, refresh: compare };

  /** Buttons for comparisons that the languages and models of the server allow. */
  function presets() {
    const served = new Set(context.languages.map(([code]) => code));
    const pairs = context.models.flatMap((one, index) => {
      const other = context.models.slice(index + 1).find(({ language }) => language && language === one.language);
      return other ? [[one, other]] : [];
    });
    const [one, other] = pairs[0] ?? [];
    const mine = () => preset({ text: OWN, isTree: true, lang: "en" }, { lang: "en" });
    const sentences = () =>
      preset(
        { text: "Ich habe den Mann gesehen, der dich sucht.", lang: "de" },
        { text: "Ich habe den Mann, der dich sucht, gesehen.", lang: "de" },
      );
    const models = () =>
      preset(
        { text: left.text(), lang: one.language ?? "", model: one.name },
        { lang: other.language ?? "", model: other.name },
      );
    return [
      served.has("en") && button("My tree and the parser’s", mine),
      served.has("de") && button("Two sentences", sentences),
      other && button("Two models", models),
    ];
  }

  /**
   * @param {Parameters<Side["set"]>[0]} one
   * @param {Parameters<Side["set"]>[0]} other
   */
  function preset(one, other) {
    const blank = { text: "", lang: "", model: "", isTree: false };
    left.set({ ...blank, ...one });
    right.set({ ...blank, ...other });
    compare();
  }

  /** @param {URLSearchParams} values */
  function show(values) {
    if (values.get("left") === null) {
      if (left.text() || right.text()) keep();
      return;
    }
    if (values.get("left") === left.text() && (values.get("right") ?? "") === right.text()) return;
    left.set({
      text: values.get("left") ?? "",
      lang: values.get("lang") ?? "",
      model: values.get("model") ?? "",
      isTree: values.get("own") === "left" || values.get("own") === "both",
    });
    right.set({
      text: values.get("right") ?? "",
      lang: values.get("rightlang") ?? values.get("lang") ?? "",
      model: values.get("rightmodel") ?? "",
      isTree: values.get("own") === "right" || values.get("own") === "both",
    });
    compare();
  }

  /** Show both sides in the address. */
  function keep() {
    const own = left.isTree() && right.isTree() ? "both" : left.isTree() ? "left" : right.isTree() ? "right" : "";
    writeFragment({
      tab: "compare",
      left: left.text(),
      right: right.text(),
      lang: left.lang(),
      rightlang: right.lang(),
      model: left.model(),
      rightmodel: right.model(),
      own,
    });
  }

  async function compare() {
    window.clearTimeout(timer);
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    keep();
    if (!left.text().trim() && !right.text().trim()) {
      result.replaceChildren();
      return;
    }
    try {
      // A side without text takes the words of the other.
      const [first, second] = left.text().trim() ? [left, right] : [right, left];
      const given = await treesOf(first, null, signal);
      const answer = await treesOf(second, given, signal);
      const [lefts, rights] = first === left ? [given, answer] : [answer, given];
      await draw(lefts, rights);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      result.replaceChildren(html("p", { class: "problem" }, messageOf(error)));
    }
  }

  /**
   * @param {Tree[]} lefts
   * @param {Tree[]} rights
   */
  async function draw(lefts, rights) {
    const count = Math.min(lefts.length, rights.length);
    const pairs = lefts
      .slice(0, count)
      .map((tree, index) => ({ left: tree, right: rights[index], ...{ found: differences(tree, rights[index]) } }));
    const same = pairs.filter(({ found }) => found.isSameWords);
    const scores = same.length
      ? await evaluate(
          same.map((pair) => pair.left),
          same.map((pair) => pair.right),
        )
      : null;
    const parts = [scoreLine(scores, pairs.length - same.length, lefts.length - rights.length)];
    for (const { left: one, right: other, found } of pairs) {
      parts.push(
        html(
          "div",
          { class: "pair" },
          half("Left", one, found.left, left.lang()),
          half("Right", other, found.right, right.lang()),
        ),
      );
    }
    result.replaceChildren(...parts);
  }
}

/** @param {unknown} error */
function messageOf(error) {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^the treebank:(\d+):/u, "Line $1 of the tree:");
}

/**
 * @param {Side} side
 * @param {Tree[] | null} others whose words are parsed if the side has no text
 * @param {AbortSignal} signal
 * @returns {Promise<Tree[]>}
 */
async function treesOf(side, others, signal) {
  const text = side.text().trim();
  const options = { lang: side.lang(), model: side.model() };
  const outcomes = !text
    ? (await parse({ tokens: (others ?? []).map((tree) => tree.words), ...options }, signal)).outcomes
    : side.isTree()
      ? await readTrees(text, undefined, signal)
      : (await parse({ text, ...options }, signal)).outcomes;
  const failed = outcomes.find(({ error }) => error);
  if (failed) throw new Error(failed.error);
  const trees = outcomes.flatMap(({ tree }) => tree ?? []);
  if (!trees.length) throw new Error("There is no tree in this text.");
  return trees;
}

/**
 * @param {Awaited<ReturnType<typeof evaluate>> | null} scores
 * @param {number} others pairs over different words
 * @param {number} more sentences on the left than on the right
 */
function scoreLine(scores, others, more) {
  const figure = (/** @type {number | null} */ value) =>
    typeof value === "number" && Number.isFinite(value) ? value.toFixed(2) : "–";
  const element = html("div", { class: "scores" });
  if (scores) {
    element.append(
      html("p", { class: "score" }, html("b", {}, figure(scores.f1)), " F1"),
      html("p", {}, `precision ${figure(scores.precision)}, recall ${figure(scores.recall)}`),
    );
    const gaps = scores.discontinuous;
    if (gaps && (gaps.gold_brackets || gaps.predicted_brackets))
      element.append(html("p", {}, `discontinuous constituents alone: F1 ${figure(gaps.f1)}`));
    element.append(
      html("p", { class: "hint" }, "Counted as permutree evaluate does: without the root and without punctuation."),
    );
  }
  if (others)
    element.append(
      html(
        "p",
        { class: "hint" },
        "The words differ, so there is no F1: constituents are compared over the words in common, without punctuation.",
      ),
    );
  if (more)
    element.append(
      html(
        "p",
        { class: "hint" },
        `${more > 0 ? "The left side" : "The right side"} has more sentences; those are left out.`,
      ),
    );
  return element;
}

/**
 * @param {string} title
 * @param {Tree} tree
 * @param {Map<number, string>} marks
 * @param {string} lang
 */
function half(title, tree, marks, lang) {
  const line = textLine(tree, "", lang, (active) => {
    line.light(active);
    view.light(active);
  });
  const view = treeView({ tree, lang, marks, onActive: line.light, title: `${title}: ${tree.words.join(" ")}` });
  const count =
    marks.size === 0
      ? "no difference"
      : marks.size === 1
        ? "1 constituent differs"
        : `${marks.size} constituents differ`;
  return html(
    "section",
    { class: "half" },
    html("h3", {}, title, html("span", { class: "fact" }, count)),
    line.element,
    view.element,
  );
}

/**
 * @param {string} title
 * @param {import("./tabs.js").Context} context
 * @param {() => void} onChange
 * @param {string} placeholder
 * @returns {Side}
 */
function side(title, { languages, models }, onChange, placeholder) {
  const area = html("textarea", { id: uniqueId("side"), rows: 3, dir: "auto", spellcheck: "false", placeholder });
  const kind = choice(
    "Source",
    [
      { value: "text", text: "Text, parsed" },
      { value: "tree", text: "A tree of my own" },
    ],
    change,
  );
  const lang = choice(
    "Language",
    [{ value: "", text: "Guess" }, ...languages.map(([code, name]) => ({ value: code, text: name }))],
    change,
  );
  const model = choice(
    "Model",
    [{ value: "", text: "The language’s own" }, ...models.map(({ name }) => ({ value: name, text: name }))],
    change,
  );
  area.addEventListener("input", onChange);
  const element = html(
    "fieldset",
    { class: "side" },
    html("legend", {}, title),
    html("div", { class: "bar" }, kind.element, lang.element, model.element),
    html("label", { for: area.id, class: "visually-hidden" }, `${title}: text or tree`),
    area,
  );
  change();
  return {
    element,
    isTree: () => kind.select.value === "tree",
    text: () => area.value,
    lang: () => lang.select.value,
    model: () => (kind.select.value === "tree" ? "" : model.select.value),
    set({ text, lang: code, model: name, isTree }) {
      if (text !== undefined) area.value = text;
      if (code !== undefined) lang.select.value = languages.some(([known]) => known === code) ? code : "";
      if (name !== undefined) model.select.value = models.some((known) => known.name === name) ? name : "";
      if (isTree !== undefined) kind.select.value = isTree ? "tree" : "text";
      change(null);
    },
  };

  /** @param {string | null} [value] null if a program changed it */
  function change(value) {
    const isTree = kind.select.value === "tree";
    model.element.hidden = isTree;
    area.placeholder = isTree
      ? "Paste discbracket, export, TIGER-XML or any other format that permutree reads"
      : placeholder;
    area.classList.toggle("code", isTree);
    if (value !== undefined && value !== null) onChange();
  }
}
