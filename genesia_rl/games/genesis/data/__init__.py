"""The board and the pieces: data files that an owner of the box may replace, and their reading."""
