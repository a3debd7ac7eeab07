"""Presents."""

import unittest

from bookshop.cart import total
from bookshop.gifts import wrapped


class Gift(unittest.TestCase):
    """Wrapping is paid once."""

    def test_wrapping_is_paid_once_for_all_copies(self) -> None:
        self.assertEqual(wrapped(1000, copies=2), 2390)

    def test_a_gift_in_the_cart_pays_wrapping(self) -> None:
        self.assertEqual(total([1000], gift=True), 1670)
