"""The client of a team's review store."""
