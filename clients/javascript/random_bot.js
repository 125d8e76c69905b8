// Any legal move of any game, by dice of its own.
"use strict";

const { Bot } = require("./wits_bot.js");

class RandomBot extends Bot {
  name = "random in JavaScript";
  deterministic = true;

  choose(turn) {
    return turn.legal[Math.floor(this.dice() * turn.legal.length)];
  }
}

new RandomBot().run();
