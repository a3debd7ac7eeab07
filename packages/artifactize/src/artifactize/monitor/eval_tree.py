"""A Run as a tree: its Artifacts, and under each its evals with where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Tree

from artifactize.models.states import RequestState
from artifactize.monitor.words import duration, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text
    from textual.widgets.tree import TreeNode

    from artifactize.models.stored import EvalRequest
    from artifactize.service.observing import Seen

_OPEN_ALL = 200
# what a folded Artifact shows of its evals: the first of these that one of them has
_WORST = (
    RequestState.RUNNING,
    RequestState.WAITING_HUMAN,
    RequestState.ERROR,
    RequestState.RED,
    RequestState.BLOCKED,
    RequestState.CANCELLED,
    RequestState.STALE,
    RequestState.BUDGET_EXHAUSTED,
    RequestState.WAIT_DEPENDENCY,
    RequestState.QUEUED,
    RequestState.DEFERRED,
    RequestState.PROVISIONAL,
    RequestState.GREEN,
)


class EvalTree(Tree["EvalRequest | str"]):
    """Nodes of Artifacts carry their name, those of evals their request. Evals come when a node opens."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - named as in Textual
        super().__init__("", id=id)
        self.show_root = False
        self.guide_depth = 2
        self._run_id: str | None = None
        self._by_artifact: dict[str, list[EvalRequest]] = {}
        self._artifacts: dict[str, TreeNode[EvalRequest | str]] = {}
        self._evals: dict[str, TreeNode[EvalRequest | str]] = {}

    def show(self, seen: Seen | None) -> None:
        """Show a Run; of the one that is shown already, only what changed is drawn anew."""
        run_id = None if seen is None else seen.run.id
        grouped = _grouped([] if seen is None else seen.requests)
        if run_id != self._run_id or grouped.keys() != self._by_artifact.keys():
            self._run_id = run_id
            self._rebuild(grouped)
            return
        for artifact, requests in grouped.items():
            known = self._by_artifact[artifact]
            if requests == known:
                continue
            self._artifacts[artifact].set_label(_summary(artifact, requests))
            for request in requests:
                node = self._evals.get(request.id)
                if node is not None and node.data != request:
                    node.data = request
                    node.set_label(_leaf(request))
        self._by_artifact = grouped

    def current(self) -> EvalRequest | str | None:
        """Return the request or the Artifact under the cursor."""
        return None if self.cursor_node is None else self.cursor_node.data

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[EvalRequest | str]) -> None:
        """Fill a node when it opens for the first time."""
        if isinstance(event.node.data, str):
            self._fill(event.node, event.node.data)

    def _rebuild(self, grouped: dict[str, list[EvalRequest]]) -> None:
        self.clear()
        self._by_artifact, self._artifacts, self._evals = grouped, {}, {}
        opened = sum(len(each) for each in grouped.values()) <= _OPEN_ALL
        for artifact, requests in grouped.items():
            node = self.root.add(_summary(artifact, requests), data=artifact, expand=opened)
            self._artifacts[artifact] = node
            if opened:
                self._fill(node, artifact)
        self.root.expand()
        self.cursor_line = 0

    def _fill(self, node: TreeNode[EvalRequest | str], artifact: str) -> None:
        if node.children:
            return
        for request in self._by_artifact.get(artifact, []):
            self._evals[request.id] = node.add_leaf(_leaf(request), data=request)


def _grouped(requests: Sequence[EvalRequest]) -> dict[str, list[EvalRequest]]:
    found: dict[str, list[EvalRequest]] = {}
    for request in requests:
        found.setdefault(request.artifact, []).append(request)
    return found


def _summary(artifact: str, requests: Sequence[EvalRequest]) -> Text:
    states = {request.state for request in requests}
    worst = next((state for state in _WORST if state in states), RequestState.QUEUED)
    done = sum(request.state is RequestState.GREEN for request in requests)
    return line(worst, artifact, f"{done}/{len(requests)}")


def _leaf(request: EvalRequest) -> Text:
    name = request.eval.partition("/")[2] or request.eval
    reused = "" if request.source is None or request.source == "executed" else f"({request.source})"
    return line(request.state, name, str(request.state), reused, duration(request.duration_ms))
