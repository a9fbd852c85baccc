"""genesia_rl: the board game Genesia as an environment for reinforcement learning."""

__version__ = "0.1.0"
