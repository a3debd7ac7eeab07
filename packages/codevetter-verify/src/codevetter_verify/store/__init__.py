"""Receipts, enablements and active runs in SQLite. Rows never leave this package.

Nothing else imports sqlalchemy.
"""
