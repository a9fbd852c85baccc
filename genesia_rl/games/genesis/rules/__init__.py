"""The rules, chapter by chapter. `kernel.py` is the table of contents.

`s` is the record of a game (state.py), `t` the record of tables (tables.py). A function `ask_*` poses a
decision, an `apply_*` does what an action does and trusts that it is legal.
"""
