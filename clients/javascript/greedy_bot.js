// The move that is best at once: alpha-beta that looks one move ahead.
"use strict";

const { AlphaBetaBot } = require("./alphabeta_bot.js");

new AlphaBetaBot(1, "greedy in JavaScript").run();
