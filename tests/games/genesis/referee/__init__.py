"""An independent referee for Genesis, written from the two rules pages alone (see README.md)."""
