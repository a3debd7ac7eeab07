"""Run this folder's tests with the standard library alone: python3 tests/run.py"""

import sys
import unittest
from pathlib import Path

here = Path(__file__).parent
sys.path.insert(0, str(here.parent / "src"))
found = unittest.defaultTestLoader.discover(str(here))
sys.exit(not unittest.TextTestRunner(verbosity=2).run(found).wasSuccessful())
