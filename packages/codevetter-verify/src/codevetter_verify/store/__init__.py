"""Receipts, enablements and active runs in SQLite. Rows never leave this package; nothing else imports sqlalchemy."""
