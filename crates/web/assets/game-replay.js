/**
 * Stepping through a game: the board as it stood after any move.
 *
 * The server knows the rules and draws every position; the last few are remembered here. The newest
 * position is the game itself, which goes on meanwhile.
 * @module
 */

export class Replay {
  #base;
  #state = null;
  #at = null;
  #known = new Map();
  #turn = 0;

  /**
   * @param {string} base the address of the game
   * @param {(scene: object | null, ply: number | null) => void} show called with the scene to show, or with
   *   `null` for the game as it is
   */
  constructor(base, show) {
    this.#base = base;
    this.show = show;
  }

  /** Whether an earlier position is shown. */
  get away() {
    return this.#at !== null;
  }

  /** A new state has come: the reader is taken back to the game when a move was made. */
  follow(state) {
    const moved = !this.#state || state.moves.length !== this.#state.moves.length;
    this.#state = state;
    if (moved) {
      this.#known.clear();
      this.#at = null;
    }
  }

  /** One step: `first`, `back`, `on` or `last`. */
  step(where) {
    if (!this.#state?.can?.replay) return;
    const end = this.#state.moves.length;
    const now = this.#at ?? end;
    this.go({ first: 0, back: now - 1, on: now + 1, last: end }[where] ?? now);
  }

  /** Shows the board after so many moves. */
  async go(count) {
    const end = this.#state?.moves.length ?? 0;
    const ply = Math.max(0, Math.min(count, end));
    const turn = ++this.#turn;
    if (ply === end) {
      this.#at = null;
      this.show(null, null);
      return;
    }
    this.#at = ply;
    if (!this.#known.has(ply)) {
      const reply = await fetch(`${this.#base}/at/${ply}`).catch(() => null);
      if (!reply?.ok) return;
      this.#known.set(ply, (await reply.json()).scene);
    }
    if (turn === this.#turn) this.show(this.#known.get(ply), ply);
  }
}
