"""The shelf price."""

import unittest

from bookshop.prices import with_vat


class ShelfPrice(unittest.TestCase):
    """VAT is added and rounded half up."""

    def test_vat_is_added(self) -> None:
        self.assertEqual(with_vat(1000), 1070)

    def test_half_a_cent_rounds_up(self) -> None:
        self.assertEqual(with_vat(50), 54)
