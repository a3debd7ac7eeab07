"""What a command leaves on stdout, on stderr and as its exit code, whichever way it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mcpkit.cli import LazyGroup, failing, run
from mcpkit.cli.completions import SHELLS, completion_script
from support import cli_tool
from support.lazy_help import check_lazy_help

TESTS = Path(cli_tool.__file__).parents[1]


def invoke(*args: str, env: dict[str, str] | None = None) -> Result:
    """Run the tool's entry point with its arguments, in this process."""

    @click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
    @click.argument("args", nargs=-1, type=click.UNPROCESSED)
    def process(args: tuple[str, ...]) -> None:
        from mcpkit.cli import run_command_line

        run_command_line(cli_tool.cli, prog="tool", envelope=cli_tool.envelope, args=args)

    return CliRunner().invoke(process, ["--", *args], env=env, catch_exceptions=False)


def started(
    *args: str,
    stdout: int | None = subprocess.PIPE,
    env: dict[str, str] | None = None,
    before: str = "",
    cwd: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run the tool as a process of its own, `before` (shell) it."""
    command = [sys.executable, "-m", "support.cli_tool", *args]
    return subprocess.run(
        ["/bin/sh", "-c", f'{before}; exec "$@"', "sh", *command] if before else command,
        cwd=cwd,
        stdout=stdout,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(TESTS), **(env or {})},
        timeout=60,
        check=False,
    )


# --- a result -----------------------------------------------------------------------------------------------


def test_a_result_is_text_for_people_and_one_document_with_json() -> None:
    text = invoke("act", "x")
    assert (text.stdout, text.stderr, text.exit_code) == ("did x\n", "", 0)
    document = invoke("act", "x", "--json")
    assert (document.stderr, document.exit_code) == ("", 0)
    assert document.stdout == '{\n  "what": "x",\n  "code": 0,\n  "maybe": null\n}\n'


def test_the_exit_code_is_the_results_also_when_nothing_is_printed() -> None:
    quiet = invoke("act", "verdict", "--quiet")
    assert (quiet.stdout, quiet.stderr, quiet.exit_code) == ("", "", 5)
    both = invoke("act", "verdict", "--quiet", "--json")
    assert (json.loads(both.stdout)["code"], both.exit_code) == (5, 5)


def test_json_is_utf8_under_an_ascii_locale_and_text_is_escaped() -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    document = started("act", "path", "--json", env=ascii_only)
    assert json.loads(document.stdout)["what"] == "é🦊\u2028"
    text = started("act", "path", env=ascii_only)
    assert text.stdout == b"did \\xe9\\U0001f98a\\u2028\n"


def test_a_reader_that_leaves_early_ends_the_command_quietly_with_its_verdict() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = started("act", "big", "--json", stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_result_that_cannot_be_written_is_a_failure() -> None:
    """A full disk behind `> file` must not look like an empty success."""
    with Path("/dev/full").open("wb") as full:
        done = started("act", "x", "--json", stdout=full.fileno())
    assert done.returncode == 2
    assert done.stderr == b"error: cannot write the result to stdout: No space left on device\n"


# --- a failure ----------------------------------------------------------------------------------------------


def test_an_error_is_words_and_hint_on_stderr_with_its_exit_code_and_no_control_characters() -> None:
    failed = invoke("act", "fail")
    assert failed.stdout == ""
    assert failed.stderr == "error: branch \\u001b[31mred\\u202e is busy\nhint: wait\n"
    assert failed.exit_code == 4


def test_an_error_with_json_is_the_envelopes_object_on_stdout() -> None:
    failed = invoke("act", "fail", "--json")
    message = "branch \\u001b[31mred\\u202e is busy (wait)"
    assert json.loads(failed.stdout) == {"error": {"code": "busy", "message": message}}
    assert failed.stderr.startswith("error: branch")
    assert failed.exit_code == 4
    assert invoke("act", "fail", "--json", "--quiet").stderr == ""


def test_a_request_that_its_model_refuses_is_named_by_field_and_rule() -> None:
    failed = invoke("act", "much too long a word")
    assert failed.exit_code == 2
    assert "`what`" in failed.stderr
    assert "at most 10 characters" in failed.stderr
    document = json.loads(invoke("act", "much too long a word", "--json").stdout)
    assert document["error"]["code"] == "invalid_arguments"


@pytest.mark.parametrize("what", ["bug", "mismodel"])
def test_a_fault_of_ours_has_an_id_and_no_traceback(what: str) -> None:
    """A model that the service itself breaks is not the caller's mistake."""
    failed = invoke("act", what, "--json")
    assert failed.exit_code == 2
    document = json.loads(failed.stdout)
    assert document["error"]["code"] == "internal_error"
    assert failed.stderr.startswith("error: internal error ")
    shared_id = failed.stderr.split()[3].rstrip(":")
    assert shared_id in document["error"]["message"]
    assert "Traceback" not in failed.stderr
    assert "MCPKIT_DEBUG=1" in failed.stderr


def test_debugging_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPKIT_DEBUG", "0")  # the option sets it: monkeypatch puts it back
    assert "Traceback" not in invoke("act", "bug").stderr
    assert "KeyError: 'k'" in invoke("act", "bug").stderr
    assert "Traceback" in invoke("act", "bug", "--debug").stderr
    monkeypatch.setenv("MCPKIT_DEBUG", "1")
    assert "Traceback" in invoke("act", "bug").stderr


def test_an_undeclared_error_class_is_a_fault_of_ours() -> None:
    failed = invoke("act", "undeclared", "--json")
    assert json.loads(failed.stdout)["error"]["code"] == "internal_error"
    assert "surprise" in failed.stderr


def test_an_exception_outside_of_run_is_an_internal_error_too() -> None:
    failed = invoke("crash")
    assert failed.exit_code == 2
    assert "RuntimeError: nobody caught this\\u001b[2J" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_subcommand_whose_module_is_broken_fails_alone() -> None:
    assert "A module that cannot be imported." in invoke("--help").stdout
    failed = invoke("broken")
    assert failed.exit_code == 2
    assert "no_such_module" in failed.stderr


def test_run_without_an_envelope_prints_class_message_and_details() -> None:
    failed = invoke("gate", "--json")
    assert json.loads(failed.stdout)["error_class"] == "busy"
    assert json.loads(failed.stdout)["run_id"] == "r1"


def test_failing_lets_clicks_own_exits_pass() -> None:
    with pytest.raises(click.exceptions.Exit), failing(as_json=True):
        raise click.exceptions.Exit(7)
    with pytest.raises(click.UsageError), failing(as_json=True):
        raise click.UsageError("no")


def test_a_render_that_fails_is_a_failure_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from mcpkit.models import Response

    async def service(_request: object) -> Response:
        return Response()

    def render(_result: Response) -> str:
        raise ZeroDivisionError("in render")

    with pytest.raises(SystemExit) as ended:
        run(service, object, render, as_json=False)
    assert ended.value.code == 2
    assert capsys.readouterr().out == ""


# --- usage --------------------------------------------------------------------------------------------------


def test_wrong_usage_exits_with_2_and_names_what_was_probably_meant() -> None:
    failed = invoke("gates")
    assert failed.exit_code == 2
    assert "no such command 'gates'; did you mean 'gate'?" in failed.stderr
    assert "see `tool --help`" in invoke("xyzzy").stderr
    assert "--strict" in invoke("gate", "--strikt").stderr
    nested = invoke("remote", "akt")
    assert "did you mean 'act'?" in nested.stderr


def test_a_command_whose_codes_are_verdicts_gives_every_failure_its_own_code() -> None:
    """`gate` must not answer a typo with 2, which means CONDITIONAL there."""
    assert invoke("gate").exit_code == 3
    assert invoke("gate", "--nope").exit_code == 3
    strict = invoke("gate", "--strict")
    assert strict.exit_code == 3
    assert "--strict needs a policy\nhint: run `tool init`" in strict.stderr


def test_wrong_usage_with_json_is_one_document_too() -> None:
    failed = invoke("gate", "--nope", "--json")
    assert failed.exit_code == 3
    document = json.loads(failed.stdout)
    assert document["error"]["code"] == "invalid_arguments"
    assert "--nope" in document["error"]["message"]
    assert "tool gate --help" in document["error"]["message"]


# --- signals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("what", "code", "name"), [("int", 130, b"SIGINT"), ("signal", 143, b"SIGTERM")])
def test_a_signal_cancels_the_service_and_is_the_exit_code(what: str, code: int, name: bytes) -> None:
    done = started("act", what, "--json")
    assert done.returncode == code
    assert done.stdout == b""
    assert done.stderr == b"cleaned up\ninterrupted (" + name + b")\n"


def test_a_job_of_a_script_stops_on_sigterm_too() -> None:
    """A shell starts `command &` with SIGINT ignored; raising SIGINT to stop the event loop would do nothing."""
    done = started("act", "signal", before="trap '' INT")
    assert done.returncode == 143
    assert done.stderr == b"cleaned up\ninterrupted (SIGTERM)\n"


def test_a_deleted_current_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    done = started("act", "where", before='rmdir "$PWD"', cwd=folder, env={"PYTHONSAFEPATH": "1"})
    assert done.returncode == 2
    assert b"the current folder no longer exists\nhint: change to one that does" in done.stderr


# --- groups -------------------------------------------------------------------------------------------------


def test_help_lists_the_table_in_its_order_and_then_the_others() -> None:
    lines = invoke("--help").stdout.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in lines] == [
        "gate", "act", "remote", "mcp", "crash", "broken", "completions",
    ]  # fmt: skip


def test_every_help_line_is_the_one_of_its_command() -> None:
    whole = LazyGroup(name="tool", lazy={k: v for k, v in cli_tool.cli.lazy.items() if k != "broken"})
    check_lazy_help(whole)
    lying = LazyGroup(name="tool", lazy={"act": ("support.cli_tool:act", "Something else.")})
    with pytest.raises(AssertionError, match="Something else"):
        check_lazy_help(lying)


def test_nested_groups_run_their_commands() -> None:
    assert invoke("remote", "act", "x").stdout == "did x\n"
    assert "Do what is asked." in invoke("remote", "--help").stdout


def test_a_target_that_is_no_command_is_named() -> None:
    group = LazyGroup(name="g", lazy={"x": ("json:dumps", "No command.")})
    with pytest.raises(TypeError, match="json:dumps"):
        CliRunner().invoke(group, ["x"], catch_exceptions=False)


def with_default() -> LazyGroup:
    @click.command()
    @click.argument("words", nargs=-1)
    @click.option("--fast", is_flag=True)
    def review(words: tuple[str, ...], *, fast: bool) -> None:
        """Review."""
        click.echo(f"review {words} {fast}")

    group = LazyGroup(
        name="g",
        default="review",
        lazy={"gate": ("support.cli_tool:gate", "Answer with a verdict.")},
        params=[click.Option(["--repo"])],
    )
    group.add_command(review)
    return group


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "review () False"),
        (["main"], "review ('main',) False"),
        (["--fast", "main"], "review ('main',) True"),
        (["review", "main"], "review ('main',) False"),
        (["--repo", "x", "main", "--fast"], "review ('main',) True"),
        (["--repo=x", "main"], "review ('main',) False"),
    ],
)
def test_arguments_that_name_no_subcommand_go_to_the_default(args: list[str], said: str) -> None:
    assert CliRunner().invoke(with_default(), args, catch_exceptions=False).stdout == said + "\n"


def test_a_default_does_not_hide_the_subcommands_and_the_help() -> None:
    assert "Answer with a verdict." in CliRunner().invoke(with_default(), ["--help"]).stdout
    assert CliRunner().invoke(with_default(), ["gate", "--help"]).stdout.startswith("Usage: g gate")


# --- completions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_the_completion_script_of_every_shell_asks_the_tool(shell: str) -> None:
    printed = invoke("completions", shell)
    assert printed.stdout.strip() == completion_script("tool", shell).strip()
    assert "_TOOL_COMPLETE" in printed.stdout


def test_names_are_completed_without_importing_their_modules() -> None:
    context = click.Context(cli_tool.cli)
    items = cli_tool.cli.shell_complete(context, "b")
    assert [(item.value, item.help) for item in items] == [("broken", "A module that cannot be imported.")]


def test_the_tool_answers_the_completion_script() -> None:
    answer = started(env={"_TOOL_COMPLETE": "bash_complete", "COMP_WORDS": "tool ga", "COMP_CWORD": "1"})
    assert answer.stdout == b"plain,gate\n"


# --- mcp ----------------------------------------------------------------------------------------------------


def test_the_mcp_command_serves_with_its_own_options() -> None:
    served = invoke(
        "mcp", "--repo", "/r", "--limit", "3", "--tag", "a", "--tag", "b", env={"SERVE_PLAIN": "1"}
    )
    assert served.stdout == "serving /r 3 True ('a', 'b')\n"
    assert "Serve the tools to a coding agent over stdio." in invoke("mcp", "--help").stdout


def test_register_prints_the_command_line_that_was_given_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = invoke("mcp", "--register", "claude", "--repo", "here", "--slow", "--tag", "a", "--tag", "b")
    entry = json.loads(printed.stdout)["mcpServers"]["tool"]
    words = ["--repo", str(tmp_path / "here"), "--slow", "--tag", "a", "--tag", "b"]
    assert entry["command"] == sys.executable
    assert entry["args"] == ["-m", "support.cli_tool", "mcp", *words]
    assert "claude mcp add" in printed.stderr


def test_a_registration_for_a_team_holds_no_path_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    printed = invoke("mcp", "--register", "claude", "--shared", "--repo", "here", "--slow")
    entry = json.loads(printed.stdout)["mcpServers"]["tool"]
    assert (entry["args"], str(tmp_path) in printed.output) == (["mcp", "--slow"], False)
    assert "/" not in entry["command"]
    for refused in (invoke("mcp", "--register", "codex", "--shared"), invoke("mcp", "--shared")):
        assert refused.exit_code == 2


def test_registering_for_an_unknown_host_is_refused_with_those_known() -> None:
    refused = invoke("mcp", "--register", "emacs")
    assert refused.exit_code == 2
    assert "claude" in refused.stderr


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the probed process import the tool as this one does."""
    monkeypatch.setenv("PYTHONPATH", str(TESTS))


@pytest.mark.usefixtures("importable")
def test_probe_starts_the_same_command_and_reports() -> None:
    probed = invoke("mcp", "--probe")
    assert probed.exit_code == 0, probed.stdout
    assert "server: fake 7" in probed.stdout
    assert "call: answered" in probed.stdout


@pytest.mark.usefixtures("importable")
def test_a_probe_that_fails_exits_with_1_and_says_so_as_json() -> None:
    probed = invoke("mcp", "--probe", "--json", "--tag", "exits")
    assert probed.exit_code == 1
    report = json.loads(probed.stdout)
    assert report["ok"] is False
    assert report["stderr"] == "no such configuration: demo.toml"


def test_mcpkits_own_help_lines_are_those_of_its_commands() -> None:
    from mcpkit.__main__ import cli

    check_lazy_help(cli)
