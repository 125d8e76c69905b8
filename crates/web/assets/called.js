/**
 * What people call whoever plays by a spec: `engine:level=3,book=true` is "Othello engine, level 3". The server says
 * the same of the players of a table.
 * @module
 */

import { known, word } from "./words.js";

/** The settings that tell one machine from another of its kind. */
const SETTINGS = ["level", "depth", "rollouts", "nodes", "seconds"];

/** @param {string} spec */
export function called(spec) {
  const [id, ...rest] = String(spec).split(":");
  const key = `machine-${id}`;
  const name = known(key) ? word(key) : id;
  const plain = rest.join(":").replace(/\{[^}]*\}/gu, "");
  const values = new Map(plain.split(",").map((pair) => pair.split("=")));
  // Where positions are only a limit, they say nothing about how a machine plays.
  const setting = SETTINGS.find((one) => values.has(one) && (one !== "nodes" || id === "mcts"));
  return setting ? word(`machine-with-${setting}`, { name, n: values.get(setting) }) : name;
}

/** A sentence that names a machine by its spec, with what people call it. */
export function inWords(text, spec) {
  return text && spec ? text.replaceAll(spec, called(spec)) : (text ?? "");
}

/** What stands in a text as programs write it: a name and its settings. */
const SPEC = /\b([a-z][a-z0-9-]*):([a-z][a-z0-9_-]*=[^\s;()+]*[^\s;()+.,:…])/gu;

/** A text in which whoever goes by a spec goes by a name: a machine by its own, a pipeline by its settings in words. */
export function named(text) {
  return String(text ?? "").replace(SPEC, (spec, id, settings) => (known(`machine-${id}`) ? called(spec) : settled(id, settings)));
}

/** Several names, told apart by all their settings where what people call them is the same. */
export function apart(names) {
  const short = names.map(named);
  if (new Set(short).size === new Set(names).size) return short;
  return names.map((name) => name.replace(SPEC, (_, id, settings) => settled(known(`machine-${id}`) ? word(`machine-${id}`) : id, settings)));
}

function settled(name, settings) {
  return `${name} (${settings.replaceAll("=", " ").replaceAll(",", ", ")})`;
}
