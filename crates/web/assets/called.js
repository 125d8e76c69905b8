/**
 * What people call whoever plays by a spec: `engine:level=3,book=true` is "Othello engine, level 3". The server says
 * the same of the players of a table.
 * @module
 */

import { h } from "./dom.js";
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

/** A text as nodes, with what is written as programs write it marked as such: pipelines go by their settings. */
export function coded(text) {
  const parts = String(text ?? "").split(/(\b[a-z][a-z0-9-]*:[a-z][a-z_-]*=[^\s,;]+)/u);
  return parts.map((part, i) => (i % 2 ? h("code", {}, part) : part));
}
