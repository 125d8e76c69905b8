// Play at the tables of wits: one file, Node's own modules only.
//
//   const { Bot } = require("./wits_bot.js");
//   new (class Mine extends Bot {
//     choose(turn) {
//       return turn.legal[Math.floor(this.dice() * turn.legal.length)];
//     }
//   })().run();
//
// `wits` starts such a program itself: node mine.js. With a token it plays on a server, too:
//
//   node mine.js --server URL --token TOKEN [--join LINK] [--play GAME]
//
// `console.log` does no harm: what is printed goes to standard error.
"use strict";

const fs = require("node:fs");
const http = require("node:http");
const https = require("node:https");
const readline = require("node:readline");
const { parseArgs } = require("node:util");

const RESIGN = Symbol("resign");

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function dice(seed) {
  let state = (seed ^ (seed / 4294967296)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A program that plays. Override `choose`; the rest is optional. */
class Bot {
  name = undefined;
  version = "1";
  deterministic = false;

  /** A game begins: `hello` tells game, seat and seed; `this.dice` is seeded from it. */
  start(hello) {}

  /** What to play: one of `turn.legal`, or `{ move, say, lines: [{ moves, value }] }`, or `RESIGN`. */
  choose(turn) {
    throw new Error("choose(turn) is missing");
  }

  /** The game has ended; `end.payoffs` has what each seat gets. */
  over(end) {}

  /** Moves were taken back until `to` of them stand. */
  undo(to) {}

  /** The house did not take the last answer. */
  wrong(error) {
    console.error(error.message);
  }

  /** The answer to one line of the house; nothing where none is due. */
  answer(line) {
    if ("hello" in line) {
      this.dice = dice(line.seed);
      this.start(line);
      return { name: this.name ?? this.constructor.name, version: this.version, deterministic: this.deterministic };
    }
    if ("legal" in line) {
      const choice = this.choose(line);
      if (choice === RESIGN) return { turn: line.id, resign: true };
      return typeof choice === "string" ? { turn: line.id, move: choice } : { turn: line.id, ...choice };
    }
    if ("over" in line) this.over(line);
    else if ("undo" in line) this.undo(line.undo);
    else if ("error" in line) this.wrong(line.error);
    return undefined;
  }

  /** Plays until standard input ends; on a server, where one is named, until somebody stops it. */
  run() {
    console.log = console.info = console.error;
    const asked = commandLine();
    if (asked.server) {
      if (asked.token) return new Seats(this, asked).run();
      console.error("a token is needed: --token, or WITS_TOKEN in the environment");
      return process.exit(2);
    }
    const lines = readline.createInterface({ input: process.stdin, terminal: false });
    lines.on("line", (text) => {
      if (text.trim() === "") return;
      const reply = this.answer(JSON.parse(text));
      if (reply !== undefined) fs.writeSync(1, JSON.stringify(reply) + "\n");
    });
    return undefined;
  }
}

/** What the command line and the environment ask for. */
function commandLine() {
  const text = { type: "string" };
  const options = { server: text, token: text, join: text, play: text, opponent: text, seat: text };
  const { values } = parseArgs({ options, strict: false });
  const server = values.server ?? process.env.WITS_SERVER ?? (values.join && new URL(values.join).origin);
  return { opponent: "random", seat: "1", ...values, server, token: values.token ?? process.env.WITS_TOKEN };
}

/** The server does not want this program. */
class Refused extends Error {}

/** What the server says against something, and what to do. */
function message(told) {
  const error = told.error ?? told;
  return [error.message, error.hint].filter(Boolean).join("; ");
}

/** A copy of a bot for one more table. */
function copy(value, seen = new Map()) {
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) return structuredClone(value);
  const twin = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
  seen.set(value, twin);
  for (const key of Object.keys(value)) twin[key] = copy(value[key], seen);
  return twin;
}

const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/** The tables of a bot on a server: turns come in one stream, answers are posted. */
class Seats {
  static SILENCE = 15000; // The server gives a sign of life every 5 s.

  constructor(bot, asked) {
    this.bot = bot;
    this.asked = asked;
    this.server = new URL(asked.server);
    this.door = this.server.protocol === "https:" ? https : http;
    this.posts = new this.door.Agent({ keepAlive: true, maxSockets: 1 });
    this.tables = new Map(); // For each table a bot of its own, and the last turn it answered.
    this.practice = undefined;
  }

  /** Plays until somebody stops it; what is lost on the way is found again. */
  async run() {
    let wait = 0.2;
    for (;;) {
      try {
        for await (const line of this.listen()) {
          wait = 0.2;
          if (await this.hear(line)) return process.exit(0);
        }
      } catch (why) {
        if (why instanceof Refused) {
          console.error(`${this.bot.constructor.name}: ${why.message}`);
          return process.exit(1);
        }
        console.error(`no connection (${why.message}); trying again`);
      }
      await sleep(wait);
      wait = Math.min(2 * wait, 5);
    }
  }

  /** Sends a request; an answer whose head was read. */
  send(method, path, body, agent) {
    const headers = { Authorization: `Bearer ${this.asked.token}`, Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    return new Promise((done, failed) => {
      const options = { method, headers, agent, timeout: Seats.SILENCE };
      const request = this.door.request(new URL(path, this.server), options, done);
      request.on("timeout", () => request.destroy(new Error("nothing was heard for 15 s")));
      request.on("error", failed);
      request.end(body && JSON.stringify(body));
    });
  }

  async request(method, path, body, agent) {
    for (;;) {
      const response = await this.send(method, path, body, agent);
      if (response.statusCode !== 429) return response;
      response.resume();
      await sleep(Number(response.headers["retry-after"] ?? 1));
    }
  }

  /** Posts something; the status and what was answered. To post it once more does no harm. */
  async post(path, body) {
    const once = () => this.request("POST", path, body, this.posts);
    const response = await once().catch(once);
    let text = "";
    for await (const part of response.setEncoding("utf8")) text += part;
    const status = response.statusCode;
    if (status >= 500) throw new Error(`status ${status}`);
    const told = JSON.parse(text);
    if (status === 401 || status === 403) throw new Refused(message(told));
    return [status, told];
  }

  /** The lines of the stream, until it breaks off. */
  async *listen() {
    const response = await this.request("GET", "/api/bot/stream", undefined, new this.door.Agent());
    response.setEncoding("utf8");
    if (response.statusCode !== 200) {
      let text = "";
      for await (const part of response) text += part;
      if ([401, 403].includes(response.statusCode)) throw new Refused(message(JSON.parse(text)));
      throw new Error(`status ${response.statusCode}`);
    }
    await this.begin();
    let rest = "";
    for await (const part of response) {
      const lines = (rest + part).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
    }
  }

  /** What the command line asked for, once. */
  async begin() {
    const { join, play, opponent, seat } = this.asked;
    const ask = async (path, body) => {
      const [status, told] = await this.post(path, body);
      if (status >= 400) throw new Refused(message(told));
      return told;
    };
    if (join) {
      const told = await ask("/api/bot/join", { tournament: join });
      console.error(`joined ${told.title}: ${told.page}`);
      this.asked.join = undefined;
    }
    if (play) {
      this.asked.play = undefined;
      this.practice = (await ask("/api/bot/play", { game: play, opponent, seat })).id;
    }
  }

  /** Does what a line asks for; true when the practice game is over. */
  async hear(line) {
    const table = line.table;
    if (table === undefined) {
      if ("error" in line) throw new Refused(message(line));
      return false;
    }
    const known = this.tables.get(table);
    // The connection was lost; the bot of this table still knows its game.
    if ("hello" in line && known) return false;
    const { bot, turn, reply: before } = known ?? { bot: copy(this.bot) };
    const again = before !== undefined && line.id !== undefined && line.id === turn;
    let reply = again ? before : await this.answer(bot, line);
    this.tables.set(table, { bot, turn: line.id, reply });
    for (let status = 422; reply !== undefined && status === 422; ) {
      let told;
      [status, told] = await this.post("/api/bot/answer", reply);
      if (status >= 400) bot.wrong({ message: message(told) });
      if (status === 422) reply = "crash" in reply ? undefined : await this.answer(bot, line);
    }
    if ("over" in line) {
      this.tables.delete(table);
      if (table === this.practice) {
        process.stdout.write(`${line.why}, payoffs ${JSON.stringify(line.payoffs)}\n`);
        return true;
      }
    }
    return false;
  }

  /** What a bot answers; where it breaks down, what to tell its author. */
  async answer(bot, line) {
    try {
      return await bot.answer(line);
    } catch (error) {
      console.error(error.stack);
      return { turn: line.id, crash: String(error.stack) };
    }
  }
}

module.exports = { Bot, RESIGN };
