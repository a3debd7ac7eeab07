"""A server on mcpkit with a tool for everything that may go well or wrong in one. `python -m` runs it."""
