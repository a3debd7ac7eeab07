"""Who owns the changed files, and who knows them."""
