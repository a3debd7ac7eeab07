from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.declarations import (
    DependencyProfile,
    FingerprintRule,
    FingerprintScript,
    Gates,
    RuntimeProfile,
)
from artifactize.domain.parsing import parse_declaration

HEAD = 'name = "guide"\n'
GOOD = """\
name = "guide"
tags = ["docs", "type:text"]
mounts = { terms = "glossary" }
fingerprint = { files = ["src", "a.txt"], ignore = ["*.log"], env = ["MODE"], tools = [["python3", "--version"]] }

[evals.terms]
title = "Every bold term is defined"
profile = { kind = "runtime", command = "python3", args = ["check.py", "{terms}/t"], timeout_ms = 5, exit_codes = { red = [1], error = [3, 2] } }
payload = { instruction = "Check {guide} against {terms}.", extra = [1, { two = 2.5 }] }

[evals.ready]
title = "Ready"
profile = { kind = "dependency", depends_on = ["terms"] }
"""


def problems(text: str, file: str = "guide/index.artf") -> list[str]:
    return [str(each).removeprefix(f"{file}:") for each in parse_declaration(text, file=file).problems]


def test_a_whole_declaration_is_read() -> None:
    parsed = parse_declaration(GOOD, file="docs/guide/index.artf")

    declared = parsed.declaration
    assert parsed.problems == ()
    assert declared is not None
    assert (declared.name, declared.folder, declared.target) == ("guide", "docs/guide", None)
    assert (declared.tags, declared.mounts) == (("docs", "type:text"), {"terms": "glossary"})
    assert declared.fingerprint == FingerprintRule(
        ("src", "a.txt"), ("*.log",), ("MODE",), (("python3", "--version"),)
    )
    ready, terms = declared.evals
    assert ready.profile == DependencyProfile(("terms",))
    assert terms.profile == RuntimeProfile("python3", ("check.py", "{terms}/t"), 5, (1,), (2, 3))
    assert terms.payload == {"instruction": "Check {guide} against {terms}.", "extra": [1, {"two": 2.5}]}


def test_a_file_is_declared_beside_itself() -> None:
    declared = parse_declaration('name = "hero"', file="art/hero.png.artf").declaration

    assert declared is not None
    assert (declared.folder, declared.target) == ("art", "hero.png")


@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("false", None),
        ("{}", FingerprintRule()),
        (
            '{ script = { command = "./fp", args = ["x"], files = ["y"], timeout_ms = 9 } }',
            FingerprintRule(script=FingerprintScript("./fp", ("x",), ("y",), 9)),
        ),
    ],
)
def test_the_forms_of_a_fingerprint(field: str, rule: FingerprintRule | None) -> None:
    parsed = parse_declaration(f"{HEAD}fingerprint = {field}\n", file="index.artf")

    assert parsed.problems == ()
    assert parsed.declaration is not None
    assert parsed.declaration.fingerprint == rule


def test_gates_belong_to_the_root() -> None:
    text = f'{HEAD}review_policy = {{ dependency_gates = "ignore" }}\n'

    root = parse_declaration(text, file="index.artf")

    assert root.declaration is not None
    assert root.declaration.gates is Gates.IGNORE
    assert problems(text) == ["2:1: review_policy: review_policy belongs to the repository root's index.artf"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("name = ", "1:8: not TOML: Invalid value"),
        ('name = "a"\nname = "b"', "2:11: not TOML: Cannot overwrite a value"),
        ("", "1:1: name: name is missing; it is a string"),
        ('name = "a b"', "1:1: name: 'a b' is not a name"),
        (f'{HEAD}tags = ["x", "x"]', "2:14: tags[1]: 'x' is listed twice"),
        (f'{HEAD}tags = [" "]', "2:9: tags[0]: a tag has 1 to 64 characters"),
        (f"{HEAD}basis = 1", "2:1: basis: expected true or false, not a whole number"),
        (f"{HEAD}unknwon = 1", "2:1: unknwon: unknown field"),
        (
            f"{HEAD}reviewPolicy = {{}}",
            "2:1: reviewPolicy: unknown field; declarations use snake_case: review_policy",
        ),
        (f"{HEAD}fingerprint = true", "2:1: fingerprint: true says nothing"),
        (
            f'{HEAD}fingerprint = {{ files = ["../x"] }}',
            "2:26: fingerprint.files[0]: '../x' leaves the Artifact",
        ),
        (f'{HEAD}fingerprint = {{ files = ["a.artf"] }}', "fingerprint.files[0]: 'a.artf' is a declaration"),
        (
            f'{HEAD}fingerprint = {{ env = ["1X"] }}',
            "fingerprint.env[0]: '1X' is not the name of an environment",
        ),
        (f'{HEAD}fingerprint = {{ tools = ["x"] }}', "fingerprint.tools: expected at most 64 commands"),
        (f'{HEAD}mounts = {{ "a b" = "x" }}', "mounts.a b: a mount alias has"),
        (f"{HEAD}views = {{ tools = {{}} }}", "2:11: views.tools: unknown field"),
        (f'{HEAD}[evals."a b"]\ntitle = "t"', "2:1: evals.a b: an eval id has"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_key(text: str, found: str) -> None:
    assert any(found in each for each in problems(text)), problems(text)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (
            'profile = { kind = "agent" }',
            "evals.x.profile.kind: kind 'agent' is not supported by this version",
        ),
        (
            'profile = { kind = "human", quorum = 2, reviewers = ["ada"] }',
            "evals.x.profile.quorum: 2 of 1 reviewers can never sign",
        ),
        ('profile = { kind = "human", reviewers = [" a"] }', "reviewers[0]: a reviewer's name has 1 to 200"),
        ('gate = "open"\nprofile = { kind = "human" }', "gate: expected 'blocking' or no gate, not 'open'"),
        (
            'pass_schema = { type = "object", properties = 3 }\nprofile = { kind = "human" }',
            "pass_schema: it is no JSON Schema: $.properties",
        ),
        ('fail_schema = { type = "string" }\nprofile = { kind = "human" }', 'has type = "object"'),
        ('controls = []\nprofile = { kind = "human" }', "controls is not supported by this version"),
        (
            'profile = { kind = "robot" }',
            "unknown kind 'robot'; the kinds are runtime, agent, human, dependency",
        ),
        ('profile = { kind = "runtime" }', "evals.x.profile.command: command is missing"),
        ('profile = { kind = "runtime", command = "../x" }', "leaves the Artifact through '..'"),
        (
            'profile = { kind = "runtime", command = "x", timeoutMs = 3 }',
            "declarations use snake_case: timeout_ms",
        ),
        ('profile = { kind = "runtime", command = "x", timeout_ms = 0 }', "0 is not between 1 and"),
        (
            'profile = { kind = "runtime", command = "x", exit_codes = { red = [1], error = [1] } }',
            "as red and as error",
        ),
        (
            'profile = { kind = "runtime", command = "x", exit_codes = { error = [0] } }',
            "whole numbers from 1 to 255",
        ),
        ('profile = { kind = "dependency" }', "depends_on is missing"),
        ('profile = { kind = "dependency", depends_on = [] }', "expected 1 to 64 items, not 0"),
        ('profile = { kind = "dependency", depends_on = ["a"] }\npayload = {}', "so it has no payload"),
        ('profile = { kind = "runtime", command = "x" }', "evals.x.payload: payload is missing"),
        (
            'profile = { kind = "runtime", command = "x" }\npayload = { instruction = " " }',
            "instruction is blank",
        ),
        (
            'profile = { kind = "runtime", command = "x" }\npayload = { instruction = "i", d = 2020-01-01 }',
            "has no JSON form",
        ),
        (
            'profile = { kind = "runtime", command = "x" }\npayload = { instruction = "i", d = [inf] }',
            "d[0]: a number that is not finite",
        ),
        (
            'id = "x"\nprofile = { kind = "dependency", depends_on = ["a"] }',
            "an eval is named by its table: [evals.x]",
        ),
        (
            'pass_schema = {}\nprofile = { kind = "dependency", depends_on = ["a"] }',
            "pass_schema belongs to human evals",
        ),
    ],
)
def test_a_mistake_in_an_eval_is_named(fields: str, found: str) -> None:
    text = f'{HEAD}[evals.x]\ntitle = "t"\n{fields}\n'

    assert any(found in each for each in problems(text)), problems(text)


def test_all_mistakes_of_a_file_are_reported_at_once() -> None:
    text = 'name = ""\nbasis = 3\n[evals.x]\nprofile = { kind = "agent" }\n[evals.y]\ntitle = 3\n'

    assert len(problems(text)) == 6


def test_a_file_artifact_covers_its_file_alone() -> None:
    text = 'name = "hero"\nfingerprint = { files = ["other.png"] }'

    (problem,) = problems(text, "art/hero.png.artf")

    assert "'other.png' is outside this Artifact, which is the file 'hero.png' alone" in problem


def test_a_basis_has_no_evals() -> None:
    text = f'{HEAD}basis = true\n[evals.x]\ntitle = "t"\nprofile = {{ kind = "dependency", depends_on = ["a"] }}\n'

    assert problems(text) == ["2:1: basis: a basis has no evals of its own; remove basis or the evals"]


@given(st.text(max_size=60) | st.text(st.sampled_from("name=\"x\n[]{}.evals,#'"), max_size=60))
def test_no_text_makes_the_parser_fail_or_hang(text: str) -> None:
    parsed = parse_declaration(text, file="index.artf")

    assert parsed.declaration is not None or parsed.problems
