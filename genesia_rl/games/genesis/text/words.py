"""Terrains, tiles and dice in words and in letters (PROTOCOL 3)."""

from __future__ import annotations

from genesia_rl.games.genesis.data.pieces import Pieces
from genesia_rl.games.genesis.names import FACE_LETTERS, FACES, TERRAINS

FREE, NOT_IN_USE = "..", "##"
COLOURS = ("green", "yellow", "brown", "blue")

#: PROTOCOL 3: what two dice can show, by the number of the roll; every face is on both (data/pieces.py).
ROLLS = tuple(a + b for a in FACE_LETTERS for b in FACE_LETTERS)
ROLLS_ALLOWED = f"two of the letters {' '.join(FACE_LETTERS)}, one for each die"


def roll_text(roll: int) -> str:
    """PROTOCOL 3: a roll as two letters."""
    return ROLLS[roll]


def face_name(letter: str) -> str:
    """A face in words."""
    return FACES[FACE_LETTERS.index(letter)]


def terrain_text(terrain: int, pieces: Pieces) -> str:
    """A terrain as people read it."""
    name = TERRAINS[terrain]
    faces = " and ".join(str(die.count(name)) for die in pieces.dice)
    return "\n".join(
        [
            f"terrain {terrain}: {name} ({COLOURS[terrain]}, {FACE_LETTERS[terrain]} in traces)",
            f"  tiles     {pieces.tiles} of every seat",
            f"  faces     {faces} of the two dice",
        ]
    )
