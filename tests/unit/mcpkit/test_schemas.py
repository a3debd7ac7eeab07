"""The committed schemas are the live ones, and a change that breaks somebody is not written unasked."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from mcpkit import __main__ as command
from mcpkit import schemas
from mcpkit.errors import ToolError
from mcpkit.models import Request, Response, Wire
from mcpkit.operation import Hints, Operation, PublishedServer

if TYPE_CHECKING:
    from pathlib import Path

HINTS = Hints(read_only=True, destructive=False, idempotent=True, open_world=False)


class Ask(Request):
    word: str
    limit: int = 10


class AskLess(Request):
    word: str


class AskMore(Request):
    word: str
    limit: int = 10
    deep: bool = False


class Answer(Response):
    words: tuple[str, ...]


class Receipt(Wire):
    digest: str


async def look(request: Ask) -> Answer:
    """Look a word up."""
    return Answer(words=(request.word,))


async def look_less(request: AskLess) -> Answer:
    """Look a word up."""
    return Answer(words=(request.word,))


async def look_more(request: AskMore) -> Answer:
    """Look a word up."""
    return Answer(words=(request.word,))


def server(service: object = look) -> PublishedServer:
    operation = Operation.of(service, title="Look up", hints=HINTS, name="look")  # type: ignore[arg-type]
    return PublishedServer("demo", (operation,), {"receipt": Receipt})


def test_every_tool_has_an_input_and_an_output_file_and_every_model_one(tmp_path: Path) -> None:
    changed = schemas.write([server()], tmp_path)
    assert [change.what for change in changed] == ["not committed yet"] * 3
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.json"))
    assert files == ["demo/look.input.json", "demo/look.output.json", "demo/receipt.json"]
    written = json.loads((tmp_path / "demo/look.input.json").read_text())
    assert written == server().operations[0].input_schema()


def test_what_was_written_is_up_to_date(tmp_path: Path) -> None:
    schemas.write([server()], tmp_path)
    assert schemas.differences([server()], tmp_path) == []
    assert schemas.write([server()], tmp_path) == []


def test_an_addition_is_a_difference_that_breaks_nobody_and_is_written(tmp_path: Path) -> None:
    schemas.write([server()], tmp_path)
    (change,) = schemas.differences([server(look_more)], tmp_path)
    assert (change.path, change.breaking) == ("demo/look.input.json", ())
    schemas.write([server(look_more)], tmp_path)
    assert schemas.differences([server(look_more)], tmp_path) == []


def test_a_breaking_change_is_named_and_only_written_with_a_new_version(tmp_path: Path) -> None:
    schemas.write([server()], tmp_path)
    before = (tmp_path / "demo/look.input.json").read_bytes()
    (change,) = schemas.write([server(look_less)], tmp_path)
    assert change.breaking == ("limit: removed or renamed",)
    assert (tmp_path / "demo/look.input.json").read_bytes() == before
    schemas.write([server(look_less)], tmp_path, new_version=True)
    assert schemas.differences([server(look_less)], tmp_path) == []


def test_a_file_that_no_tool_has_is_a_removed_promise(tmp_path: Path) -> None:
    schemas.write([server()], tmp_path)
    (tmp_path / "demo/gone.input.json").write_text("{}\n")
    (change,) = schemas.write([server()], tmp_path)
    assert change.breaking
    assert (tmp_path / "demo/gone.input.json").exists()
    schemas.write([server()], tmp_path, new_version=True)
    assert not (tmp_path / "demo/gone.input.json").exists()


def test_folders_of_servers_that_are_not_installed_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other/x.json"
    other.parent.mkdir()
    other.write_text("{}")
    schemas.write([server()], tmp_path, new_version=True)
    assert schemas.differences([server()], tmp_path) == []
    assert other.exists()


def test_a_damaged_file_is_a_difference(tmp_path: Path) -> None:
    schemas.write([server()], tmp_path)
    (tmp_path / "demo/receipt.json").write_text("{ cut off")
    (change,) = schemas.differences([server()], tmp_path)
    assert "no JSON" in change.text


# --- the command --------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, servers: list[PublishedServer], *args: str) -> Result:
    monkeypatch.setattr(schemas, "published_servers", lambda: servers)
    return CliRunner().invoke(command.cli, ["schemas", *args])


def test_the_command_writes_checks_and_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = ("--out", str(tmp_path))
    unwritten = run(monkeypatch, [server()], *out, "--check")
    assert unwritten.exit_code == 1
    assert "demo/look.input.json: not committed yet" in unwritten.stdout
    assert not list(tmp_path.iterdir())
    assert run(monkeypatch, [server()], *out).exit_code == 0
    checked = run(monkeypatch, [server()], *out, "--check")
    assert (checked.exit_code, checked.stdout, checked.stderr) == (0, "", "demo: up to date\n")
    refused = run(monkeypatch, [server(look_less)], *out)
    assert refused.exit_code == 1
    assert "    breaking: limit: removed or renamed" in refused.stdout
    assert "--new-version" in refused.stderr
    assert run(monkeypatch, [server(look_less)], *out, "--new-version").exit_code == 0
    assert run(monkeypatch, [server(look_less)], *out, "--check").exit_code == 0


def test_no_server_at_all_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = run(monkeypatch, [], "--out", str(tmp_path), "--check")
    assert empty.exit_code == 1
    assert "mcpkit.servers" in empty.stderr


@pytest.mark.parametrize(
    "value", ["mcpkit.no_such:published", "mcpkit.errors:no_such", "mcpkit.errors:EXIT_USAGE"]
)
def test_an_entry_point_that_cannot_be_loaded_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("demo", value, schemas.GROUP)
    monkeypatch.setattr(schemas, "entry_points", lambda **_: [entry])
    with pytest.raises(ToolError, match="the server demo"):
        schemas.published_servers()


def test_a_server_is_published_under_the_name_it_has() -> None:
    own = EntryPoint("demo", "support.demo_server.server:published", schemas.GROUP)
    assert schemas.load(own).name == "demo"
    other = EntryPoint("other", "support.demo_server.server:published", schemas.GROUP)
    with pytest.raises(ToolError, match="calls itself 'demo'"):
        schemas.load(other)
