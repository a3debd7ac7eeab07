"""References in the reviewed commit to what the change deleted or renamed."""
