/**
 * The page of analysis of games whose room has none of its own.
 * @module
 */

import { review } from "./review.js";

const main = document.querySelector("main.review");
if (main) review(main);
