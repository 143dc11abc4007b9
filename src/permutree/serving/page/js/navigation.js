/** Which node a key leads to. */

/**
 * @param {import("./view.js").View} view
 * @param {number} node
 * @param {string} key
 * @returns {number} -1 if it leads nowhere
 */
export function navigate(view, node, key) {
  const size = view.leaves.length;
  const parent = view.parents[node];
  if (key === "ArrowUp") return parent;
  if (key === "ArrowDown") return node < size ? -1 : view.children[node][0];
  if (key === "Home") return size;
  if (key === "End") return size - 1;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return -1;
  const step = key === "ArrowLeft" ? -1 : 1;
  if (node < size) return node + step >= 0 && node + step < size ? node + step : -1;
  const siblings = parent < 0 ? [node] : view.children[parent];
  return siblings[siblings.indexOf(node) + step] ?? -1;
}
