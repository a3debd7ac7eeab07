"""GitHub, as far as the tools read it: where a remote points, and JSON from the REST API.

Answers come through `gh` where it is installed and signed in, with a token through HTTPS, else anonymously.
"""

from oskit.github.api import TOKEN_VARIABLES, GitHub, GitHubError, may_carry_a_token, token, way_to_ask
from oskit.github.remotes import PUBLIC_HOST, HostedRepository, hosted
from oskit.github.ssh import ssh_host_name

__all__ = [
    "PUBLIC_HOST",
    "TOKEN_VARIABLES",
    "GitHub",
    "GitHubError",
    "HostedRepository",
    "hosted",
    "may_carry_a_token",
    "ssh_host_name",
    "token",
    "way_to_ask",
]
