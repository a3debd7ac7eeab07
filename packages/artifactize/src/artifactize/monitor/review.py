"""One sign-off after the other: claim it, look with its tools, fill its form, submit."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, OptionList, RadioButton, RadioSet, Select, Static
from textual.widgets.option_list import Option

from artifactize.monitor.form import FieldFault, SchemaForm
from artifactize.monitor.sheets import arguments_of, listed, words_of
from artifactize.monitor.words import safe
from mcpkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from textual.app import ComposeResult

    from artifactize.monitor.signing import SignOffs
    from artifactize.service.waiting_signoffs import SignOff, Verdict

_LOOK_EVERY_S = 1.0
_MAX_SHOWN = 64 * 1024


class ReviewScreen(Screen[None]):
    """The waiting sign-offs, and the one that is being made."""

    CSS = """
    #waiting { width: 34; height: 1fr; border: none; border-right: solid $primary-background; }
    #sheet { width: 1fr; padding: 0 1; }
    #body { height: 1fr; }
    #said { height: auto; max-height: 3; color: $warning; padding: 0 1; }
    #instruction { height: auto; padding: 0 0 1 0; }
    #answer { height: auto; max-height: 12; background: $boost; }
    .row { height: auto; }
    .row Button { margin-right: 1; }
    #tool { width: 24; }
    #arguments { width: 1fr; }
    ReviewScreen.small #waiting { width: 1fr; height: 5; border: none; }
    ReviewScreen.small #body { layout: vertical; }
    ReviewScreen.small Button { height: 1; border: none; min-width: 10; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "claim", "Claim"),
        Binding("f3", "unclaim", "Release"),
        Binding("f4", "call", "Run tool"),
        Binding("f5", "submit", "Submit"),
        Binding("escape", "leave", "Back"),
    ]

    def __init__(self, signoffs: SignOffs, *, request_id: str | None = None) -> None:
        super().__init__()
        self._signoffs = signoffs
        self._first = request_id
        self._waiting: tuple[SignOff, ...] = ()
        self._shown: SignOff | None = None

    def compose(self) -> ComposeResult:
        """Lay out the list and the sheet."""
        with Horizontal(id="body"):
            yield OptionList(id="waiting", markup=False)
            with VerticalScroll(id="sheet"):
                yield Static("nothing waits for a person", id="instruction", markup=False)
                with Horizontal(classes="row"):
                    yield Button("Claim", id="claim", disabled=True)
                    yield Button("Release", id="unclaim", disabled=True)
                yield Vertical(id="work", classes="row")
        yield Static("", id="said", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Start to look."""
        self.look()
        self.set_interval(_LOOK_EVERY_S, self.look)

    def on_resize(self) -> None:
        """Put the list above the sheet where there is no room beside it."""
        self.set_class(self.size.width < 90, "small")  # noqa: PLR2004 - the list and a readable line

    @work(exclusive=True, group="look")
    async def look(self) -> None:
        """Read which sign-offs wait, and show what changed."""
        try:
            found = await self._signoffs.waiting()
        except ToolError as failure:
            self._say(failure.message)
            return
        if found != self._waiting:
            await self._show_waiting(found)

    async def _show_waiting(self, found: tuple[SignOff, ...]) -> None:
        wanted = self._first if self._shown is None else self._shown.request_id
        self._waiting = found
        options = self.query_one("#waiting", OptionList)
        options.clear_options()
        options.add_options([Option(listed(each)) for each in found])
        ids = [each.request_id for each in found]
        if ids:
            options.highlighted = ids.index(wanted) if wanted in ids else 0
        await self._show(self._current())

    @on(OptionList.OptionHighlighted, "#waiting")
    async def _chosen(self) -> None:
        await self._show(self._current())

    async def _show(self, found: SignOff | None) -> None:
        if found == self._shown:
            return
        before = self._shown
        self._shown = found
        words = "nothing waits for a person" if found is None else words_of(found)
        self.query_one("#instruction", Static).update(words)
        self.query_one("#claim", Button).disabled = found is None or found.holder is not None
        self.query_one("#unclaim", Button).disabled = found is None or not found.is_mine
        same = before is not None and found is not None and before.request_id == found.request_id
        if same and before is not None and found is not None and before.is_mine == found.is_mine:
            return  # what somebody is typing stays
        await self._make_sheet(found)

    async def _make_sheet(self, found: SignOff | None) -> None:
        sheet = self.query_one("#work", Vertical)
        await sheet.remove_children()
        if found is None or not found.is_mine:
            return
        tools = [(each.name, each.name) for each in found.tools]
        await sheet.mount(
            Horizontal(
                Select(tools, id="tool", prompt="a tool"),
                Input(placeholder='arguments, as in {"path": "guide/intro.md"}', id="arguments"),
                Button("Run", id="call"),
                classes="row",
            ),
            VerticalScroll(Static("", id="answer-text", markup=False), id="answer"),
            RadioSet(RadioButton("GREEN", id="green"), RadioButton("RED", id="red"), id="verdict"),
            Vertical(id="fields", classes="row"),
            Button("Submit", id="submit", variant="primary"),
        )

    @on(RadioSet.Changed, "#verdict")
    async def _verdict_chosen(self) -> None:
        found = self._shown
        if found is None:
            return
        schema = found.pass_schema if self._verdict() == "GREEN" else found.fail_schema
        fields = self.query_one("#fields", Vertical)
        await fields.remove_children()
        await fields.mount(SchemaForm(schema, id="form"))

    # --- what a person does ------------------------------------------------------------------------

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        actions = {
            "claim": self.action_claim,
            "unclaim": self.action_unclaim,
            "call": self.action_call,
            "submit": self.action_submit,
        }
        actions[str(event.button.id)]()

    @work(exclusive=True, group="act")
    async def action_claim(self) -> None:
        """Claim the sign-off that is shown."""
        if self._shown is not None and self._shown.holder is None:
            await self._act(self._signoffs.claim(self._shown), "it is yours")

    @work(exclusive=True, group="act")
    async def action_unclaim(self) -> None:
        """Give the sign-off back."""
        if self._shown is not None and self._shown.is_mine:
            await self._act(self._signoffs.unclaim(self._shown), "given back")

    @work(exclusive=True, group="act")
    async def action_call(self) -> None:
        """Call the chosen tool."""
        found = self._shown
        if found is None or not found.is_mine:
            return
        tool = self.query_one("#tool", Select)
        if tool.is_blank():
            self._say("choose a tool")
            return
        try:
            arguments = arguments_of(self.query_one("#arguments", Input).value)
            answer = await self._signoffs.call(found, str(tool.value), arguments)
        except (FieldFault, ToolError) as failure:
            self._say(str(failure))
            return
        self._say("")
        self.query_one("#answer-text", Static).update(
            Text("\n".join(map(safe, answer[:_MAX_SHOWN].split("\n"))))
        )

    @work(exclusive=True, group="act")
    async def action_submit(self) -> None:
        """Submit the verdict with its fields."""
        found, verdict = self._shown, self._verdict()
        if found is None or not found.is_mine:
            return
        if verdict is None or not self.query("#form"):
            self._say("choose GREEN or RED")
            return
        try:
            fields = self.query_one("#form", SchemaForm).filled()
        except FieldFault as fault:
            self._say(str(fault))
            return
        await self._act(self._signoffs.submit(found, verdict, fields), "")

    def action_leave(self) -> None:
        """Go back to where this was opened from."""
        self.dismiss()

    async def _act(self, doing: Awaitable[str | None], done: str) -> None:
        try:
            said = await doing
        except ToolError as failure:
            self._say(f"{failure.message}{'; ' + failure.hint if failure.hint else ''}")
            return
        self._say(said or done)
        try:
            await self._show_waiting(await self._signoffs.waiting())
        except ToolError as failure:
            self._say(failure.message)

    def _verdict(self) -> Verdict | None:
        if not self.query("#verdict"):
            return None
        pressed = self.query_one("#verdict", RadioSet).pressed_button
        return None if pressed is None else ("GREEN" if pressed.id == "green" else "RED")

    def _current(self) -> SignOff | None:
        at = self.query_one("#waiting", OptionList).highlighted
        return None if at is None or at >= len(self._waiting) else self._waiting[at]

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(safe(text))
