"""A toolbox in a file, served by a process of its own: the same tools, one eval's files, and its records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from mcp.types import ImageContent, TextContent

from artifactize.domain.graph import Graph
from artifactize.domain.tool_declarations import Protocol, ToolDeclaration, ToolPin, VersionPin
from artifactize.toolbox.assembling import open_toolbox
from artifactize.toolbox.handing_over import HandOverError, hand_over, taken_over
from artifactize.tree.discovery import read_project
from mcpkit.testing import connect
from support.artifacts import ArtifactProject, runtime

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.toolbox.handing_over import HandedOver

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\x02\0\0\0"
VERSION = VersionPin(("-c", "echo 1"), "1")
TOOLS = (
    ToolDeclaration("hi", "Says hi.", Protocol.PLAIN, "sh", ("-c", "cat a.md"), pin=ToolPin({}, VERSION)),
    ToolDeclaration("lost", "Is lost.", Protocol.JSON, "./lost.sh"),
)


def handed_over(tmp_path: Path, most_calls: int | None = None) -> HandedOver:
    project = ArtifactProject.create(tmp_path).declare("guide", evals={"e": runtime("true")})
    project.write("guide/a.md", "# hello\n").write("guide/p.png", PNG).write("secret", "s")
    toolbox = open_toolbox(
        project.root,
        Graph(read_project(project.root)),
        "guide/e",
        tools=TOOLS,
        private=tmp_path / "private",
        environment={"PATH": "/usr/bin:/bin"},
        most_calls=most_calls,
    )
    (tmp_path / "run").mkdir(mode=0o700)
    return hand_over(toolbox, tmp_path / "run")


@pytest.mark.anyio
async def test_the_served_toolbox_answers_like_ours_and_records_each_call(tmp_path: Path) -> None:
    handed = handed_over(tmp_path, most_calls=6)
    async with connect(handed.command, env={"PATH": "/usr/bin:/bin"}, cwd=tmp_path) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        read = await client.call_tool("read", {"path": "guide/a.md"})
        image = await client.call_tool("view_image", {"path": "guide/p.png"})
        hi = await client.call_tool("hi", {})
        lost = await client.call_tool("lost", {})
        away = await client.call_tool("read", {"path": "../secret"})
        wrong = await client.call_tool("read", {"file": "guide/a.md"})
        late = await client.call_tool("list", {})
    assert names[-3:] == ["open", "hi", "lost"]
    assert read.content == [TextContent(type="text", text="[guide/a.md, lines 1 to 1; the end]\n1\t# hello")]
    assert isinstance(image.content[1], ImageContent)
    assert hi.content == [TextContent(type="text", text="# hello\n")]
    assert "lost.sh does not exist" in str(lost.content)
    failed = [away, wrong, late]
    assert all(each.is_error for each in failed)
    assert [(each.name, each.error) for each in handed.records()] == [
        ("read", None),
        ("view_image", None),
        ("hi", None),
        ("lost", "PROGRAM_MISSING"),
        ("read", "INVALID_ARGUMENTS"),
        ("read", "INVALID_ARGUMENTS"),
        ("list", "BUDGET"),
    ]


def test_a_file_that_others_can_read_or_that_is_damaged_is_not_served(tmp_path: Path) -> None:
    handed = handed_over(tmp_path)
    assert handed.file.stat().st_mode & 0o777 == 0o600
    assert [tool.declared for tool in taken_over(handed.file).declared] == list(TOOLS)
    assert handed.records() == ()
    handed.file.chmod(0o640)
    with pytest.raises(HandOverError, match="only this user"):
        taken_over(handed.file)
    handed.file.chmod(0o600)
    for text, said in (("{", "holds no toolbox"), (json.dumps({"schema_version": 2}), "of this version")):
        handed.file.write_text(text)
        with pytest.raises(HandOverError, match=said):
            taken_over(handed.file)
    handed.file.unlink()
    handed.file.symlink_to("/etc/passwd")
    with pytest.raises(HandOverError, match="only this user"):
        taken_over(handed.file)


def test_a_record_that_a_killed_server_left_half_written_is_left_out(tmp_path: Path) -> None:
    handed = handed_over(tmp_path)
    record = {
        "number": 1,
        "name": "read",
        "arguments_sha256": "0",
        "summary": "",
        "duration_ms": 1,
        "answer_bytes": 2,
        "error": None,
    }
    handed.records_file.write_text(json.dumps(record) + '\n{"number": 2')
    assert [each.number for each in handed.records()] == [1]
