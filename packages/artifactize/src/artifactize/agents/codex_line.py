"""Codex as a reviewer: `codex exec --json`, its own tools, configuration, rules and sessions switched off.

It does not say which model has answered, so only the one that was asked for is known.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from artifactize.agents.contract import Usage
from artifactize.agents.lines import SERVER, Said, events, fault_of, inherited

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.agents.contract import AgentTask
    from artifactize.toolbox.handing_over import HandedOver

_OFF = (
    "apps",
    "browser_use",
    "browser_use_external",
    "code_mode_host",
    "computer_use",
    "goals",
    "hooks",
    "image_generation",
    "in_app_browser",
    "multi_agent",
    "plugins",
    "remote_plugin",
    "shell_tool",
    "skill_search",
    "sleep_tool",
    "tool_suggest",
    "unified_exec",
    "view_image",
)
_WORDS = frozenset({"agent_message", "reasoning", "todo_list", "error"})


class CodexLine:
    """How Codex is asked and read."""

    names_model = False

    def arguments(self, task: AgentTask, folder: Path, tools: HandedOver | None) -> tuple[str, ...]:
        """Return the arguments of one answer."""
        settings: dict[str, Any] = {
            "approval_policy": "never",
            "developer_instructions": task.system,
            "project_doc_max_bytes": 0,
            "web_search": "disabled",
        }
        if task.effort is not None:
            settings["model_reasoning_effort"] = task.effort
        if tools is not None:
            settings |= _server(tools)
        if task.base_url is not None:
            settings |= _provider(task.base_url)
        set_to = (
            word
            for key, value in settings.items()
            for word in ("-c", f"{key}={json.dumps(value, ensure_ascii=False)}")
        )
        switched_off = (word for name in _OFF for word in ("--disable", name))
        return (
            *("exec", "--json", "--ephemeral", "--ignore-user-config", "--ignore-rules"),
            *("--skip-git-repo-check", "-s", "read-only", "-C", str(folder / "work"), "-m", task.model),
            *switched_off,
            *set_to,
            "-",
        )

    def environment(self, task: AgentTask) -> dict[str, str]:
        """Return the environment that it runs in."""
        return inherited(task.environment, "CODEX_HOME", "CODEX_API_KEY") | {"TERM": "dumb"}

    def read(self, output: bytes) -> Said:
        """Return what it printed."""
        said = Said()
        for event in events(output):
            kind = event.get("type")
            if kind == "item.completed":
                said.events.append(event["item"])
                _take_item(said, event["item"])
            elif kind == "turn.completed":
                _take_usage(said, event.get("usage") or {})
                said.ended = True
            elif kind == "turn.failed":
                said.fault = fault_of(str((event.get("error") or {}).get("message")))
        return said


def _server(tools: HandedOver) -> dict[str, Any]:
    program, *arguments = tools.command
    at = f"mcp_servers.{SERVER}"
    return {
        f"{at}.command": program,
        f"{at}.args": arguments,
        f"{at}.required": True,
        f"{at}.default_tools_approval_mode": "approve",
    }


def _provider(base_url: str) -> dict[str, Any]:
    at = "model_providers.loopback"
    return {
        "model_provider": "loopback",
        f"{at}.name": "loopback",
        f"{at}.base_url": base_url,
        f"{at}.wire_api": "responses",
    }


def _take_item(said: Said, item: dict[str, Any]) -> None:
    kind = item.get("type")
    if kind == "agent_message":
        said.text = str(item.get("text") or "")
    elif kind == "mcp_tool_call":
        if item.get("server") != SERVER:
            said.foreign_tools.add(f"{item.get('server')}.{item.get('tool')}")
    elif kind not in _WORDS:
        said.foreign_tools.add(str(kind))


def _take_usage(said: Said, used: dict[str, Any]) -> None:
    said.usage = Usage(
        input_tokens=used.get("input_tokens") or 0,
        cached_input_tokens=used.get("cached_input_tokens") or 0,
        output_tokens=used.get("output_tokens") or 0,
        reasoning_tokens=used.get("reasoning_output_tokens") or 0,
        requests=1,
    )
