"""Games between agents by the thousand, for the arena, the balance laboratory and whoever measures an agent.

entrant.py     an agent, and what it has to go without
seating.py     who sits where: every deal in all seatings, or in a balanced part of them
variations.py  what varies in a game, in all combinations
play.py        many games side by side, decision by decision
games.py       finished games as analyses see them
series.py      a series of games cut into shards, and its tables
progress.py    playing what a folder lacks, and telling how far it is
evaluate.py    one agent against others, every deal from every seat
selfplay.py    games of random play or of a network, wholly in compiled calls
"""
