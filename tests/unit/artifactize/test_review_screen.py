"""Signing off in the terminal: claim, look with a tool, fill the form, submit; by keys and by mouse."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from textual.widgets import Checkbox, Input, RadioButton, Select, TextArea

from artifactize.errors import ToolRefusedError
from artifactize.monitor.form import FieldFault, fields_of
from artifactize.monitor.review_app import ReviewApp
from artifactize.service.waiting_signoffs import SignOff
from artifactize.toolbox.contract import ToolSpec
from support.screens import until, until_said

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.anyio
PASS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "pages": {"type": "integer"},
        "seen": {"type": "boolean"},
        "note": {"type": "string", "description": "What was [looked] at"},
        "risk": {"enum": ["low", "high"]},
    },
    "required": ["note", "risk"],
}
FAIL: dict[str, Any] = {
    "type": "object",
    "properties": {"findings": {"type": "array"}},
    "required": ["findings"],
}
TONE = SignOff(
    repository="/srv/bookshop",
    request_id="q1",
    eval="guide/tone",
    title="The tone is [friendly]",
    instruction="Read {guide}.\nIs it kind? \x1b[31m",
    holder=None,
    is_mine=False,
    tools=(ToolSpec("read", "Reads.", {}),),
    pass_schema=PASS,
    fail_schema=FAIL,
)


class Signing:
    """Two sign-offs, one of them somebody else's; what is submitted is kept."""

    def __init__(self) -> None:
        taken = replace(TONE, request_id="q2", eval="site/layout", holder="ben@example.org")
        self.all = [TONE, taken]
        self.submitted: list[tuple[str, str, Mapping[str, Any]]] = []

    async def waiting(self) -> tuple[SignOff, ...]:
        return tuple(self.all)

    async def claim(self, found: SignOff) -> None:
        self._change(found, holder="eva@example.org", is_mine=True)

    async def unclaim(self, found: SignOff) -> None:
        self._change(found, holder=None, is_mine=False)

    async def call(self, found: SignOff, tool: str, arguments: Mapping[str, Any]) -> str:
        if not arguments:
            raise ToolRefusedError("'path' is required")
        return f"{found.eval} {tool} {arguments['path']} [red]x[/red]"

    async def submit(self, found: SignOff, verdict: Any, fields: Mapping[str, Any]) -> str:
        self.submitted.append((found.request_id, verdict, fields))
        self.all = [each for each in self.all if each.request_id != found.request_id]
        return f"{verdict} taken"

    def _change(self, found: SignOff, **fields: Any) -> None:
        self.all = [replace(each, **fields) if each == found else each for each in self.all]


async def test_a_sign_off_is_claimed_looked_at_filled_in_and_submitted() -> None:
    signing = Signing()
    async with ReviewApp(signing).run_test(size=(100, 44)) as pilot:
        shown = await until_said(pilot, "The tone is [friendly]", "nobody has claimed it", "- site/layout")
        assert "Is it kind? \\u001b[31m" in "\n".join(shown)
        await pilot.click("#claim")
        await until_said(pilot, "claimed by eva@example.org", "Submit")
        screen = pilot.app.screen
        screen.query_one("#tool", Select).value = "read"
        await pilot.press("f4")
        await until_said(pilot, "'path' is required")
        screen.query_one("#arguments", Input).value = '{"path": "guide/a.md"}'
        await pilot.press("f4")
        await until_said(pilot, "guide/tone read guide/a.md [red]x[/red]")
        await pilot.press("f5")
        await until_said(pilot, "choose GREEN or RED")
        screen.query_one("#green", RadioButton).value = True
        await until_said(pilot, "note (required): What was [looked] at", "risk (required)", "pages")
        await pilot.press("f5")
        await until_said(pilot, "note is required")
        screen.query_one("#field-0", Input).value = "every page"
        screen.query_one("#field-1", Select).value = 1
        screen.query_one("#field-2", Input).value = "seven"
        await pilot.press("f5")
        await until_said(pilot, "pages is a whole number: 'seven' is not")
        screen.query_one("#field-2", Input).value = "7"
        screen.query_one("#field-3", Checkbox).value = True
        await pilot.press("f5")
        shown = await until_said(pilot, "GREEN taken", "site/layout")
        assert "guide/tone" not in shown[0]
        await pilot.press("escape")
        await until(pilot, lambda _: not pilot.app.is_running)
    fields = {"note": "every page", "risk": "high", "pages": 7, "seen": True}
    assert signing.submitted == [("q1", "GREEN", fields)]


async def test_what_is_typed_stays_while_others_sign_and_a_release_takes_it_away() -> None:
    signing = Signing()
    async with ReviewApp(signing).run_test(size=(60, 20)) as pilot:
        await until_said(pilot, "? guide/tone")
        await pilot.press("f2")
        await until(pilot, lambda _: bool(pilot.app.screen.query("#red")))
        pilot.app.screen.query_one("#red", RadioButton).value = True
        await until(pilot, lambda _: bool(pilot.app.screen.query("#field-0")))
        pilot.app.screen.query_one("#field-0", TextArea).text = '["rude"]'
        signing.all = signing.all[:1]
        await until(pilot, lambda lines: "site/layout" not in "\n".join(lines))
        assert pilot.app.screen.query_one("#field-0", TextArea).text == '["rude"]'
        await pilot.press("f3")
        await until_said(pilot, "nobody has claimed it")
        assert not pilot.app.screen.query("#field-0")
    assert signing.submitted == []


def test_the_fields_of_a_schema_are_values_of_its_types() -> None:
    fields = {field.name: field for field in fields_of(PASS)}
    assert list(fields) == ["note", "risk", "pages", "seen"]
    assert fields["risk"].value(1) == "high"
    assert fields["pages"].value("-3") == -3
    assert fields_of(None) == ()
    findings = fields_of(FAIL)[0]
    assert findings.value('["a"]') == ["a"]
    with pytest.raises(FieldFault, match="findings is JSON"):
        findings.value("[")
