"""What a book costs. Amounts are whole cents."""

import os

VAT_PERCENT = 7


def with_vat(net: int) -> int:
    """The price on the shelf, rounded half up."""
    return (net * (100 + VAT_PERCENT) + 50) // 100
