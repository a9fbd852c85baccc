"""An independent referee for Age of Civilization, written from the two rules pages alone (see README.md)."""
