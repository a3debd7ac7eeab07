"""Everything that is done with this repository, one session each; `uv run nox -l` lists them.

Sessions that look at the sources use the workspace's own environment, which `uv run` has just synchronised:
they start at once. The ones that ask "does it work elsewhere?" (alone, wheels, lowest, hosts) make their own.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nox

ROOT = Path(__file__).parent
PYTHON = sys.executable
MEMBERS = {
    "mcpkit": "shared/mcpkit",
    "oskit": "shared/oskit",
    "prview": "packages/prview",
    "codevetter-verify": "packages/codevetter-verify",
    "artifactize": "packages/artifactize",
}
# two more than there are cores: most tests wait for the programs they start
SIDE_BY_SIDE = ("-n", str((os.cpu_count() or 1) + 2), "--dist", "worksteal")
HOST_PACKAGES = ("@anthropic-ai/claude-code", "@openai/codex", "@modelcontextprotocol/inspector")

nox.needs_version = ">=2026.4"
nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "imports", "tests", "docs"]


# --- the two commands of the README -------------------------------------------------------------------------


@nox.session
def demo(session: nox.Session) -> None:
    """Review, preview and verify a small example project."""
    _in_workspace(session)
    session.run(PYTHON, "examples/run_demo.py", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Every test, on all cores; without a Chromium, everything that needs none."""
    _in_workspace(session)
    missing = _browser_problem()
    if missing and os.environ.get("REQUIRE_BROWSER") == "1":
        session.error(f"REQUIRE_BROWSER=1: {missing}")
    wanted = "not hosts and not browser" if missing else "not hosts"
    postgresql = _has_postgresql()
    if not postgresql:
        wanted += " and not postgresql"
    try:
        _pytest(session, *SIDE_BY_SIDE, "-m", wanted, *session.posargs)
    finally:
        if missing:
            session.warn(
                "NO CHROMIUM: the tests that visit a page were left out; they are part of the suite."
            )
            session.warn(missing)
        if not postgresql:
            session.warn(
                "NO POSTGRESQL: the tests of the review store on it were left out; Debian: postgresql"
            )


# --- the sources --------------------------------------------------------------------------------------------


@nox.session
def lint(session: nox.Session) -> None:
    """Style, likely bugs, formatting."""
    _in_workspace(session)
    session.run(PYTHON, "-m", "ruff", "check", ".")
    session.run(PYTHON, "-m", "ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Mypy, strict, over the packages, their tests, the benchmarks and this file."""
    _in_workspace(session)
    session.run(PYTHON, "-m", "mypy", *session.posargs)


@nox.session
def imports(session: nox.Session) -> None:
    """The layers of docs/architecture.md hold."""
    _in_workspace(session)
    session.run("lint-imports")


@nox.session
def e2e(session: nox.Session) -> None:
    """The tools as their users start them: whole runs over real repositories, pages and state."""
    _in_workspace(session)
    _pytest(session, "-m", "not hosts", "tests/e2e", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the manual; a warning is an error. Open docs/_build/html/index.html."""
    _in_workspace(session)
    session.run(PYTHON, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", "docs/_build/html")
    session.log("docs/_build/html/index.html")


@nox.session
def bench(session: nox.Session) -> None:
    """Start-up of every command and server, a quick review, and the answers of warm servers."""
    _in_workspace(session)
    session.run(PYTHON, "-m", "benchmarks.bench_start", *session.posargs)
    session.run(PYTHON, "-m", "benchmarks.bench_prview", *session.posargs)
    session.run(PYTHON, "-m", "benchmarks.bench_artifactize", *session.posargs)
    session.run(PYTHON, "-m", "benchmarks.bench_answers", *session.posargs)
    session.run(PYTHON, "-m", "benchmarks.bench_runs", *session.posargs)
    session.run(PYTHON, "-m", "benchmarks.bench_codevetter", *session.posargs)
    session.run(PYTHON, "-m", "benchmarks.bench_routes", *session.posargs)


@nox.session
def load(session: nox.Session) -> None:
    """200 clients of one review store for a minute: nothing lost, nothing wrong."""
    _in_workspace(session)
    session.run(PYTHON, "-m", "benchmarks.load_store", *session.posargs)


@nox.session
def pin(session: nox.Session) -> None:
    """Write the versions that resolve today into pyproject.toml's constraint-dependencies."""
    _in_workspace(session)
    session.run(PYTHON, ".ci/pin.py", *session.posargs)


# --- elsewhere ----------------------------------------------------------------------------------------------


@nox.session(venv_backend="uv")
@nox.parametrize("package", sorted(MEMBERS), ids=sorted(MEMBERS))
def alone(session: nox.Session, package: str) -> None:
    """Each package starts, and every module of it imports, with nothing but what it declares."""
    _sync(session, package)
    for script in _scripts(package):
        for option in ("--help", "--version"):
            session.run(script, option, silent=True, env=_isolated())
    _sync(session, package, "--all-extras")
    session.run("python", "-I", str(ROOT / ".ci/import_all.py"), package.replace("-", "_"))


@nox.session
def wheels(session: nox.Session) -> None:
    """The wheels, installed into an empty environment outside the tree, keep the protocol's promises."""
    with tempfile.TemporaryDirectory(prefix="review-wheels-") as name:
        away = Away.built(session, Path(name))
        away.install(session, constraints=_pins(away.folder))
        away.run_contract_tests(session, "not hosts")


@nox.session
def lowest(session: nox.Session) -> None:
    """The contract tests hold with the oldest direct dependencies that the packages admit."""
    with tempfile.TemporaryDirectory(prefix="review-lowest-") as name:
        away = Away.built(session, Path(name))
        away.install(session, constraints=_floor(session, away))
        away.run_contract_tests(session, "not hosts and not browser")


@nox.session
def hosts(session: nox.Session) -> None:
    """The servers inside real MCP hosts (Claude Code, Codex, the Inspector), installed by npm."""
    _in_workspace(session)
    npm = shutil.which("npm") or session.error("npm is missing: the hosts are npm packages (Node.js >= 20)")
    with tempfile.TemporaryDirectory(prefix="review-hosts-") as folder:
        session.run(npm, "install", "--silent", "--prefix", folder, *HOST_PACKAGES)
        env = {"PATH": f"{folder}/node_modules/.bin{os.pathsep}{os.environ['PATH']}"}
        session.run(PYTHON, "-m", "pytest", "-m", "hosts", "tests/e2e/hosts", *session.posargs, env=env)


# --- helpers ------------------------------------------------------------------------------------------------


def _in_workspace(session: nox.Session) -> None:
    """Stop with the right command when nox runs from an environment that knows nothing of the packages."""
    if importlib.util.find_spec("prview") is None:
        session.error(f"start me in the workspace's environment: uv run nox -s {session.name}")


def _pytest(session: nox.Session, *args: str) -> None:
    session.run(PYTHON, "-m", "pytest", *args)


def _browser_problem() -> str | None:
    """Why there is no Chromium and how to get one, in the words of the product's own search."""
    from codevetter_verify.browser.find import find_browser
    from codevetter_verify.errors import BrowserMissingError

    try:
        find_browser()
    except BrowserMissingError as exc:
        return str(exc)
    command = (PYTHON, "-m", "playwright", "--version")
    driver = subprocess.run(command, capture_output=True, text=True, check=False)
    if driver.returncode:
        return (
            f"Playwright's driver does not start: {driver.stderr.strip()}; Debian: apt-get install libatomic1"
        )
    return None


def _has_postgresql() -> bool:
    """Whether its server is installed; Debian keeps it out of PATH."""
    return shutil.which("initdb") is not None or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def _scripts(package: str) -> list[str]:
    manifest = tomllib.loads((ROOT / MEMBERS[package] / "pyproject.toml").read_text())
    return sorted(manifest["project"].get("scripts", {}))


def _isolated() -> dict[str, str]:
    """Nothing of this checkout or of the user's home can leak into the interpreter."""
    return {"PYTHONSAFEPATH": "1", "PYTHONNOUSERSITE": "1", "PYTHONPATH": ""}


def _sync(session: nox.Session, package: str, *extra: str) -> None:
    """Install one member, not editable, with only what it declares, at the pinned versions."""
    env = {"UV_PROJECT_ENVIRONMENT": session.virtualenv.location}
    options = ("--package", package, "--no-default-groups", "--no-editable", "--quiet")
    session.run("uv", "sync", *options, *extra, env=env, external=True)


def _pins(folder: Path) -> Path:
    """The pins of pyproject.toml as a constraints file, for installs that happen outside the workspace."""
    path = folder / "pins.txt"
    path.write_text("\n".join(_manifest()["tool"]["uv"]["constraint-dependencies"]))
    return path


def _floor(session: nox.Session, away: Away) -> Path:
    """The oldest direct dependencies as a constraints file."""
    path = away.folder / "lowest.txt"
    sources = [str(ROOT / folder / "pyproject.toml") for folder in MEMBERS.values()]
    options = ("--resolution", "lowest-direct", "--no-sources", "--no-config", "--no-header", "--no-annotate")
    where = ("--find-links", str(away.dist), "-o", str(path))
    session.run("uv", "pip", "compile", "--quiet", *options, *where, *sources, silent=True)
    return path


def _manifest() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@dataclass(frozen=True)
class Away:
    """A folder outside the checkout, with the built wheels, an environment of its own, and the tests."""

    folder: Path

    @classmethod
    def built(cls, session: nox.Session, folder: Path) -> Away:
        """Build every wheel into `folder`."""
        away = cls(folder)
        session.run("uv", "build", "--quiet", "--all-packages", "--wheel", "--out-dir", str(away.dist))
        return away

    @property
    def dist(self) -> Path:
        """Where the wheels are."""
        return self.folder / "dist"

    @property
    def python(self) -> str:
        """The environment's interpreter."""
        return str(self.folder / "venv/bin/python")

    def install(self, session: nox.Session, *, constraints: Path) -> None:
        """Make an empty environment and install the wheels and what the tests need."""
        session.run("uv", "venv", "--quiet", "--no-config", "--python", PYTHON, str(self.folder / "venv"))
        built = sorted(str(wheel) for wheel in self.dist.glob("*.whl"))
        where = (
            "--no-config",
            "--python",
            self.python,
            "--find-links",
            str(self.dist),
            "-c",
            str(constraints),
        )
        session.run(
            "uv", "pip", "install", "--quiet", *where, *built, *_manifest()["dependency-groups"]["test"]
        )

    def run_contract_tests(self, session: nox.Session, wanted: str) -> None:
        """Run them from a copy without sources: what is found is what is installed."""
        copy = self.folder / "copy"
        shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "docs/schemas", copy / "docs/schemas")
        shutil.copy(ROOT / "pyproject.toml", copy)
        options = ("-q", *SIDE_BY_SIDE, "-m", wanted)
        path = f"{self.folder / 'venv/bin'}{os.pathsep}{os.environ['PATH']}"
        with session.chdir(copy):
            command = (self.python, "-m", "pytest", *options, "tests/contract", *session.posargs)
            session.run(*command, env={**_isolated(), "PATH": path, "VIRTUAL_ENV": ""})
