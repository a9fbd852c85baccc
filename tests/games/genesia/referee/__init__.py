"""An independent referee for Genesia, written from the two rules pages alone (see README.md)."""
