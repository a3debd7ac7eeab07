"""The cart."""

import unittest

from bookshop.cart import total


class Cart(unittest.TestCase):
    """Delivery is free for a large cart."""

    def test_a_small_cart_pays_delivery(self) -> None:
        self.assertEqual(total([1000]), 1420)

    def test_a_large_cart_does_not(self) -> None:
        self.assertEqual(total([1000, 2000]), 3210)
