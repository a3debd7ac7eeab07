"""Checks of Rust."""
