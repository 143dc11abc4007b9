/** How wide texts are, in the fonts of the style sheet. */

/** Sizes in pixels; `tree.css` has the same. */
export const SIZES = { word: 17, tag: 11, label: 13.5 };

/** @typedef {keyof typeof SIZES} Kind */

/** @type {CanvasRenderingContext2D | null} */
let context = null;
/** @type {Record<string, string>} */
const fonts = {};
/** @type {Map<string, number>} */
const known = new Map();

/**
 * @param {string} text
 * @param {Kind} kind
 */
export function measure(text, kind) {
  const key = `${kind} ${text}`;
  let width = known.get(key);
  if (width === undefined) {
    context ??= document.createElement("canvas").getContext("2d");
    if (!context) return text.length * SIZES[kind] * 0.6;
    fonts[kind] ??= fontOf(kind);
    context.font = fonts[kind];
    width = context.measureText(text).width;
    if (known.size > 50_000) known.clear();
    known.set(key, width);
  }
  return width;
}

/** @param {Kind} kind */
function fontOf(kind) {
  const family = getComputedStyle(document.documentElement).getPropertyValue(kind === "word" ? "--serif" : "--sans");
  return `${kind === "label" ? "600 " : ""}${SIZES[kind]}px ${family.trim()}`;
}
