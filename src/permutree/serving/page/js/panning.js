/** Drag a drawing with the mouse, zoom with Ctrl and the wheel or with two fingers. */

/**
 * @param {HTMLElement} scroller
 * @param {{zoom: (factor: number, x: number, y: number) => void, isBackground: (target: EventTarget | null) => boolean}} options
 */
export function makePannable(scroller, { zoom, isBackground }) {
  /** @type {{x: number, y: number, left: number, top: number} | null} */
  let grip = null;
  scroller.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0 || !isBackground(event.target)) return;
    grip = { x: event.clientX, y: event.clientY, left: scroller.scrollLeft, top: scroller.scrollTop };
    scroller.setPointerCapture(event.pointerId);
    scroller.classList.add("gripped");
  });
  scroller.addEventListener("pointermove", (event) => {
    if (!grip) return;
    scroller.scrollLeft = grip.left - (event.clientX - grip.x);
    scroller.scrollTop = grip.top - (event.clientY - grip.y);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    scroller.addEventListener(name, () => {
      grip = null;
      scroller.classList.remove("gripped");
    });
  }
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    },
    { passive: false },
  );
  let spread = 0;
  const spreadOf = (/** @type {TouchList} */ touches) =>
    Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  scroller.addEventListener(
    "touchstart",
    (event) => (spread = event.touches.length === 2 ? spreadOf(event.touches) : 0),
    { passive: true },
  );
  scroller.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length !== 2 || !spread) return;
      event.preventDefault();
      const now = spreadOf(event.touches);
      const [one, other] = event.touches;
      zoom(now / spread, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
      spread = now;
    },
    { passive: false },
  );
}
