"""Conversations with models that review: `review` in `reviewing`, the words of both sides in `contract`."""
