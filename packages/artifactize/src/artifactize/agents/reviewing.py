"""One review by a model, from its task to how it ended."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, cast

import anyio

from artifactize.agents.budget import Budget
from artifactize.agents.contract import STOPPING, AgentFault, Review
from artifactize.agents.conversation import Conversation
from artifactize.agents.session_file import SessionFile

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from artifactize.agents.contract import AgentTask, StoppedBackends
    from artifactize.agents.turns import Provider
    from artifactize.agents.verdict import ParsedVerdict

_APIS = {
    "openai": ("artifactize.agents.openai_responses", "OpenAIConversation"),
    "anthropic": ("artifactize.agents.anthropic_messages", "AnthropicConversation"),
}
_MS = 1000
_logger = logging.getLogger(__name__)


async def review(
    task: AgentTask,
    *,
    stopped: StoppedBackends,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> Review:
    """Let a model review. Every failure is a Review with verdict ERROR; only cancellation is raised.

    A failure that would repeat itself (AUTHENTICATION, QUOTA) stops the backend in `stopped`.
    """
    return await _Reviewing(task, sleep).review(stopped)


def open_provider(task: AgentTask) -> Provider:
    """Return a conversation with a provider's API; nothing is sent yet. Raises AgentFault."""
    module, name = _APIS[task.backend]
    try:
        found = getattr(import_module(module), name)
    except ModuleNotFoundError as failure:
        extra = f"artifactize[{task.backend}]"
        words = f"{task.backend} needs {failure.name}, which is not installed; install {extra}"
        raise AgentFault("AGENT_ERROR", words) from failure
    return cast("Provider", found(task))


class _Reviewing:
    def __init__(self, task: AgentTask, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._task = task
        self._sleep = sleep
        self._budget = Budget(task.limits)
        self._session = SessionFile(task.session_file, task.environment)

    async def review(self, stopped: StoppedBackends) -> Review:
        backend = self._task.backend
        if backend in stopped.reasons:
            return self._failed(
                AgentFault("BACKEND_STOPPED", f"{backend} was stopped: {stopped.reasons[backend]}")
            )
        try:
            return await self._bounded()
        except AgentFault as fault:
            if fault.code in STOPPING:
                stopped.stop(backend, self._session.masked(f"{fault.code}: {fault.message}"))
            return self._failed(fault)
        except Exception as failure:
            _logger.exception("a review by %s failed in a way that nobody foresaw", backend)
            return self._failed(AgentFault("AGENT_ERROR", f"{type(failure).__name__}: {failure}"))
        except anyio.get_cancelled_exc_class():
            self._session.add("error", code="CANCELLED", message="the review was cancelled")
            raise

    async def _bounded(self) -> Review:
        timeout_s = self._task.limits.timeout_ms / _MS
        try:
            with anyio.fail_after(timeout_s):
                self._write_task()
                verdict = await self._verdict(anyio.current_time() + timeout_s)
                await self._check(verdict)
        except TimeoutError as failure:
            raise AgentFault("TIMEOUT", f"there was no verdict within {timeout_s:g} s") from failure
        return self._concluded(verdict)

    async def _verdict(self, deadline: float) -> ParsedVerdict:
        if self._task.backend not in _APIS:
            from artifactize.agents.command_lines import CommandLineReview

            return await CommandLineReview(self._task, self._session, self._budget).verdict()
        provider = open_provider(self._task)
        try:
            conversation = Conversation(
                provider,
                self._task,
                session=self._session,
                budget=self._budget,
                deadline=deadline,
                sleep=self._sleep,
            )
            return await conversation.verdict()
        finally:
            with anyio.CancelScope(shield=True):
                await provider.close()

    async def _check(self, verdict: ParsedVerdict) -> None:
        wrong = None if self._task.check is None else await self._task.check(verdict.json)
        if wrong is not None:
            raise AgentFault("RESULT_CHECK_FAILED", wrong)

    def _write_task(self) -> None:
        task = self._task
        tools: list[str] = [spec.name for spec in task.tools.specs]
        self._session.add(
            "task",
            backend=task.backend,
            model=task.model,
            dated_alias=task.dated_alias,
            effort=task.effort,
            system=task.system,
            prompt=task.prompt,
            tools=[*tools],
        )

    def _concluded(self, verdict: ParsedVerdict) -> Review:
        self._session.add(
            "verdict", verdict=verdict.verdict, summary=verdict.summary, fields=dict(verdict.fields)
        )
        return Review(
            verdict=verdict.verdict,
            code=None,
            message=verdict.summary,
            session_file=self._task.session_file,
            fields=verdict.fields,
            usages=tuple(self._budget.usages),
            attempts=self._attempts(),
            tool_calls=self._budget.tool_calls,
        )

    def _failed(self, fault: AgentFault) -> Review:
        message = self._session.masked(fault.message)
        self._session.add("error", code=fault.code, message=message)
        return Review(
            verdict="ERROR",
            code=fault.code,
            message=message,
            session_file=self._task.session_file,
            usages=tuple(self._budget.usages),
            attempts=self._attempts(),
            tool_calls=self._budget.tool_calls,
        )

    def _attempts(self) -> int:
        return sum(each.requests for each in self._budget.usages)
