"""T-Rex: a read-only browser visit of a change's deployed preview, kept as a receipt."""
