"""Checks of workflow files: what CI runs with the rights of the repository."""
