"""The monitor in a terminal (extra `artifactize[tui]`): looks at every Run of a state, changes nothing."""
