"""The monitor as a person sees it, by keys and by mouse, in small and large terminals."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.widgets import Static

from artifactize.cli import cli
from artifactize.models.states import Outcome, RequestState
from artifactize.models.stored import Output
from artifactize.monitor.app import MonitorApp
from artifactize.monitor.run_table import RunTable
from artifactize.service.monitoring import Monitor
from artifactize.service.waiting_signoffs import WaitingSignOffs
from artifactize.store import requests, runs
from artifactize.store.database import Store
from artifactize.wiring import open_workspace
from support.run_history import run_id, save, save_all, saved_request, saved_run
from support.screens import lines_of_screen, until, until_said

pytestmark = pytest.mark.anyio
S = RequestState
REPOSITORY = "/srv/bookshop"
HOSTILE = "Every [bold]term[/bold] \x1b[31m\u202eis defined"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.open(tmp_path / "state")
    for number in range(3):
        save(made, saved_run(number, "/srv/other", Outcome.SIGNOFFS_PENDING))
    run = saved_run(10, REPOSITORY, Outcome.RED, selection={"kind": "artifact", "artifactId": "guide"})
    red = saved_request(run, 0, "guide/terms", S.RED, title=HOSTILE, message="line 3 [x]: 'foo'\nis missing")
    waits = saved_request(run, 2, "site/layout", S.WAITING_HUMAN, kind="human", duration_ms=None)
    evals = [red, saved_request(run, 1, "guide/links", S.GREEN), waits]
    save(
        made,
        run,
        evals,
        Output(request_id=red.id, stream="stdout", text="a [red]line[/red]\n", total_bytes=18),
    )
    going = saved_run(11, REPOSITORY, None)
    save(made, going, [saved_request(going, 0, "guide/terms", S.RUNNING, duration_ms=None)])
    return made


def opened(app: type[MonitorApp], state: Path) -> MonitorApp:
    monitor = Monitor(state)
    return app(monitor, WaitingSignOffs(monitor, lambda repository: open_workspace(Path(repository), state)))


def monitor_app(store: Store) -> MonitorApp:
    return opened(MonitorApp, store.path.parent)


async def test_a_large_terminal_shows_runs_evals_and_reasons_side_by_side(store: Store) -> None:
    async with monitor_app(store).run_test(size=(130, 14)) as pilot:
        await until_said(pilot, "terms RUNNING")
        await pilot.press("down", "enter", "down")
        shown = await until_said(pilot, "terms RED", "why: line 3")
        panes = [tuple(cell.strip() for cell in line.split("│")[:1] + line.rsplit("│", 1)) for line in shown]
        assert [runs for runs, _, _ in panes[:6]] == [
            "Repositories",
            "bookshop 2, 1 going on, gone /srv",
            "other 3, gone /srv",
            "Runs: 2",
            "▸ RUNNING    12-01 03:00 everything",
            "✗ RED        12-01 03:00 guide",
        ]
        assert [middle.partition("│")[2].strip() for _, middle, _ in panes[:6]] == [
            "RED · guide · 2026-12-01 03:00:10",
            "▼ ✗ guide 1/2",
            "├ ✗ terms RED 1.2 s",
            "└ ✓ links GREEN 1.2 s",
            "▼ ? site 0/1",
            "└ ? layout WAITING_HUMAN",
        ]
        assert [last for _, _, last in panes[2:7]] == [
            "✗ RED",
            "eval: guide/terms",
            "title: Every [bold]term[/bold]",
            "\\u001b[31m\\u202eis defined",
            "kind: runtime",
        ]
        await pilot.press("l")
        assert await until_said(pilot, "stdout, 18 bytes, what is left of it", "a [red]line[/red]")


async def test_a_small_terminal_shows_one_pane_after_the_other(store: Store) -> None:
    async with monitor_app(store).run_test(size=(60, 20)) as pilot:
        await until_said(pilot, "Repositories", "RUNNING")
        await pilot.press("down", "enter")
        assert "Repositories" not in "\n".join(await until_said(pilot, "guide 1/2", "links GREEN"))
        await pilot.press("down", "enter")
        assert "guide 1/2" not in "\n".join(await until_said(pilot, "why: line 3 [x]: 'foo' is missing"))
        await pilot.press("escape", "escape")
        await until_said(pilot, "Repositories")
        await pilot.resize_terminal(130, 20)
        await until_said(pilot, "Repositories", "guide 1/2", "Details")


async def test_what_changes_in_the_state_changes_on_the_screen(store: Store) -> None:
    async with monitor_app(store).run_test(size=(130, 20)) as pilot:
        await until_said(pilot, "terms RUNNING", "guide 0/1")
        with store.write() as connection:
            runs.change(connection, run_id(11), {"state": "FINISHED", "outcome": Outcome.GREEN})
            done = saved_request(saved_run(11, REPOSITORY), 0, "guide/terms", S.GREEN)
            requests.save_all(connection, run_id(11), [done])
        await until_said(pilot, "terms GREEN 1.2 s", "guide 1/1", "GREEN · everything")
        await pilot.press("down")
        save(store, saved_run(12, REPOSITORY, Outcome.ERROR))
        shown = await until_said(pilot, "Runs: 3")
        assert shown[0].startswith(
            " Repositories                            │ RED · guide"
        )  # the cursor's Run stays
        await pilot.press("f")
        await until_said(pilot, "ERROR · everything")


async def test_the_mouse_chooses_repositories_runs_and_evals(store: Store) -> None:
    async with monitor_app(store).run_test(size=(130, 20)) as pilot:
        await until_said(pilot, "terms RUNNING")
        await pilot.click(RunTable, offset=(5, 1))
        await until_said(pilot, "terms RED", "RED · guide")
        await pilot.click("#tree", offset=(6, 2))
        await until_said(pilot, "eval: guide/links")
        await pilot.click("#repositories", offset=(5, 1))
        await until_said(pilot, "Runs: 3", "SIGN-OFFS")


async def test_the_sign_offs_open_at_the_eval_under_the_cursor_and_close_again(store: Store) -> None:
    async with monitor_app(store).run_test(size=(130, 20)) as pilot:
        await until_said(pilot, "terms RUNNING")
        await pilot.press("down", "enter", "end")
        await until_said(pilot, "eval: site/layout")
        await pilot.press("s")
        await until_said(pilot, "site/layout  cannot be signed", "/srv/bookshop is not a folder")
        await pilot.press("d", "l", "f", "s")  # keys of the screen below, which goes on looking meanwhile
        save(store, saved_run(12, REPOSITORY, Outcome.ERROR))
        below = pilot.app.screen_stack[1].query_one("#runs-title", Static)
        await until(pilot, lambda _: "Runs: 3" in str(below.content))
        await pilot.press("escape")
        await until_said(pilot, "Repositories", "eval: site/layout", "Runs: 3")


async def test_ten_thousand_runs_draw_only_what_is_on_the_screen(store: Store) -> None:
    save_all(store, [saved_run(number, REPOSITORY) for number in range(100, 10_100)])
    drawn: set[int] = set()

    class Counting(RunTable):
        def render_line(self, y: int) -> object:  # type: ignore[override] # the strip, passed on
            drawn.add(y + self.scroll_offset.y)
            return super().render_line(y)

    class CountingApp(MonitorApp):
        RUN_TABLE = Counting

    async with opened(CountingApp, store.path.parent).run_test(size=(130, 24)) as pilot:
        await until_said(pilot, "Runs: 10002")
        await pilot.press("end")
        await until(pilot, lambda lines: "RUNNING" in "\n".join(lines) and "terms RED" in "\n".join(lines))
        await pilot.press("home", "pagedown", "down")
        await until_said(pilot, "GREEN · everything")
    assert len(drawn) < 150


async def test_without_a_state_there_is_an_empty_monitor_and_later_a_full_one(tmp_path: Path) -> None:
    async with opened(MonitorApp, tmp_path / "state").run_test(size=(80, 20)) as pilot:
        await until_said(pilot, "no Runs yet")
        save(Store.open(tmp_path / "state"), saved_run(1, REPOSITORY))
        await until_said(pilot, "Runs: 1", "bookshop")


async def test_a_state_that_cannot_be_read_is_said_and_looked_at_again(store: Store) -> None:
    store.close()
    data = store.path.read_bytes()
    store.path.write_bytes(b"no database " * 1000)
    async with monitor_app(store).run_test(size=(80, 20)) as pilot:
        await until_said(pilot, "is damaged")
        store.path.write_bytes(data)
        shown = await until_said(pilot, "bookshop")
        assert "damaged" not in "\n".join(shown)
        assert lines_of_screen(pilot.app) == shown


def test_without_a_terminal_or_without_textual_the_command_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    piped = CliRunner().invoke(cli, ["monitor"])
    assert (piped.exit_code, piped.stdout) == (2, "")
    assert "`artifactize monitor` needs a terminal" in piped.stderr
    monkeypatch.setattr("artifactize.commands.monitor.find_spec", lambda _name: None)
    without = CliRunner().invoke(cli, ["monitor"])
    assert "pip install 'artifactize[tui]'" in without.stderr
