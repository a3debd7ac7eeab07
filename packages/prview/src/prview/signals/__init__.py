"""What a reviewer would notice about a change as a whole; each module says one thing about it."""
