"""The cart."""

import unittest

from bookshop.cart import is_empty, total


class Cart(unittest.TestCase):
    """Delivery is free for a large cart."""

    def test_a_small_cart_pays_delivery(self) -> None:
        self.assertEqual(total([1000]), 1420)

    def test_a_large_cart_does_not(self) -> None:
        self.assertEqual(total([1000, 2000]), 3210)

    def test_a_cart_without_books_is_empty(self) -> None:
        self.assertTrue(is_empty([]))
