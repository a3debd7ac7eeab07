"""What callers of a changed interface run into: interfaces as symbols, and rules that compare two of them."""
