"""The hosts that a server can be registered in; apart from `hosts`, so that a help can name them."""

HOSTS = ("claude", "codex", "cursor", "vscode")
