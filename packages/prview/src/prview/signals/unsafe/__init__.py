"""Unsafe constructs that the change brings, found by reading the language: never in comments or strings."""
