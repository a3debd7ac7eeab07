"""Checks of Go."""
