"""Review packs for a branch, and one merge verdict."""
