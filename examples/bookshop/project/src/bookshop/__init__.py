"""Prices a cart of books."""
