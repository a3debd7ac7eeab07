"""Where a remote's address points on a GitHub host (pure)."""

import re
from dataclasses import dataclass, field

PUBLIC_HOST = "github.com"
_ALSO_PUBLIC = frozenset({"www.github.com", "ssh.github.com"})
_ADDRESS = re.compile(
    r"(?:(?P<scheme>https?|ssh|git)://(?:[^@/]*@)?(?P<host>[^/:@]+)(?::\d+)?/|(?:[^@/:]+@)?(?P<scp>[^/:@]+):/?)"
    r"(?P<owner>[A-Za-z0-9._-]{1,100})/(?P<name>[A-Za-z0-9._-]{1,100}?)(?:\.git)?/?"
)


@dataclass(frozen=True)
class HostedRepository:
    """A repository on a GitHub host; `by_ssh` when its host may be a name of the user's ssh configuration."""

    host: str
    owner: str
    name: str
    by_ssh: bool = field(default=False, compare=False)

    @property
    def slug(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.name}"

    @property
    def full_name(self) -> str:
        """`owner/name`, with the host where it is not the public one, as `gh --repo` takes it."""
        return self.slug if self.host == PUBLIC_HOST else f"{self.host}/{self.slug}"

    @property
    def api(self) -> str:
        """Where the host's REST API lies."""
        return "https://api.github.com" if self.host == PUBLIC_HOST else f"https://{self.host}/api/v3"

    def is_same(self, other: "HostedRepository") -> bool:
        """Whether both are one repository: GitHub does not tell upper case from lower."""
        return (self.host, self.slug.lower()) == (other.host, other.slug.lower())


def hosted(url: str) -> HostedRepository | None:
    """Read `https://…`, `ssh://…` and `git@host:owner/name.git`; None for what is no such address."""
    found = _ADDRESS.fullmatch(url)
    if found is None or found["name"] in {".", ".."} or found["owner"] in {".", ".."}:
        return None
    host = (found["host"] or found["scp"]).lower()
    host = PUBLIC_HOST if host in _ALSO_PUBLIC else host
    return HostedRepository(host, found["owner"], found["name"], by_ssh=found["scheme"] in {None, "ssh"})
