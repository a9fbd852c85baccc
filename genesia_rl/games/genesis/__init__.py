"""Genesis, a board game by Reiner Knizia; `RULES.md` and `PROTOCOL.md` in this folder say what it is."""
