"""The state: one SQLite database. Rows never leave this package; everything else sees the models."""
