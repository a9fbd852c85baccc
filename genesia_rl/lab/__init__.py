"""The balance laboratory: is a game fair, to whom, and at which level of skill?

What can be asked beyond the first player follows from what the game declares (core/lab.py).

settings.py    a configuration to be examined, as a TOML file writes it
arms.py        the series of games that the questions need
figures.py     figures with intervals, gathered shard by shard
traits.py      what games are like, in numbers
first.py       the first player, and the right to choose a place
varied.py      what varies from deal to deal, and which game it makes
items.py       what things are worth that seats hold, and which are taken and used
offers.py      what things are worth that are dealt by chance and kept by choice
restricted.py  what those things are worth that a player may go without
skill.py       the same figures along the ladder of policies
difference.py  what a change does, on the same deals
run.py         plays, gathers, reports; the sections of the page are in pages_*.py
"""
