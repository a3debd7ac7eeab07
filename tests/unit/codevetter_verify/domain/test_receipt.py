"""The receipt says what was found, masks what must not be kept, and fits a wire."""

from __future__ import annotations

from dataclasses import replace

import jsonschema
import pytest

from codevetter_verify.domain.change import Change, ChangedFile
from codevetter_verify.domain.findings import Findings, Visited
from codevetter_verify.domain.observation import Navigation, PageState, ScriptError
from codevetter_verify.domain.order import accept
from codevetter_verify.domain.plan import plan_routes
from codevetter_verify.domain.receipt import SHORTENED, RunFacts, assemble, fits, shorten
from codevetter_verify.domain.revision import identify, statements
from codevetter_verify.domain.verdict import RunCause
from codevetter_verify.domain.wording import STANDING
from codevetter_verify.models import MAX_LIMITATIONS, TrexPreviewReceipt
from mcpkit.canonical import compact_json
from mcpkit.schema import flat_schema
from support.trex import observation, request_for

HEAD = "1" * 40
FACTS = RunFacts("trex-preview-1", "/somewhere", "2026-11-30T00:00:00.000Z", 12, "0.1.0", "Linux")
SECRET = "s3cretbypass"


def findings(*paths: str, preview: str = "https://preview.example/", verified: bool = True) -> Findings:
    found = Findings(accept(request_for(preview)))
    files = tuple(map(ChangedFile, paths))
    found.change = Change("0" * 40, HEAD, None, (HEAD,), files, frozenset({*paths, "package.json"}))
    found.plan = plan_routes(found.change)
    found.identity = identify(HEAD, statements({"x-commit-sha": [HEAD]} if verified else {}))
    return found


def visited(found: Findings, **changes: object) -> Findings:
    """The same after every planned route was seen."""
    for route, _ in found.plan.routes:
        address = found.base().for_route(route).address
        stated = statements({"x-commit-sha": [HEAD]})
        seen = replace(observation(route, navigation=Navigation(200, address, (), stated)), **changes)  # type: ignore[arg-type]
        found.add(Visited(seen, found.judge(seen)))
    return found


def receipt_of(found: Findings) -> TrexPreviewReceipt:
    return assemble(found, FACTS)


def test_a_pass_states_its_coverage_first() -> None:
    receipt = receipt_of(visited(findings("app/about/page.tsx", "lib/x.ts")))
    assert receipt.verdict == "passed_with_limits"
    assert receipt.limitations[0].startswith("1 of 2 changed paths were exercised")
    assert [(entry.path, entry.outcome, entry.route) for entry in receipt.ledger] == [
        ("app/about/page.tsx", "exercised", "/about"),
        ("lib/x.ts", "not_mapped", None),
    ]


def test_a_path_is_exercised_only_when_its_page_was_observed() -> None:
    """Planned is not seen."""
    receipt = receipt_of(findings("app/about/page.tsx"))
    assert receipt.verdict == "no_confidence"
    assert [entry.outcome for entry in receipt.ledger] == ["not_run"]
    receipt = receipt_of(visited(findings("app/about/page.tsx"), interruption="deadline"))
    assert [entry.outcome for entry in receipt.ledger] == ["not_run"]
    assert receipt.causes == ("route_deadline",)


def test_an_incomplete_run_with_a_failure_opens_with_the_failure() -> None:
    found = visited(findings("app/about/page.tsx"), page_errors=(ScriptError("TypeError: x"),))
    found.end(RunCause.HEAD_MOVED, "the head moved")
    receipt = receipt_of(found)
    assert receipt.verdict == "no_confidence"
    assert receipt.summary.startswith("2 of 2 routes failed; /: uncaught exception: TypeError: x")
    assert "no confidence: the head moved" in receipt.summary
    assert receipt.retryable is True


def test_another_revision_on_one_route_takes_the_whole_run_down() -> None:
    found = findings("app/about/page.tsx")
    stale = Navigation(200, "https://preview.example/about", (), statements({"x-git-sha": ["2" * 40]}))
    visited(found)
    found.add(Visited(observation("/about", navigation=stale), found.judge(observation("/about"))))
    receipt = receipt_of(found)
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("revision_changed",))


def test_a_meta_tag_that_names_another_revision_takes_the_whole_run_down() -> None:
    found = visited(findings("app/about/page.tsx"))
    metas = statements({"x-commit-sha": ["2" * 40]})
    stale = observation("/about", state=PageState("About", "All about it", statements=metas))
    found.add(Visited(stale, found.judge(stale)))
    receipt = receipt_of(found)
    assert (receipt.verdict, receipt.causes) == ("no_confidence", ("revision_changed",))
    assert receipt.journeys[-1].trace.revision == "2" * 40


def test_a_claim_is_never_worded_as_a_proof() -> None:
    receipt = receipt_of(visited(findings("app/about/page.tsx", verified=False)))
    assert receipt.preview.status == "claimed"
    assert "claimed, not verified" in receipt.summary


def test_the_bypass_in_the_query_is_nowhere_in_the_receipt() -> None:
    found = findings("app/about/page.tsx", preview=f"https://preview.example/?x-bypass={SECRET}")
    leaky = PageState(title=SECRET, text=f"token {SECRET}", heading="x")
    errors = (
        ScriptError(
            f"failed https://preview.example/?x-bypass={SECRET}", f"https://a.example/?k={SECRET}", 1, 1
        ),
    )
    receipt = receipt_of(visited(found, state=leaky, page_errors=errors, console_errors=errors))
    assert SECRET not in compact_json(receipt)
    assert "x-bypass=***" in receipt.preview.requested_url


def test_a_receipt_that_fits_is_left_alone() -> None:
    receipt = receipt_of(visited(findings("app/about/page.tsx")))
    assert shorten(receipt) is receipt


@pytest.mark.parametrize("count", [200, 500])
def test_a_large_change_is_shortened_until_a_wire_can_carry_it(count: int) -> None:
    found = visited(
        findings("app/about/page.tsx", *(f"lib/{'x' * 100}{number}.ts" for number in range(count)))
    )
    found.change = replace(found.change, commits=tuple(f"{n:040x}" for n in range(500)))  # type: ignore[type-var]
    receipt = shorten(receipt_of(found))
    assert fits(receipt)
    assert receipt.source.changed_path_count == count + 1
    assert receipt.source.commit_count == 500
    assert SHORTENED in receipt.limitations
    assert receipt.limitations[0].startswith("1 of")
    assert receipt.ledger[0].outcome == "exercised"
    assert len(receipt.limitations) <= MAX_LIMITATIONS


def test_a_page_that_shouts_leaves_a_receipt_that_fits() -> None:
    loud = tuple(ScriptError("x" * 100_000, "https://a.example/" + "y" * 5000, n, n) for n in range(20))
    paths = tuple(f"app/{name}/page.tsx" for name in "abcdefg")
    state = PageState(title="t" * 10_000, text='"\\' * 100_000, heading="h")
    receipt = shorten(
        receipt_of(visited(findings(*paths), console_errors=loud, page_errors=loud, state=state))
    )
    assert fits(receipt)
    assert receipt.verdict == "failed"


def test_every_receipt_validates_against_the_published_schema_and_reads_back() -> None:
    schema = flat_schema(TrexPreviewReceipt, "output")
    for found in (
        Findings(accept(request_for("https://preview.example/"))),
        visited(findings("app/about/page.tsx")),
    ):
        receipt = receipt_of(found)
        text = compact_json(receipt)
        jsonschema.validate(receipt.model_dump(mode="json"), schema)
        assert TrexPreviewReceipt.model_validate_json(text) == receipt


@pytest.mark.parametrize(
    "changes",
    [
        {"navigation": Navigation(404, "https://preview.example/about")},
        {"navigation": Navigation(500, "https://preview.example/about")},
        {"navigation": Navigation(200, "https://preview.example/home")},
        {"state": PageState(title="404", text="no such page", heading="404", not_found_marker=True)},
    ],
)
def test_a_path_is_not_exercised_by_an_answer_that_is_not_its_page(changes: dict[str, object]) -> None:
    """A failed route counts when its page was seen, and not when an error page was."""
    receipt = receipt_of(visited(findings("app/about/page.tsx"), **changes))
    assert receipt.limitations[0].startswith("0 of 1 changed paths were exercised")
    broken = receipt_of(visited(findings("app/about/page.tsx"), page_errors=(ScriptError("TypeError: x"),)))
    assert broken.limitations[0].startswith("1 of 1 changed paths were exercised")


def test_what_holds_of_visits_is_not_said_when_nothing_was_visited() -> None:
    found = findings("app/about/page.tsx")
    found.end(RunCause.PREVIEW_UNREACHABLE, "nothing there")
    assert not set(STANDING) & set(receipt_of(found).limitations)
    assert set(STANDING) <= set(receipt_of(visited(findings("app/about/page.tsx"))).limitations)
