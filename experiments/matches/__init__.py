"""Games between agents by the thousand, for the arena and the balance laboratory.

entrant.py   an agent, and what it has to go without
seating.py   who sits where: every deal in all seatings, or in a balanced part of them
lots.py      the lots of the Ages, in all combinations
play.py      many games side by side, decision by decision
series.py    a series of games cut into shards, and its tables
progress.py  playing what a folder lacks, and telling how far it is
"""
