"""An AlphaZero-style example: self-play in which a search guided by the network teaches the network."""
