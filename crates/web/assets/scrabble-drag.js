/**
 * Dragging with mouse, pen or finger. A press that does not move stays a click.
 * @module
 */

/** How far a press must move to be a drag. */
const FAR = 6;

export class Drag {
  #hooks;
  #start = null;
  #flying = null;

  /**
   * @param {HTMLElement} page
   * @param {{tile: (e: Element) => any, picture: (tile: any) => HTMLElement, may: () => boolean,
   *   onto: (tile: any, element: Element | null) => void}} hooks
   */
  constructor(page, hooks) {
    this.#hooks = hooks;
    page.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", () => this.#drop());
    // A drag that ends over what it began on would click it, too.
    page.addEventListener(
      "click",
      (event) => {
        if (!this.#ended || performance.now() - this.#ended > 80) return;
        event.stopPropagation();
        event.preventDefault();
      },
      true,
    );
  }
  #ended = 0;

  #down(event) {
    if (event.button !== 0 || !this.#hooks.may()) return;
    const tile = this.#hooks.tile(event.target);
    if (tile) this.#start = { tile, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  #move(event) {
    if (!this.#start || event.pointerId !== this.#start.pointer) return;
    const { tile, x, y } = this.#start;
    if (!this.#flying && Math.hypot(event.clientX - x, event.clientY - y) > FAR) {
      this.#flying = this.#hooks.picture(tile);
      document.body.append(this.#flying);
      document.body.classList.add("scr-dragging");
    }
    if (!this.#flying) return;
    event.preventDefault();
    this.#flying.style.left = `${event.clientX}px`;
    this.#flying.style.top = `${event.clientY}px`;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
    if (under !== this.#over) {
      this.#over?.classList.remove("over");
      under?.classList.add("over");
      this.#over = under;
    }
  }
  #over = null;

  #up(event) {
    if (!this.#start || event.pointerId !== this.#start.pointer) return;
    const { tile } = this.#start;
    const flew = this.#flying !== null;
    this.#drop();
    if (!flew) return;
    this.#ended = performance.now();
    this.#hooks.onto(tile, document.elementFromPoint(event.clientX, event.clientY));
  }

  #drop() {
    this.#start = null;
    this.#flying?.remove();
    this.#flying = null;
    this.#over?.classList.remove("over");
    this.#over = null;
    document.body.classList.remove("scr-dragging");
  }
}
