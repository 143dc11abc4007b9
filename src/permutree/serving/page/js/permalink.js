/** The state of the page in the fragment of its address, which browsers do not send to servers. */

import { copy } from "./clipboard.js";
import { announce } from "./notices.js";

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

/** Characters that all browsers take in an address. */
const LONGEST = 60_000;

/**
 * Show the state in the address, without a step in the history; a text that is too long for it is left out.
 *
 * @param {Record<string, string>} values
 */
export function writeFragment(values) {
  if (fragment(values).length > LONGEST) values = { tab: values.tab ?? "" };
  history.replaceState(null, "", `${location.pathname}${location.search}${fragment(values)}`);
}

/**
 * Copy a link to a state; it holds the text itself, so nothing is stored on the server.
 *
 * @param {Record<string, string>} values
 */
export function copyLink(values) {
  if (fragment(values).length > LONGEST) announce("The text is too long for a link. Download its trees instead.", true);
  else copy(`${location.origin}${location.pathname}${fragment(values)}`, "Link copied. It holds the text itself.");
}
