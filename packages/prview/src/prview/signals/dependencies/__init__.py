"""What a change does to what the project depends on, read from manifests and lock files."""
