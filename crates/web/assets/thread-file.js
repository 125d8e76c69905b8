/**
 * Reads the text of a thread: a header, steps, a footer, each one line of JSON.
 * @module
 */

import { word } from "./words.js";

/** The version of the format that is read here. */
const VERSION = 2;
/** Lines read before the page may breathe. */
const SLICE = 5000;

/** A line that is not what belongs there. The message names the line, as people count them. */
export class BrokenThread extends Error {
  constructor(line, what) {
    super(word("file-line", { line, what }));
    this.line = line;
  }
}

function parse(text, line, expected) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BrokenThread(line, word(expected, { detail: error.message }));
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new BrokenThread(line, word(expected, { detail: word("file-object") }));
  }
  return value;
}

/**
 * Reads a thread.
 * @param {string} text
 * @returns {Promise<{header: any, steps: any[], footer: any | null}>}
 * @throws {BrokenThread}
 */
export async function readThread(text) {
  const lines = text.split("\n");
  let header = null;
  let footer = null;
  const steps = [];
  let last = 0;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i].trim();
    if (!line) continue;
    last = i + 1;
    if (footer) throw new BrokenThread(last, word("file-after"));
    if (!header) {
      header = parse(line, last, "file-header");
      if (typeof header.thread !== "number") throw new BrokenThread(last, word("file-header", { detail: word("file-lacks", { name: "thread" }) }));
      if (header.thread > VERSION) throw new BrokenThread(last, word("file-version", { found: header.thread, known: VERSION }));
      continue;
    }
    const value = parse(line, last, "file-step");
    if (value.end) {
      footer = value;
      if (footer.kept !== undefined && footer.kept !== steps.length) {
        throw new BrokenThread(last, word("file-kept", { kept: footer.kept, found: steps.length }));
      }
      continue;
    }
    if (typeof value.kind !== "string" || typeof value.at !== "number") throw new BrokenThread(last, word("file-step", { detail: word("file-lacks", { name: "at, kind" }) }));
    if (steps.length && steps.at(-1).at >= value.at) throw new BrokenThread(last, word("file-order", { step: value.at }));
    value.data ??= {};
    value.text ??= "";
    steps.push(value);
    if (steps.length % SLICE === 0) await new Promise((resume) => setTimeout(resume));
  }
  if (!header) throw new BrokenThread(1, word("file-empty"));
  if (!footer) throw new BrokenThread(last, word("file-cut"));
  return { header, steps, footer };
}
