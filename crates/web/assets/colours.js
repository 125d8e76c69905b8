/**
 * Colours of the stylesheet for those who draw on a canvas, light or dark.
 * @module
 */

import { h } from "./dom.js";

/**
 * What some colours are now; asked of an element, because variables are not resolved.
 * @param {Element} root
 * @param {Record<string, string>} wanted CSS colours by name
 * @returns {Record<string, string>}
 */
export function colours(root, wanted) {
  const probe = h("span", { hidden: true });
  root.append(probe);
  const found = {};
  for (const [name, colour] of Object.entries(wanted)) {
    probe.style.color = colour;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

/** A clean canvas of a size, as sharp as the screen. */
export function cleanPen(canvas, width, height) {
  const sharp = devicePixelRatio || 1;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  return pen;
}
