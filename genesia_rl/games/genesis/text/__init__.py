"""The game as text: words, actions, deals, positions, results, drawings."""
