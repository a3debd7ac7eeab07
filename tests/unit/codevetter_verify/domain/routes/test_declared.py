"""React Router's declared routes, read and never run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codevetter_verify.domain.routes.declared import read_declared


def routes(source: str) -> dict[str, tuple[str, str | None]] | None:
    found = read_declared(f"export default {source}".encode())
    if found is None:
        return None
    return {entry.file: (entry.match.kind, entry.match.route) for entry in found.entries}


def test_nested_calls_give_the_address_of_each_module() -> None:
    source = """[
        index("home.tsx"),
        // route("gone", "gone.tsx"),
        route("shop", "./shop.tsx", { id: "shop", caseSensitive: true }, [route("cart", "cart.tsx")]),
        layout("frame.tsx", [...prefix("a/b", [index("ab.tsx"), route(":id?", "id.tsx")])]),
        route("*", "catch.tsx"),
    ] satisfies RouteConfig;"""
    assert routes(source) == {
        "home.tsx": ("page", "/"),
        "shop.tsx": ("page", "/shop"),
        "cart.tsx": ("page", "/shop/cart"),
        "frame.tsx": ("not_page", None),
        "ab.tsx": ("page", "/a/b"),
        "id.tsx": ("dynamic", None),
        "catch.tsx": ("dynamic", None),
    }


def test_a_layout_knows_what_is_shown_inside_it() -> None:
    found = read_declared(b'export default [layout("frame.tsx", [route("a", "a.tsx"), index("i.tsx")])]')
    assert found is not None
    assert found.around("frame.tsx") == {"a.tsx", "i.tsx"}


def test_flat_routes_may_stand_beside_declared_ones() -> None:
    found = read_declared(b'export default [route("a", "a.tsx"), ...(await flatRoutes())]')
    assert found is None, "parentheses are an expression like any other, and not read"
    found = read_declared(b'export default [route("a", "a.tsx"), ...await flatRoutes()]')
    assert found is not None
    assert (found.flat, len(found.entries)) == (True, 1)


@pytest.mark.parametrize(
    "source",
    ["makeRoutes()", "[route(path, 'a.tsx')]", "[cond ? a : b]", "[route('a')]", "[", "['a']", "42"],
)
def test_anything_else_is_unreadable(source: str) -> None:
    assert routes(source) is None


@given(st.text(alphabet="[](){},.'route indexlayoutprefx\n", max_size=80))
def test_no_text_is_too_odd_to_refuse(text: str) -> None:
    found = read_declared(f"export default {text}".encode())
    assert found is None or all(entry.file for entry in found.entries) or not found.entries
