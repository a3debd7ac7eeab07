"""Every changed path has one entry, and the sentence counts them."""

from __future__ import annotations

from codevetter_verify.domain.ledger import build_ledger, coverage_sentence
from codevetter_verify.domain.plan import PathRole

ROLES = (
    PathRole("a", "page", "/a"),
    PathRole("b", "page", "/b"),
    PathRole("c", "dynamic", None, "the value of [id]"),
    PathRole("d", "over_bound", "/d", "a run visits 6 routes"),
    PathRole("e", "deleted"),
    PathRole("f", "non_ui"),
    PathRole("g", "not_mapped"),
)


def test_only_observed_pages_count_as_exercised() -> None:
    ledger = build_ledger(ROLES, {"/a"})
    assert [(entry.path, entry.outcome) for entry in ledger] == [
        ("a", "exercised"),
        ("b", "not_run"),
        ("c", "dynamic"),
        ("d", "over_bound"),
        ("e", "deleted"),
        ("f", "non_ui"),
        ("g", "not_mapped"),
    ]


def test_the_sentence_names_every_kind_that_was_not_exercised() -> None:
    sentence = coverage_sentence(build_ledger(ROLES, {"/a"}))
    assert sentence.startswith("1 of 7 changed paths were exercised (")
    assert sentence.count("1 ") == 7


def test_a_fully_exercised_change_has_a_short_sentence() -> None:
    assert coverage_sentence(build_ledger(ROLES[:1], {"/a"})) == "1 of 1 changed paths were exercised"
