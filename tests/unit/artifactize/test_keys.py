from __future__ import annotations

from typing import Any

import pytest

from artifactize.domain.keys import definition_hash, reuse_key
from support.artifacts import dependency, runtime
from support.declarations import linked

BASE: dict[str, Any] = {"command": "x", "args": ("a", "{terms}/t"), "instruction": "Check {terms}."}


def key(
    fields: dict[str, Any] | None = None, fingerprints: dict[str, str] | None = None, **artifact: Any
) -> str | None:
    words = {**BASE, **(fields or {})}
    eval_id = words.pop("eval_id", "e")
    check = runtime(words.pop("command"), *words.pop("args"), **words)
    mounts = artifact.pop("mounts", {"terms": "glossary"})
    project = linked(guide={"mounts": mounts, "evals": {eval_id: check}, **artifact}, glossary={}, words={})
    return reuse_key(
        project, f"guide/{eval_id}", fingerprints or {"guide": "1", "glossary": "2", "words": "3"}
    )


@pytest.mark.parametrize(
    "fields", [{"title": "other"}, {"timeout_ms": 7}, {"eval_id": "renamed"}, {"exit_codes": {"red": [1]}}]
)
def test_titles_ids_limits_and_listed_red_codes_do_not_count(fields: dict[str, Any]) -> None:
    assert key(fields) == key()


def test_tags_do_not_count() -> None:
    assert key(tags=["x"]) == key()


@pytest.mark.parametrize(
    "fields",
    [
        {"command": "y"},
        {"args": ("b", "{terms}/t")},
        {"args": ("a", "{terms}/u")},
        {"instruction": "Check {terms}!"},
        {"exit_codes": {"error": [3]}},
    ],
)
def test_what_an_eval_asks_counts(fields: dict[str, Any]) -> None:
    assert key(fields) != key()


@pytest.mark.parametrize("changed", ["guide", "glossary"])
def test_each_covered_fingerprint_counts(changed: str) -> None:
    fingerprints = {"guide": "1", "glossary": "2", "words": "3"}

    assert key(fingerprints={**fingerprints, changed: "new"}) != key()
    assert key(fingerprints={**fingerprints, "words": "new"}) == key()


def test_aliases_that_change_places_are_another_question() -> None:
    fields = {"args": ("{a}/x", "{b}/x"), "instruction": "."}

    one = key(fields, mounts={"a": "glossary", "b": "words"})
    other = key(fields, mounts={"b": "glossary", "a": "words"})

    assert one != other


def test_two_artifacts_that_name_each_other_never_share_a_result() -> None:
    check = {"evals": {"e": runtime("x", instruction="{a} {b}")}}
    project = linked(a=check, b=check)
    fingerprints = {"a": "same", "b": "same"}

    assert definition_hash(project.evals["a/e"]) == definition_hash(project.evals["b/e"])
    assert reuse_key(project, "a/e", fingerprints) != reuse_key(project, "b/e", fingerprints)


def test_without_a_fingerprint_and_for_derived_evals_there_is_no_key() -> None:
    project = linked(a={"evals": {"e": runtime("x"), "d": dependency("b")}}, b={})

    assert reuse_key(project, "a/e", {"b": "1"}) is None
    assert reuse_key(project, "a/d", {"a": "1", "b": "1"}) is None
    assert reuse_key(project, "a/e", {"a": "1"}) is not None
