"""What a change adds to keep findings from being seen is named, with its place; what was there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.suppressions.analyzer import ARTIFACT, Suppressions
from support.signal_context import places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio
TEST = "def test_a():\n    pass\n"
RUFF = '[tool.ruff]\nline-length = 100\n\n[tool.ruff.lint]\nselect = ["E", "F", "S"]\nignore = ["E501"]\n'


@pytest.mark.parametrize(
    ("path", "line", "rule"),
    [
        ("a.py", "import os  # noqa", "lint"),
        ("a.py", "import os  # NOQA: F401 - re-exported", "lint"),
        ("a.py", "# ruff: noqa: E501", "lint"),
        ("a.py", "# pylint: disable=all", "lint"),
        ("a.py", "x = y()  # type: ignore[attr-defined]  # why", "types"),
        ("a.py", "x = y()  # checked by hand  # pyright: ignore", "types"),
        ("a.py", "# mypy: ignore-errors", "types"),
        ("a.py", "run(x, shell=True)  # nosec B602", "security"),
        ("a.py", "if x:  # pragma: no cover", "coverage"),
        ("a.ts", "// eslint-disable-next-line no-eval", "lint"),
        ("a.ts", "/* eslint-disable */", "lint"),
        ("a.ts", "// biome-ignore lint/suspicious/noExplicitAny: later", "lint"),
        ("a.tsx", "// @ts-expect-error", "types"),
        ("a.js", "/* istanbul ignore next */", "coverage"),
        ("a.go", "var x = 1 //nolint:errcheck // why", "lint"),
        ("a.go", "x() // #nosec G101", "security"),
        ("a.rs", "#[allow(dead_code)]", "lint"),
        ("a.rs", "#![allow(clippy::all)]", "lint"),
        ("a.sh", "# shellcheck disable=SC2086", "lint"),
        ("Dockerfile", "# hadolint ignore=DL3008", "lint"),
        ("A.java", '@SuppressWarnings("unchecked")', "lint"),
    ],
)
async def test_a_comment_that_silences_a_tool_is_named(
    tmp_path: Path, path: str, line: str, rule: str
) -> None:
    signal = await said(Suppressions(), tmp_path, {path: "\n"}, {path: f"\n\n{line}\n"})
    assert places(signal) == [(path, 3, rule)]
    assert signal is not None
    assert signal.findings[0].level is Level.WARNING
    assert signal.artifacts[0].path == ARTIFACT


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tests/test_a.py", "import pytest\n@pytest.mark.skip(reason='later')"),
        ("tests/test_a.py", "from pytest import mark as m\n@m.xfail"),
        ("tests/test_a.py", "import unittest\n@unittest.skipIf(True, '')"),
        ("tests/test_a.py", "import pytest\n@pytest.mark.skipif(x)"),
        ("src/a.test.ts", "\nit.skip('adds', () => {"),
        ("src/a.test.ts", "\ndescribe.only('adds', () => {"),
        ("src/a.test.ts", "\nxit('adds', () => {"),
        ("a_test.go", "\n\tt.Skip()"),
        ("src/lib.rs", "\n#[ignore]"),
    ],
)
async def test_a_test_that_no_longer_counts_is_named(tmp_path: Path, path: str, line: str) -> None:
    after = f"{line}\n{TEST if path.endswith('.py') else ''}"
    signal = await said(Suppressions(), tmp_path, {path: "\n"}, {path: after})
    assert places(signal) == [(path, 2, "tests")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"a.py": "import a  # noqa\n"}, {"a.py": "\nimport a  # noqa\n"}, id="shifted"),
        pytest.param({"a.py": "x = 1  # noqa\n"}, {"a.py": "x = 2  # noqa\n"}, id="its line edited"),
        pytest.param(
            {"a.py": "import a  # noqa\n", "b.py": "\n"}, {"b.py": "\nimport a  # noqa\n"}, id="moved"
        ),
        pytest.param({"a.py": "import a  # noqa\n"}, {"a.py": "import a\n"}, id="taken away"),
        pytest.param({}, {"a.py": 'x = "# noqa"\n'}, id="a string of Python"),
        pytest.param({}, {"a.ts": 'const a = "// eslint-disable";\n'}, id="a string of TypeScript"),
        pytest.param({}, {"a.py": "# we do not write noqa here\n"}, id="talk about it"),
        pytest.param({}, {"README.md": "# noqa\n\n`# type: ignore`\n"}, id="a document"),
        pytest.param({}, {"a.py": "def skip(x):\n    return x.skip()\n"}, id="a function called skip"),
        pytest.param({}, {"a.ts": "stream.skip(3);\n"}, id="not a test"),
        pytest.param({}, {"vendor/a.py": "import os  # noqa\n"}, id="vendored"),
    ],
)
async def test_nothing_is_said_about(tmp_path: Path, before: dict[str, str], after: dict[str, str]) -> None:
    assert await said(Suppressions(), tmp_path, before, after) is None


async def test_one_more_of_an_old_suppression_is_new(tmp_path: Path) -> None:
    before = {"a.py": "import a  # noqa\n"}
    signal = await said(Suppressions(), tmp_path, before, {"a.py": "import a  # noqa\nimport b  # noqa\n"})
    assert places(signal) == [("a.py", 2, "lint")]


@pytest.mark.parametrize(
    ("path", "before", "after", "line", "words"),
    [
        ("pyproject.toml", RUFF, RUFF.replace('"E501"', '"E501", "S602"'), 6, "ruff leaves out S602"),
        ("pyproject.toml", RUFF, RUFF.replace(', "S"', ""), 5, "ruff no longer looks for S (lint.select)"),
        ("pyproject.toml", RUFF, RUFF + '[tool.ruff.lint.per-file-ignores]\n"src/*" = ["F"]\n', 8, "leaves out F"),
        ("pyproject.toml", RUFF, "[project]\nname = 'x'\n", 1, "ruff no longer sets lint.select"),
        ("mypy.ini", "[mypy]\nstrict = True\n", "[mypy]\nstrict = False\n", 2, "goes from True to False"),
        ("mypy.ini", "[mypy]\n", "[mypy]\n[mypy-a.*]\nignore_errors = True\n", 3, "(a.*.ignore_errors)"),
        (".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = 70\n", 2, "from 90 to 70"),
        (".coveragerc", "[report]\nfail_under = 90\n", "[report]\n", 1, "no longer sets report.fail_under"),
        ("setup.cfg", "[flake8]\n", "[flake8]\nexclude = src/old\n", 2, "flake8 leaves out src/old"),
        ("pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q --deselect tests/a.py\n", 2, "--deselect"),
        (".eslintrc.json", '{"rules": {"no-eval": "error"}}', '{"rules": {"no-eval": "off"}}', 1, "error to off"),
        ("tsconfig.json", '{"compilerOptions": {"strict": true}}', '{"compilerOptions": {"strict": false}}', 1, "True to False"),
        ("package.json", '{"jest": {"coverageThreshold": {"global": {"lines": 90}}}}', '{"jest": {"coverageThreshold": {"global": {"lines": 50}}}}', 1, "90 to 50"),
        (".golangci.yml", "linters:\n  enable: [gosec, govet]\n", "linters:\n  enable: [govet]\n", 2, "gosec"),
        ("Cargo.toml", '[lints.rust]\nunsafe_code = "forbid"\n', '[lints.rust]\nunsafe_code = "allow"\n', 2, "forbid to allow"),
        (".semgrepignore", "a\n", "a\nsrc/\n", 2, "leaves out src/"),
        (".github/workflows/ci.yml", "a: 1\n", "a: 1\n    continue-on-error: true\n", 2, "pipeline"),
        ("eslint.config.js", "export default [\n];\n", 'export default [\n  { rules: { "no-eval": "off" } },\n];\n', 2, "switches a rule off"),
    ],
)  # fmt: skip
async def test_settings_that_let_more_pass_are_named(
    tmp_path: Path, path: str, before: str, after: str, line: int, words: str
) -> None:
    signal = await said(Suppressions(), tmp_path, {path: before}, {path: after})
    assert places(signal) == [(path, line, "settings")]
    assert signal is not None
    assert words in signal.findings[0].message


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", RUFF, RUFF.replace('"S"', '"S", "B"').replace('["E501"]', "[]")),
        ("pyproject.toml", RUFF, RUFF.replace('["E", "F", "S"]', '["ALL"]').replace("100", "110")),
        (".coveragerc", "[report]\nfail_under = 70\n", "[report]\nfail_under = 90\n"),
        ("mypy.ini", "[mypy]\n", "[mypy]\nstrict = True\n"),
        ("mypy.ini", "[mypy]\nignore_missing_imports = True\n", "[mypy]\n"),
        (".eslintrc.json", '{"rules": {"no-eval": "warn"}}', '{"rules": {"no-eval": "error", "a": "warn"}}'),
        ("package.json", '{"dependencies": {"a": "1"}}', '{"dependencies": {"a": "2"}}'),
    ],
)
async def test_settings_that_let_less_pass_are_fine(
    tmp_path: Path, path: str, before: str, after: str
) -> None:
    assert await said(Suppressions(), tmp_path, {path: before}, {path: after}) is None


async def test_settings_that_move_to_another_file_are_not_gone(tmp_path: Path) -> None:
    moved = 'line-length = 100\n[lint]\nselect = ["E", "F", "S"]\nignore = ["E501"]\n'
    after = {"pyproject.toml": "[project]\nname = 'x'\n", "ruff.toml": moved}
    assert await said(Suppressions(), tmp_path, {"pyproject.toml": RUFF}, after) is None


@pytest.mark.parametrize("here", ["setup.cfg", "pyproject.toml"])
async def test_what_gets_weaker_on_the_way_to_another_file_is_named_there(tmp_path: Path, here: str) -> None:
    start = "[coverage:report]" if here == "setup.cfg" else "[tool.coverage.report]"
    before = {here: f"{start}\nfail_under = 90\n"}
    after = {here: "", ".coveragerc": "[report]\nfail_under = 50\nomit = src/*\n"}
    signal = await said(Suppressions(), tmp_path, before, after)
    assert places(signal) == [(".coveragerc", 2, "settings"), (".coveragerc", 3, "settings")]


async def test_settings_that_cannot_be_read_are_said_to_be_unseen(tmp_path: Path) -> None:
    signal = await said(Suppressions(), tmp_path, {"ruff.toml": ""}, {"ruff.toml": "= broken"})
    assert signal is not None
    assert (signal.findings, len(signal.limits)) == ((), 1)


PROGRAM = 'import a from "a";\nexport default [\n  a.strict,\n  { rules: { "no-eval": "error" } },\n];\n'


@pytest.mark.parametrize(
    ("path", "after", "words"),
    [
        ("eslint.config.mjs", PROGRAM.replace("  a.strict,\n", ""), "eslint: a.strict of eslint.config.mjs is gone"),
        ("eslint.config.ts", PROGRAM.replace("{ rules", '{ files: ["b/**"], rules'), "is gone"),
        ("web/.eslintrc.cjs", None, "eslint: .eslintrc.cjs is gone, and its settings"),
        ("stylelint.config.js", "export default [];\n", "and 1 more line of stylelint.config.js is gone"),
    ],
)  # fmt: skip
async def test_what_a_program_of_settings_no_longer_says_is_named(
    tmp_path: Path, path: str, after: str | None, words: str
) -> None:
    signal = await said(
        Suppressions(), tmp_path, {path: PROGRAM, "z": ""}, {"z": "", path: after} if after else {"z": ""}
    )
    assert signal is not None
    assert [item.path for item in signal.findings] == [path]
    assert words in signal.findings[0].message


@pytest.mark.parametrize(
    "after",
    [
        PROGRAM.replace("];", '  { rules: { "no-var": "error" } },\n];'),
        PROGRAM.replace('import a from "a";', 'import a from "./a.js"; // ours'),
        PROGRAM.replace("  a.strict,\n", "").replace("];", "    a.strict\n];"),
    ],
    ids=["more", "imports", "moved"],
)
async def test_a_program_of_settings_that_says_more_hides_nothing(tmp_path: Path, after: str) -> None:
    name = "eslint.config.js"
    assert await said(Suppressions(), tmp_path, {name: PROGRAM}, {name: after}) is None


RULES = 'export const rules = {\n  "no-eval": "error",\n  "no-var": "error",\n};\n'
CONFIG = 'import { rules } from "./lint/rules.mjs";\nexport default [{ rules }];\n'
BASE = '{"rules": {"no-eval": "error"}, "compilerOptions": {"strict": true}, "linter": {"enabled": true}}'


@pytest.mark.parametrize(
    ("settings", "path", "before", "after", "words"),
    [
        ({"eslint.config.mjs": CONFIG}, "lint/rules.mjs", RULES, RULES.replace('"error"', '"off"', 1), "a rule off"),
        ({"eslint.config.mjs": CONFIG}, "lint/rules.mjs", RULES, RULES.replace('  "no-var": "error",\n', ""), "is gone"),
        (
            {"eslint.config.js": 'export default require("./lint");\n', "lint/index.js": 'module.exports = [require("./all")];\n'},
            "lint/all.js",
            RULES,
            RULES.replace('"error"', '"warn"', 1),
            "is gone",
        ),
        ({".eslintrc.json": '{"extends": ["./lint/base.json"]}'}, "lint/base.json", BASE, BASE.replace("error", "off"), "eslint"),
        ({".eslintrc.yml": "extends:\n  - ./lint/base.json\n"}, "lint/base.json", BASE, BASE.replace("error", "off"), "eslint"),
        ({"web/tsconfig.json": '{"extends": "../tsbase"}'}, "tsbase.json", BASE, BASE.replace("true", "false", 1), "tsc"),
        ({"biome.json": '{"extends": ["common.json"]}'}, "common.json", BASE, BASE.replace("true}}", "false}}"), "biome"),
        (
            {"a/pyproject.toml": '[tool.ruff]\nextend = "../shared-ruff.toml"\n'},
            "shared-ruff.toml",
            'lint.select = ["E", "F"]\n',
            'lint.select = ["E"]\n',
            "ruff",
        ),
    ],
)  # fmt: skip
async def test_a_file_that_settings_take_in_is_settings(
    tmp_path: Path, settings: dict[str, str], path: str, before: str, after: str, words: str
) -> None:
    signal = await said(Suppressions(), tmp_path, {**settings, path: before}, {**settings, path: after})
    assert signal is not None
    assert [item.path for item in signal.findings] == [path]
    assert words in signal.findings[0].message
    assert await said(Suppressions(), tmp_path / "alone", {path: before}, {path: after}) is None


@pytest.mark.parametrize(
    ("before", "new"),
    [
        ({"pyproject.toml": RUFF, "a.py": ""}, {"ruff.toml": 'lint.select = ["E"]\n'}),
        ({"pyproject.toml": RUFF, "a.py": ""}, {"ruff.toml": ""}),
        ({"pyproject.toml": RUFF, "p/a.py": ""}, {"p/.ruff.toml": 'lint.select = ["E"]\n'}),
        (
            {"mypy.ini": "[mypy]\nstrict = True\n", "a.py": ""},
            {".mypy.ini": "[mypy]\nstrict = False\n"},
        ),
        (
            {"tsconfig.json": '{"compilerOptions": {"strict": true}}', "p/a.ts": ""},
            {"p/tsconfig.json": '{"compilerOptions": {"strict": false}}'},
        ),
    ],
)
async def test_a_new_file_that_takes_the_place_of_stricter_settings_is_named(
    tmp_path: Path, before: dict[str, str], new: dict[str, str]
) -> None:
    signal = await said(Suppressions(), tmp_path, before, before | new)
    assert {path for path, _, _ in places(signal)} == set(new)


@pytest.mark.parametrize(
    ("before", "new"),
    [
        ({"pyproject.toml": RUFF}, {"p/a.py": "", "p/ruff.toml": 'lint.select = ["E"]\n'}),
        ({"ruff.toml": 'lint.select = ["E"]\n', "p/a.py": ""}, {"p/ruff.toml": 'extend = "../ruff.toml"\n'}),
        ({"ruff.toml": 'lint.select = ["E"]\n', "p/a.py": ""}, {"p/ruff.toml": 'lint.select = ["E", "F"]\n'}),
    ],
)
async def test_a_new_file_of_settings_that_lets_no_more_pass_is_fine(
    tmp_path: Path, before: dict[str, str], new: dict[str, str]
) -> None:
    """A new folder had no settings; extending adds to those above."""
    assert await said(Suppressions(), tmp_path, before, before | new) is None


TWO = "def test_a():\n    assert f()\n\n\nasync def test_b():\n    assert g()\n"
ONE = "def test_a():\n    assert f()\n"


@pytest.mark.parametrize(
    ("before", "after", "path", "words"),
    [
        ({"tests/test_a.py": TWO}, {"tests/test_a.py": ONE}, "tests/test_a.py", "1 test is gone: test_b"),
        ({"tests/test_a.py": TWO, "z": ""}, {"z": ""}, "tests/test_a.py", "2 tests are gone: test_a, test_b"),
        ({"tests/test_a.py": TWO}, {"tests/checks_a.txt": TWO}, "tests/test_a.py", "2 tests are gone"),
        (
            {"web/a.test.ts": "test('adds', f);\nit('subtracts', g);\n"},
            {"web/a.test.ts": "test('adds', f);\n"},
            "web/a.test.ts",
            "1 test is gone: subtracts",
        ),
        ({"a_test.go": "func TestA(t *testing.T) {}\n"}, {"a_test.go": "package a\n"}, "a_test.go", "TestA"),
        (
            {"src/lib.rs": "#[test]\nfn adds() {}\n#[tokio::test]\nasync fn waits() {}\n"},
            {"src/lib.rs": "#[test]\nfn adds() {}\n"},
            "src/lib.rs",
            "1 test is gone: waits",
        ),
    ],
)
async def test_tests_that_are_gone_are_named(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], path: str, words: str
) -> None:
    signal = await said(Suppressions(), tmp_path, before, after)
    assert signal is not None
    assert [(item.path, item.rule) for item in signal.findings] == [(path, "tests")]
    assert words in signal.findings[0].message


@pytest.mark.parametrize(
    "after",
    [
        {"tests/test_a.py": TWO.replace("test_b", "test_other")},
        {"tests/test_a.py": ONE, "tests/test_b.py": TWO.replace(ONE, "")},
        {"tests/test_a.py": TWO + ONE.replace("test_a", "test_c")},
    ],
    ids=["renamed", "moved", "more"],
)
async def test_as_many_tests_as_before_are_fine(tmp_path: Path, after: dict[str, str]) -> None:
    assert await said(Suppressions(), tmp_path, {"tests/test_a.py": TWO}, after) is None


@pytest.mark.parametrize(
    "line",
    [
        'collect_ignore = ["test_slow.py"]',
        "collect_ignore_glob += ['*_slow.py']",
        "def pytest_collection_modifyitems(items):",
        "    def pytest_ignore_collect(self, path):",
    ],
)
async def test_what_keeps_pytest_from_collecting_is_named(tmp_path: Path, line: str) -> None:
    before, after = (
        {"tests/conftest.py": "import os\n"},
        {"tests/conftest.py": f"import os\n{line}\n    ...\n"},
    )
    signal = await said(Suppressions(), tmp_path, before, after)
    assert places(signal) == [("tests/conftest.py", 2, "tests")]
