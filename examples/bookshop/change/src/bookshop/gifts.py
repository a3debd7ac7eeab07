"""What a gift costs. Amounts are whole cents."""

import json

from bookshop.prices import with_vat

WRAPPING = 250


def wrapped(net: int, copies: int = 1) -> int:
    """The shelf price of a book as a present: one wrapping for all copies."""
    return with_vat(net) * copies + WRAPPING
