"""Results as text for people: pure functions of the models."""
