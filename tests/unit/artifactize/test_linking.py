from __future__ import annotations

from support.artifacts import dependency, runtime
from support.declarations import linked, mistakes


def test_the_nearest_declared_folder_is_the_parent() -> None:
    project = linked(root={"at": ""}, a={"at": "x/a"}, b={"at": "x/a/y/b"}, c={"at": "x/c"})

    children = {name: artifact.children for name, artifact in project.artifacts.items()}
    assert children == {"root": ("a", "c"), "a": ("b",), "b": (), "c": ()}


def test_configuration_order_is_that_of_paths_and_ids() -> None:
    project = linked(z={"at": "a", "evals": {"two": runtime("x"), "one": runtime("x")}}, a={"at": "b"})

    assert list(project.artifacts) == ["z", "a"]
    assert list(project.evals) == ["z/one", "z/two"]


def test_an_alias_of_the_owner_comes_before_a_global_name() -> None:
    check = runtime("x", "{terms}/t", instruction="{terms} and {other}")
    project = linked(
        guide={"mounts": {"terms": "glossary"}, "evals": {"e": check}}, glossary={}, terms={}, other={}
    )

    found = project.evals["guide/e"]
    assert found.references == {"terms": "glossary", "other": "other"}
    assert project.covered("guide/e") == ("glossary", "guide", "other")


def test_a_path_into_another_artifact_covers_that_one_too() -> None:
    check = runtime("x", "{root}/inner/deep/file", "{root}/m/file")
    project = linked(
        root={"at": "", "mounts": {"m": "far"}},
        deep={"at": "inner/deep"},
        far={"at": "far"},
        me={"evals": {"e": check}},
    )

    assert project.covered("me/e") == ("deep", "far", "me", "root")


def test_mistakes_between_files_are_all_found() -> None:
    found = mistakes(
        a={
            "mounts": {"m": "nobody", "self": "a"},
            "evals": {"e": runtime("x", "{nowhere}/y", "{a}/../z", instruction="{lost}")},
        },
        b={"evals": {"d": dependency("b", "nobody")}},
    )

    assert [each.partition(": ")[2] for each in found] == [
        "mounts.m: no Artifact is named 'nobody'",
        "mounts.self: an Artifact cannot mount itself",
        "evals.e.profile.args[0]: {nowhere} is neither a mount of 'a' nor an Artifact; double the braces to keep it literal",
        "evals.e.profile.args[1]: '../z' leaves the Artifact through '..'; mount the other Artifact instead",
        "evals.e.payload.instruction: {lost} is neither a mount of 'a' nor an Artifact; double the braces to keep it literal",
        "evals.d.profile.depends_on[0]: an eval cannot wait for its own Artifact",
        "evals.d.profile.depends_on[1]: 'nobody' is neither a mount of 'b' nor an Artifact; `name = \"nobody\"` would declare it",
    ]


def test_a_name_declared_twice_names_the_first_place() -> None:
    from artifactize.domain.linking import link
    from artifactize.domain.parsing import parse_declaration

    both = [parse_declaration('name = "same"', file=f"{folder}/index.artf") for folder in ("b", "a")]

    (problem,) = link(both)[1]

    assert str(problem) == "b/index.artf:1:1: name: 'same' is already declared in a/index.artf"


def test_one_artifact_behind_two_names_is_listed_twice() -> None:
    (found,) = mistakes(a={"mounts": {"m": "b"}, "evals": {"d": dependency("b", "m")}}, b={})

    assert "'m' is the Artifact 'b', which is listed already" in found


def test_dependency_evals_must_not_wait_for_each_other() -> None:
    (found,) = mistakes(
        a={"evals": {"d": dependency("b")}},
        b={"evals": {"d": dependency("c")}},
        c={"evals": {"d": dependency("a")}},
    )

    assert "these evals wait for each other: a/d, b/d, c/d" in found


def test_artifacts_may_be_inputs_of_each_other() -> None:
    assert mistakes(a={"mounts": {"m": "b"}}, b={"mounts": {"m": "a"}}) == []
