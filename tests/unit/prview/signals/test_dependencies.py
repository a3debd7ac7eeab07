"""What a change does to dependencies, on manifests and lock files of every kind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from prview.domain.findings import Level
from prview.signals.dependencies.analyzer import ARTIFACT, Dependencies
from support.signal_context import Tree, places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def _said(folder: Path, before: Tree, after: Tree) -> dict[str, list[Any]]:
    """Rules with lines, and changes as words."""
    signal = await said(Dependencies(), folder, before, after)
    if signal is None:
        return {"findings": [], "changes": [], "limits": []}
    rows: Any = signal.data["changes"]
    return {
        "findings": places(signal),
        "changes": [(row["kind"], row["name"], row["old"], row["new"], row["direct"]) for row in rows],
        "limits": list(signal.limits),
    }


def _pyproject(*dependencies: str, more: str = "") -> str:
    listed = "".join(f'    "{item}",\n' for item in dependencies)
    return f'[project]\nname = "shop"\nversion = "1"\ndependencies = [\n{listed}]\n{more}'


async def test_python_requirements_that_come_go_and_change(tmp_path: Path) -> None:
    before = _pyproject("anyio>=4", "Old_Thing", "click>=8,<9")
    after = _pyproject("anyio>=4.2", "httpx[http2]>=0.28 ; python_version > '3'", "click>=9,<10")
    found = await _said(tmp_path, {"pyproject.toml": before}, {"pyproject.toml": after})
    assert found["changes"] == [
        ("upgraded", "anyio", ">=4", ">=4.2", True),
        ("upgraded", "click", ">=8,<9", ">=9,<10", True),
        ("added", "httpx", "", ">=0.28", True),
        ("removed", "old-thing", "any version", "", True),
    ]
    assert found["findings"] == [
        ("pyproject.toml", 1, "removed"),
        ("pyproject.toml", 6, "added"),
        ("pyproject.toml", 7, "major-upgrade"),
    ]


async def test_groups_extras_poetry_and_foreign_sources_of_python(tmp_path: Path) -> None:
    more = """
[project.optional-dependencies]
fast = ["uvloop"]
[dependency-groups]
dev = ["pytest>=9", {include-group = "lint"}]
[tool.uv.sources]
fork = { git = "https://example.org/fork" }
here = { path = "../here" }
[tool.poetry.dependencies]
python = "^3.11"
rich = "^15"
patched = { git = "https://example.org/patched", branch = "main" }
[build-system]
requires = ["uv_build>=0.9"]
"""
    after = _pyproject("fork", "here", "direct @ https://example.org/direct.whl", more=more)
    found = await _said(tmp_path, {}, {"pyproject.toml": after})
    assert [name for _, name, *_ in found["changes"]] == [
        "direct",
        "fork",
        "here",
        "patched",
        "pytest",
        "rich",
        "uv-build",
        "uvloop",
    ]
    foreign = [place for place in found["findings"] if place[2] == "foreign-source"]
    assert foreign == [("pyproject.toml", line, "foreign-source") for line in (5, 7, 20)]


async def test_a_requirement_that_moves_to_another_group_is_not_new(tmp_path: Path) -> None:
    before = _pyproject("a", "b", more='[dependency-groups]\ndev = ["pytest"]\n')
    after = _pyproject("a", "pytest", "b")
    found = await _said(tmp_path, {"pyproject.toml": before}, {"pyproject.toml": after})
    assert found["changes"] == [("moved", "pytest", "", "any version", True)]


async def test_requirements_files(tmp_path: Path) -> None:
    before = "# pinned\n-r base.txt\nflask==2.0.1 \\\n    --hash=sha256:abc\nold==1\n"
    after = "# pinned\nflask==2.0.0\ngit+https://example.org/x#egg=x\n-e ./local\n--index-url https://example.org\n"
    found = await _said(tmp_path, {"requirements-dev.txt": before}, {"requirements-dev.txt": after})
    assert found["changes"] == [
        ("added", "./local", "", "./local", True),
        ("downgraded", "flask", "==2.0.1", "==2.0.0", True),
        ("removed", "old", "==1", "", True),
        ("added", "x", "", "git+https://example.org/x#egg=x", True),
    ]
    assert ("requirements-dev.txt", 2, "downgraded") in found["findings"]
    assert ("requirements-dev.txt", 3, "foreign-source") in found["findings"]
    assert ("requirements-dev.txt", 4, "foreign-source") not in found["findings"]


def _uv_lock(asked: str, *packages: tuple[str, str]) -> str:
    own = (
        '[[package]]\nname = "shop"\nversion = "1"\nsource = { editable = "." }\n'
        f"[package.metadata]\nrequires-dist = [{asked}]\n\n"
    )
    others = "".join(
        f'[[package]]\nname = "{name}"\nversion = "{version}"\nsource = {{ registry = "https://r.example/s" }}\n\n'
        for name, version in packages
    )
    return f"version = 1\n\n{own}{others}"


async def test_uv_lock_tells_direct_from_transitive(tmp_path: Path) -> None:
    asked = '{ name = "anyio", specifier = ">=4" }'
    before = {
        "pyproject.toml": _pyproject("anyio>=4"),
        "uv.lock": _uv_lock(asked, ("anyio", "4.0.0"), ("idna", "3.1"), ("gone", "1")),
    }
    after = before | {"uv.lock": _uv_lock(asked, ("anyio", "5.0"), ("idna", "2.9"), ("sniffio", "1.3"))}
    found = await _said(tmp_path, before, after)
    assert found["changes"] == [
        ("upgraded", "anyio", "4.0.0", "5.0", True),
        ("removed", "gone", "1", "", False),
        ("downgraded", "idna", "3.1", "2.9", False),
        ("added", "sniffio", "", "1.3", False),
    ]
    assert found["findings"] == [("uv.lock", 11, "major-upgrade")]


@pytest.mark.parametrize(
    ("asked", "listed", "expected"),
    [
        pytest.param('{ name = "anyio", specifier = ">=4" }', ("anyio>=4",), [], id="in step"),
        pytest.param(
            '{ name = "anyio", specifier = ">=4,<5" }', ("anyio <5, >=4",), [], id="in another order"
        ),
        pytest.param(
            '{ name = "anyio", specifier = ">=4" }',
            ("anyio>=4", "httpx"),
            [("pyproject.toml", 6, "lock-out-of-step")],
            id="without the new one",
        ),
        pytest.param(
            '{ name = "anyio", specifier = ">=4" }',
            ("anyio>=4.5",),
            [("pyproject.toml", 5, "lock-out-of-step")],
            id="for another range",
        ),
        pytest.param(
            '{ name = "tomli", specifier = ">=2" }',
            ("tomli>=2; python_version<'3.11'", "tomli>=1; python_version>='3.11'"),
            [],
            id="for two systems",
        ),
    ],
)
async def test_uv_lock_out_of_step(
    tmp_path: Path, asked: str, listed: tuple[str, ...], expected: list[Any]
) -> None:
    before = {
        "pyproject.toml": _pyproject("anyio>=4"),
        "uv.lock": _uv_lock('{ name = "anyio", specifier = ">=4" }'),
    }
    after = {"pyproject.toml": _pyproject(*listed), "uv.lock": _uv_lock(asked)}
    found = await _said(tmp_path, before, after)
    assert [place for place in found["findings"] if place[2] == "lock-out-of-step"] == expected


async def test_a_disagreement_that_was_there_before_is_not_this_changes(tmp_path: Path) -> None:
    lock = _uv_lock('{ name = "anyio", specifier = ">=4" }')
    before = {"pyproject.toml": _pyproject("anyio>=3"), "uv.lock": lock}
    after = {"pyproject.toml": _pyproject("anyio>=3", more="# a remark\n"), "uv.lock": lock}
    assert (await _said(tmp_path, before, after))["findings"] == []


async def test_poetry_lock_lacks_what_was_added(tmp_path: Path) -> None:
    manifest = '[tool.poetry.dependencies]\npython = "^3.11"\nrich = "^15"\n'
    lock = '# @generated by Poetry\n[[package]]\nname = "rich"\nversion = "15.0.0"\n'
    before = {"pyproject.toml": manifest, "poetry.lock": lock}
    after = {"pyproject.toml": manifest + 'httpx = "^0.28"\n', "poetry.lock": lock}
    assert (await _said(tmp_path, before, after))["findings"] == [
        ("pyproject.toml", 4, "added"),
        ("pyproject.toml", 4, "lock-out-of-step"),
    ]


def _package_json(dependencies: dict[str, str], **more: Any) -> str:
    return json.dumps({"name": "web", "dependencies": dependencies, **more}, indent=2) + "\n"


def _package_lock(asked: dict[str, str], packages: dict[str, dict[str, Any]]) -> str:
    listed = {"": {"name": "web", "dependencies": asked}}
    listed |= {f"node_modules/{name}": value for name, value in packages.items()}
    return json.dumps({"lockfileVersion": 3, "packages": listed}, indent=2) + "\n"


def _npm(version: str, *, host: str = "r.example", **more: Any) -> dict[str, Any]:
    return {"version": version, "resolved": f"https://{host}/x-{version}.tgz", **more}


async def test_npm_lock_shows_install_scripts_new_hosts_and_git_sources(tmp_path: Path) -> None:
    asked = {"left": "^1.0.0"}
    before = {
        "package.json": _package_json(asked),
        "package-lock.json": _package_lock(
            asked, {"left": _npm("1.0.0"), "old": _npm("1.0.0", hasInstallScript=True)}
        ),
    }
    after = before | {
        "package-lock.json": _package_lock(
            asked,
            {
                "left": _npm("1.1.0", hasInstallScript=True),
                "old": _npm("1.0.1", hasInstallScript=True),
                "@scope/far": _npm("2.0.0", host="evil.example"),
                "forked": {"version": "1.0.0", "resolved": "git+ssh://git@example.org/forked.git#abc"},
            },
        )
    }
    signal = await said(Dependencies(), tmp_path, before, after)
    assert signal is not None
    assert sorted((item.rule, item.level, item.anchor) for item in signal.findings) == [
        ("foreign-source", Level.WARNING, "forked"),
        ("install-script", Level.WARNING, "left"),
        ("new-host", Level.WARNING, "evil.example"),
    ]
    lines = after["package-lock.json"].split("\n")
    assert all(f"node_modules/{item.message.split()[0]}" in lines[item.line - 1] for item in signal.findings)
    assert signal.artifacts[0].path == ARTIFACT
    assert "left goes from 1.0.0 to 1.1.0" in signal.artifacts[0].text


async def test_package_json_scripts_sources_and_a_lock_left_behind(tmp_path: Path) -> None:
    before = {
        "package.json": _package_json({"left": "^1.0.0"}),
        "package-lock.json": _package_lock({"left": "^1.0.0"}, {"left": _npm("1.0.0")}),
    }
    after = before | {
        "package.json": _package_json(
            {"left": "^2.0.0", "fork": "github:me/fork", "new": "1.0.0"},
            scripts={"test": "vitest", "postinstall": "node steal.js"},
        )
    }
    found = await _said(tmp_path, before, after)
    assert sorted(rule for _, _, rule in found["findings"]) == [
        "added",
        "added",
        "foreign-source",
        "install-script",
        "lock-out-of-step",
        "lock-out-of-step",
        "lock-out-of-step",
        "major-upgrade",
    ]


async def test_old_npm_lock_files_nest(tmp_path: Path) -> None:
    tree = {"a": {"version": "1.0.0", "dependencies": {"b": {"version": "1.0.0"}}}, "b": {"version": "2.0.0"}}
    before = {"package-lock.json": json.dumps({"dependencies": {}})}
    after = {"package-lock.json": json.dumps({"dependencies": tree}, indent=2)}
    assert (await _said(tmp_path, before, after))["changes"] == [
        ("added", "a", "", "1.0.0", False),
        ("added", "b", "", "1.0.0, 2.0.0", False),
    ]


YARN_1 = '# yarn lockfile v1\n\n"@s/a@^1.0.0", "@s/a@^1.1.0":\n  version "1.2.0"\n  resolved "https://r.example/a.tgz#1"\n'
YARN_2 = (
    '__metadata:\n  version: 8\n\n"@s/a@npm:^1.0.0, @s/a@npm:^1.1.0":\n  version: 1.2.0\n  resolution: "x"\n'
)


@pytest.mark.parametrize("lock", [YARN_1, YARN_2], ids=["classic", "berry"])
async def test_yarn_lock_answers_descriptors(tmp_path: Path, lock: str) -> None:
    before = {"package.json": _package_json({"@s/a": "^1.0.0"}), "yarn.lock": lock}
    after = {
        "package.json": _package_json({"@s/a": "^1.1.0", "b": "^1.0.0", "c": "workspace:*"}),
        "yarn.lock": lock,
    }
    found = await _said(tmp_path, before, after)
    out = [place for place in found["findings"] if place[2] == "lock-out-of-step"]
    assert out == [("package.json", 5, "lock-out-of-step")]


async def test_yarn_lock_versions_are_compared(tmp_path: Path) -> None:
    found = await _said(tmp_path, {"yarn.lock": YARN_1}, {"yarn.lock": YARN_1.replace("1.2.0", "1.1.0")})
    assert found["changes"] == [("downgraded", "@s/a", "1.2.0", "1.1.0", False)]


PNPM = """\
lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      '@s/a':
        specifier: ^1.0.0
        version: 1.2.0

packages:

  '@s/a@1.2.0':
    resolution: {integrity: sha512-x}

  b@2.0.0(peer@1.0.0):
    resolution: {integrity: sha512-y}
    requiresBuild: true
"""


async def test_pnpm_lock(tmp_path: Path) -> None:
    before = {"package.json": _package_json({"@s/a": "^1.0.0"}), "pnpm-lock.yaml": PNPM.partition("  b@")[0]}
    after = {"package.json": _package_json({"@s/a": "^1.0.0", "b": "^2.0.0"}), "pnpm-lock.yaml": PNPM}
    found = await _said(tmp_path, before, after)
    assert ("added", "b", "", "2.0.0", True) in found["changes"]
    assert found["findings"] == [
        ("package.json", 5, "added"),
        ("package.json", 5, "lock-out-of-step"),
        ("pnpm-lock.yaml", 16, "install-script"),
    ]


CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\n\n[dependencies]\nserde = "1.0"\n'
CARGO_LOCK = """\
# This file is automatically @generated by Cargo.
version = 4

[[package]]
name = "shop"
version = "0.1.0"

[[package]]
name = "serde"
version = "1.0.1"
source = "registry+https://r.example/index"
"""


async def test_cargo(tmp_path: Path) -> None:
    added = 'log = { version = "0.4", features = ["std"] }\nfork = { git = "https://example.org/fork" }\n\n[target.x.dev-dependencies.t]\nversion = "2"\n'
    after = {
        "Cargo.toml": CARGO + added,
        "Cargo.lock": CARGO_LOCK.replace("0.1.0", "0.2.0").replace("1.0.1", "1.0.0"),
    }
    found = await _said(tmp_path, {"Cargo.toml": CARGO, "Cargo.lock": CARGO_LOCK}, after)
    assert found["changes"] == [
        ("downgraded", "serde", "1.0.1", "1.0.0", True),
        ("added", "fork", "", "git: https://example.org/fork", True),
        ("added", "log", "", "0.4", True),
        ("added", "t", "", "2", True),
    ]
    assert ("Cargo.toml", 8, "foreign-source") in found["findings"]
    assert ("Cargo.lock", 9, "downgraded") in found["findings"]
    out = [place for place in found["findings"] if place[2] == "lock-out-of-step"]
    assert out == [("Cargo.toml", line, "lock-out-of-step") for line in (7, 8, 10)]


async def test_a_workspaces_shared_cargo_dependencies_need_no_lock_until_they_are_used(
    tmp_path: Path,
) -> None:
    after = {"Cargo.toml": CARGO + '[workspace.dependencies]\nunused = "1"\n', "Cargo.lock": CARGO_LOCK}
    found = await _said(tmp_path, {"Cargo.toml": CARGO, "Cargo.lock": CARGO_LOCK}, after)
    assert found["findings"] == [("Cargo.toml", 8, "added")]


GO_MOD = "module example.org/shop\n\ngo 1.24\n\nrequire (\n\texample.org/a v1.2.0\n\texample.org/b v0.1.0 // indirect\n)\n"
GO_SUM = "example.org/a v1.2.0 h1:x=\nexample.org/a v1.2.0/go.mod h1:y=\n"


async def test_go_modules(tmp_path: Path) -> None:
    text = GO_MOD.replace("a v1.2.0", "a v2.0.0-rc1").replace("b v0.1.0", "b v0.0.9")
    after = {
        "go.mod": text + "require example.org/c v1.0.0\nreplace example.org/c => ../c\n",
        "go.sum": GO_SUM,
    }
    found = await _said(tmp_path, {"go.mod": GO_MOD, "go.sum": GO_SUM}, after)
    assert found["changes"] == [
        ("upgraded", "example.org/a", "v1.2.0", "v2.0.0-rc1", True),
        ("downgraded", "example.org/b", "v0.1.0", "v0.0.9", False),
        ("added", "example.org/c", "", "v1.0.0", True),
    ]
    assert found["findings"] == [
        ("go.mod", 6, "lock-out-of-step"),
        ("go.mod", 6, "major-upgrade"),
        ("go.mod", 9, "added"),
    ]


async def test_members_of_a_workspace_are_held_against_the_lock_above_them(tmp_path: Path) -> None:
    lock = {"": {"name": "all"}, "web": {"name": "web", "dependencies": {"left": "^1.0.0"}}}
    before = {
        "package.json": "{}",
        "web/package.json": _package_json({"left": "^1.0.0"}),
        "package-lock.json": json.dumps({"packages": lock}),
    }
    after = before | {"web/package.json": _package_json({"left": "^1.0.0", "new": "^1.0.0"})}
    assert ("web/package.json", 5, "lock-out-of-step") in (await _said(tmp_path, before, after))["findings"]


@pytest.mark.parametrize("path", ["pyproject.toml", "package.json", "uv.lock", "Cargo.toml"])
async def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path, path: str) -> None:
    found = await _said(tmp_path, {}, {path: "{ not = ["})
    assert [limit.split(" is not ")[0] for limit in found["limits"]] == [path]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({}, {"a.py": "import httpx\n"}, id="no manifest"),
        pytest.param(
            {"package.json": "{}"}, {"package.json": '{"version": "2"}'}, id="nothing about packages"
        ),
        pytest.param({}, {"node_modules/x/package.json": '{"dependencies": {"a": "1"}}'}, id="vendored"),
        pytest.param({}, {"pyproject.toml": "[project]\nname = 3\ndependencies = {}\n"}, id="odd types"),
    ],
)
async def test_nothing_is_said_about(tmp_path: Path, before: Tree, after: Tree) -> None:
    assert await said(Dependencies(), tmp_path, before, after) is None
