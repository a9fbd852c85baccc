"""The balance laboratory: is the game fair, to whom, and at which level of skill?

settings.py    a configuration to be examined, as a TOML file writes it
arms.py        the series of games that the questions need
figures.py     figures with intervals, gathered shard by shard
first.py       the first player, and the right to choose a place
lots.py        which colour lots make which game
cards.py       what each card is worth, and which cards are kept and played
objectives.py  what each objective is worth
restricted.py  what war, cities, the objective and the draft are worth
skill.py       the same figures along the ladder of policies
difference.py  what a changed rule or card does, on the same deals
run.py         plays, gathers, reports
"""
