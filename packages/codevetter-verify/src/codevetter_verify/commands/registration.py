"""Under what names, and with what of the environment, agent hosts start the two servers."""

SERVER_NAME = "codevetter-verify"
SCRIPT = "codevetter-verify-mcp"
MODULE = "codevetter_verify.mcp_cli"
VARIABLES = ("CODEVETTER_HOME", "CODEVETTER_BROWSER")
"""Where receipts lie and which browser visits: a registration repeats them when they are set."""

HISTORY_SERVER_NAME = "codevetter-history"
HISTORY_SCRIPT = "codevetter-mcp"
HISTORY_MODULE = "codevetter_verify.history_cli"
HISTORY_VARIABLES = ("CODEVETTER_HOME",)
"""The same for the server that only reads."""
