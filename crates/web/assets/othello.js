/**
 * The analysis board of Othello: the engine's scores of every move, and classical searches to follow.
 * @module
 */

import { h } from "./dom.js";
import { Scores } from "./othello-scores.js";
import { review } from "./review.js";

const main = document.querySelector("main.oth-page");
if (main) start();

function start() {
  const find = (what) => main.querySelector(what);
  const scores = new Scores(find(".oth-scores"), find("wits-board"));

  /** The search as one thread, or minimax and alpha-beta side by side. */
  function follow(form) {
    const fields = new URLSearchParams(new FormData(form));
    const src = (method) => {
      fields.set("method", method);
      return `/othello/thread?${fields}`;
    };
    const place = find("#threads");
    if (fields.get("method") === "both") {
      place.replaceChildren(h("wits-threads", {}, h("wits-thread", { src: src("minimax") }), h("wits-thread", { src: src("alphabeta") })));
    } else {
      place.replaceChildren(h("wits-thread", { src: src(fields.get("method")) }));
    }
  }

  main.addEventListener("submit", (event) => {
    if (!event.target.matches(".oth-follow")) return;
    event.preventDefault();
    follow(event.target);
  });
  review(main, { parts: ["#breakdown", "#thread"], ready: () => scores.watch(main.dataset.board) });
}
