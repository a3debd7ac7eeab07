"""What the MCP faces of the review tools have in common. Importing it loads nothing: take a module."""
