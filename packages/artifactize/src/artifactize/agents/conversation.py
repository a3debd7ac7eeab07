"""Leading a review with a provider's API: turns and tool calls until there is a verdict, repaired once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from artifactize.agents.contract import AgentFault
from artifactize.agents.framing import fence
from artifactize.agents.http_faults import shown
from artifactize.agents.patience import ask_patiently
from artifactize.agents.turns import Answered, ProviderFault
from artifactize.agents.verdict import InvalidVerdict, parse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any

    from artifactize.agents.budget import Budget
    from artifactize.agents.contract import AgentTask
    from artifactize.agents.session_file import SessionFile
    from artifactize.agents.turns import Call, Provider, Turn
    from artifactize.agents.verdict import ParsedVerdict

REPAIR = (
    "Your final message was no verdict: {why}. Answer again with the same judgement as exactly one JSON "
    "object, as the first message says, with nothing before or after it. There are no tools any more."
)
CONCLUDE = "All tool calls of this review are used. Conclude now, with what you have seen."
_DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})")


class Conversation:
    """One review with one provider."""

    def __init__(
        self,
        provider: Provider,
        task: AgentTask,
        *,
        session: SessionFile,
        budget: Budget,
        deadline: float,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._provider = provider
        self._task = task
        self._session = session
        self._budget = budget
        self._deadline = deadline
        self._sleep = sleep
        self._call_ids: set[str] = set()

    async def verdict(self) -> ParsedVerdict:
        """Return the verdict of the final message. Raises AgentFault."""
        self._say(self._task.prompt)
        text = await self._work()
        try:
            return parse(text, self._task.result_schema)
        except InvalidVerdict as invalid:
            self._say(REPAIR.format(why=invalid))
        turn = await self._ask(tools=False)
        try:
            return parse(turn.text, self._task.result_schema)
        except InvalidVerdict as invalid:
            raise AgentFault("INVALID_RESULT", f"no verdict, also after asking again: {invalid}") from invalid

    async def reply(self, prompt: str) -> str:
        """Say something and return the final message, whatever it is. Raises AgentFault."""
        self._provider.say(prompt)
        return await self._work()

    async def _work(self) -> str:
        tools = True
        while True:
            turn = await self._ask(tools=tools)
            if not turn.calls:
                return turn.text
            self._provider.answer([await self._answered(call) for call in turn.calls])
            if self._budget.calls_left == 0:
                self._say(CONCLUDE)
                tools = False

    async def _ask(self, *, tools: bool) -> Turn:
        most = self._budget.next_output_tokens()
        turn = await ask_patiently(
            lambda: self._provider.ask(tools=tools, max_output_tokens=most),
            deadline=self._deadline,
            failed=self._failed,
            sleep=self._sleep,
        )
        self._budget.add(turn.usage)
        self._write_down(turn)
        self._check(turn, tools=tools)
        return turn

    def _check(self, turn: Turn, *, tools: bool) -> None:
        """Refuse a turn that another model gave, that is cut, or that calls what cannot be answered."""
        check_model(self._task, turn.usage.model)
        if turn.stop == "length":
            raise AgentFault(
                "PROVIDER_BUDGET_EXCEEDED", "the answer was cut at the most output tokens allowed"
            )
        if turn.stop == "refusal":
            raise AgentFault("AGENT_ERROR", f"the model refused: {shown(turn.text) or 'without a word'}")
        if turn.calls and not tools:
            raise AgentFault("AGENT_ERROR", "the model called a tool where none was offered")
        for call in turn.calls:
            if not call.id or call.id in self._call_ids:
                raise AgentFault("PROVIDER_ERROR", f"two tool calls have the same id, {shown(call.id)!r}")
            self._call_ids.add(call.id)

    async def _answered(self, call: Call) -> Answered:
        self._session.add("tool_call", id=call.id, name=call.name, arguments=call.arguments)
        if self._budget.calls_left == 0:
            answered = Answered(call, f"BUDGET: {CONCLUDE}", None, is_error=True)
        else:
            self._budget.tool_calls += 1
            # what is no object is refused by the toolbox, which records it like any other call
            answer = await self._task.tools.call(call.name, _arguments(call.arguments))
            text = fence(f"answer of {call.name}", answer.text)
            answered = Answered(call, text, answer.image, is_error=answer.error is not None)
        self._session.add(
            "tool_answer",
            id=call.id,
            text=answered.text,
            is_error=answered.is_error,
            image=None if answered.image is None else answered.image.media_type,
        )
        return answered

    def _say(self, text: str) -> None:
        self._provider.say(text)
        self._session.add("said", text=text)

    def _failed(self, fault: ProviderFault) -> None:
        self._budget.add(fault.usage)
        self._session.add("failed", code=fault.code, message=fault.message)

    def _write_down(self, turn: Turn) -> None:
        self._session.add(
            "answer",
            text=turn.text,
            stop=turn.stop,
            model=turn.usage.model,
            input_tokens=turn.usage.input_tokens,
            output_tokens=turn.usage.output_tokens,
        )


def check_model(task: AgentTask, answered: str | None) -> None:
    """Refuse an answer that another model gave than the one that was asked. Raises AgentFault."""
    if answered == task.model:
        return
    if task.dated_alias and _DATED.fullmatch((answered or "").removeprefix(task.model)):
        return
    named = "a model without a name" if answered is None else shown(answered)
    raise AgentFault("PROVIDER_ERROR", f"{task.model} was asked and {named} answered")


def _arguments(text: str) -> Mapping[str, Any]:
    """Return a call's arguments; what is no JSON stays the text that it is."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        found = text
    return found  # type: ignore[no-any-return]
