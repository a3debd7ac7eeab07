"""Claude Code as a reviewer: `claude -p`, its own tools, settings, skills and memory switched off."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from artifactize.agents.contract import Usage
from artifactize.agents.lines import SERVER, Said, events, fault_of, inherited

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.agents.contract import AgentTask
    from artifactize.toolbox.handing_over import HandedOver

_OURS = f"mcp__{SERVER}__"


class ClaudeLine:
    """How Claude Code is asked and read."""

    names_model = True

    def arguments(self, task: AgentTask, folder: Path, tools: HandedOver | None) -> tuple[str, ...]:
        """Return the arguments of one answer."""
        configuration = folder / "mcp.json"
        servers = {} if tools is None else {SERVER: _server(tools)}
        configuration.write_text(json.dumps({"mcpServers": servers}))
        allowed = () if tools is None else ("--allowedTools", f"mcp__{SERVER}")
        effort = () if task.effort is None else ("--effort", task.effort)
        return (
            *("-p", "--output-format", "stream-json", "--verbose", "--model", task.model),
            *("--system-prompt", task.system),
            *("--mcp-config", str(configuration), "--strict-mcp-config"),
            *("--tools", "", "--disable-slash-commands", "--setting-sources", ""),
            *("--no-session-persistence", "--permission-mode", "dontAsk"),
            *effort,
            *allowed,
        )

    def environment(self, task: AgentTask) -> dict[str, str]:
        """Return the environment that it runs in: quiet, our tools there from the first turn."""
        env = inherited(task.environment, "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR")
        env |= {
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(task.limits.max_output_tokens),
            "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "MCP_CONNECTION_NONBLOCKING": "0",
            "TERM": "dumb",
        }
        return env if task.base_url is None else env | {"ANTHROPIC_BASE_URL": task.base_url}

    def read(self, output: bytes) -> Said:
        """Return what it printed."""
        said = Said()
        for event in events(output):
            if event.get("type") in {"assistant", "user"}:
                said.events.append(event)
            if event.get("type") == "assistant":
                _take_message(said, event.get("message") or {})
            elif event.get("type") == "result":
                _take_result(said, event)
        return said


def _server(tools: HandedOver) -> dict[str, Any]:
    program, *arguments = tools.command
    return {"type": "stdio", "command": program, "args": arguments}


def _take_message(said: Said, message: dict[str, Any]) -> None:
    model = str(message.get("model"))
    if model != "<synthetic>":  # its own words about a failure
        said.models.append(model)
    for block in message.get("content") or ():
        name = str(block.get("name", ""))
        if block.get("type") == "tool_use" and not name.startswith(_OURS):
            said.foreign_tools.add(name)


def _take_result(said: Said, event: dict[str, Any]) -> None:
    used = event.get("usage") or {}
    cached = used.get("cache_read_input_tokens") or 0
    said.usage = Usage(
        input_tokens=(used.get("input_tokens") or 0)
        + cached
        + (used.get("cache_creation_input_tokens") or 0),
        cached_input_tokens=cached,
        output_tokens=used.get("output_tokens") or 0,
        requests=1,
        model=said.models[-1] if said.models else None,
    )
    said.text = str(event.get("result") or "")
    if event.get("is_error") or event.get("subtype") != "success":
        said.fault = fault_of(said.text or str(event.get("subtype")))
    said.ended = True
