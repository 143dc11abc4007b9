/** Trees as files and in the clipboard. */

import { jsonLine, write } from "./api.js";
import { copy } from "./clipboard.js";
import { writeDiscbracket } from "./discbracket.js";
import { button, html } from "./elements.js";
import { announce } from "./notices.js";

/** @typedef {import("./tree.js").Tree} Tree */

/** @type {{name: string, text: string, suffix: string, isMany: boolean, isText: boolean}[]} */
const FORMATS = [
  { name: "svg", text: "SVG picture", suffix: "svg", isMany: false, isText: true },
  { name: "png", text: "PNG picture", suffix: "png", isMany: false, isText: false },
  { name: "latex", text: "LaTeX (TikZ)", suffix: "tex", isMany: true, isText: true },
  { name: "discbracket", text: "discbracket", suffix: "discbracket", isMany: true, isText: true },
  { name: "export", text: "export", suffix: "export", isMany: true, isText: true },
  { name: "tigerxml", text: "TIGER-XML", suffix: "xml", isMany: true, isText: true },
  { name: "json", text: "JSON", suffix: "json", isMany: true, isText: true },
  { name: "html", text: "HTML page", suffix: "html", isMany: true, isText: true },
];

/**
 * @param {Tree[]} trees
 * @param {string} format
 * @returns {Promise<Blob>}
 */
async function content(trees, format) {
  // These two need no server.
  if (format === "json") return new Blob([trees.map(jsonLine).join("\n"), "\n"], { type: "application/json" });
  if (format === "discbracket") return new Blob([trees.map(writeDiscbracket).join("\n"), "\n"], { type: "text/plain" });
  try {
    return await write(trees, format);
  } catch (error) {
    if (format !== "png") throw error;
    return pixels(await write(trees, "svg"));
  }
}

/**
 * A picture in pixels, made by the browser where the server has no library for it.
 *
 * @param {Blob} picture
 * @returns {Promise<Blob>}
 */
async function pixels(picture) {
  const address = URL.createObjectURL(picture);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = html("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large."))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = html("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * A file name from the first words.
 *
 * @param {Tree[]} trees
 */
function stem(trees) {
  const words = trees[0].words
    .slice(0, 4)
    .join("-")
    .replace(/[^\p{L}\p{N}-]/gu, "")
    .replace(/-+/gu, "-");
  return (trees.length > 1 ? "trees" : words.replace(/^-|-$/gu, "").slice(0, 40)) || "tree";
}

/**
 * Menus to download and to copy.
 *
 * @param {() => Tree[]} trees
 * @returns {HTMLElement[]}
 */
export function downloadMenus(trees) {
  const isMany = trees().length > 1;
  const offered = FORMATS.filter((format) => format.isMany || !isMany);
  return [
    menu("Download", offered, async (format) =>
      save(await content(trees(), format.name), `${stem(trees())}.${format.suffix}`),
    ),
    menu(
      "Copy",
      offered.filter((format) => format.isText),
      async (format) => copy(await (await content(trees(), format.name)).text(), `${format.text} copied.`),
    ),
  ];
}

document.addEventListener("click", ({ target }) => {
  for (const open of document.querySelectorAll("details.menu[open]")) {
    if (target instanceof Node && !open.contains(target)) open.removeAttribute("open");
  }
});

/**
 * @template {{text: string}} Format
 * @param {string} title
 * @param {Format[]} formats
 * @param {(format: Format) => Promise<void>} action
 */
export function menu(title, formats, action) {
  const details = html("details", { class: "menu" }, html("summary", {}, title));
  const run = async (/** @type {Format} */ format) => {
    close();
    try {
      await action(format);
    } catch (error) {
      announce(error instanceof Error ? error.message : String(error), true);
    }
  };
  details.append(
    html(
      "ul",
      {},
      formats.map((format) =>
        html(
          "li",
          {},
          button(format.text, () => run(format)),
        ),
      ),
    ),
  );
  details.addEventListener("keydown", (event) => event.key === "Escape" && close());
  details.addEventListener("focusout", (event) => {
    if (event.relatedTarget instanceof Node && !details.contains(event.relatedTarget)) details.open = false;
  });
  return details;

  function close() {
    const hadFocus = details.contains(document.activeElement);
    details.open = false;
    if (hadFocus) details.querySelector("summary")?.focus();
  }
}
