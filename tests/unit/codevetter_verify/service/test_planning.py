"""From changed paths of real trees to routes, by the conventions and imports of each framework."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from codevetter_verify.domain.change import Change, ChangedFile
from codevetter_verify.service.planning import plan_change
from oskit.git import open_repository
from oskit.process import Completed, run
from support import site_trees
from support.repos import GitRepo

if TYPE_CHECKING:
    from pathlib import Path

    from codevetter_verify.domain.plan import RoutePlan

pytestmark = pytest.mark.anyio

Expected = dict[str, tuple[str, str | None]]


async def planned(path: Path, files: dict[str, str], *changed: str) -> RoutePlan:
    repo = GitRepo.create(path / "site").write_many(files)
    head = repo.commit()
    change = Change(head, head, files=tuple(map(ChangedFile, changed)))
    return (await plan_change(await open_repository(repo.path), change))[1]


CASES: dict[str, tuple[dict[str, str], Expected]] = {
    "next app": (
        site_trees.NEXT_APP,
        {
            "src/middleware.ts": ("page", "/"),
            "src/app/layout.tsx": ("page", "/"),
            "src/app/theme.css": ("page", "/"),
            "src/app/(shop)/layout.tsx": ("page", "/cart"),
            "src/components/Total.tsx": ("page", "/cart"),
            "src/components/Header.module.css": ("page", "/"),
            "src/components/Chart.tsx": ("page", "/pricing"),
            "src/lib/money.ts": ("page", "/cart"),
            "src/components/kind.ts": ("not_mapped", None),
            "src/components/Unused.tsx": ("not_mapped", None),
            "src/lib/posts.ts": ("dynamic", None),
            "src/lib/orders.server.ts": ("non_ui", None),
            "src/app/api/orders/route.ts": ("non_ui", None),
            "src/app/pricing/error.tsx": ("not_mapped", None),
            "README.md": ("non_ui", None),
        },
    ),
    "next pages": (
        site_trees.NEXT_PAGES,
        {
            "pages/_app.js": ("page", "/"),
            "styles/site.css": ("page", "/"),
            "components/Team.js": ("page", "/about"),
            "pages/docs/[...path].js": ("dynamic", None),
            "pages/api/hello.js": ("non_ui", None),
        },
    ),
    "remix": (
        site_trees.REMIX,
        {
            "app/root.tsx": ("page", "/"),
            "app/ui/nav.tsx": ("page", "/"),
            "app/routes/concerts.tsx": ("page", "/concerts"),
            "app/db.server.ts": ("page", "/concerts/trending"),
            "app/routes/concerts.$city.tsx": ("dynamic", None),
        },
    ),
    "react router 7": (
        site_trees.REACT_ROUTER_7,
        {
            "app/home.tsx": ("page", "/"),
            "app/ui/box.tsx": ("page", "/about"),
            "app/auth/layout.tsx": ("page", "/login"),
            "app/concerts/home.tsx": ("page", "/concerts"),
            "app/concerts/city.tsx": ("dynamic", None),
        },
    ),
    "sveltekit": (
        site_trees.SVELTEKIT,
        {
            "src/app.html": ("page", "/"),
            "src/hooks.server.ts": ("page", "/"),
            "src/app.css": ("page", "/"),
            "src/ui/sum.ts": ("page", "/shop"),
            "src/lib/server/stock.ts": ("page", "/shop"),
            "src/routes/shop/[id]/+page.svelte": ("dynamic", None),
            "src/routes/api/+server.ts": ("non_ui", None),
        },
    ),
    "nuxt": (
        site_trees.NUXT,
        {
            "app.vue": ("page", "/"),
            "layouts/default.vue": ("page", "/"),
            "components/base/Card.vue": ("page", "/team"),
            "shared/names.ts": ("page", "/team"),
            "composables/useTeam.ts": ("page", "/team"),
            "pages/users/[id].vue": ("dynamic", None),
            "server/api/hello.ts": ("non_ui", None),
        },
    ),
    "astro": (
        site_trees.ASTRO,
        {
            "src/middleware.ts": ("page", "/"),
            "src/layouts/Post.astro": ("page", "/about"),
            "src/styles/head.css": ("page", "/about"),
            "src/posts/one.md": ("page", "/"),
            "src/components/Counter.tsx": ("page", "/play"),
            "src/pages/feed.ts": ("non_ui", None),
            "src/pages/[tag].astro": ("dynamic", None),
        },
    ),
    "monorepo": (
        site_trees.MONOREPO,
        {
            "apps/web/app/page.tsx": ("page", "/"),
            "packages/ui/src/button.tsx": ("page", "/"),
            "packages/ui/src/forms/field.tsx": ("page", "/shop"),
            "packages/theme/src/index.ts": ("page", "/look"),
            "packages/ui/src/table.tsx": ("not_mapped", None),
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
async def test_every_changed_path_has_its_place(tmp_path: Path, case: str) -> None:
    files, expected = CASES[case]
    plan = await planned(tmp_path, files, *expected)
    found = {role.path: (role.kind, role.route if role.kind == "page" else None) for role in plan.roles}
    assert found == expected


async def test_the_reason_names_the_chain_of_imports(tmp_path: Path) -> None:
    plan = await planned(tmp_path, site_trees.NEXT_APP, "src/lib/money.ts")
    assert dict(plan.routes)["/cart"] == (
        "src/lib/money.ts changed: src/app/(shop)/cart/page.tsx imports it "
        "through src/components/index.ts, src/components/Total.tsx"
    )


async def test_an_import_on_demand_is_said_to_be_one(tmp_path: Path) -> None:
    plan = await planned(tmp_path, site_trees.NEXT_APP, "src/components/Chart.tsx")
    assert dict(plan.routes)["/pricing"].endswith("src/app/pricing/page.tsx imports it on demand")


async def test_the_pages_of_one_project_are_planned_and_the_others_named(tmp_path: Path) -> None:
    """One preview shows one application; a visit of another's route there would fail for no reason."""
    plan = await planned(
        tmp_path, site_trees.MONOREPO, "apps/web/app/shop/page.tsx", "packages/ui/src/table.tsx"
    )
    assert [route for route, _ in plan.routes] == ["/", "/shop"]
    assert "only pages of apps/admin show it" in (plan.roles[1].reason or "")


async def test_the_owner_can_name_the_project(tmp_path: Path) -> None:
    files = {**site_trees.MONOREPO, ".codevetter.toml": 'project = "apps/admin"\n'}
    plan = await planned(tmp_path, files, "packages/ui/src/table.tsx")
    assert [route for route, _ in plan.routes] == ["/", "/users"]


async def test_a_declared_address_makes_a_dynamic_page_visible(tmp_path: Path) -> None:
    files = {**site_trees.NEXT_APP, ".codevetter.toml": '[routes]\n"/blog/[slug]" = "/blog/hello"\n'}
    plan = await planned(tmp_path, files, "src/lib/posts.ts", "src/app/blog/[slug]/page.tsx")
    assert [route for route, _ in plan.routes] == ["/", "/blog/hello"]
    assert {role.kind for role in plan.roles} == {"page"}


async def test_declarations_are_read_at_the_head_and_not_from_the_work_tree(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "site").write_many(site_trees.NEXT_APP)
    head = repo.commit()
    repo.write(".codevetter.toml", '[routes]\n"/blog/[slug]" = "/blog/hello"\n')
    change = Change(head, head, files=(ChangedFile("src/app/blog/[slug]/page.tsx"),))
    _, plan = await plan_change(await open_repository(repo.path), change)
    assert [route for route, _ in plan.routes] == ["/"]


async def test_a_head_that_is_not_here_is_planned_from_names_and_says_so(tmp_path: Path) -> None:
    repo = GitRepo.create(tmp_path / "site").write("a.txt")
    repo.commit()

    async def listed() -> frozenset[str]:
        return frozenset({"package.json", "app/pricing/page.tsx", "lib/money.ts"})

    changed = (ChangedFile("app/pricing/page.tsx"), ChangedFile("lib/money.ts"))
    change = Change("1" * 40, "2" * 40, files=changed)
    _, plan = await plan_change(await open_repository(repo.path), change, listed=listed)
    assert [role.kind for role in plan.roles] == ["page", "not_mapped"]
    assert "imports were not searched" in plan.notes[0]


async def test_two_processes_read_whatever_the_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A listing of the head and one batch of its blobs."""
    started: list[object] = []

    async def counting(*argv: Any, **options: Any) -> Completed:
        started.append(argv)
        return await run(*argv, **options)

    files = site_trees.NEXT_APP | {f"src/lib/more{n}.ts": "import './money'" for n in range(100)}
    repo = GitRepo.create(tmp_path / "site").write_many(files)
    head = repo.commit()
    repository = await open_repository(repo.path)
    monkeypatch.setattr("oskit.git._command.run", counting)
    await plan_change(repository, Change(head, head, files=(ChangedFile("src/lib/money.ts"),)))
    assert len(started) == 2
