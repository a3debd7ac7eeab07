"""Reviews as text: for people, for agents, for a terminal. Pure; repository text is quoted as data."""
