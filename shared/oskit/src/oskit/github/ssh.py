"""Names that a user gives to hosts in the configuration of ssh (pure)."""

import re

_LINE = re.compile(r"\s*(\w+)(?:\s*=\s*|\s+)(.*?)\s*")


def ssh_host_name(configuration: str, alias: str) -> str | None:
    """The `HostName` of `alias`; None when the configuration does not say one in plain words.

    Patterns, `Match` blocks and included files are not looked into: nothing is guessed, nothing runs.
    """
    applies = False
    for line in configuration.splitlines():
        found = _LINE.fullmatch(line)
        if found is None or line.lstrip().startswith("#"):
            continue
        keyword, value = found[1].lower(), found[2].strip('"')
        if keyword in {"host", "match"}:
            applies = keyword == "host" and alias in value.lower().split()
        elif applies and keyword == "hostname":
            return value.lower()
    return None
