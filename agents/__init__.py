"""Agents that play Genesia: one file each, one protocol (`genesia_rl.seen.Player`), one registry of codes."""
