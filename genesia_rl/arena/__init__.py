"""The arena: which agent is stronger, and how sure are we?

league.py   who meets whom, in how many games
tally.py    first places, ranks, points, who ends before whom: gathered shard by shard
ratings.py  one fit of all games (Plackett and Luce, with ties), intervals over blocks
duel.py     a test of two agents that stops as soon as it is sure
report.py   the page, the tables
"""
