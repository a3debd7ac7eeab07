"""Everything that is done with this repository, one session each; `uv run nox -l` lists them.

Sessions that look at the sources use the workspace's own environment, which `uv run` has just synchronised:
they start at once. The ones that ask "does it work elsewhere?" (alone, wheels, lowest, hosts) make their own.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tomllib
from pathlib import Path

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
    try:
        _pytest(session, "-n", "auto", "--dist", "worksteal", "-m", wanted, *session.posargs)
    finally:
        if missing:
            session.warn(
                "NO CHROMIUM: the tests that visit a page were left out; they are part of the suite."
            )
            session.warn(missing)


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
    """Start-up of every command and server, beside an empty program in the same run."""
    _in_workspace(session)
    session.run(PYTHON, "-m", "benchmarks.bench_start", *session.posargs)


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
        told = str(session.run(script, "--help", silent=True, env=_isolated()))
        if "--version" in told:
            session.run(script, "--version", silent=True, env=_isolated())
    _sync(session, package, "--all-extras")
    session.run("python", "-I", str(ROOT / ".ci/import_all.py"), package.replace("-", "_"))


@nox.session(venv_backend="uv")
def wheels(session: nox.Session) -> None:
    """The wheels, installed into an empty environment outside the tree, keep the protocol's promises."""
    dist = _build(session)
    _install_wheels(session, dist, constraints=_constraints(session))
    outside = _copy_tests(session)
    with session.chdir(outside):
        _installed_tests(session, "not hosts", *session.posargs)


@nox.session(venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """The unit and contract tests hold with the oldest direct dependencies that the packages admit."""
    dist = _build(session)
    floor = Path(session.create_tmp()) / "lowest.txt"
    sources = [str(ROOT / folder / "pyproject.toml") for folder in MEMBERS.values()]
    resolve = ["--resolution", "lowest-direct", "--no-sources", "--no-config", "--find-links", str(dist)]
    session.run(
        "uv", "pip", "compile", "-q", *resolve, *sources, "-o", str(floor), external=True, silent=True
    )
    _install_wheels(session, dist, constraints=floor)
    with session.chdir(_copy_tests(session)):
        _installed_tests(session, "not hosts and not browser", *session.posargs)


@nox.session(venv_backend="uv")
def hosts(session: nox.Session) -> None:
    """The servers inside real MCP hosts (Claude Code, Codex), installed by npm for this session."""
    _sync_all(session)
    npm = shutil.which("npm") or session.error(
        "npm is missing: the hosts are npm packages (install Node.js >= 20)"
    )
    folder = Path(session.create_tmp()) / "hosts"
    packages = ("@anthropic-ai/claude-code", "@openai/codex")
    session.run(npm, "install", "--silent", "--prefix", str(folder), *packages, external=True)
    env = {
        "PATH": f"{folder / 'node_modules/.bin'}{os.pathsep}{session.env.get('PATH') or os.environ['PATH']}"
    }
    session.run("python", "-m", "pytest", "-m", "hosts", "tests/e2e/hosts", *session.posargs, env=env)


# --- helpers ------------------------------------------------------------------------------------------------


def _in_workspace(session: nox.Session) -> None:
    """Stop with the right command when nox runs from an environment that knows nothing of the packages."""
    if importlib.util.find_spec("prview") is None:
        session.error(f"start me in the workspace's environment: uv run nox -s {session.name}")


def _pytest(session: nox.Session, *args: str) -> None:
    session.run(PYTHON, "-m", "pytest", *args)


def _installed_tests(session: nox.Session, wanted: str, *args: str) -> None:
    """The contract tests against what is installed, from a folder without sources."""
    options = ("-q", "-n", "auto", "--dist", "worksteal", "-m", wanted)
    session.run("python", "-m", "pytest", *options, "tests/contract", *args, env=_isolated())


def _browser_problem() -> str | None:
    """Why there is no Chromium and how to get one, in the words of the product's own search."""
    from codevetter_verify.browser.find import find_browser
    from codevetter_verify.errors import BrowserMissingError

    try:
        find_browser()
    except BrowserMissingError as exc:
        return str(exc)
    return None


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


def _sync_all(session: nox.Session) -> None:
    env = {"UV_PROJECT_ENVIRONMENT": session.virtualenv.location}
    session.run("uv", "sync", "--quiet", env=env, external=True)


def _build(session: nox.Session) -> Path:
    dist = Path(session.create_tmp()) / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    session.run("uv", "build", "--quiet", "--all-packages", "--wheel", "--out-dir", str(dist), external=True)
    return dist


def _constraints(session: nox.Session) -> Path:
    """The pins of pyproject.toml as a constraints file, for installs that happen outside the workspace."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["uv"]
    path = Path(session.create_tmp()) / "constraints.txt"
    path.write_text("\n".join(settings.get("constraint-dependencies", [])))
    return path


def _install_wheels(session: nox.Session, dist: Path, *, constraints: Path) -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    built = sorted(str(wheel) for wheel in dist.glob("*.whl"))
    options = ("--no-config", "--quiet", "--find-links", str(dist), "-c", str(constraints))
    session.run("uv", "pip", "install", *options, *built, *groups["test"], external=True)


def _copy_tests(session: nox.Session) -> Path:
    """The tests without the sources, far from the checkout."""
    outside = Path(session.create_tmp()) / "outside"
    shutil.rmtree(outside, ignore_errors=True)
    shutil.copytree(ROOT / "tests", outside / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs/schemas", outside / "docs/schemas")
    shutil.copy(ROOT / "pyproject.toml", outside)
    return outside
