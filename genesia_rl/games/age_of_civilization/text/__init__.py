"""The game as text: words, deals, positions, results, drawings."""
