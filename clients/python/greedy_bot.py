"""The move that is best at once: alpha-beta that looks one move ahead."""

from alphabeta_bot import AlphaBetaBot

if __name__ == "__main__":
    bot = AlphaBetaBot(1)
    bot.name = "greedy in Python"
    bot.run()
