"""JSON from GitHub's REST API: through `gh`, with a token, or anonymously."""

import ipaddress
import json
import os
from pathlib import Path
from urllib.parse import urlsplit

from oskit.github.remotes import HostedRepository
from oskit.process import ProcessError, clean_environment, find_program, run

TOKEN_VARIABLES = ("GH_TOKEN", "GITHUB_TOKEN")
ANSWER_S = 20.0
"""Seconds that one answer may take."""

MAX_ANSWER = 8 * 1024 * 1024
"""Bytes of an answer that are read."""

_GH_KEEPS = (
    *TOKEN_VARIABLES, "GH_HOST", "GH_CONFIG_DIR", "GH_ENTERPRISE_TOKEN", "XDG_CONFIG_HOME", "HTTPS_PROXY",
    "https_proxy", "NO_PROXY", "no_proxy",
)  # fmt: skip
_SIGNED_OUT = 4
"""What `gh` ends with when it wants somebody to log in (`gh help exit-codes`)."""

_HINT = "set GH_TOKEN, or log in with `gh auth login`"
_OK, _NOT_FOUND = 200, 404
_LIMITED = frozenset({403, 429})


class GitHubError(Exception):
    """GitHub gave no usable answer; `message` says why, `hint` what to do."""

    def __init__(self, message: str, hint: str = _HINT) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class GitHub:
    """Reads one repository's API. `api` is another base address than the host's own."""

    def __init__(self, repository: HostedRepository, *, api: str | None = None) -> None:
        self.repository = repository
        self._other = api
        self._token = token()
        self._gh = None if api or self._token else find_program("gh")

    async def get(self, path: str) -> object:
        """What the API answers below `/repos/OWNER/NAME/`; raises GitHubError."""
        where = f"repos/{self.repository.slug}/{path}"
        if self._gh is not None:
            answer = await self._through_gh(self._gh, where)
            if answer is not None:
                return _understood(answer, where)
            self._gh = None  # nobody is signed in: ask openly from now on
        return _understood(await self._through_http(where), where)

    async def _through_gh(self, program: str, where: str) -> bytes | None:
        """The answer; None when `gh` is not signed in."""
        words = ("api", "--hostname", self.repository.host, "--method", "GET", where)
        fixed = {"GH_PROMPT_DISABLED": "1", "NO_COLOR": "1", "GH_NO_UPDATE_NOTIFIER": "1"}
        env = clean_environment(keep=_GH_KEEPS, add=fixed)
        try:
            completed = await run(
                (program, *words), cwd=Path("/"), env=env, deadline_s=ANSWER_S, capture_limit=MAX_ANSWER
            )
        except ProcessError as exc:
            raise GitHubError(f"gh could not be started: {exc}") from exc
        if completed.timed_out:
            raise GitHubError(f"gh did not answer within {ANSWER_S:g} s")
        said = completed.stderr.decode("utf-8", "replace").strip()
        if completed.returncode == _SIGNED_OUT or "gh auth login" in said:
            return None
        if not completed.ok:
            raise GitHubError(f"gh said: {said.splitlines()[0] if said else 'nothing'} ({where})")
        if completed.stdout_total > len(completed.stdout):
            raise _too_large(where)
        return completed.stdout

    async def _through_http(self, where: str) -> bytes:
        import httpx  # deferred: reading git needs no HTTP

        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            async with (
                httpx.AsyncClient(timeout=ANSWER_S) as client,
                client.stream("GET", f"{self._base()}/{where}", headers=headers) as answer,
            ):
                body = b""
                async for chunk in answer.aiter_bytes():
                    body += chunk
                    if len(body) > MAX_ANSWER:
                        raise _too_large(where)
        except httpx.HTTPError as exc:
            raise GitHubError(f"GitHub did not answer: {type(exc).__name__}: {exc}") from exc
        if answer.status_code != _OK:
            raise self._refused(answer.status_code, answer.headers.get("x-ratelimit-remaining"), where)
        return body

    def _base(self) -> str:
        """The API's address, when it may be asked."""
        address = (self._other or self.repository.api).rstrip("/")
        if may_carry_a_token(address):
            return address
        raise GitHubError(f"{address} is neither https nor an address of this machine", "use https")

    def _refused(self, status: int, remaining: str | None, where: str) -> GitHubError:
        if status in _LIMITED and remaining == "0":
            return GitHubError(f"GitHub's rate limit is used up (HTTP {status})")
        hidden = "" if self._token else ", or it is private and there is no token"
        if status == _NOT_FOUND:
            return GitHubError(f"GitHub has no {where}{hidden} (HTTP 404)")
        return GitHubError(f"GitHub answered with HTTP {status} to {where}")


def way_to_ask() -> str:
    """In words, how GitHub would be asked from here; whether `gh` is signed in shows when it is asked."""
    if token():
        return "with a token"
    return f"through {program}" if (program := find_program("gh")) else "anonymously"


def may_carry_a_token(address: str) -> bool:
    """Whether a token may be sent to an address: in the clear only within this machine."""
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and _is_here(parts.hostname or ""))


def token() -> str | None:
    """The token of our environment, if there is one."""
    return next((value for name in TOKEN_VARIABLES if (value := os.environ.get(name))), None)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _too_large(where: str) -> GitHubError:
    return GitHubError(f"GitHub's answer to {where} is larger than {MAX_ANSWER // 1024 // 1024} MiB")


def _understood(data: bytes, where: str) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as exc:
        raise GitHubError(f"GitHub's answer to {where} is not JSON") from exc
