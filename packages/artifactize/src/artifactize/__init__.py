"""Reviews that are reused while they still hold."""
