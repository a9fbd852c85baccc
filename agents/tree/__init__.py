"""Information-set Monte Carlo tree search, compiled.

arena.py     the memory of a search: nodes, edges, the table that finds a node by its key
keys.py      what each seat has seen since the root: two positions with one key are one node
grow.py      one simulation: draw the hidden, descend, expand, play out, back up
entries.py   what Python calls
"""
