"""The window: pictures of positions, replays, play in the browser."""
