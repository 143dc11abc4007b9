/** The state of the page in the fragment of its address, which browsers do not send to servers. */

/** @returns {URLSearchParams} */
export function readFragment() {
  return new URLSearchParams(location.hash.slice(1));
}

/**
 * @param {Record<string, string>} values empty ones are left out
 * @returns {string} a fragment with its #
 */
export function fragment(values) {
  const filled = Object.entries(values).filter(([, value]) => value);
  return filled.length ? `#${new URLSearchParams(filled)}` : "";
}

/**
 * Show the state in the address, without a step in the history.
 *
 * @param {Record<string, string>} values
 */
export function writeFragment(values) {
  history.replaceState(null, "", `${location.pathname}${location.search}${fragment(values)}`);
}

/**
 * The whole address.
 *
 * @param {Record<string, string>} values
 */
export function permalink(values) {
  return `${location.origin}${location.pathname}${fragment(values)}`;
}
