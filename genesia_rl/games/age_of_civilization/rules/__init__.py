"""The rules, chapter by chapter, as compiled functions.

kernel.py is what a game offers; flow.py says in which order things happen. The chapters: setup, draft,
civilizations (step 1), actions and performing (step 2, section 7), turn (step 3 and the end of the turn), rounds
(the end of a round), scoring. Below them: abilities, counts and effects (section 8), technologies, ask.
"""
