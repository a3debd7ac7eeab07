"""The tools of reviewers: built-in readers of what an eval covers, and commands that declarations offer."""
