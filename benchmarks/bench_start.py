"""What starting costs: `--help` of every command, and the handshake of every server, beside an empty program.

    uv run nox -s bench [-- ROUNDS]

Each round runs every program once, ours and the floor's in turn, so that a busy machine slows both; the
minimum of the rounds is compared for whole runs, the median for calls. Nothing fails on a clock. The table
goes to stdout, all figures to `benchmarks/results/start.json`; `docs/benchmarks.md` keeps a published table.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.processes import Cost, Handshake, Wire, cost

HERE = Path(__file__).resolve().parent
SCRIPTS = Path(sys.executable).parent
HEAVY = ("mcp", "pydantic", "sqlalchemy", "playwright", "textual", "anyio", "rich", "httpx", "asyncio")
EMPTY_CLI = """\
import click

@click.group()
@click.version_option("0")
def main():
    "An empty program."

main()
"""
LOADED = """\
import runpy, sys
sys.argv = [sys.argv[1], "--help"]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit:
    pass
print(len(sys.modules), *sorted(name for name in sys.modules if "." not in name), file=sys.stderr)
"""
CALLS = 50


@dataclass(frozen=True)
class ServerUnderTest:
    """How to start a server, and a call of it that does next to nothing."""

    name: str
    argv: tuple[str, ...]
    call: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Started:
    """One start of a server: its handshake, and the median milliseconds of a trivial call."""

    handshake: Handshake
    call_ms: float


@dataclass(frozen=True)
class HelpRow:
    """`--help` of a command beside an empty click program."""

    command: str
    cpu_ms: float
    wall_ms: float
    cpu_ratio: float
    modules: int
    heavy: tuple[str, ...]


@dataclass(frozen=True)
class ServerRow:
    """A server's handshake beside a bare server of the same SDK with the same list of tools."""

    server: str
    tools: int
    initialize_ms: float
    tools_list_ms: float
    bare_ms: float
    wall_ratio: float
    cpu_ms: float
    bare_cpu_ms: float
    cpu_ratio: float
    call_ms: float
    bare_call_ms: float


def main(rounds: int) -> None:
    """Measure, print, keep."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        env = environment(folder)
        helps = help_rows(folder, env, rounds)
        servers = server_rows(folder, env, rounds)
    print(report(helps, servers, rounds))
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    figures = {"help": [asdict(row) for row in helps], "servers": [asdict(row) for row in servers]}
    (results / "start.json").write_text(json.dumps(figures, indent=2) + "\n")


def environment(folder: Path) -> dict[str, str]:
    """The user's PATH, and a home of its own for every tool."""
    homes = ("HOME", "PRVIEW_HOME", "CODEVETTER_HOME", "ARTIFACTIZE_STATE_HOME")
    kept = {"PATH": f"{SCRIPTS}{os.pathsep}{os.environ.get('PATH', os.defpath)}", "LANG": "C.UTF-8"}
    return {**kept, **{name: str(folder / name.lower()) for name in homes}}


# --- command lines ------------------------------------------------------------------------------------------


def commands() -> list[Path]:
    """Every console script of the three packages."""
    return [SCRIPTS / name for name in ("prview", "codevetter", "codevetter-verify-mcp", "artifactize")]


def help_rows(folder: Path, env: dict[str, str], rounds: int) -> list[HelpRow]:
    """`--help` of every command, interleaved with the empty program."""
    empty = folder / "empty.py"
    empty.write_text(EMPTY_CLI)
    programs = [empty, *commands()]
    runs: dict[Path, list[Cost]] = {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            runs[program].append(cost((sys.executable, str(program), "--help"), env=env))
    floor = min(run.cpu_ms for run in runs[empty])
    return [help_row(program, runs[program], floor, env) for program in programs]


def help_row(program: Path, runs: list[Cost], floor: float, env: dict[str, str]) -> HelpRow:
    """The best of the runs, and what one more run loads."""
    loaded = subprocess.run(
        (sys.executable, "-c", LOADED, str(program)), env=env, check=True, capture_output=True, text=True
    )
    count, *names = loaded.stderr.split()
    cpu = min(run.cpu_ms for run in runs)
    wall = min(run.wall_ms for run in runs)
    heavy = tuple(name for name in HEAVY if name in names)
    return HelpRow(program.name, cpu, wall, cpu / floor, int(count), heavy)


# --- servers ------------------------------------------------------------------------------------------------


def servers_under_test(folder: Path, env: dict[str, str]) -> list[ServerUnderTest]:
    """The servers, with what each needs: a repository, and for the executing one its owner's consent."""
    repo = folder / "repo"
    subprocess.run(("git", "init", "-q", str(repo)), check=True, env=env)
    (repo / "index.artf").write_text('name = "bench"\nbasis = true\n')
    enabled = subprocess.run(
        (str(SCRIPTS / "codevetter"), "verify", "enable", "--repo", str(repo), "--json"),
        env=env, check=True, capture_output=True, text=True,
    )  # fmt: skip
    repo_id = json.loads(enabled.stdout)["repo_id"]
    return [
        ServerUnderTest("prview mcp", ("prview", "mcp"), "health", {}),
        ServerUnderTest("artifactize mcp", ("artifactize", "--repo", str(repo), "mcp"), "run_list", {}),
        ServerUnderTest(
            "codevetter-verify-mcp",
            ("codevetter-verify-mcp", "--repo-id", repo_id),
            "verify_change_preview",
            {},
        ),
    ]


def server_rows(folder: Path, env: dict[str, str], rounds: int) -> list[ServerRow]:
    """The handshake of every server, each beside a bare server with its list of tools."""
    return [server_row(server, folder, env, rounds) for server in servers_under_test(folder, env)]


def server_row(server: ServerUnderTest, folder: Path, env: dict[str, str], rounds: int) -> ServerRow:
    """Ours and the bare one in turn."""
    argv = (sys.executable, str(SCRIPTS / server.argv[0]), *server.argv[1:])
    with Wire(argv, env=env, cwd=str(folder)) as wire:
        tools = wire.handshake().tools
    listed = folder / "tools.json"
    listed.write_text(json.dumps({"tools": tools}))
    bare_argv = (sys.executable, str(HERE / "bare_server.py"), str(listed))
    ours, bare = [], []
    for _ in range(rounds):
        ours.append(start(argv, server, folder, env))
        bare.append(start(bare_argv, server, folder, env))
    wall, floor = best(ours, "tools_list_ms"), best(bare, "tools_list_ms")
    cpu, cpu_floor = best(ours, "cpu_ms"), best(bare, "cpu_ms")
    return ServerRow(
        server=server.name,
        tools=len(tools),
        initialize_ms=best(ours, "initialize_ms"),
        tools_list_ms=wall,
        bare_ms=floor,
        wall_ratio=wall / floor,
        cpu_ms=cpu,
        bare_cpu_ms=cpu_floor,
        cpu_ratio=cpu / cpu_floor if cpu_floor else 0.0,
        call_ms=statistics.median(run.call_ms for run in ours),
        bare_call_ms=statistics.median(run.call_ms for run in bare),
    )


def best(runs: list[Started], figure: str) -> float:
    """The least of a handshake's figure."""
    return min(float(getattr(run.handshake, figure)) for run in runs)


def start(argv: tuple[str, ...], server: ServerUnderTest, folder: Path, env: dict[str, str]) -> Started:
    """One start, one handshake, some trivial calls."""
    with Wire(argv, env=env, cwd=str(folder)) as wire:
        shaken = wire.handshake()
        calls = []
        for _ in range(CALLS):
            before = wire.elapsed_ms()
            wire.request("tools/call", {"name": server.call, "arguments": server.arguments})
            calls.append(wire.elapsed_ms() - before)
    return Started(shaken, statistics.median(calls))


# --- the table ----------------------------------------------------------------------------------------------


def report(helps: list[HelpRow], servers: list[ServerRow], rounds: int) -> str:
    """Markdown, as docs/benchmarks.md shows it."""
    where = (
        f"Python {platform.python_version()}, {os.cpu_count()} cores, best of {rounds} interleaved rounds."
    )
    lines = [
        where,
        "",
        "| `--help` | CPU ms | wall ms | CPU ratio | modules | heavy ones |",
        "| --- " * 6 + "|",
    ]
    for each in helps:
        figures = f"{each.cpu_ms:.0f} | {each.wall_ms:.0f} | {each.cpu_ratio:.2f} | {each.modules}"
        lines.append(f"| `{each.command}` | {figures} | {', '.join(each.heavy) or 'none'} |")
    titles = ["server", "tools", "initialize ms", "tools/list ms", "bare", "ratio", "CPU ms", "bare", "ratio"]
    titles += ["call ms", "bare"]
    lines += ["", f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
    for row in servers:
        wall = f"{row.initialize_ms:.0f} | {row.tools_list_ms:.0f} | {row.bare_ms:.0f} | {row.wall_ratio:.2f}"
        cpu = f"{row.cpu_ms:.0f} | {row.bare_cpu_ms:.0f} | {row.cpu_ratio:.2f}"
        calls = f"{row.call_ms:.2f} | {row.bare_call_ms:.2f}"
        lines.append(f"| `{row.server}` | {row.tools} | {wall} | {cpu} | {calls} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
