"""What kind of project a tree is."""

from __future__ import annotations

import pytest

from prview.domain.profile import detect_profile, profile_tools


@pytest.mark.parametrize(
    ("paths", "profile"),
    [
        ([], None),
        (["README"], "generic"),
        (["pyproject.toml", "x.js"], "python"),
        (["deep/down/Cargo.toml"], "rust"),
        (["package.json", "svc/go.mod"], "mixed"),
        (["only.py"], "python"),
        (["a.ts", "b.js"], "js"),
    ],
)
def test_manifests_decide_and_source_files_where_there_are_none(
    paths: list[str], profile: str | None
) -> None:
    assert detect_profile(paths) == profile


def test_a_mixed_project_needs_the_tools_of_its_parts() -> None:
    assert profile_tools(["go.mod", "Cargo.toml"]) == ("go", "cargo", "cargo-clippy", "rustfmt")
