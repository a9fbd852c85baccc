"""Pig, a dice game in few lines: what a game needs to get everything that this package has for games.

On its turn a seat throws a die. A 1 loses the turn and what it has brought so far; after anything else the seat may
throw again, or hold: then the turn's points are its own. Whoever reaches the target first wins; when the dice
that were dealt are used up, whoever has most.
"""
