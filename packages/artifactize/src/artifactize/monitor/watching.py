"""The monitor: repositories and their Runs, the evals of one Run, and what is known of one eval."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from anyio import to_thread
from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static, TabbedContent, TabPane
from textual.widgets.option_list import Option

from artifactize.monitor.eval_tree import EvalTree
from artifactize.monitor.logs import log_text
from artifactize.monitor.review import ReviewScreen
from artifactize.monitor.run_table import RunTable
from artifactize.monitor.summaries import repository_line, run_details
from artifactize.monitor.words import details, moment, safe, selection
from artifactize.service.monitoring import RunList
from mcpkit.errors import ToolError

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

    from artifactize.models.stored import EvalRequest
    from artifactize.monitor.signing import SignOffs
    from artifactize.service.monitoring import Monitor, SeenRepository
    from artifactize.service.observing import Seen

_LOOK_EVERY_S = 0.5
_NARROW = 100
_STEPS = ("runs", "tree", "detail")


class MonitorScreen(Screen[None]):
    """Looks at a state for as long as it is open; nothing is written, nothing of a repository runs."""

    CSS = """
    #runs-pane { width: 42; border-right: solid $primary-background; }
    #repositories { height: auto; max-height: 30%; border: none; background: $boost; }
    #repositories { text-wrap: nowrap; text-overflow: ellipsis; }
    #runs { height: 1fr; }
    #tree-pane { width: 1fr; border-right: solid $primary-background; }
    #tree { height: 1fr; }
    #detail-pane { width: 1fr; }
    .title { background: $primary-background; text-style: bold; height: 1; padding: 0 1; }
    #notice { height: auto; max-height: 3; color: $warning; padding: 0 1; display: none; }
    #notice.shown { display: block; }
    MonitorScreen.narrow .pane { display: none; }
    MonitorScreen.narrow #runs-pane { width: 1fr; border: none; }
    MonitorScreen.narrow #tree-pane { width: 1fr; border: none; }
    MonitorScreen.narrow .pane.at-step { display: block !important; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "step_back", "Back"),
        Binding("d", "tab('details')", "Details"),
        Binding("l", "tab('logs')", "Logs"),
        Binding("f", "follow", "Newest"),
        Binding("s", "sign", "Sign off"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, monitor: Monitor, signoffs: SignOffs, table: type[RunTable]) -> None:
        super().__init__()
        self._monitor = monitor
        self._signoffs = signoffs
        self._table = table
        self._version: int | None = None
        self._repositories: tuple[SeenRepository, ...] = ()
        self._list = RunList("")
        self._seen: Seen | None = None
        self._logs_of: tuple[str, int] | None = None

    # --- what is on the screen ---------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the three panes."""
        yield Static("", id="notice", markup=False)
        with Horizontal(id="panes"):
            with Vertical(id="runs-pane", classes="pane at-step"):
                yield Static("Repositories", classes="title", markup=False)
                yield OptionList(id="repositories", markup=False)
                yield Static("Runs", classes="title", id="runs-title", markup=False)
                yield self._table(id="runs")
            with Vertical(id="tree-pane", classes="pane"):
                yield Static("Run", classes="title", id="run-title", markup=False)
                yield EvalTree(id="tree")
            with Vertical(id="detail-pane", classes="pane"), TabbedContent(id="tabs"):
                with TabPane("Details", id="details"), VerticalScroll():
                    yield Static("", id="details-text", markup=False)
                with TabPane("Logs", id="logs"), VerticalScroll():
                    yield Static("", id="logs-text", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Start to look."""
        self.query_one(RunTable).focus()
        self.look()
        self.set_interval(_LOOK_EVERY_S, self.look)

    def on_resize(self, event: events.Resize) -> None:
        """Show one pane at a time where there is no room for three."""
        self.set_class(event.size.width < _NARROW, "narrow")

    # --- looking -----------------------------------------------------------------------------------

    @work(exclusive=True, group="look")
    async def look(self) -> None:
        """Read what changed since the last look, and show it."""
        try:
            version = await to_thread.run_sync(self._monitor.version)
            if version == self._version:
                return
            repositories = await to_thread.run_sync(self._monitor.repositories)
            self._show_repositories(repositories)
            await self._read_runs(keep=True)
            await self._read_run()
            self._version = version
            self._say("")
        except ToolError as failure:
            self._say(f"{failure.message}{'; ' + failure.hint if failure.hint else ''}")

    async def _read_runs(self, *, keep: bool) -> None:
        repository = self._repository()
        if repository is None:
            return
        known = self._list if self._list.repository == repository else None
        self._list = await to_thread.run_sync(self._monitor.runs, repository, known)
        self.query_one(RunTable).show(self._list.rows, keep=keep and known is not None)
        self._title("#runs-title", f"Runs: {len(self._list.rows)}")

    async def _read_run(self) -> None:
        row = self.query_one(RunTable).current
        if row is None:
            self._show_run(None)
            return
        read = partial(self._monitor.seen, self._list.repository, row.id, self._seen)
        self._show_run(await to_thread.run_sync(read))

    # --- showing -----------------------------------------------------------------------------------

    def _show_repositories(self, found: tuple[SeenRepository, ...]) -> None:
        if found == self._repositories:
            return
        chosen = self._repository()
        self._repositories = found
        listed = self.query_one("#repositories", OptionList)
        listed.clear_options()
        listed.add_options([Option(repository_line(each)) for each in found])
        names = [each.row.repository for each in found]
        if names:
            listed.highlighted = names.index(chosen) if chosen in names else 0

    def _show_run(self, seen: Seen | None) -> None:
        self._seen = seen
        self.query_one(EvalTree).show(seen)
        if seen is None:
            self._title("#run-title", "Run")
            self.query_one("#details-text", Static).update("")
            return
        state = str(seen.run.outcome or seen.run.state)
        self._title(
            "#run-title", f"{state} · {selection(seen.run.selection)} · {moment(seen.run.created_at)}"
        )
        self._show_detail()

    def _show_detail(self) -> None:
        current = self.query_one(EvalTree).current()
        text = self.query_one("#details-text", Static)
        if current is None or isinstance(current, str):
            text.update(run_details(self._seen))
            self.query_one("#logs-text", Static).update("choose an eval to see what it printed")
            self._logs_of = None
            return
        newest = (
            next((each for each in self._seen.requests if each.id == current.id), current)
            if self._seen
            else current
        )
        text.update(details(newest))
        if self._logs_of != (newest.id, newest.revision):
            self._logs_of = (newest.id, newest.revision)
            self._read_logs(newest)

    @work(exclusive=True, group="logs")
    async def _read_logs(self, request: EvalRequest) -> None:
        try:
            found = await log_text(self._monitor.workspace(self._list.repository), request)
        except ToolError as failure:
            found = Text(safe(failure.message))
        self.query_one("#logs-text", Static).update(found)

    def on_descendant_focus(self) -> None:
        """Let a terminal that becomes narrow show the pane that has the keys."""
        for step in _STEPS:
            pane = self.query_one(f"#{step}-pane")
            if pane.has_focus_within:
                self._at(step)

    def _title(self, selector: str, text: str) -> None:
        self.query_one(selector, Static).update(text)

    def _say(self, text: str) -> None:
        notice = self.query_one("#notice", Static)
        notice.update(safe(text))
        notice.set_class(bool(text), "shown")

    def _repository(self) -> str | None:
        at = self.query_one("#repositories", OptionList).highlighted
        return None if at is None or at >= len(self._repositories) else self._repositories[at].row.repository

    # --- keys and mouse ----------------------------------------------------------------------------

    @on(OptionList.OptionHighlighted, "#repositories")
    @work(exclusive=True, group="repository")
    async def _repository_chosen(self) -> None:
        if self._repository() != self._list.repository:
            await self._read_runs(keep=False)

    @on(OptionList.OptionSelected, "#repositories")
    def _repository_opened(self) -> None:
        self.query_one(RunTable).focus()

    @on(RunTable.Highlighted)
    @work(exclusive=True, group="run")
    async def _run_chosen(self, event: RunTable.Highlighted) -> None:
        del event
        try:
            await self._read_run()
        except ToolError as failure:
            self._say(failure.message)

    @on(RunTable.Opened)
    def _run_opened(self, event: RunTable.Opened) -> None:
        del event
        self._step("tree")

    @on(EvalTree.NodeHighlighted)
    def _eval_chosen(self) -> None:
        self._show_detail()

    @on(EvalTree.NodeSelected)
    def _eval_opened(self, event: EvalTree.NodeSelected[EvalRequest | str]) -> None:
        if not isinstance(event.node.data, str):
            self._step("detail")

    def action_step_back(self) -> None:
        """Go to the pane before this one."""
        at = _STEPS.index(self._at_step())
        self._step(_STEPS[max(0, at - 1)])

    def action_tab(self, name: str) -> None:
        """Show a tab of the eval."""
        self.query_one("#tabs", TabbedContent).active = name
        self._step("detail")

    def action_follow(self) -> None:
        """Go to the newest Run."""
        self._step("runs")
        self.query_one(RunTable).action_edge(0)

    def action_sign(self) -> None:
        """Open the sign-offs, at the eval under the cursor when it waits for a person."""
        current = self.query_one(EvalTree).current()
        request_id = None if current is None or isinstance(current, str) else current.id
        self.app.push_screen(ReviewScreen(self._signoffs, request_id=request_id))

    def _at(self, step: str) -> None:
        for each in _STEPS:
            self.query_one(f"#{each}-pane").set_class(each == step, "at-step")

    def _at_step(self) -> str:
        return next(step for step in _STEPS if self.query_one(f"#{step}-pane").has_class("at-step"))

    def _step(self, step: str) -> None:
        self._at(step)
        focused = {
            "runs": "#runs",
            "tree": "#tree",
            "detail": f"#{self.query_one('#tabs', TabbedContent).active} VerticalScroll",
        }
        self.query_one(focused[step]).focus()
