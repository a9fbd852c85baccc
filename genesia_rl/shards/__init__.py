"""Big simulations in deterministic shards: run anywhere, stopped and resumed, merged bit for bit."""
