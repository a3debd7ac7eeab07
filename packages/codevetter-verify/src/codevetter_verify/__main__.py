"""`python -m codevetter_verify` is `codevetter`."""

from codevetter_verify.cli import main

main()
