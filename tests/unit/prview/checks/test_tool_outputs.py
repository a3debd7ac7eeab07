"""What the tools of JavaScript, Rust, Go and workflows print becomes findings, all of it, or an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prview.checks.base import CheckProblem, ToolOutputError, ToolUnavailableError
from prview.checks.go.golangci import GolangciLint
from prview.checks.go.vet import GoVet
from prview.checks.js.biome import Biome
from prview.checks.js.eslint import Eslint
from prview.checks.js.npm_audit import read_audit
from prview.checks.js.stylelint import Stylelint
from prview.checks.js.tsc import Tsc
from prview.checks.rust.audit import CargoAudit
from prview.checks.rust.compiling import CargoCheck, Clippy
from prview.checks.rust.rustfmt import Rustfmt
from prview.checks.semgrep import Semgrep
from prview.checks.workflows.actionlint import Actionlint
from prview.checks.workflows.zizmor import Zizmor
from support.captured_tools import captured, job_on, printed

if TYPE_CHECKING:
    from pathlib import Path

    from prview.checks.external import ToolCheck
    from prview.checks.jobs import Reading

Row = tuple[str, int, int | None, str, str]

FILES = ("src/core.ts", "src/bad.js", "src/site.css", "src/lib.rs", "tests/whole.rs", "a.go", "sub/s.go")


def read(check: ToolCheck, tree: Path, stdout: str, stderr: str = "", *, code: int = 0) -> Reading:
    return check.read(job_on(tree, *FILES, check=check.id), printed(tree, stdout, stderr, code=code))


def rows(reading: Reading) -> list[Row]:
    return [(f.path, f.line, f.column, f.rule, f.level.value) for f in reading.findings]


def test_eslint(tmp_path: Path) -> None:
    """A file without messages was looked at, too."""
    reading = read(Eslint(), tmp_path, captured("eslint.json"), code=1)
    assert rows(reading) == [
        ("src/bad.js", 1, 8, "syntax", "error"),
        ("src/core.ts", 4, 7, "@typescript-eslint/no-unused-vars", "error"),
    ]
    assert reading.examined == {"src/bad.js", "src/core.ts", "test/broken.test.ts", "test/core.test.ts"}


def test_a_file_that_eslint_ignores_is_neither_found_nor_looked_at(tmp_path: Path) -> None:
    message = (
        '{"ruleId": null, "fatal": false, "severity": 1, "message": "File ignored because of a pattern."}'
    )
    reading = read(Eslint(), tmp_path, f'[{{"filePath": "@TREE@/dist/x.js", "messages": [{message}]}}]')
    assert reading.findings == ()
    assert reading.examined == frozenset()


def test_stylelint(tmp_path: Path) -> None:
    """Since version 16 the report is on the error stream."""
    reading = read(Stylelint(), tmp_path, "", captured("stylelint.json"), code=2)
    assert rows(reading) == [
        ("src/site.css", 1, 3, "declaration-block-single-line-max-declarations", "error"),
        ("src/site.css", 1, 18, "property-no-unknown", "error"),
    ]
    assert reading.examined == {"src/site.css"}


def test_biome(tmp_path: Path) -> None:
    """What its formatter would do is a note, what does not parse an error."""
    reading = read(Biome(), tmp_path, captured("biome.json"), code=1)
    assert rows(reading) == [
        ("src/bad.js", 1, 1, "style/useConst", "warning"),
        ("src/bad.js", 1, 5, "correctness/noUnusedVariables", "warning"),
        ("src/core.ts", 4, 7, "correctness/noUnusedVariables", "warning"),
        ("src/bad.js", 1, 9, "parse", "error"),
        ("src/bad.js", 1, None, "format", "note"),
        ("src/core.ts", 1, None, "format", "note"),
        ("src/site.css", 1, 18, "correctness/noUnknownProperty", "error"),
        ("src/site.css", 1, None, "format", "note"),
    ]


def test_biome_looked_at_fewer_files_than_it_was_given(tmp_path: Path) -> None:
    job = job_on(tmp_path, *FILES, check="biome", targets=("src/core.ts", "src/site.css", "a.js", "b.js"))
    reading = Biome().read(job, printed(tmp_path, captured("biome.json"), code=1))
    assert reading.unseen == "Biome looked at 3 of 4 files and does not say at which"


def test_tsc(tmp_path: Path) -> None:
    reading = read(Tsc(), tmp_path, captured("tsc.txt"), code=2)
    assert rows(reading) == [
        ("src/core.ts", 5, 14, "TS2322", "error"),
        ("src/core.ts", 5, 37, "TS2345", "error"),
        ("src/core.ts", 6, 68, "TS2322", "error"),
    ]
    assert reading.examined == {"src/core.ts"}


def test_a_message_of_tsc_may_have_several_lines(tmp_path: Path) -> None:
    reading = read(Tsc(), tmp_path, "src/core.ts(1,2): error TS1: no\n  because\n", code=1)
    assert [finding.message for finding in reading.findings] == ["no\n  because"]


def test_an_error_in_a_package_is_told_of_the_configuration(tmp_path: Path) -> None:
    reading = read(Tsc(), tmp_path, "../x/node_modules/y/a.d.ts(3,2): error TS1: no\n", code=1)
    assert rows(reading) == [("tsconfig.json", 1, None, "TS1", "error")]
    assert reading.findings[0].message == "in the package file y/a.d.ts:3: no"


@pytest.mark.parametrize("text", ["error TS18003: No inputs were found\n", "Segmentation fault\n", ""])
def test_tsc_without_a_located_error_is_no_evidence(tmp_path: Path, text: str) -> None:
    with pytest.raises(ToolOutputError):
        read(Tsc(), tmp_path, text, code=2)


def test_npm_audit(tmp_path: Path) -> None:
    output = printed(tmp_path, captured("npm_audit.json"), code=1)
    lock = '{\n  "packages": {\n    "node_modules/lodash": {\n'
    (finding,) = read_audit(job_on(tmp_path, check="npm_audit"), output, "package-lock.json", lock)
    assert (finding.path, finding.line, finding.rule) == ("package-lock.json", 3, "GHSA-35jh-r3h4-6jhm")


def test_a_registry_that_does_not_answer_is_no_clean_audit(tmp_path: Path) -> None:
    said = '{"message": "405 Method Not Allowed", "error": {"summary": "", "detail": ""}}'
    with pytest.raises(ToolUnavailableError, match="405 Method Not Allowed"):
        read_audit(job_on(tmp_path, check="npm_audit"), printed(tmp_path, said, code=1), "l", "")


def test_cargo_check(tmp_path: Path) -> None:
    """A file that is part of two targets is told of once."""
    reading = read(CargoCheck(), tmp_path, captured("cargo_check.jsonl"))
    assert rows(reading) == [("src/lib.rs", 13, 9, "unused_variables", "warning")]
    assert reading.examined == {"src/lib.rs"}


def test_what_cargo_compiled_was_looked_at(tmp_path: Path) -> None:
    """A file that belongs to no target was not."""
    deps = tmp_path / "target/debug/deps"
    deps.mkdir(parents=True)
    (deps / "demo-1.d").write_text("target/demo-1.d: tests/whole.rs\n\ntests/whole.rs:\n# env-dep:A\n")
    reading = read(CargoCheck(), tmp_path, captured("cargo_check.jsonl"))
    assert reading.examined == {"src/lib.rs", "tests/whole.rs"}


def test_clippy_leaves_to_the_compiler_what_is_the_compilers(tmp_path: Path) -> None:
    reading = read(Clippy(), tmp_path, captured("cargo_clippy.jsonl"))
    assert rows(reading) == [
        ("src/lib.rs", 9, 5, "clippy::needless_return", "warning"),
        ("src/lib.rs", 12, 17, "clippy::ptr_arg", "warning"),
        ("src/lib.rs", 14, 5, "clippy::len_zero", "warning"),
    ]


def test_cargo_that_does_not_say_that_it_finished_is_no_evidence(tmp_path: Path) -> None:
    half = captured("cargo_check.jsonl").replace('{"reason":"build-finished","success":true}', "")
    with pytest.raises(ToolOutputError, match="did not come to an end"):
        read(CargoCheck(), tmp_path, half)


def test_crates_that_would_have_to_be_downloaded_are_missing(tmp_path: Path) -> None:
    said = "error: no matching package named `serde` found\n"
    with pytest.raises(ToolUnavailableError, match="cargo fetch"):
        read(CargoCheck(), tmp_path, "", said, code=101)


def test_rustfmt(tmp_path: Path) -> None:
    said = "Formatting @TREE@/src/lib.rs\nFormatting @TREE@/tests/whole.rs\n@TREE@/tests/whole.rs\nSpent 1 secs\n"
    reading = read(Rustfmt(), tmp_path, said, code=1)
    assert reading.examined == {"src/lib.rs", "tests/whole.rs"}
    assert rows(reading) == [("tests/whole.rs", 1, None, "unformatted", "note")]
    with pytest.raises(ToolOutputError):
        read(Rustfmt(), tmp_path, "", "error: expected one of\n", code=1)


def test_cargo_audit(tmp_path: Path) -> None:
    """Named as in the tags of its own build for WebAssembly, with what that says of such a workflow."""
    (tmp_path / "Cargo.lock").write_text('[[package]]\nname = "time"\nversion = "0.1.40"\n')
    said = (
        '{"vulnerabilities": {"found": true, "count": 1, "list": [{"advisory": {"id": "RUSTSEC-2020-0071",'
        '"title": "Segfault"}, "versions": {"patched": [">=0.2.23"]},'
        '"package": {"name": "time", "version": "0.1.40"}}]}, "warnings": {}}'
    )
    job = job_on(tmp_path, check="cargo_audit", targets=("Cargo.lock",))
    reading = CargoAudit().read(job, printed(tmp_path, said, code=1))
    assert rows(reading) == [("Cargo.lock", 2, None, "RUSTSEC-2020-0071", "warning")]


def test_go_vet(tmp_path: Path) -> None:
    """Objects and the compiler's lines take turns on one stream."""
    reading = read(GoVet(), tmp_path, "", captured("go_vet.txt"), code=2)
    assert rows(reading) == [
        ("a.go", 7, 14, "printf", "warning"),
        ("sub/s.go", 3, 23, "compile", "error"),
    ]
    assert reading.unseen == "go vet did not see packages that do not compile"


def test_golangci_lint(tmp_path: Path) -> None:
    """Named as in the tags of its own build for WebAssembly, with what that says of such a workflow."""
    said = (
        '{"Issues": [{"FromLinter": "errcheck", "Text": "unchecked", "Severity": "", '
        '"Pos": {"Filename": "@TREE@/a.go", "Line": 3, "Column": 2}}], "Report": {}}\n1 issues:\n'
    )
    assert rows(read(GolangciLint(), tmp_path, said)) == [("a.go", 3, 2, "errcheck", "warning")]


def test_semgrep(tmp_path: Path) -> None:
    reading = read(Semgrep(), tmp_path, captured("semgrep.json"))
    assert rows(reading) == [("x.py", 1, 5, "no-eval", "error")]
    assert reading.examined == {"x.py", "y.py"}


def test_a_file_that_semgrep_could_not_parse_is_unread(tmp_path: Path) -> None:
    error = '"errors": [{"level": "warn", "message": "syntax", "path": "y.py"}]'
    reading = read(Semgrep(), tmp_path, captured("semgrep.json").replace('"errors": []', error))
    assert reading.examined == {"x.py"}
    assert reading.unread == {"y.py"}


def test_zizmor(tmp_path: Path) -> None:
    reading = read(Zizmor(), tmp_path, captured("zizmor.json"))
    workflow = ".github/workflows/ci.yml"
    assert rows(reading) == [
        (workflow, 6, 9, "artipacked", "warning"),
        (workflow, 3, 3, "excessive-permissions", "warning"),
        (workflow, 1, 1, "dangerous-triggers", "warning"),
        (workflow, 7, 23, "template-injection", "warning"),
        (workflow, 6, 15, "unpinned-uses", "warning"),
    ]


def test_a_workflow_that_zizmor_cannot_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ToolOutputError, match="failed to load file"):
        read(Zizmor(), tmp_path, "", "failed to load file://ci.yml as workflow\n", code=1)


def test_actionlint(tmp_path: Path) -> None:
    """Named as in the tags of its own build for WebAssembly, with what that says of such a workflow."""
    said = (
        '[{"message": "undefined variable \\"githb\\"", "filepath": ".github/workflows/ci.yml", "line": 9, "column": 23,'
        ' "kind": "expression", "snippet": "", "end_column": 30}]'
    )
    reading = read(Actionlint(), tmp_path, said, code=1)
    assert rows(reading) == [(".github/workflows/ci.yml", 9, 23, "expression", "error")]


CHECKS = [
    Eslint(),
    Biome(),
    Stylelint(),
    CargoCheck(),
    CargoAudit(),
    GolangciLint(),
    Semgrep(),
    Zizmor(),
    Actionlint(),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
@pytest.mark.parametrize("text", ["", "{", "null", "Oops! Something went wrong", "[{}]", '{"results": 1}'])
def test_what_is_not_the_tools_output_is_an_error(check: ToolCheck, text: str, tmp_path: Path) -> None:
    with pytest.raises(CheckProblem):
        read(check, tmp_path, text)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60) | JSON.map(json.dumps))
def test_garbage_crashes_no_reader(text: str, tmp_path: Path) -> None:
    """Whatever is printed: a reading, or a problem that the check reports."""
    for check in [*CHECKS, Tsc(), GoVet(), Clippy(), Rustfmt()]:
        try:
            reading = read(check, tmp_path, text, code=1)
        except CheckProblem:
            continue
        assert reading.findings, f"{check.id} ended with 1 and is told clean"
