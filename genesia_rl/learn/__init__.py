"""`genesia train`: self-play in a league with MaskablePPO, cloning, evaluation and data sets."""
