"""The facts of the box: TOML files that an owner may replace, and how they are read."""
