"""What a change adds to keep findings from being seen: comments, skipped tests, weaker settings."""
