"""JavaScript's tools on real repositories; stand-ins print what the tree they are started in holds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from prview.checks.base import Profile
from prview.checks.js.eslint import Eslint
from prview.checks.js.testing import Vitest
from prview.checks.js.tsc import Tsc
from prview.domain.checks import State
from prview.store.cache import ResultCache
from support.checking import Checker, origins
from support.repos import GitRepo, snapshot

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

# a linter that hates the word BAD, in ESLint's words; it also says where its plugin leads, and leaves a cache
ESLINT = """#!/bin/sh
case $1 in --version) echo v9.0.0; exit 0;; esac
echo used >node_modules/.cache || exit 3
readlink -f node_modules/plugin node_modules/@own/core >>"$0.seen"
shift 4
printf '['; comma=
for file in "$@"; do
  printf '%s{"filePath": "%s/%s", "messages": [' "$comma" "$PWD" "$file"; comma=,
  inner=
  for line in $(grep -n BAD "$file" | cut -d: -f1); do
    printf '%s{"ruleId": "no-bad", "severity": 2, "message": "bad", "line": %s, "column": 1}' "$inner" "$line"
    inner=,
  done
  printf ']}'
done
echo ']'
"""
TSC = """#!/bin/sh
case $1 in --version) echo 'Version 5.9.0'; exit 0;; esac
find "$PWD" -name '*.ts' -not -path '*/node_modules/*'
grep -rn --include='*.ts' --exclude-dir=node_modules BAD . >bad.txt || exit 0
sed -E 's#^./([^:]*):([0-9]+):.*#\\1(\\2,1): error TS1: bad#' bad.txt
exit 2
"""
VITEST = """#!/bin/sh
case $1 in --version) echo 'vitest/3.0.0'; exit 0;; esac
for word in "$@"; do case $word in --outputFile=*) out=${word#--outputFile=};; esac; done
sed "s|@TREE@|$PWD|g" said.json >"$out"
grep -q '"failed"' said.json && exit 1
exit 0
"""
PACKAGE = '{"name": "own", "devDependencies": {"eslint": "9", "vitest": "3"}, "workspaces": ["core"]}\n'


def report(**tests: str) -> str:
    """Vitest's report about a.test.ts."""
    cases = ", ".join(f'{{"fullName": "{name}", "status": "{status}"}}' for name, status in tests.items())
    status = "failed" if "failed" in tests.values() else "passed"
    file = f'{{"name": "@TREE@/a.test.ts", "status": "{status}", "assertionResults": [{cases}]}}'
    return f'{{"numTotalTests": {len(tests)}, "testResults": [{file}]}}\n'


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    repo = GitRepo.create(tmp_path / "r").write(".gitignore", "node_modules/\n")
    repo.write_many(
        {
            "package.json": PACKAGE,
            "package-lock.json": "{}\n",
            "core/package.json": '{"name": "@own/core"}\n',
            ".eslintrc.json": "{}\n",
            "tsconfig.json": "{}\n",
            "a.ts": "BAD\n",
            "a.test.ts": "test\n",
            "said.json": report(one="passed", two="passed", old="failed"),
        }
    )
    repo.commit("base")
    repo.branch("topic")
    for name, script in (("eslint", ESLINT), ("tsc", TSC), ("vitest", VITEST)):
        repo.write(f"node_modules/.bin/{name}", script, executable=True)
    repo.write("node_modules/plugin/index.js").file("node_modules/@own").mkdir()
    repo.symlink("node_modules/@own/core", "../../core")
    return Checker(repo, tmp_path / "scratch")


async def test_eslint_tells_new_from_old_with_the_packages_of_the_checkout(checker: Checker) -> None:
    """The plugin is the checkout's, the package of the workspace the commit's, and nothing is written there."""
    repo = checker.repo.write("a.ts", "// down\nBAD\nBAD = 2\n")
    repo.commit()
    before = snapshot(repo.path)
    result = await checker.one(Eslint())
    assert origins(result) == [
        ("a.ts", 2, "no-bad", "preexisting"),
        ("a.ts", 3, "no-bad", "introduced"),
    ]
    seen = repo.file("node_modules/.bin/eslint.seen").read_text().splitlines()
    assert seen[0] == os.fspath(repo.path.resolve() / "node_modules/plugin")
    assert seen[1].endswith("/run-1/head/core")
    repo.file("node_modules/.bin/eslint.seen").unlink()
    assert {path for path in snapshot(repo.path) if not str(path).startswith(".git")} == {
        path for path in before if not str(path).startswith(".git")
    }


async def test_eslint_that_is_not_installed_is_unavailable(
    checker: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.defpath)
    checker.repo.file("node_modules/.bin/eslint").unlink()
    checker.repo.write("a.ts", "BAD\nBAD\n").commit()
    result = await checker.one(Eslint())
    assert result.state is State.UNAVAILABLE
    assert not result.neutral


async def test_a_configuration_that_is_a_program_is_not_run_without_leave(checker: Checker) -> None:
    checker.repo.remove(".eslintrc.json").write("eslint.config.js", "export default [];\n")
    checker.repo.write("a.ts", "BAD\nBAD\n").commit()
    checker.may_run_code = False
    result = await checker.one(Eslint())
    assert (result.state, result.neutral) == (State.SKIPPED, False)
    assert "eslint.config.js" in (result.reason or "")


async def test_a_project_that_does_not_configure_eslint_is_not_judged_by_it(checker: Checker) -> None:
    checker.repo.remove(".eslintrc.json").write("a.ts", "BAD\nBAD\n").commit()
    result = await checker.one(Eslint())
    assert (result.state, result.neutral) == (State.SKIPPED, True)


async def test_tsc_finds_what_breaks_in_files_that_did_not_change(checker: Checker) -> None:
    checker.repo.write("b.ts", "BAD\n").commit()
    assert origins(await checker.one(Tsc())) == [
        ("a.ts", 1, "TS1", "preexisting"),
        ("b.ts", 1, "TS1", "introduced"),
    ]


async def test_a_merge_base_with_other_packages_is_not_compared_and_says_so(checker: Checker) -> None:
    checker.repo.write("package-lock.json", '{"x": 1}\n').write("b.ts", "BAD\n").commit()
    result = await checker.one(Tsc())
    assert {item.provenance.value for item in result.judged} == {"introduced"}
    assert "package-lock.json of the merge base asks for other packages" in (result.unseen or "")


async def test_a_commit_whose_packages_are_not_installed_is_not_type_checked(checker: Checker) -> None:
    checker.repo.write("package-lock.json", '{"x": 1}\n').write("b.ts", "BAD\n").commit()
    checker.repo.checkout("main")
    result = await checker.one(Tsc(), target="topic")
    assert result.state is State.UNAVAILABLE
    assert "package-lock.json of the reviewed commit" in (result.reason or "")


async def test_vitest_tells_failures_and_lost_tests_apart(checker: Checker) -> None:
    said = report(one="skipped", old="failed", new="failed")
    checker.repo.write("said.json", said).write("a.test.ts", "changed\n").commit()
    result = await checker.one(Vitest())
    assert sorted((i.finding.rule, i.finding.message, i.provenance.value) for i in result.judged) == [
        ("failed", "new failed", "introduced"),
        ("failed", "old failed", "preexisting"),
        ("not-run", "test one of the base no longer runs: skipped", "introduced"),
        ("not-run", "test two of the base no longer runs: it is not there any more", "introduced"),
    ]
    assert result.examined == {"a.test.ts"}


async def test_vitest_that_ran_nothing_is_an_error(checker: Checker) -> None:
    checker.repo.write("said.json", '{"numTotalTests": 0, "testResults": []}').commit()
    result = await checker.one(Vitest())
    assert (result.state, result.reason) == (State.ERROR, "Vitest ran no test")


async def test_quick_runs_no_tests(checker: Checker) -> None:
    checker.profile = Profile.QUICK
    checker.repo.write("a.ts", "x\n").commit()
    result = await checker.one(Vitest())
    assert (result.state, result.left_out) == (State.SKIPPED, True)


@pytest.mark.parametrize(
    "extends",
    ['"../../base/tsconfig.shared"', '["@own/base/tsconfig.shared.json"]', '"../tsconfig.json"'],
    ids=["file", "package", "indirect"],
)
async def test_a_changed_configuration_is_looked_at_where_others_extend_it(
    checker: Checker, extends: str
) -> None:
    """No changed file lies in the project whose meaning changed."""
    repo = checker.repo.remove("tsconfig.json")
    repo.write_many(
        {
            "base/package.json": '{"name": "@own/base"}',
            "base/tsconfig.shared.json": "{}",
            "parts/tsconfig.json": '{"extends": "../base/tsconfig.shared.json", "files": []}',
            "parts/one/tsconfig.json": f'{{"extends": {extends}}}',
            "parts/one/i.ts": "BAD\n",
            "other/tsconfig.json": "{}",
            "other/i.ts": "BAD\n",
        }
    )
    base = repo.commit()
    repo.write("base/tsconfig.shared.json", '{"compilerOptions": {"strict": true}}').commit()
    result = await checker.one(Tsc(), base=base)
    assert [path for path, *_ in origins(result)] == ["parts/one/i.ts"]


async def test_types_are_checked_against_packages_that_changed(checker: Checker) -> None:
    checker.repo.write("package-lock.json", '{"version": 2}\n').commit()
    result = await checker.one(Tsc())
    assert [path for path, *_ in origins(result)] == ["a.ts"]
    assert "asks for other packages" in (result.unseen or "")


@pytest.mark.parametrize("what", ["reinstalled", "linked", "node"])
async def test_nothing_is_reused_when_packages_changed_that_no_record_names(
    checker: Checker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Bun writes no record beside the packages, and nobody does of a package that is linked from elsewhere."""
    repo = checker.repo
    linked = tmp_path / "elsewhere/rules.js"
    linked.parent.mkdir()
    linked.write_text("1\n")
    node = tmp_path / "bin/node"
    node.parent.mkdir()
    node.write_text("#!/bin/sh\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", f"{node.parent}{os.pathsep}{os.environ['PATH']}")
    repo.write("node_modules/plugin/package.json", '{"version": "1.0.0"}')
    repo.symlink("node_modules/linked", os.fspath(linked.parent))
    repo.write("a.ts", "BAD\nBAD\n").commit()
    checker.cache = ResultCache(tmp_path / "cache")
    first, again = await checker.one(Eslint()), await checker.one(Eslint())
    assert (first.cached, again.cached) == (False, True)
    if what == "reinstalled":
        repo.write("node_modules/plugin/package.json", '{"version": "1.0.10"}')
    elif what == "linked":
        linked.write_text("1 + 1\n")
    else:
        node.write_text("#!/bin/sh\n# newer\n")
    assert not (await checker.one(Eslint())).cached
