"""Flags, routes and environment variables, as frameworks of five languages declare them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prview.domain.breaking.environment import example_names, is_example, reads_environment
from prview.domain.breaking.flags import flags
from prview.domain.breaking.masking import masked
from prview.domain.breaking.promises import Promise, PromiseKind, withdrawn
from prview.domain.breaking.routes import routes


def _flags(text: str, language: str) -> list[str]:
    return [item.name for item in flags(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ('p.add_argument("-v", "--verbose", help="use --quiet")', "Python", ["--verbose", "-v"]),
        ('p.add_argument(\n    "--out",\n    type=str,\n)', "Python", ["--out"]),
        (
            '@click.option("--color/--no-color", "-c", default=True)',
            "Python",
            ["--color", "--no-color", "-c"],
        ),
        ('def f(x: int = typer.Option(3, "--count", "-n")): ...', "Python", ["--count", "-n"]),
        ('sub.add_parser("build")', "Python", ["build"]),
        ('@cli.command("deploy")', "Python", ["deploy"]),
        ('# p.add_argument("--old")\np.add_argument("--new")', "Python", ["--new"]),
        ('"""p.add_argument("--doc")"""\np.add_argument("--new")', "Python", ["--new"]),
        ("program.option('-p, --port <n>', 'the port, see --host')", "TypeScript", ["--port", "-p"]),
        ("program.requiredOption('--token <t>')", "JavaScript", ["--token"]),
        ("// .option('--old')\nprogram.option('--new')", "TypeScript", ["--new"]),
        ("yargs.option('port', {})", "JavaScript", ["--port"]),
        ("#[arg(short, long)]\n    pub dry_run: bool,", "Rust", ["--dry-run", "-d"]),
        (
            '#[arg(long = "no-cache", short = \'N\', help = "a long help")]\ncache: bool,',
            "Rust",
            ["--no-cache", "-N"],
        ),
        ('#[arg(help = "how long it takes")]\nfile: PathBuf,', "Rust", []),
        ('Arg::new("x").long("level")', "Rust", ["--level"]),
        ('cmd.Flags().StringVarP(&out, "output", "o", "", "")', "Go", ["--output"]),
        ('n := flag.Int("n", 3, "")', "Go", ["--n"]),
        ('x := &cobra.Command{Use: "serve [dir]"}', "Go", ["serve"]),
        ('log.String("name")', "Go", []),
    ],
)
def test_flags_are_read_where_they_are_declared(text: str, language: str, names: list[str]) -> None:
    assert _flags(text, language) == names


def _routes(text: str, language: str, *, path: str = "m", next_js: bool = False) -> list[str]:
    return [item.name for item in routes(path, text, language, next_js=next_js)]


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ('@app.get("/users/{id}")\nasync def f(): ...', "Python", ["GET /users/{id}"]),
        ('@router.post(\n    "/items",\n    status_code=201,\n)', "Python", ["POST /items"]),
        ('@bp.route("/x", methods=["GET", "POST"])', "Python", ["GET /x", "POST /x"]),
        ('@app.route("/x")', "Python", ["GET /x"]),
        ('r = APIRouter(tags=["a"], prefix="/v1")\n@app.get("/")', "Python", ["/v1", "GET /"]),
        (
            'urlpatterns = [path("users/<int:pk>/", view), re_path(r"^old$", v)]',
            "Python",
            ["ANY /old", "ANY /users/<int:pk>/"],
        ),
        ('# @app.get("/old")\n@app.get("/new")', "Python", ["GET /new"]),
        ('cache.get("/not/a/route")', "Python", []),
        ("app.get('/users/:id', handler)", "JavaScript", ["GET /users/:id"]),
        ("usersRouter.delete(`/x`, auth, handler)", "TypeScript", ["DELETE /x"]),
        ("app.use('/api', router)", "JavaScript", ["/api"]),
        ("axios.get('/users')\nclient.post('/x', body)", "TypeScript", []),
        (
            "@Controller('cats')\nclass A { @Get(':id') f() {} @Post() g() {} }",
            "TypeScript",
            ["/cats", "GET /:id", "POST /"],
        ),
        ('Router::new().route("/a", get(x).post(y)).nest("/v1", z)', "Rust", ["/v1", "GET /a", "POST /a"]),
        ('#[get("/b/{id}")]\nasync fn b() {}', "Rust", ["GET /b/{id}"]),
        ('r.GET("/a/:id", h)', "Go", ["GET /a/:id"]),
        ('mux.HandleFunc("POST /b", h)\nmux.Handle("/c", h)', "Go", ["POST /b", "ANY /c"]),
        ('http.Get("/x", 1)', "Go", []),
    ],
)
def test_routes_are_read_where_they_are_declared(text: str, language: str, names: list[str]) -> None:
    assert _routes(text, language) == names


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        (
            "web/src/app/(shop)/items/[id]/route.ts",
            "export async function GET() {}\nexport const POST = x;",
            ["GET /items/[id]", "POST /items/[id]"],
        ),
        ("app/about/page.tsx", "export default function P() {}", ["GET /about"]),
        ("app/page.tsx", "", ["GET /"]),
        ("pages/api/users/[id].ts", "", ["ANY /api/users/[id]"]),
        ("pages/blog/index.tsx", "", ["GET /blog"]),
        ("pages/_app.tsx", "", []),
        ("app/about/layout.tsx", "", []),
    ],
)
def test_next_serves_files_by_where_they_lie(path: str, text: str, names: list[str]) -> None:
    assert _routes(text, "TypeScript", path=path, next_js=True) == names
    assert _routes("", "TypeScript", path=path) == []


def _env(text: str, language: str) -> list[tuple[str, bool]]:
    return [(item.name, item.required) for item in reads_environment(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "reads"),
    [
        ('x = os.environ["API_KEY"]', "Python", [("API_KEY", True)]),
        ('os.environ["API_KEY"] = "x"', "Python", []),
        ('del os.environ["API_KEY"]', "Python", []),
        ('x = os.getenv("API_KEY")\ny = os.environ.get("B", "1")', "Python", []),
        ('# os.environ["OLD"]', "Python", []),
        ('x = require_env("API_KEY")', "Python", [("API_KEY", True)]),
        ('os.environ["HOME"]', "Python", []),
        ("const k = process.env.API_KEY!;", "TypeScript", [("API_KEY", True)]),
        ("const k = process.env.API_KEY;", "TypeScript", [("API_KEY", False)]),
        ("const k = process.env['API_KEY'] ?? 'x';", "TypeScript", []),
        ("const k = process.env.API_KEY || 'x';", "JavaScript", []),
        ("if (process.env.DEBUG) { log() }", "JavaScript", []),
        ("if (process.env.MODE_X === 'a') {}", "JavaScript", []),
        ("if (!process.env.API_KEY) {\n  throw new Error('API_KEY')\n}", "TypeScript", [("API_KEY", True)]),
        ("if (process.env.NODE_ENV) {}\nuse(process.env.NODE_ENV)", "TypeScript", []),
        ("const u = import.meta.env.VITE_URL;", "TypeScript", [("VITE_URL", False)]),
        ('let k = env::var("API_KEY").expect("set it");', "Rust", [("API_KEY", True)]),
        ('let k = std::env::var("API_KEY")?;', "Rust", [("API_KEY", True)]),
        ('let k = env::var("API_KEY").unwrap_or_default();', "Rust", []),
        ('let k = env::var("API_KEY").ok();', "Rust", []),
        ('let k = env!("API_KEY");', "Rust", [("API_KEY", True)]),
        ('let k = option_env!("API_KEY");', "Rust", []),
        ('k := os.Getenv("API_KEY")\nuse(k)', "Go", [("API_KEY", False)]),
        ('k := os.Getenv("API_KEY")\nif k == "" {\n\tlog.Fatal("API_KEY")\n}', "Go", [("API_KEY", True)]),
        (
            'k, ok := os.LookupEnv("API_KEY")\nif !ok {\n\treturn errors.New("API_KEY")\n}',
            "Go",
            [("API_KEY", True)],
        ),
        ('k, ok := os.LookupEnv("API_KEY")\nif ok {\n\tuse(k)\n}', "Go", []),
    ],
)
def test_a_variable_is_required_where_its_absence_fails(
    text: str, language: str, reads: list[tuple[str, bool]]
) -> None:
    assert _env(text, language) == reads


def test_example_settings_list_variables() -> None:
    text = "# API_KEY of x\nAPI_KEY=\nexport B=1\n#C=2\n"
    assert example_names(text) == {"API_KEY": 2, "B": 3}
    assert [
        path
        for path in (".env.example", "web/.env.sample", ".env", "env.py", ".env.local")
        if is_example(path)
    ] == [".env.example", "web/.env.sample"]


def test_comments_go_and_everything_else_stays_in_its_place() -> None:
    text = 'a = "# no" # yes\n"""b\nc"""\nd = 1\n'
    assert masked(text, "Python") == 'a = "# no"      \n    \n    \nd = 1\n'
    assert masked("x = 'http://a' // b\n/* c\n*/y", "TypeScript") == "x = 'http://a'     \n    \n  y"
    assert masked("fn f<'a>(x: &'a str) { '\"' } // z", "Rust") == "fn f<'a>(x: &'a str) { '\"' }     "


@given(
    st.text(alphabet="\"'`#/*\\\n abn", max_size=60), st.sampled_from(["Python", "TypeScript", "Rust", "Go"])
)
def test_masking_moves_nothing(text: str, language: str) -> None:
    hidden = masked(text, language)
    assert len(hidden) == len(text)
    assert [index for index, char in enumerate(hidden) if char == "\n"] == [
        index for index, char in enumerate(text) if char == "\n"
    ]


def _promise(key: str, line: int = 1) -> Promise:
    return Promise(PromiseKind.FLAG, key, key, line)


def test_a_promise_that_another_file_makes_now_has_moved() -> None:
    base = {"a": [_promise("--x"), _promise("--y")], "b": []}
    assert withdrawn(base, {"a": [], "b": [_promise("--x")]}) == {"a": [_promise("--y")]}


def test_one_of_two_equal_promises_is_withdrawn() -> None:
    base = {"a": [_promise("--x", 1), _promise("--x", 9)]}
    gone = withdrawn(base, {"a": [_promise("--x", 3)]})
    assert [len(items) for items in gone.values()] == [1]


@given(
    st.dictionaries(st.sampled_from("ab"), st.lists(st.sampled_from("xyz"), max_size=4)),
    st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from("xyz"), max_size=4)),
)
def test_what_is_kept_somewhere_as_often_is_not_withdrawn(
    base: dict[str, list[str]], head: dict[str, list[str]]
) -> None:
    gone = withdrawn(
        {path: [_promise(key) for key in keys] for path, keys in base.items()},
        {path: [_promise(key) for key in keys] for path, keys in head.items()},
    )
    for key in "xyz":
        before = sum(keys.count(key) for keys in base.values())
        after = sum(keys.count(key) for keys in head.values())
        lost = sum(item.key == key for items in gone.values() for item in items)
        assert max(0, before - after) == lost
