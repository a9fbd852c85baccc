"""How fast everything is (README.md)."""
