"""Configurations that together use every field."""

VARIANTS = {
    **{f"players{n}": {"players": n} for n in (2, 3, 4)},
    "short2": {"players": 2, "target": 10, "sides": 12},
}
