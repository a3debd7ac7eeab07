"""Running declared commands: literal arguments, a small environment, private folders, everything bounded."""
