"""What the machine provides: processes, read-only git, files, locks, folders, the terminal."""
