from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest
from click.testing import CliRunner

from artifactize.cli import cli
from artifactize.domain.relations import impact, peers, relations
from artifactize.service.looking import read_graph
from support.artifacts import ArtifactProject, dependency, runtime

if TYPE_CHECKING:
    from pathlib import Path

    from artifactize.domain.graph import Graph


@pytest.fixture
def project(tmp_path: Path) -> ArtifactProject:
    """A chain base <- lib <- app, a child lib/inner, a cycle of two, and one that is alone."""
    project = ArtifactProject.create(tmp_path)
    project.declare("base", evals={"a": runtime("true")})
    project.declare("lib", mounts={"b": "base"}, evals={"a": runtime("cat", "{b}/text")})
    project.declare("lib/inner", tags=["deep"], evals={"a": runtime("true")})
    project.declare("app", evals={"ready": dependency("lib")}).declare("alone", basis=True)
    project.declare("ping", mounts={"other": "pong"}, evals={"a": runtime("true")})
    return project.declare("pong", mounts={"other": "ping"}, evals={"a": runtime("true")})


def graph_of(project: ArtifactProject) -> Graph:
    return anyio.run(read_graph, project.root)


def test_a_relation_says_every_way_in_which_an_input_is_taken_in(project: ArtifactProject) -> None:
    graph = graph_of(project)
    found = {(each.input, each.consumer): each.ways for each in relations(graph, graph.project.artifacts)}
    assert found == {
        ("base", "lib"): ("mount", "reference"),
        ("inner", "lib"): ("child",),
        ("lib", "app"): ("dependency",),
        ("pong", "ping"): ("mount",),
        ("ping", "pong"): ("mount",),
    }


def test_impact_reaches_consumers_and_what_they_need(project: ArtifactProject) -> None:
    graph = graph_of(project)
    assert set(impact(graph, ["base"])) == {"base", "lib", "inner", "app"}
    assert set(impact(graph, ["app"])) == {"app", "lib", "inner", "base"}
    assert set(impact(graph, ["ping"])) == {"ping", "pong"}
    assert impact(graph, ["alone"]) == ("alone",)


def test_peers_are_those_around_a_cycle(project: ArtifactProject) -> None:
    assert peers(graph_of(project)) == {"ping": ("pong",), "pong": ("ping",)}


def shown(project: ArtifactProject, *words: str) -> str:
    place = ["--repo", str(project.root), "--state-dir", str(project.state)]
    done = CliRunner().invoke(cli, [*place, "config", "graph", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_graph_is_shown_in_three_forms_and_leaves_no_trace(project: ArtifactProject) -> None:
    text = shown(project, "lib")
    assert "lib  lib/index.artf\n  takes in base (mount, reference)\n  takes in inner (child)\n" in text
    assert "base  base/index.artf\n  goes into lib (mount, reference)\n" in text
    assert "lib/a  runtime; waits for base, inner  It holds" in text
    assert "inner  lib/inner/index.artf [deep]" in text
    assert "app" not in text
    dot = shown(project, "--eval", "base/a", "--impact", "--format", "dot")
    assert dot.startswith("digraph artifactize {")
    assert '"lib" -> "app" [label="dependency", style=dashed];' in dot
    mermaid = shown(project, "--format", "mermaid").splitlines()
    assert mermaid[0] == "flowchart LR"
    assert len([line for line in mermaid if "-->|" in line]) == 5
    assert "in a cycle with pong: no gates between them" in shown(project)
    assert not project.state.exists()


def test_a_name_that_is_not_declared_is_refused_with_the_nearest(project: ArtifactProject) -> None:
    place = ["--repo", str(project.root), "--state-dir", str(project.state)]
    done = CliRunner().invoke(cli, [*place, "config", "graph", "bsae"])
    assert done.exit_code == 2
    assert "did you mean base?" in done.stderr
