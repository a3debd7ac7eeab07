"""Flags to request to service to text, one function a subcommand."""
