/**
 * The few lines of DOM work that every other file needs.
 *
 * Text only ever becomes text nodes and attributes, never HTML: what a thread file or another
 * player wrote can then not become markup.
 * @module
 */

const SVG = "http://www.w3.org/2000/svg";

/** Gives an element its attributes; `on…` functions become listeners, `false` and `null` nothing. */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/**
 * An HTML element with attributes and children; strings among the children become text.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | number | null)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The same for SVG. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Whether things may move: asked each time, because the reader may change their mind. */
export function mayMove() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Sets a text only where it differs, so that live regions do not repeat themselves. */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}
