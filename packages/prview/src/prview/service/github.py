"""Asks GitHub what a pull request is: with a token through its REST API, else through `gh`, else openly.

Only the numbers and names of the pull request come from here; commits come through git.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from oskit.github import TOKEN_VARIABLES, HostedRepository, may_carry_a_token
from oskit.github import token as token_of_ours
from oskit.process import ProcessError, clean_environment, find_program, run
from prview.domain.pull_request import GH_FIELDS, PullRequest, from_gh, from_rest
from prview.errors import RunFailedError

if TYPE_CHECKING:
    import httpx

API_VARIABLE = "PRVIEW_GITHUB_API"
ANSWER_S = 20.0
"""Seconds that GitHub, or `gh`, may take to answer."""

MAX_ANSWER = 4 * 1024 * 1024
"""Bytes of an answer that are read."""

_GH_KEEPS = (
    *TOKEN_VARIABLES,
    "GH_HOST",
    "GH_CONFIG_DIR",
    "GH_ENTERPRISE_TOKEN",
    "HTTPS_PROXY",
    "https_proxy",
)


async def pull_request(repository: HostedRepository, number: int) -> PullRequest:
    """Return what GitHub says of it. Raises RunFailedError with the reason and the way out."""
    token = token_of_ours()
    program = find_program("gh")
    if program and not token and not os.environ.get(API_VARIABLE):
        return await _through_gh(program, repository, number)
    return await _through_api(repository, number, token)


async def _through_gh(program: str, repository: HostedRepository, number: int) -> PullRequest:
    words = ("pr", "view", str(number), "--repo", repository.full_name, "--json", GH_FIELDS)
    env = clean_environment(
        keep=_GH_KEEPS, add={"GH_PROMPT_DISABLED": "1", "NO_COLOR": "1", "GH_NO_UPDATE_NOTIFIER": "1"}
    )
    try:
        completed = await run((program, *words), cwd=Path("/"), env=env, deadline_s=ANSWER_S)
    except ProcessError as exc:
        raise _no_answer(repository, number, f"gh could not be started: {exc.message}") from exc
    if completed.timed_out:
        raise _no_answer(repository, number, f"gh did not answer within {ANSWER_S:g} s")
    if not completed.ok:
        said = completed.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _no_answer(repository, number, f"gh said: {said[0] if said else 'nothing'}")
    return _understood(from_gh(_json(completed.stdout)), repository, number)


async def _through_api(repository: HostedRepository, number: int, token: str | None) -> PullRequest:
    import httpx  # deferred: only pull requests need it

    url = f"{_api(repository)}/repos/{repository.owner}/{repository.name}/pulls/{number}"
    headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        async with (
            httpx.AsyncClient(timeout=ANSWER_S) as client,
            client.stream("GET", url, headers=headers) as answer,
        ):
            body = await _bounded(answer)
    except httpx.HTTPError as exc:
        raise _no_answer(repository, number, f"{type(exc).__name__}: {exc}") from exc
    if answer.status_code != httpx.codes.OK:
        raise _refused(answer, repository, number, token=token is not None)
    return _understood(from_rest(_json(body)), repository, number)


async def _bounded(answer: httpx.Response) -> bytes:
    body = b""
    async for chunk in answer.aiter_bytes():
        body += chunk
        if len(body) > MAX_ANSWER:
            raise RunFailedError(f"GitHub's answer is larger than {MAX_ANSWER // 1024 // 1024} MiB")
    return body


def _api(repository: HostedRepository) -> str:
    """The API's address. Raises RunFailedError where a token would travel in the clear."""
    address = (os.environ.get(API_VARIABLE) or repository.api).rstrip("/")
    if may_carry_a_token(address):
        return address
    raise RunFailedError(
        f"{API_VARIABLE}={address} is neither https nor an address of this machine", hint="use https"
    )


def _refused(
    answer: httpx.Response, repository: HostedRepository, number: int, *, token: bool
) -> RunFailedError:
    status = answer.status_code
    if status in {403, 429} and answer.headers.get("x-ratelimit-remaining") == "0":
        return _no_answer(repository, number, f"GitHub's rate limit is used up (HTTP {status})")
    if status == 404:  # noqa: PLR2004 - not found, or hidden
        hidden = "" if token else ", or it is private and there is no token"
        return _no_answer(repository, number, f"there is no such pull request{hidden} (HTTP 404)")
    return _no_answer(repository, number, f"GitHub answered with HTTP {status}")


def _no_answer(repository: HostedRepository, number: int, why: str) -> RunFailedError:
    return RunFailedError(
        f"pull request {number} of {repository.full_name} could not be looked up: {why}",
        hint="set GH_TOKEN, or log in with `gh auth login`; or fetch the branch and review it by name",
    )


def _understood(found: PullRequest | None, repository: HostedRepository, number: int) -> PullRequest:
    if found is None or found.number != number:
        raise _no_answer(repository, number, "the answer has not the documented form")
    return found


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
