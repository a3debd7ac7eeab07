"""Review, preview and verify the bookshop: the three tools on one small branch, as their users start them.

    uv run nox -s demo

The example is copied to a temporary folder and committed there, its change on a branch of its own. Then
  1. `prview` reviews the branch against main and writes a review pack with one merge verdict;
  2. `codevetter trex` visits the site that the branch deploys (a server on loopback) and keeps a receipt;
  3. `artifactize verify` runs the reviews that the change touched, and a second time none of them.
The folder is kept and named at the end. Exit code 0: each tool did its job and said what is true of this
branch. Without a Chromium step 2 is left out, and how to get one is said.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HERE = Path(__file__).resolve().parent
SCRIPTS = Path(sys.executable).parent
CHROMIUM_HINT = """\
No Chromium was found, so no page can be visited. To get one:
  Debian, Ubuntu   apt-get install chromium chromium-headless-shell libatomic1
  elsewhere        uv run playwright install chromium
  or name yours    export CODEVETTER_BROWSER=/path/to/chromium"""

DRIVER_HINT = "On a bare Debian or Ubuntu it lacks one library: apt-get install libatomic1"


class DemoFailedError(Exception):
    """A tool did not do its job, or said something that is not true of this branch."""


@dataclass(frozen=True)
class Shop:
    """The copied example: its work tree, where the tools keep what they know, and the branch's commit."""

    folder: Path
    head: str = ""

    @property
    def repo(self) -> Path:
        """The work tree."""
        return self.folder / "bookshop"

    @property
    def env(self) -> dict[str, str]:
        """The user's environment, with every tool's state inside the demo's folder."""
        state = self.folder / "state"
        homes = {
            "PRVIEW_HOME": "prview",
            "CODEVETTER_HOME": "codevetter",
            "ARTIFACTIZE_STATE_HOME": "artifactize",
        }
        path = f"{SCRIPTS}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return {**os.environ, "PATH": path, **{name: str(state / home) for name, home in homes.items()}}


@dataclass(frozen=True)
class Ran:
    """What a command printed, what it ended with, and how long it took."""

    stdout: str
    stderr: str
    code: int
    seconds: float

    def json(self) -> Any:  # noqa: ANN401 - JSON of a tool; the caller picks what it names
        """The one JSON document on stdout."""
        try:
            return json.loads(self.stdout)
        except ValueError as exc:
            raise DemoFailedError(f"expected JSON, got {self.stdout[:300]!r}\n{self.stderr[-2000:]}") from exc


def main() -> int:
    """Run the three tools; the exit code."""
    folder = Path(tempfile.mkdtemp(prefix="review-demo-"))
    try:
        shop = prepare(Shop(folder))
        told = [review(shop), preview(shop), verify(shop)]
    except DemoFailedError as exc:
        print(f"\nDEMO FAILED: {exc}\nWhat was written so far: {folder}", file=sys.stderr)
        return 1
    print("\n== What the three tools say about this branch")
    print("\n".join(told))
    print(f"\nThe evidence stays in {folder} until you remove it.")
    return 0


# --- the three steps ----------------------------------------------------------------------------------------


def review(shop: Shop) -> str:
    """One merge verdict, from a pack that names its evidence."""
    headline("1. prview: what would block this merge?")
    ran = tool(shop, "prview", "gift-wrapping", "main", "--json", "--quiet", codes=(0, 1))
    result = ran.json()
    pack = Path(result["artifact_paths"]["pack"])
    gate = json.loads((pack / "00_summary/MERGE_GATE.json").read_text())
    for status in sorted({check["status"] for check in gate["checks"]}):
        names = [check["id"] for check in gate["checks"] if check["status"] == status]
        print(
            textwrap.fill(
                ", ".join(names), 100, initial_indent=f"   {status:<9} ", subsequent_indent=" " * 13
            )
        )
    introduced = [found for found in findings(pack) if found.new]
    for found in introduced:
        print(f"   introduced  {found.path}:{found.line}  {found.rule}  {found.message}")
    for reason in gate["decision"]["review_caveats"]:
        print(f"   caveat      {reason}")
    removed = [found for found in introduced if "is_empty" in found.message]
    expect("a function that others may use was removed", bool(removed))
    expect("gifts.py brings an unused import", any(found.path.endswith("gifts.py") for found in introduced))
    expect("that of prices.py is older", not any(found.path.endswith("prices.py") for found in introduced))
    expect("such a branch is not waved through", result["allow_merge"] is False)
    return f"prview       {result['verdict']:<20} {pack}"


@dataclass(frozen=True)
class Finding:
    """A finding of the pack's SARIF file; `new` when the branch introduced it."""

    path: str
    line: int
    rule: str
    message: str
    new: bool


def findings(pack: Path) -> list[Finding]:
    """Every finding in place that the pack holds."""
    sarif = json.loads((pack / "30_context/INLINE_FINDINGS.sarif").read_text())
    results = [result for run in sarif["runs"] for result in run["results"]]
    return [finding(result, result["locations"][0]["physicalLocation"]) for result in results]


def finding(result: Mapping[str, Any], place: Mapping[str, Any]) -> Finding:
    """A SARIF result in the demo's own words."""
    path, line = place["artifactLocation"]["uri"], place.get("region", {}).get("startLine", 1)
    return Finding(
        path, line, result["ruleId"], result["message"]["text"], result.get("baselineState") == "new"
    )


def preview(shop: Shop) -> str:
    """A receipt of what a read-only visit of the deployed branch saw."""
    headline("2. codevetter: does the deployed branch hold up?")
    doctor = tool(shop, "codevetter", "doctor", "--json", codes=(0, 1, 2)).json()
    if not doctor.get("browser"):
        print(CHROMIUM_HINT)
        return "codevetter   left out (no Chromium)"
    driver = run(
        (sys.executable, "-m", "playwright", "--version"), env=shop.env, cwd=shop.repo, codes=range(256)
    )
    if driver.code:
        print(f"Playwright's driver does not start: {driver.stderr.strip()}\n{DRIVER_HINT}")
        return "codevetter   left out (Playwright's driver does not start)"
    with served(shop) as url:
        where = ("--range", "main..HEAD", "--preview", url, "--repo", str(shop.repo))
        receipt = tool(shop, "codevetter", "trex", *where, "--json", codes=(0,)).json()
    for journey in receipt["journeys"]:
        print(
            f"   {'pass' if journey['pass'] else 'FAIL'}  {journey['route']:<10} {journey['duration_ms']} ms"
        )
    for limit in receipt["limitations"]:
        print(f"   limit  {limit}")
    expect("the preview named the branch's own commit", receipt["preview"]["revision"] == shop.head)
    expect(
        "the changed page was visited", "/pricing" in [journey["route"] for journey in receipt["journeys"]]
    )
    shown = typed(shop, "CODEVETTER_HOME", "codevetter", "receipts", "show", receipt["run_id"])
    return f"codevetter   {receipt['verdict']:<20} {shown}"


def verify(shop: Shop) -> str:
    """Every declared review green: all run on main, then what the change touched, then none."""
    headline("3. artifactize: which reviews still hold?")
    git(shop, "switch", "--quiet", "main")
    before = settled(shop)
    git(shop, "switch", "--quiet", "gift-wrapping")
    after, again = settled(shop), settled(shop)
    print(f"   {'review':<24} {'on main':<10} {'on the branch':<15} once more")
    for name, result in sorted(after.items()):
        print(f"   {name:<24} {before[name].source:<10} {result.source:<15} {again[name].source}")
    expect("every review is green", {result.state for result in again.values()} == {"GREEN"})
    expect("what the change left alone is reused", after["preview-server/parses"].source == "reused")
    expect(
        "what it touched is not", after["library/tests"].source == after["site/links"].source == "executed"
    )
    expect("nothing runs twice", not [name for name, result in again.items() if result.source == "executed"])
    shown = typed(shop, "ARTIFACTIZE_STATE_HOME", "artifactize", "--repo", str(shop.repo), "run", "list")
    return f"artifactize  {'GREEN':<20} {shown}"


@dataclass(frozen=True)
class Settled:
    """How a review ended, and whether it was executed, reused, or derived from others."""

    state: str
    source: str


def settled(shop: Shop) -> dict[str, Settled]:
    """Every review of one `verify --all`, from its JSON lines."""
    ran = tool(shop, "artifactize", "verify", "--all", "--watch", codes=(0,))
    events = [json.loads(line) for line in ran.stdout.splitlines()]
    results = [event["data"] for event in events if event["kind"] == "eval_result"]
    print(f"     {len(results)} reviews settled in {ran.seconds:.1f} s")
    return {data["eval"]: Settled(data["state"], data["source"]) for data in results}


# --- the example project ------------------------------------------------------------------------------------


def prepare(shop: Shop) -> Shop:
    """Copy the example and commit it, its change on the branch `gift-wrapping`."""
    headline(f"0. a small shop with one branch, in {shop.repo}")
    shutil.copytree(HERE / "bookshop/project", shop.repo)
    git(shop, "init", "--quiet", "--initial-branch=main")
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "Sell books")
    git(shop, "switch", "--quiet", "-c", "gift-wrapping")
    shutil.copytree(HERE / "bookshop/change", shop.repo, dirs_exist_ok=True)
    git(shop, "add", ".")
    git(shop, "commit", "--quiet", "-m", "Wrap gifts")
    print(git(shop, "diff", "--stat", "main...HEAD").rstrip())
    return Shop(shop.folder, git(shop, "rev-parse", "HEAD").strip())


@contextmanager
def served(shop: Shop) -> Iterator[str]:
    """The branch's site on a free loopback port, as a deployment that names its commit."""
    command = [sys.executable, str(shop.repo / "web/serve.py"), shop.head]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


# --- running things -----------------------------------------------------------------------------------------


def git(shop: Shop, *args: str) -> str:
    """Output of a git command in the example, with nobody's own configuration."""
    who = ("-c", "user.name=Demo", "-c", "user.email=demo@example.com", "-c", "commit.gpgsign=false")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return run(("git", *who, "-C", str(shop.repo), *args), env=env, cwd=shop.folder, codes=(0,)).stdout


def tool(shop: Shop, name: str, *args: str, codes: Sequence[int]) -> Ran:
    """Start one of the tools in the example, showing the command as a person would type it."""
    print(f"   $ {name} {' '.join(args)}")
    return run((str(SCRIPTS / name), *args), env=shop.env, cwd=shop.repo, codes=codes)


def typed(shop: Shop, home: str, name: str, *args: str) -> str:
    """A command for the reader's shell: the tools of this environment are not on its PATH."""
    return f"{home}={shlex.quote(shop.env[home])} {shlex.join([str(SCRIPTS / name), *args])}"


def run(argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, codes: Sequence[int]) -> Ran:
    """Run to the end; an exit code that nobody expects fails the demo with what the command said."""
    started = time.monotonic()
    done = subprocess.run(
        argv, cwd=cwd, env=dict(env), capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode not in codes:
        said = f"its stderr:\n{done.stderr[-4000:]}\nits stdout:\n{done.stdout[-2000:]}".strip()
        raise DemoFailedError(f"{shlex.join(argv)} ended with {done.returncode}; {said}")
    return Ran(done.stdout, done.stderr, done.returncode, time.monotonic() - started)


def expect(what: str, held: bool) -> None:  # noqa: FBT001 - reads as a sentence
    """Fail the demo unless `what` holds."""
    if not held:
        raise DemoFailedError(f"expected: {what}")


def headline(text: str) -> None:
    """A line between the steps."""
    print(f"\n== {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
