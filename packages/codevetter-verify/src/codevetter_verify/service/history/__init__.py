"""What the read-only history server can answer: nothing in here starts a browser, visits or writes."""
