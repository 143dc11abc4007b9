/** Makes elements of HTML and SVG. Text is always text, never mark-up. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Content
 * @typedef {Record<string, any>} Attributes `onclick` and the like are listeners; true and false set and leave out
 */

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Content | Content[])} content
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function html(name, attributes = {}, ...content) {
  return fill(document.createElement(name), attributes, content);
}

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Content | Content[])} content
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, ...content) {
  return fill(/** @type {any} */ (document.createElementNS(SVG, name)), attributes, content);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} attributes
 * @param {(Content | Content[])[]} content
 * @returns {Made}
 */
function fill(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const part of content.flat()) {
    if (part !== null && part !== undefined && part !== false) element.append(/** @type {any} */ (part));
  }
  return element;
}

let counter = 0;

/**
 * A name that no other element has.
 *
 * @param {string} stem
 */
export function uniqueId(stem) {
  counter += 1;
  return `${stem}-${counter}`;
}

/**
 * A button with a text.
 *
 * @param {string} text
 * @param {(event: MouseEvent) => void} action
 * @param {Attributes} [attributes]
 */
export function button(text, action, attributes = {}) {
  return html("button", { type: "button", onclick: action, ...attributes }, text);
}

/**
 * A labelled choice.
 *
 * @param {string} label
 * @param {{value: string, text: string}[]} options
 * @param {(value: string) => void} action
 * @param {string} [value]
 */
export function choice(label, options, action, value = "") {
  const id = uniqueId("choice");
  const select = html(
    "select",
    { id, onchange: () => action(select.value) },
    options.map((option) => html("option", { value: option.value, selected: option.value === value }, option.text)),
  );
  return { element: html("span", { class: "choice" }, html("label", { for: id }, label), select), select };
}
