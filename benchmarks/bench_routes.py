"""What planning costs in a repository of many files: from changed paths to routes, by imports read from git.

    uv run nox -s bench [-- ROUNDS]

One generated monorepo (a quarter of it a component package behind one barrel file, half of it features that
import each other, pages on top), three changes of different reach. The best round of CPU counts, since other
programs disturb it least. Nothing fails on a clock. The table goes to stdout, all figures to
`benchmarks/results/routes.json`.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import anyio
from benchmarks.ranges import git

from codevetter_verify.domain.change import Change, ChangedFile
from codevetter_verify.service.planning import plan_change
from oskit.git import open_repository

RESULTS = Path(__file__).resolve().parent / "results"
FILES = 20_000
ROUNDS = 3
BODY = "\n".join(f"  const value{n} = compute('{n}', `text {n}`) // why" for n in range(55))
CHANGES = {
    "one component": ("packages/ui/src/c5/Comp5.tsx",),
    "the barrel file": ("packages/ui/src/index.ts",),
    "100 features": tuple(f"apps/web/src/features/f{n % 200}/Thing{n}.tsx" for n in range(0, 9_000, 90)),
}


@dataclass(frozen=True)
class Row:
    """The best of one change's rounds."""

    change: str
    files: int
    wall_ms: float
    cpu_ms: float
    routes: int


def contents(files: int) -> dict[str, str]:
    """The monorepo; the same every time."""
    chosen = random.Random(1)
    components, features, pages = files // 4, files // 2, files // 20
    found = {
        "package.json": '{"workspaces": ["apps/*", "packages/*"]}',
        "apps/web/package.json": '{"name": "web"}',
        "apps/web/tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
        "packages/ui/package.json": '{"name": "@acme/ui", "main": "src/index.ts"}',
        "packages/ui/src/index.ts": "".join(
            f"export {{ Comp{n} }} from './c{n % 100}/Comp{n}'\n" for n in range(components)
        ),
    }
    for n in range(components):
        found[f"packages/ui/src/c{n % 100}/Comp{n}.tsx"] = f"export function Comp{n}() {{\n{BODY}\n}}\n"
    for n in range(features):
        others = [chosen.randrange(n) for _ in range(4)] if n else []
        lines = [f"import {{ Thing{k} }} from '@/features/f{k % 200}/Thing{k}'" for k in others]
        used = f"import {{ Comp{n % components} }} from '@acme/ui'"
        text = "\n".join([used, *lines, f"export const Thing{n} = () => {{\n{BODY}\n}}\n"])
        found[f"apps/web/src/features/f{n % 200}/Thing{n}.tsx"] = text
    for n in range(pages):
        text = (
            f"import {{ Thing{n} }} from '@/features/f{n % 200}/Thing{n}'\nexport default Thing{n}\n{BODY}\n"
        )
        found[f"apps/web/src/app/s{n}/page.tsx"] = text
    for n in range(files - len(found)):
        found[f"services/m{n % 300}/mod{n}.py"] = BODY
    return found


def made(folder: Path, files: int) -> None:
    """Write and commit it."""
    for name, text in contents(files).items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    git(folder, "repack", "-a", "-d", "-q")


async def measured(folder: Path, rounds: int) -> list[Row]:
    """Plan every change so many times."""
    repository = await open_repository(folder)
    head = await repository.resolve("HEAD")
    rows = []
    for name, paths in CHANGES.items():
        change = Change(head, head, files=tuple(map(ChangedFile, paths)))
        best, routes = (float("inf"), float("inf")), 0
        for _ in range(rounds):
            wall, cpu = time.perf_counter(), time.process_time()
            _, plan = await plan_change(repository, change)
            spent = time.process_time() - cpu, time.perf_counter() - wall
            best, routes = min(best, spent), len(plan.routes)
        rows.append(Row(name, FILES, round(best[1] * 1000), round(best[0] * 1000), routes))
    return rows


def main() -> None:
    """Measure, print a table, keep the figures."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        made(Path(folder), FILES)
        rows = anyio.run(measured, Path(folder), rounds)
    print(f"| change, of {FILES} files | wall ms | CPU ms | routes |\n| --- | --- | --- | --- |")
    for row in rows:
        print(f"| {row.change} | {row.wall_ms:.0f} | {row.cpu_ms:.0f} | {row.routes} |")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "routes.json").write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
