"""Any legal move of any game, by dice of its own."""

from wits_bot import Bot


class RandomBot(Bot):
    name = "random in Python"
    deterministic = True

    def choose(self, turn):
        return self.dice.choice(turn.legal)


if __name__ == "__main__":
    RandomBot().run()
