"""The HTTP service of a team's review store: `artifactize server run`."""
