from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from artifactize.domain.cycles import components
from artifactize.domain.graph import Graph
from support.artifacts import dependency, runtime
from support.declarations import linked

nodes = st.sampled_from("abcdefg")
graphs = st.dictionaries(nodes, st.lists(nodes, max_size=4), max_size=7)


def reached(edges: dict[str, list[str]], start: str) -> set[str]:
    found, waiting = set(), [start]
    while waiting:
        node = waiting.pop()
        if node in edges and node not in found:
            found.add(node)
            waiting += edges[node]
    return found


@given(graphs)
def test_components_are_what_reaches_each_other_and_come_after_what_they_point_to(
    edges: dict[str, list[str]],
) -> None:
    groups = components(edges)

    assert sorted(node for group in groups for node in group) == sorted(edges)
    for position, group in enumerate(groups):
        for one in group:
            mutual = {other for other in reached(edges, one) if one in reached(edges, other)}
            assert mutual == group
            later = {node for following in groups[position + 1 :] for node in following}
            assert not later & reached(edges, one)


def test_a_long_chain_needs_no_deep_stack() -> None:
    edges = {str(number): [str(number + 1)] for number in range(20_000)}

    assert len(components(edges)) == 20_000


def test_inputs_are_mounts_children_references_and_dependency_evals() -> None:
    check = runtime("x", "{named}/y")
    graph = Graph(
        linked(
            top={"at": "top", "mounts": {"m": "mounted"}, "evals": {"e": check, "d": dependency("waited")}},
            child={"at": "top/child"}, mounted={}, named={}, waited={}, other={},
        )
    )  # fmt: skip

    assert sorted(graph.inputs["top"]) == ["child", "mounted", "named", "waited"]
    assert graph.closure(["top"]) == ("mounted", "named", "top", "child", "waited")
    assert graph.gated_by("top/e") == ("child", "mounted", "named")


def test_peers_of_a_cycle_have_no_gate_between_them_but_one_to_the_outside() -> None:
    check = {"evals": {"e": runtime("x")}}
    graph = Graph(
        linked(a={"mounts": {"b": "b"}, **check}, b={"mounts": {"a": "a", "c": "c"}, **check}, c=check)
    )

    assert graph.gated_by("a/e") == ()
    assert graph.gated_by("b/e") == ("c",)
