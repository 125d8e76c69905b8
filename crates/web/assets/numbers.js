/**
 * Numbers as the language of the page writes them.
 * @module
 */

const lang = globalThis.document?.documentElement.lang || "en";

/** `12345` as `12,345`. */
export function grouped(number) {
  return Number(number).toLocaleString(lang, { useGrouping: "always" });
}

/** A number with so many places after the point, which is a comma in some languages. */
export function fixed(number, places) {
  const shown = Number(number).toLocaleString(lang, { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: "always" });
  return shown.replace("-", "−");
}

/** A worth from a thread: `"inf"` and `"-inf"` are numbers there, too; `null` where there is none. */
export function number(value) {
  if (value === "inf" || value === "+inf") return Infinity;
  if (value === "-inf") return -Infinity;
  return typeof value === "number" ? value : null;
}

/** A worth with its sign, short enough for a node of a tree: `+1`, `−0.25`, `+∞`. */
export function signed(value) {
  const n = number(value);
  if (n === null) return value === null || value === undefined ? "" : String(value);
  const sign = n < 0 ? "−" : n > 0 ? "+" : "";
  return sign + plain(Math.abs(n));
}

/** A number with at most three places after the point. */
export function plain(n) {
  if (n === Infinity) return "∞";
  if (n === -Infinity) return "−∞";
  if (Number.isInteger(n)) return grouped(n);
  const places = Math.abs(n) >= 100 ? 0 : Math.abs(n) >= 10 ? 1 : 3;
  return Number(n.toFixed(places)).toLocaleString(lang, { maximumFractionDigits: places, useGrouping: "always" }).replace("-", "−");
}

/** Milliseconds as a clock shows them: `1:05`, and tenths in the last ten seconds. */
export function clock(ms) {
  const left = Math.max(0, ms);
  if (left < 10000) return fixed(Math.ceil(left / 100) / 10, 1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
