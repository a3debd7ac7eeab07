"""Under what name, and with what of the environment, agent hosts start the execution server."""

SERVER_NAME = "codevetter-verify"
SCRIPT = "codevetter-verify-mcp"
MODULE = "codevetter_verify.mcp_cli"
VARIABLES = ("CODEVETTER_HOME", "CODEVETTER_BROWSER")
"""Where receipts lie and which browser visits: a registration repeats them when they are set."""
