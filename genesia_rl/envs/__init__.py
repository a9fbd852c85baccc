"""Environments generated from the contract: every game of the registry gets them free.

aec.py      PettingZoo, every seat an agent        single.py   Gymnasium, one agent against others
spaces.py   observation and action spaces          registration.py   ids, modules, PettingZoo's registry
arguments.py   what configures the game            render.py   text, pixels
"""
