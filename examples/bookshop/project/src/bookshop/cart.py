"""What a cart costs. Amounts are whole cents."""

from bookshop.prices import with_vat

FREE_DELIVERY_FROM = 3000
DELIVERY = 350


def total(net_prices: list[int]) -> int:
    """The shelf prices of the books, and delivery for a small cart."""
    books = sum(with_vat(net) for net in net_prices)
    return books if books >= FREE_DELIVERY_FROM else books + DELIVERY


def is_empty(net_prices: list[int]) -> bool:
    """Whether there is nothing to pay for."""
    return not net_prices
