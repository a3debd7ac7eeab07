"""`python -m artifactize` is the `artifactize` command."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing costs more than a whole look at a small project
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line as the whole process; what has not changed is answered before click is loaded."""
    words = sys.argv[1:]
    if "verify" in words or "status" in words:
        from artifactize.commands.quick import answer_quickly  # deferred, both: only one of them is needed

        answer_quickly(words)
    from artifactize.cli import main as run_everything

    run_everything()


if __name__ == "__main__":
    main()
