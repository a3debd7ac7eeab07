"""Breaking changes: what worked for a caller before the change and does not after it.

Only files that the change touches are read, and the few that re-export them; nothing is imported or executed.
"""
