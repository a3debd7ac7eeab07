"""The hosts that a server can be registered in; apart from `hosts`, so that a help can name them."""

HOSTS = ("claude", "codex", "cursor", "vscode")
ONE_CONFIGURATION = frozenset({"codex"})
"""Hosts that keep one configuration for all projects, and do not start servers in the project."""
