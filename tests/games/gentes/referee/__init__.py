"""An independent referee for Gentes, written from the two rules pages alone."""
