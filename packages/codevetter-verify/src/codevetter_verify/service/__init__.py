"""What codevetter can do, not knowing who asks: the parts of a run, and what is kept of it."""
