"""Whether changed source is tested: by the tests there are, and by a coverage report where one is true."""
