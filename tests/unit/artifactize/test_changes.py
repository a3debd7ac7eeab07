from __future__ import annotations

from artifactize.domain.changes import Changes, Recorded, explain, explain_inputs

OLD = Recorded("r1", "d", {"me": "1", "dep": "1", "gone": "1"})


def explained(
    current: dict[str, str], *, definition: str = "d", **manifests: tuple[dict[str, str], dict[str, str]]
) -> Changes:
    return explain("me", recorded=OLD, definition=definition, current=current, manifests=dict(manifests))


def test_files_are_named_new_gone_and_changed() -> None:
    old, new = {"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}

    found = explained({"me": "2", "dep": "1", "gone": "1"}, me=(old, new))

    assert found.files == ("b", "-c", "+d")
    assert found.summary == "changed: b, -c, +d"


def test_dependencies_are_named_new_gone_and_changed() -> None:
    found = explained({"me": "1", "dep": "2", "new": "1"}, dep=({"x": "1"}, {"x": "2"}))

    assert (found.files, found.dependencies) == ((), ("dep", "-gone", "+new"))
    assert found.summary == "dependency dep changed (x); dependency -gone; dependency +new"


def test_a_changed_definition_is_said_first_and_a_lost_record_last() -> None:
    same = dict(OLD.fingerprints)

    assert explained(same, definition="e").summary == "the eval's definition changed"
    assert explained(same).summary == "nothing changed, but its record was removed"


def test_without_manifests_only_the_fingerprint_can_be_named() -> None:
    assert explained({**OLD.fingerprints, "me": "2"}).summary == "fingerprint changed"


def test_many_files_are_counted() -> None:
    new = {f"f{number:02}": "1" for number in range(15)}

    assert explained({**OLD.fingerprints, "me": "2"}, me=({}, new)).summary.endswith("+f09 and 5 more")


def test_two_looks_differ_in_words() -> None:
    said = explain_inputs({"a": "1"}, {"a": "2"}, {"a": {"x": "1"}}, {"a": {"x": "2"}})

    assert said == "a changed (x)"
