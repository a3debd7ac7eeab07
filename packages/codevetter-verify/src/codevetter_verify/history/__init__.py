"""`codevetter-mcp`: the read-only history server. It cannot execute: nothing that could is imported."""
