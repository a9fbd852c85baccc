"""What an agent thinks of every decision of a recorded game: README.md."""
