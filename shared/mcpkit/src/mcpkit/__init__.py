"""What every MCP face of the review tools has in common. Importing it loads nothing: take the module you need."""
