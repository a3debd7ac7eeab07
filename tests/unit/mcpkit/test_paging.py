"""Pages join to the whole, stay small on the wire, and refuse every cursor that is not theirs."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.canonical import compact_json
from mcpkit.cursors import issue
from mcpkit.errors import InvalidCursorError
from mcpkit.paging import (
    BYTE_BUDGET,
    Binding,
    DetailPage,
    carried,
    json_cost,
    line_page,
    list_page,
    text_cost,
    text_page,
)

if TYPE_CHECKING:
    from collections.abc import Callable

BINDING = Binding("read_artifact", {"run_id": "r1", "path": "a.log"}, "digest")
WIRE_LIMIT = 64 * 1024

SCRIPTS = st.text(
    alphabet=st.one_of(
        st.sampled_from('\n\n\n "\\\t\r\x00\x1f\x7faé한дع🦊\u2028\u200d'),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=200,
)
BUDGETS = st.integers(min_value=0, max_value=400)
LIMITS = st.integers(min_value=1, max_value=12)


def all_pages(page_at: Callable[[str | None], tuple[str, str | None]], bound: int) -> list[str]:
    """Follow the cursors to the end; more than `bound` pages are a loop."""
    pages, cursor = [], None
    for _ in range(bound):
        content, cursor = page_at(cursor)
        pages.append(content)
        if cursor is None:
            return pages
    raise AssertionError(f"no end after {bound} pages")


def on_the_wire(structured: object) -> int:
    """Bytes of a whole tools/call response: the structured content and the text that mirrors it."""
    mirror = {"type": "text", "text": compact_json(structured)}
    result = {"content": [mirror], "structuredContent": structured, "isError": False}
    return len(compact_json({"jsonrpc": "2.0", "id": 2**53, "result": result}).encode())


# --- lists --------------------------------------------------------------------------------------------------


@given(st.lists(SCRIPTS, max_size=30), LIMITS, BUDGETS)
def test_list_pages_join_to_the_list_for_every_limit_and_budget(
    items: list[str], limit: int, budget: int
) -> None:
    seen: list[str] = []

    def page_at(cursor: str | None) -> tuple[str, str | None]:
        page = list_page(items, binding=BINDING, cursor=cursor, limit=limit, byte_budget=budget)
        assert page.total == len(items)
        assert len(page.items) <= limit
        assert len(page.items) == 1 or sum(map(json_cost, page.items)) <= budget or not items
        seen.extend(page.items)
        return "", page.next_cursor

    all_pages(page_at, len(items) + 1)
    assert seen == items


def test_an_empty_list_is_one_page_without_a_cursor() -> None:
    nothing: list[int] = []
    page = list_page(nothing, binding=BINDING, cursor=None, limit=10)
    assert (page.items, page.total, page.next_cursor) == ((), 0, None)


def test_a_list_page_is_as_full_as_limit_and_budget_allow() -> None:
    items = ["x" * 10] * 10
    assert len(list_page(items, binding=BINDING, cursor=None, limit=4).items) == 4
    cost = json_cost(items[0])
    assert len(list_page(items, binding=BINDING, cursor=None, limit=9, byte_budget=3 * cost).items) == 3


def test_the_size_that_the_caller_measures_decides() -> None:
    page = list_page(range(10), binding=BINDING, cursor=None, limit=10, byte_budget=6, size=lambda n: n)
    assert page.items == (0, 1, 2, 3)


def test_a_limit_below_one_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="limit"):
        list_page([1], binding=BINDING, cursor=None, limit=0)
    with pytest.raises(ValueError, match="limit"):
        line_page("a", binding=BINDING, cursor=None, limit=0)


# --- lines --------------------------------------------------------------------------------------------------


@given(SCRIPTS, LIMITS, BUDGETS)
def test_line_pages_join_to_the_text_for_every_limit_and_budget(text: str, limit: int, budget: int) -> None:
    def page_at(cursor: str | None) -> tuple[str, str | None]:
        page = line_page(text, binding=BINDING, cursor=cursor, limit=limit, byte_budget=budget)
        assert page.total_lines == len(text.split("\n")) - (text == "" or text.endswith("\n"))
        assert page.content.count("\n") <= limit
        assert text_cost(page.content) <= budget or len(page.content) <= 1
        return page.content, page.next_cursor

    assert "".join(all_pages(page_at, len(text) + 1)) == text


def test_a_line_is_cut_only_when_it_alone_exceeds_the_budget() -> None:
    text = "short\n" + "y" * 100 + "\nend\n"
    contents = all_pages(
        lambda cursor: (
            (page := line_page(text, binding=BINDING, cursor=cursor, limit=10, byte_budget=120)).content,
            page.next_cursor,
        ),
        10,
    )
    assert contents[0] == "short\n"
    assert contents[1] == "y" * 60
    assert contents[2] == "y" * 40 + "\nend\n"


def test_a_megabyte_in_one_line_pages_within_the_wire_limit() -> None:
    text = '{"a": "🦊\\n"}' * 100_000
    sizes: list[int] = []

    def page_at(cursor: str | None) -> tuple[str, str | None]:
        page = line_page(text, binding=BINDING, cursor=cursor, limit=5000)
        structured = {"content": page.content, "total_lines": 1, "next_cursor": page.next_cursor}
        sizes.append(on_the_wire(structured))
        return page.content, page.next_cursor

    assert "".join(all_pages(page_at, 200)) == text
    assert max(sizes) < WIRE_LIMIT
    assert min(sizes[:-1]) > BYTE_BUDGET - 100, "pages are not needlessly small"


# --- texts --------------------------------------------------------------------------------------------------


def follow(text: str, *, budget: int = BYTE_BUDGET, bound: int = 500) -> list[DetailPage]:
    pages: list[DetailPage] = []

    def page_at(cursor: str | None) -> tuple[str, str | None]:
        pages.append(text_page(text, binding=BINDING, cursor=cursor, byte_budget=budget))
        return "", pages[-1].next_cursor

    all_pages(page_at, bound)
    return pages


@given(SCRIPTS, BUDGETS)
def test_text_pages_join_to_the_text_and_count_offsets_in_bytes(text: str, budget: int) -> None:
    offset = 0
    for page in follow(text, budget=budget):
        (entry,) = page.entries or (None,)
        if entry is None:
            assert text == ""
            continue
        assert entry.offset == offset
        assert entry.text == text.encode()[offset : offset + len(entry.text.encode())].decode()
        assert text_cost(entry.text) <= budget or len(entry.text) == 1
        offset += len(entry.text.encode())
    assert offset == len(text.encode())


@pytest.mark.parametrize("unit", ["x", '"', "\\", "\x01", "é", "한", "🦊", '{"a":"b\\nc"},', "\\u202e"])
def test_every_page_of_any_script_stays_below_the_wire_limit(unit: str) -> None:
    pages = follow(unit * 60_000)
    assert all(on_the_wire(page.model_dump(mode="json")) < WIRE_LIMIT for page in pages)
    assert "".join(entry.text for page in pages for entry in page.entries) == unit * 60_000


def test_a_small_text_is_one_page_of_the_published_shape() -> None:
    page = text_page('{"ok":true}', binding=BINDING, cursor=None)
    assert page.model_dump(mode="json") == {
        "encoding": "json",
        "entries": [{"offset": 0, "text": '{"ok":true}'}],
        "next_cursor": None,
    }


def test_the_measured_cost_is_what_the_field_adds_to_a_real_result() -> None:
    text = 'a"\\\n\x01é🦊'
    added = on_the_wire({"t": text}) - on_the_wire({"t": ""})
    assert added == text_cost(text)


def test_lone_surrogates_read_as_replacement_characters() -> None:
    assert line_page("a\udc80b", binding=BINDING, cursor=None, limit=1).content == "a\ufffdb"
    assert text_page("a\udc80b", binding=BINDING, cursor=None).entries[0].text == "a\ufffdb"


# --- cursors ------------------------------------------------------------------------------------------------

TEXT = "one\ntwo\nthree\n"


def first_cursor(binding: Binding = BINDING) -> str:
    cursor = line_page(TEXT, binding=binding, cursor=None, limit=1).next_cursor
    assert cursor is not None
    return cursor


def refuses(cursor: str, binding: Binding = BINDING) -> None:
    with pytest.raises(InvalidCursorError):
        line_page(TEXT, binding=binding, cursor=cursor, limit=1)


def test_a_cursor_continues_where_its_page_ended_in_another_process_too() -> None:
    assert line_page(TEXT, binding=BINDING, cursor=first_cursor(), limit=1).content == "two\n"
    assert first_cursor() == first_cursor(), "made of its content alone, nothing of the process"


@pytest.mark.parametrize(
    "other",
    [
        Binding("findings", BINDING.arguments, "digest"),
        Binding("read_artifact", {"run_id": "r2", "path": "a.log"}, "digest"),
        Binding("read_artifact", {"run_id": "r1"}, "digest"),
        Binding("read_artifact", BINDING.arguments, "changed"),
    ],
    ids=["tool", "argument", "missing argument", "content"],
)
def test_a_cursor_of_another_tool_argument_or_content_is_refused(other: Binding) -> None:
    refuses(first_cursor(), other)
    refuses(first_cursor(other))


def test_null_arguments_count_as_absent() -> None:
    spelled = Binding("read_artifact", {**BINDING.arguments, "severity": None}, "digest")
    assert line_page(TEXT, binding=spelled, cursor=first_cursor(), limit=1).content == "two\n"


def test_a_cursor_of_another_way_to_page_is_refused() -> None:
    with pytest.raises(InvalidCursorError):
        list_page(TEXT, binding=BINDING, cursor=first_cursor(), limit=1)
    with pytest.raises(InvalidCursorError):
        text_page(TEXT, binding=BINDING, cursor=first_cursor())


def test_a_sealed_position_outside_the_content_is_refused() -> None:
    """Only a defect of a caller's digest can lead there; a wrong page would be worse than a refusal."""
    for position in (-1, 0, len(TEXT), len(TEXT) + 1):
        refuses(issue(BINDING, kind="line", position=position))


@given(st.data())
def test_a_cursor_with_any_character_changed_is_refused(data: st.DataObject) -> None:
    cursor = first_cursor()
    at = data.draw(st.integers(0, len(cursor) - 1))
    char = data.draw(st.characters(codec="ascii").filter(lambda c: c != cursor[at]))
    refuses(cursor[:at] + char + cursor[at + 1 :])


@given(st.data())
def test_a_cursor_with_any_byte_changed_is_refused(data: st.DataObject) -> None:
    raw = bytearray(urlsafe_b64decode(first_cursor() + "=="))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    refuses(urlsafe_b64encode(raw).decode().rstrip("="))


@given(st.integers(0, 200), st.text(max_size=4))
def test_a_cut_or_extended_cursor_is_refused(length: int, more: str) -> None:
    cursor = first_cursor()
    changed = cursor[:length] + more
    if changed != cursor:
        refuses(changed)


@given(st.text(max_size=80))
def test_text_that_is_no_cursor_is_refused(text: str) -> None:
    refuses(text)


def test_a_huge_cursor_is_refused_unread() -> None:
    refuses("A" * 10_000_000)


# --- carried ------------------------------------------------------------------------------------------------


def test_what_the_first_page_carried_can_be_read_before_the_content_is_made() -> None:
    text = "x" * 100
    page = text_page(text, binding=BINDING, cursor=None, byte_budget=100, carry="2026-01-02T03:04:05Z")
    assert carried(page.next_cursor) == "2026-01-02T03:04:05Z"
    second = text_page(
        text, binding=BINDING, cursor=page.next_cursor, byte_budget=100, carry="2026-01-02T03:04:05Z"
    )
    assert second.entries[0].offset == 50
    assert carried(None) is None


def test_an_edited_carry_is_refused_when_the_page_is_asked_for() -> None:
    raw = urlsafe_b64decode(issue(BINDING, kind="text", position=1, carry="1") + "==").replace(b'"1"', b'"2"')
    edited = urlsafe_b64encode(raw).decode().rstrip("=")
    assert carried(edited) == "2", "the seal is checked later"
    with pytest.raises(InvalidCursorError):
        text_page("ab", binding=BINDING, cursor=edited)


@given(st.text(max_size=60))
def test_reading_the_carry_of_garbage_is_an_invalid_cursor(text: str) -> None:
    with pytest.raises(InvalidCursorError):
        carried(text)


@given(st.text(max_size=300))
def test_a_carry_comes_back_whole_or_is_refused_when_the_cursor_is_made(carry: str) -> None:
    try:
        cursor = issue(BINDING, kind="text", position=1, carry=carry)
    except ValueError as refused:
        assert "too many" in str(refused)  # noqa: PT017 - one of two allowed outcomes
        assert len(carry) > 50
    else:
        assert carried(cursor) == carry


def test_a_cursor_is_url_safe_and_short() -> None:
    cursor = first_cursor()
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert len(cursor) < 100
    assert json.dumps(cursor) == f'"{cursor}"'
