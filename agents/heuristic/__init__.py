"""One parametrised heuristic behind the scripted agents and the search: weights are data (`weights.toml`).

plan.py       weights and what follows from them for a game: one record that compiled code reads
cards.py      what a card or an objective is worth before it is played
evaluate.py   what a position is worth for a seat, in points of the final score
settle.py     obvious answers to the questions that follow from an action
choose.py     one decision ahead: a score for every legal action
entries.py    what Python calls
"""
