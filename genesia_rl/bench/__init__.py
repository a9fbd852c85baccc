"""How fast a game and its environments are: what `bench` measures."""
