/**
 * Reads the text of a thread: a header, steps, a footer, each one line of JSON.
 * @module
 */

/** The version of the format that is read here. */
const VERSION = 1;
/** Lines read before the page may breathe. */
const SLICE = 5000;

/** A line that is not what belongs there. The message names the line, as people count them. */
export class BrokenThread extends Error {
  constructor(line, what) {
    super(`line ${line}: ${what}`);
    this.line = line;
  }
}

function parse(text, line, expected) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BrokenThread(line, `this is not ${expected} of a thread (${error.message})`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new BrokenThread(line, `this is not ${expected} of a thread (an object is expected)`);
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
    if (footer) throw new BrokenThread(last, "there is something after the end of the thread; remove it");
    if (!header) {
      header = parse(line, last, "the header");
      if (typeof header.thread !== "number") throw new BrokenThread(last, "this is not the header of a thread (`thread` is missing)");
      if (header.thread > VERSION) throw new BrokenThread(last, `the thread has version ${header.thread}, and this page reads up to ${VERSION}; use a newer wits`);
      continue;
    }
    const value = parse(line, last, "a step");
    if (value.end) {
      footer = value;
      if (footer.kept !== undefined && footer.kept !== steps.length) {
        throw new BrokenThread(last, `the footer says ${footer.kept} steps were kept, and there are ${steps.length}`);
      }
      continue;
    }
    if (typeof value.kind !== "string" || typeof value.at !== "number") throw new BrokenThread(last, "this is not a step of a thread (`at` or `kind` is missing)");
    if (steps.length && steps.at(-1).at >= value.at) throw new BrokenThread(last, `step ${value.at} comes too late; steps are in order`);
    value.data ??= {};
    value.text ??= "";
    steps.push(value);
    if (steps.length % SLICE === 0) await new Promise((resume) => setTimeout(resume));
  }
  if (!header) throw new BrokenThread(1, "the file is empty; a thread begins with its header");
  if (!footer) throw new BrokenThread(last, "the file ends before the thread does; its last line says `\"end\":true`");
  return { header, steps, footer };
}
