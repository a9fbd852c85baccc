"""genesia_rl: the board game Genesia as an environment for reinforcement learning.

Importing the package makes its environments known to Gymnasium by their ids; nothing is compiled or
loaded for that.
"""

from genesia_rl.envs.registration import register

__version__ = "0.1.0"

register()
