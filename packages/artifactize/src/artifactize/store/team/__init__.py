"""The database of a team's review store: SQLite, or PostgreSQL."""
