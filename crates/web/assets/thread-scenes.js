/**
 * Positions of a thread as scenes. A page has no rules of its own: they come from the server, many at
 * once, and are kept.
 * @module
 */

/** How many positions are asked for at once. */
export const BATCH = 256;

export class Scenes {
  /** By line: a scene, `null` where there is none, nothing while it is not known. */
  #known = new Map();

  /**
   * @param {{game?: string, subject?: string}} header
   * @param {string | null} src where the thread comes from: a game that is played here knows its own positions
   */
  constructor({ game, subject }, src) {
    this.game = game;
    this.subject = subject;
    const [, id, ply] = /^\/games\/([^/]+)\/thread\/(\d+)$/u.exec(src ?? "") ?? [];
    this.table = id ? [id, Number(ply)] : null;
  }

  /** What is known of a line of moves, given as the text of a list. */
  get(line) {
    return this.#known.get(line);
  }

  has(line) {
    return this.#known.has(line);
  }

  /** Asks for the positions after some lines. */
  async ask(lines) {
    const wanted = lines.filter((line) => !this.#known.has(line)).slice(0, BATCH);
    if (!wanted.length) return;
    let scenes = [];
    try {
      const body = JSON.stringify({ game: this.game, subject: this.subject, table: this.table, lines: wanted.map((line) => JSON.parse(line)) });
      const reply = await fetch("/api/house/scene", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (reply.ok) ({ scenes } = await reply.json());
    } catch {
      // Without a server there are sentences and a tree, and no boards.
    }
    wanted.forEach((line, i) => this.#known.set(line, scenes[i] ?? null));
  }
}
