"""`python -m artifactize` is the `artifactize` command."""

from artifactize.cli import main

if __name__ == "__main__":
    main()
