"""Where a change is most likely to go wrong."""
