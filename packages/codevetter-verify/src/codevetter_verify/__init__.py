"""T-Rex: a read-only browser visit of a change's deployed preview, kept as a receipt."""

__version__ = "0.1.0"
