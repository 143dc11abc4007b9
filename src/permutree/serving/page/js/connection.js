/** Says when the server is gone, and goes on when it is back. */

import { isHealthy, watchServer } from "./api.js";
import { html } from "./elements.js";

const PAUSE = 2500;

/** @param {() => void} onReturn */
export function watchConnection(onReturn) {
  const banner = html(
    "div",
    { class: "banner", role: "alert", hidden: true },
    html("b", {}, "The server does not answer."),
    " Trees that are here stay, but nothing new is parsed. Start it again with ",
    html("code", {}, "permutree serve"),
    "; this page will notice.",
  );
  document.querySelector("main")?.prepend(banner);
  let isGone = false;
  watchServer((isThere) => {
    if (isThere === !isGone) return;
    isGone = !isThere;
    banner.hidden = isThere;
    if (isGone) look();
    else onReturn();
  });

  async function look() {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (isGone && !(await isHealthy()) && isGone) look();
  }
}
