"""Reviews by the command lines of coding agents, which their user installed and signed in to.

Only our tools are offered, over MCP; their own are switched off by their documented options, and each works
in an empty folder of ours. How they are signed in is theirs: no file of theirs is read here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from anyio import to_thread

from artifactize.agents.access import is_loopback
from artifactize.agents.claude_line import ClaudeLine
from artifactize.agents.codex_line import CodexLine
from artifactize.agents.contract import AgentFault
from artifactize.agents.conversation import check_model
from artifactize.agents.framing import fence
from artifactize.agents.verdict import InvalidVerdict, parse
from artifactize.domain.cleaning import clean, telling_words
from artifactize.toolbox.contract import ToolFault
from artifactize.toolbox.handing_over import hand_over
from oskit.process import ProcessError, find_program, run

if TYPE_CHECKING:
    from artifactize.agents.budget import Budget
    from artifactize.agents.contract import AgentTask
    from artifactize.agents.lines import CommandLine, Said
    from artifactize.agents.session_file import SessionFile
    from artifactize.agents.verdict import ParsedVerdict
    from artifactize.toolbox.handing_over import HandedOver
    from artifactize.toolbox.toolbox import EvalToolbox
    from oskit.process import Completed

LINES: dict[str, CommandLine] = {"claude": ClaudeLine(), "codex": CodexLine()}
_OUTPUT_BYTES = 32 * 1024 * 1024
_MS = 1000
_REPAIR = (
    "A review ended with the message below, which is no verdict: {why}. Answer with the same judgement as "
    "exactly one JSON object, as your instructions say, with nothing before or after it.\n\n{said}"
)


class CommandLineReview:
    """One review by `claude` or `codex`."""

    def __init__(self, task: AgentTask, session: SessionFile, budget: Budget) -> None:
        self._task = task
        self._session = session
        self._budget = budget
        self._line = LINES[task.backend]

    async def verdict(self) -> ParsedVerdict:
        """Return the verdict of the final message. Raises AgentFault."""
        program = self._program()
        tools = await self._handed_over()
        said = await self._said(program, self._task.prompt, tools)
        try:
            return parse(said.text, self._task.result_schema)
        except InvalidVerdict as invalid:
            repair = _REPAIR.format(why=invalid, said=fence("the message", said.text))
        said = await self._said(program, repair, None)
        try:
            return parse(said.text, self._task.result_schema)
        except InvalidVerdict as invalid:
            raise AgentFault("INVALID_RESULT", f"no verdict, also after asking again: {invalid}") from invalid

    async def reply(self, prompt: str) -> str:
        """Say something, without tools, and return the final message. Raises AgentFault."""
        return (await self._said(self._program(), prompt, None)).text

    def _program(self) -> str:
        task = self._task
        if task.base_url is not None and not is_loopback(task.base_url):
            raise AgentFault("AGENT_ERROR", f"{task.base_url} is no address of this machine")
        if task.folder is None:
            raise AgentFault("AGENT_ERROR", f"{task.backend} needs a folder of its own to work in")
        found = find_program(task.backend, task.environment.get("PATH"))
        if found is None:
            words = f"{task.backend} is not on the PATH; install it and sign in to it"
            raise AgentFault("AGENT_ERROR", words)
        return str(found)

    async def _handed_over(self) -> HandedOver:
        assert self._task.folder is not None
        try:
            toolbox = cast("EvalToolbox", self._task.tools)
            return await to_thread.run_sync(hand_over, toolbox, self._task.folder)
        except ToolFault as fault:
            raise AgentFault("AGENT_ERROR", f"its tools cannot be served: {fault.message}") from fault

    async def _said(self, program: str, prompt: str, tools: HandedOver | None) -> Said:
        self._budget.next_output_tokens()
        self._session.add("said", text=prompt)
        folder = self._task.folder
        assert folder is not None
        work = folder / "work"
        await to_thread.run_sync(lambda: work.mkdir(mode=0o700, exist_ok=True))
        completed = await self._run((program, *self._line.arguments(self._task, folder, tools)), prompt)
        said = self._line.read(completed.stdout)
        self._write_down(said, tools)
        self._check(said, completed)
        return said

    async def _run(self, argv: tuple[str, ...], prompt: str) -> Completed:
        assert self._task.folder is not None
        try:
            return await run(
                argv,
                cwd=self._task.folder / "work",
                env=self._line.environment(self._task),
                input=prompt.encode(),
                deadline_s=self._task.limits.timeout_ms / _MS,
                capture_limit=_OUTPUT_BYTES,
            )
        except ProcessError as failure:
            raise AgentFault("AGENT_ERROR", failure.message) from failure

    def _write_down(self, said: Said, tools: HandedOver | None) -> None:
        self._budget.add(said.usage)
        for event in said.events:
            self._session.add("event", event=event)
        if tools is None:
            return
        records = tools.records()
        self._budget.tool_calls = len(records)
        for record in records:
            self._session.add("tool_record", name=record.name, arguments=record.summary, error=record.error)

    def _check(self, said: Said, completed: Completed) -> None:
        if completed.stdout_total > _OUTPUT_BYTES:
            raise AgentFault("AGENT_ERROR", f"it printed {completed.stdout_total} bytes, which is too much")
        if said.fault is not None:
            raise said.fault
        if not completed.ok or not said.ended:
            words = telling_words(clean(completed.stderr), clean(completed.stdout))
            raise AgentFault("AGENT_ERROR", f"it ended with {completed.returncode} and no verdict: {words}")
        if said.foreign_tools:
            names = ", ".join(sorted(said.foreign_tools))
            raise AgentFault("AGENT_ERROR", f"it used tools that are not ours: {names}")
        if self._line.names_model:
            for model in said.models:
                check_model(self._task, model)
