"""The rules, chapter by chapter. `kernel.py` is the table of contents.

A rules file has up to three parts: what is legal (`ask_*` poses a decision), what an action does
(`apply_*` trusts that it is legal) and what happens when the phase closes (`close_*`). `s` is the
record of a game (state.py), `t` the record of tables (tables.py).
"""
