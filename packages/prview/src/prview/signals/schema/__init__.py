"""What a change does to databases: destructive statements, edited and conflicting migrations."""
