"""How a repository wants its files seen, and the settings that keep its content filters from running."""

from dataclasses import dataclass

from oskit.git._command import OK_OR_NO, in_repository
from oskit.git._location import Location
from oskit.git.errors import GitError

_KEYS = r"^(filter\..*\.(clean|smudge|process|required)|core\.filemode)$"
_NO = frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True)
class Rules:
    """`settings` switch every filter off; `file_mode` and `lfs` are what the configuration says."""

    settings: tuple[str, ...]
    file_mode: bool
    lfs: bool


async def read_rules(location: Location) -> Rules:
    """Read the configuration that decides what a changed file is; GitError when a filter must run."""
    listing = await in_repository(location, ("config", "-z", "--get-regexp", _KEYS), accept=OK_OR_NO)
    records = listing.stdout.decode("utf-8", "surrogateescape").split("\0")
    pairs = [(key, value) for key, _, value in (record.partition("\n") for record in records)]
    filters = sorted({key for key, _ in pairs if key.startswith("filter.")})
    modes = [value.lower() for key, value in pairs if key == "core.filemode"]
    return Rules(
        settings=tuple(_switched_off(key, location) for key in filters),
        file_mode=not modes or modes[-1] not in _NO,
        lfs=any(key.startswith("filter.lfs.") for key in filters),
    )


def _switched_off(key: str, location: Location) -> str:
    if "=" in key:  # `git -c` would take the name for shorter than it is, and the filter would run
        raise GitError(
            f"{location.shown} has a content filter that cannot be switched off: `=` in {key!r}.",
            "Rename the filter in the repository's configuration.",
        )
    return f"{key}={'false' if key.endswith('.required') else ''}"
