"""What command lines, clients and deployments run into, on two trees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.breaking.outside import promise_breaks
from prview.signals.breaking.variables import variable_breaks
from support.sides import Tree, told, two_sides

if TYPE_CHECKING:
    from pathlib import Path

    from prview.domain.breaking.changes import Break


def _promises(
    folder: Path, before: Tree, after: Tree, *, renamed: dict[str, str] | None = None
) -> list[Break]:
    return promise_breaks(two_sides(folder, before, after, renamed=renamed))


def test_a_removed_flag_is_located_and_says_that_a_pattern_found_it(tmp_path: Path) -> None:
    found = _promises(
        tmp_path,
        {"cli.py": 'p = P()\np.add_argument("--old")\np.add_argument("--keep")\n'},
        {"cli.py": '# new\n\np = P()\np.add_argument("--keep")\n'},
    )
    assert told(found) == [("flag-removed", "--old")]
    assert (found[0].path, found[0].line) == ("cli.py", 4)
    assert found[0].heuristic
    assert found[0].level is Level.WARNING
    assert found[0].effect == "command lines that pass it fail"


def test_a_flag_that_moved_to_another_touched_file_is_kept(tmp_path: Path) -> None:
    found = _promises(
        tmp_path,
        {"a.py": 'p.add_argument("--x")\n', "b.py": "y = 1\n"},
        {"a.py": "p = 1\n", "b.py": 'p.add_argument("--x")\n'},
    )
    assert told(found) == []


def test_a_flag_with_other_help_is_kept(tmp_path: Path) -> None:
    found = _promises(
        tmp_path,
        {"a.ts": "program.option('-p, --port <n>', 'old help')\n"},
        {"a.ts": "program.option('-p, --port <number>', 'new help')\n"},
    )
    assert told(found) == []


def test_flags_of_a_removed_file_are_said_together(tmp_path: Path) -> None:
    calls = "".join(f'p.add_argument("--f{number}")\n' for number in range(9))
    found = _promises(tmp_path, {"cli.py": calls}, {})
    assert [item.rule for item in found] == ["flag-removed"]
    assert "--f0, --f1" in found[0].symbol
    assert (found[0].path, found[0].gone) == ("cli.py", True)


def test_flags_of_a_renamed_file_are_kept(tmp_path: Path) -> None:
    text = 'p.add_argument("--x")\n'
    assert _promises(tmp_path, {"a.py": text}, {"b.py": text}, renamed={"a.py": "b.py"}) == []


def test_a_removed_route_and_a_removed_prefix_are_told(tmp_path: Path) -> None:
    found = _promises(
        tmp_path,
        {
            "api.py": 'r = APIRouter(prefix="/v1")\n@r.get("/users/{id}")\ndef a(id): ...\n@r.post("/users")\ndef b(): ...\n'
        },
        {"api.py": 'r = APIRouter(prefix="/v2")\n@r.get("/users/{user_id}")\ndef a(user_id): ...\n'},
    )
    assert told(found) == [("prefix-removed", "/v1"), ("route-removed", "POST /users")]


def test_a_next_route_goes_with_its_file_and_with_its_method(tmp_path: Path) -> None:
    manifest = {"web/package.json": json.dumps({"dependencies": {"next": "16"}})}
    found = _promises(
        tmp_path,
        manifest
        | {
            "web/app/a/page.tsx": "export default 1\n",
            "web/app/api/b/route.ts": "export async function GET() {}\nexport async function POST() {}\n",
        },
        manifest | {"web/app/api/b/route.ts": "export async function GET() {}\n"},
    )
    assert told(found) == [("route-removed", "GET /a"), ("route-removed", "POST /api/b")]


def test_a_file_that_cannot_be_read_has_withdrawn_nothing(tmp_path: Path) -> None:
    work = two_sides(tmp_path, {"a.py": 'p.add_argument("--x")\n'}, {"a.py": "x = 1\n"})
    (work.head.tree / "a.py").write_bytes(b"\xff\xfe")
    assert promise_breaks(work) == []
    assert work.head.unread == {"a.py": "is not UTF-8"}


# --- variables ------------------------------------------------------------------------------------------


def _variables(folder: Path, before: Tree, after: Tree) -> list[Break]:
    return variable_breaks(two_sides(folder, before, after))


def test_a_new_required_variable_is_found_where_it_is_read(tmp_path: Path) -> None:
    found = _variables(
        tmp_path,
        {"a.py": "import os\n"},
        {"a.py": 'import os\n\nKEY = os.environ["API_KEY"]\nB = os.environ.get("B")\n'},
    )
    assert told(found) == [("env-required", "API_KEY")]
    assert (found[0].path, found[0].line, found[0].level) == ("a.py", 3, Level.WARNING)
    assert found[0].heuristic


def test_a_variable_that_the_project_knew_is_not_new(tmp_path: Path) -> None:
    read = 'KEY = os.environ["API_KEY"]\n'
    assert _variables(tmp_path / "1", {"a.py": read, "b.py": ""}, {"a.py": "", "b.py": read}) == []
    same = {"other.py": read}
    assert _variables(tmp_path / "2", same | {"b.py": ""}, same | {"b.py": read}) == []
    example = {".env.example": "API_KEY=\n"}
    assert _variables(tmp_path / "3", example | {"b.py": ""}, example | {"b.py": read}) == []


def test_a_variable_that_was_optional_is_required_now(tmp_path: Path) -> None:
    found = _variables(
        tmp_path,
        {"a.py": 'x = os.environ.get("API_KEY", "1")\n'},
        {"a.py": 'x = os.environ["API_KEY"]\n'},
    )
    assert told(found) == [("env-required", "API_KEY")]
    assert found[0].what == "environment variable is required now and was optional"


def test_a_variable_that_cannot_be_told_is_a_note_unless_the_examples_name_it(tmp_path: Path) -> None:
    before, after = {"a.ts": "\n"}, {"a.ts": "use(process.env.TOKEN)\n"}
    alone = _variables(tmp_path / "1", before, after)
    assert [(item.rule, item.level) for item in alone] == [("env-read", Level.NOTE)]
    named = _variables(tmp_path / "2", before, after | {".env.example": "TOKEN=\n"})
    assert [(item.rule, item.level) for item in named] == [("env-required", Level.WARNING)]


def test_a_variable_of_the_examples_alone_is_a_note(tmp_path: Path) -> None:
    found = _variables(tmp_path, {".env.example": "A=1\n"}, {".env.example": "A=1\nB=\n"})
    assert [(item.rule, item.symbol, item.line) for item in found] == [("env-listed", "B", 2)]


def test_a_required_variable_on_an_old_line_is_not_new(tmp_path: Path) -> None:
    old = 'KEY = os.environ["API_KEY"]\n'
    assert _variables(tmp_path, {"a.py": old}, {"a.py": old + "environment = 1\n"}) == []
