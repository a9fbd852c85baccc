"""Many games in one call: batches, and the vector environments that stand on them.

Batch          all seats: every row is "the seat to act" (for self-play trainers)
LearnerBatch   one learner in every game against opponents that are asked in batches
gym.py         gymnasium.vector.VectorEnv      sb3.py   stable-baselines3 VecEnv
"""

from genesia_rl.vector.batch import Batch, LearnerBatch

__all__ = ["Batch", "LearnerBatch"]
