"""From changed files to routes, by convention, and never by guessing."""

from __future__ import annotations

import pytest

from codevetter_verify.domain.change import Change, ChangedFile
from codevetter_verify.domain.plan import MAX_ROUTES, PathRole, RoutePlan, plan_routes

MARKERS = frozenset(
    {"package.json", "web/package.json", "apps/shop/package.json", "packages/site/package.json"}
)


def plan(*paths: str, tree: frozenset[str] = frozenset(), deleted: bool = False) -> RoutePlan:
    files = tuple(ChangedFile(path, deleted=deleted) for path in paths)
    return plan_routes(Change("0" * 40, "1" * 40, files=files, tree=MARKERS | tree | frozenset(paths)))


def role(path: str, *others: str) -> PathRole:
    return plan(path, tree=frozenset(others)).roles[0]


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("app/page.tsx", "/"),
        ("src/app/pricing/page.jsx", "/pricing"),
        ("app/(marketing)/about/page.tsx", "/about"),
        ("apps/shop/src/app/cart/page.tsx", "/cart"),
        ("packages/site/pages/docs/index.tsx", "/docs"),
        ("pages/contact.js", "/contact"),
        ("web/src/pages/pricing.html", "/pricing"),
        ("web/src/pages/index.html", "/"),
        ("src/pages/guide.md", "/guide"),
        ("src/pages/blog/index.astro", "/blog"),
        ("pages/team.vue", "/team"),
        ("app/routes/_index.tsx", "/"),
        ("app/routes/concerts.trending.tsx", "/concerts/trending"),
        ("app/routes/_auth.login.tsx", "/login"),
        ("app/routes/concerts_.mine.tsx", "/concerts/mine"),
        ("app/routes/sitemap[.]xml.tsx", "/sitemap.xml"),
        ("app/routes/about/index.tsx", "/about"),
        ("app/routes/faq/route.tsx", "/faq"),
        ("src/routes/(app)/settings/+page.svelte", "/settings"),
        ("src/routes/settings/+page.server.ts", "/settings"),
        ("app/über uns/page.tsx", "/%C3%BCber%20uns"),
    ],
)
def test_a_page_has_its_route(path: str, route: str) -> None:
    assert (role(path).kind, role(path).route) == ("page", route)


@pytest.mark.parametrize(
    "path",
    [
        "app/blog/[slug]/page.tsx",
        "app/@modal/login/page.tsx",
        "app/feed/(..)photo/page.tsx",
        "pages/[...path].tsx",
        "pages/users/_id.vue",
        "src/pages/[lang]/index.astro",
        "src/routes/[slug]/+page.svelte",
        "app/routes/users.$id.tsx",
        "app/routes/($lang).about.tsx",
    ],
)
def test_a_dynamic_segment_is_never_guessed(path: str) -> None:
    found = role(path)
    assert (found.kind, found.route) == ("dynamic", None)
    assert found.reason is not None


@pytest.mark.parametrize(
    "path",
    [
        "app/api/items/route.ts",
        "pages/api/items.ts",
        "src/routes/feed/+server.ts",
        "app/pricing/page.test.tsx",
        "pages/__tests__/index.tsx",
        "app/button.stories.tsx",
        "pages/types.d.ts",
        "README.md",
        "docs/pages/guide.tsx",
        "server/main.py",
        "package.json",
        ".github/workflows/ci.yml",
    ],
)
def test_what_shows_on_no_page_is_no_user_interface(path: str) -> None:
    assert role(path).kind == "non_ui"


@pytest.mark.parametrize(
    "path",
    [
        "app/layout.tsx",
        "pages/_app.tsx",
        "pages/404.tsx",
        "app/_components/page.tsx",
        "components/button.tsx",
        "app/globals.css",
        "src/pages/_draft.astro",
        "src/routes/+layout.svelte",
        "app/routes/_auth.tsx",
    ],
)
def test_what_is_no_page_by_convention_is_said_to_be_unmapped(path: str) -> None:
    """A static import graph would find more; until there is one, nothing is claimed."""
    assert role(path).kind == "not_mapped"


def test_a_helper_beside_a_route_module_is_not_a_route() -> None:
    assert role("app/routes/faq/helper.tsx", "app/routes/faq/route.tsx").kind == "not_mapped"


def test_routes_that_a_file_declares_are_not_guessed() -> None:
    found = role("app/routes/home.tsx", "app/routes.ts")
    assert found.kind == "dynamic"
    assert "app/routes.ts" in (found.reason or "")


def test_a_script_in_an_astro_project_is_an_endpoint() -> None:
    assert role("src/pages/feed.ts", "astro.config.mjs").kind == "non_ui"


def test_a_folder_called_pages_in_no_project_is_nothing() -> None:
    """Page objects of a test suite are pages of nobody."""
    change = Change(
        "0", "1", files=(ChangedFile("pages/login.ts"),), tree=frozenset({"pages/login.ts", "setup.py"})
    )
    assert plan_routes(change).roles[0].kind == "not_mapped"


def test_a_site_without_manifest_is_known_by_its_index_page() -> None:
    paths = ("web/src/pages/index.html", "web/src/pages/pricing.html")
    change = Change("0", "1", files=(ChangedFile(paths[1]),), tree=frozenset(paths))
    assert [route for route, _ in plan_routes(change).routes] == ["/", "/pricing"]


def test_a_deleted_page_is_not_visited() -> None:
    found = plan("app/old/page.tsx", deleted=True)
    assert [route for route, _ in found.routes] == ["/"]
    assert found.roles[0].kind == "deleted"


def test_the_entry_page_is_first_and_the_bound_holds() -> None:
    found = plan(*(f"app/{name}/page.tsx" for name in "abcdefgh"))
    assert [route for route, _ in found.routes] == ["/", "/a", "/b", "/c", "/d", "/e"]
    assert len(found.routes) == MAX_ROUTES
    assert [entry.kind for entry in found.roles][5:] == ["over_bound"] * 3


def test_two_files_of_one_route_are_visited_once() -> None:
    found = plan("src/routes/a/+page.svelte", "src/routes/a/+page.ts")
    assert [route for route, _ in found.routes] == ["/", "/a"]
    assert {entry.kind for entry in found.roles} == {"page"}


def test_the_plan_is_the_same_every_time() -> None:
    paths = [f"app/{name}/page.tsx" for name in "hgfedcba"]
    assert plan(*paths) == plan(*paths)
