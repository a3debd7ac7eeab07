"""Numbered SQL files, run in order on open; a released one never changes."""
