"""The rules, chapter by chapter, as compiled functions.

kernel.py is what a game offers; flow.py says in which order things happen. The chapters: setup (RULES 3), seats
(citizens, track and cubes: RULES 1 and 4), cards (display, decks, what a card in play adds), needs and places, sources
and abilities (which actions are possible: PROTOCOL 2), acting (RULES 5 and 6), gains (RULES 9), errands (questions
in the middle of an effect), extras (RULES 8), bonus (RULES 7), decline and scoring (RULES 10). Below them: ask.
"""
