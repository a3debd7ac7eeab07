"""What a cart costs. Amounts are whole cents."""

from bookshop.gifts import WRAPPING
from bookshop.prices import with_vat

FREE_DELIVERY_FROM = 3000
DELIVERY = 350


def total(net_prices: list[int], *, gift: bool = False) -> int:
    """The shelf prices of the books, wrapping for a gift, and delivery for a small cart."""
    books = sum(with_vat(net) for net in net_prices) + (WRAPPING if gift else 0)
    return books if books >= FREE_DELIVERY_FROM else books + DELIVERY
