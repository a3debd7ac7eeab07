"""What artifactize decides: pure functions over frozen values; no clock, no files, no processes."""
