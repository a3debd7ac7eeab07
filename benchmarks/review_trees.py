"""Generated projects: N folders of 20 small files, a command each, chains with a fan-out of ten.

Folder i > 0 depends on folder (i - 1) // 10, so that the last folder is always a leaf. The command is
`grep -q needle src/f00.txt`. Each tool gets the same files with its own declarations, committed to git.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = 20
FAN_OUT = 10
COMMAND = "grep -q needle src/f00.txt"
IGNORED = (
    "node_modules",
    ".turbo",
    ".doit.db*",
    ".snakemake",
    ".dvc/cache",
    ".dvc/tmp",
    "verdict",
    "__pycache__",
)


def folder_name(number: int) -> str:
    """`p00017`."""
    return f"p{number:05d}"


def make_tree(tool: str, count: int, root: Path) -> Path:
    """Make a project for a tool and commit it."""
    for number in range(count):
        folder = root / "pkgs" / folder_name(number) / "src"
        folder.mkdir(parents=True)
        for index in range(FILES):
            digest = hashlib.sha256(f"{number}/{index}".encode()).hexdigest()
            (folder / f"f{index:02d}.txt").write_text(f"needle {number} {index} {digest}\n")
    DECLARED[tool](root, count)
    (root / ".gitignore").write_text("\n".join(IGNORED) + "\n")
    git = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "tree")):
        subprocess.run((*git, *words), cwd=root, check=True)
    return root


def change_leaf(root: Path, count: int, text: str) -> None:
    """Edit one file of the last folder."""
    (root / "pkgs" / folder_name(count - 1) / "src" / "f07.txt").write_text(f"needle {text}\n")


def _parent(number: int) -> str | None:
    return None if number == 0 else folder_name((number - 1) // FAN_OUT)


def _artifactize(root: Path, count: int) -> None:
    for number in range(count):
        parent = _parent(number)
        mounts = "" if parent is None else f'mounts = {{ parent = "{parent}" }}\n'
        (root / "pkgs" / folder_name(number) / "index.artf").write_text(
            f'name = "{folder_name(number)}"\n{mounts}'
            '[evals.check]\ntitle = "It holds a needle"\n'
            'profile = { kind = "runtime", command = "grep", args = ["-q", "needle", "src/f00.txt"] }\n'
            'payload = { instruction = "Check that there is a needle." }\n'
        )


def _turbo(root: Path, count: int) -> None:
    workspace = {"name": "root", "private": True, "packageManager": "npm@11.0.0", "workspaces": ["pkgs/*"]}
    packages: dict[str, object] = {"": {"name": "root", "workspaces": ["pkgs/*"]}}
    for number in range(count):
        parent, name = _parent(number), folder_name(number)
        needs = {} if parent is None else {parent: "1.0.0"}
        package = {"name": name, "version": "1.0.0", "private": True, "scripts": {"check": COMMAND}}
        _write(root / "pkgs" / name / "package.json", {**package, "dependencies": needs})
        packages[f"pkgs/{name}"] = {"version": "1.0.0", **({"dependencies": needs} if needs else {})}
        packages[f"node_modules/{name}"] = {"resolved": f"pkgs/{name}", "link": True}
    _write(root / "package.json", workspace)
    _write(
        root / "package-lock.json",
        {"name": "root", "lockfileVersion": 3, "requires": True, "packages": packages},
    )
    task = {"dependsOn": ["^check"], "inputs": ["src/**"], "outputs": []}
    _write(root / "turbo.json", {"tasks": {"check": task}})


def _doit(root: Path, count: int) -> None:
    del count
    (root / "dodo.py").write_text(f"""\
import glob, os

def task_check():
    for name in sorted(os.listdir("pkgs")):
        number = int(name[1:])
        parent = ["pkgs/p%05d/verdict" % ((number - 1) // {FAN_OUT})] if number else []
        yield {{
            "name": name,
            "file_dep": sorted(glob.glob(f"pkgs/{{name}}/src/*")) + parent,
            "targets": [f"pkgs/{{name}}/verdict"],
            "actions": [f"cd pkgs/{{name}} && {COMMAND} && echo ok > verdict"],
        }}
""")


def _snakemake(root: Path, count: int) -> None:
    del count
    (root / "Snakefile").write_text(f"""\
import glob, os
NAMES = sorted(os.listdir("pkgs"))
def needs(wildcards):
    number = int(wildcards.name[1:])
    parent = ["pkgs/p%05d/verdict" % ((number - 1) // {FAN_OUT})] if number else []
    return sorted(glob.glob(f"pkgs/{{wildcards.name}}/src/*")) + parent
rule all:
    input: expand("pkgs/{{name}}/verdict", name=NAMES)
rule check:
    input: needs
    output: "pkgs/{{name}}/verdict"
    shell: "cd pkgs/{{wildcards.name}} && {COMMAND} && echo ok > verdict"
""")


def _dvc(root: Path, count: int) -> None:
    _text(root / ".dvc" / "config", f"[core]\n  analytics = false\n  site_cache_dir = {root}/.dvc/tmp/site\n")
    _text(root / ".dvc" / ".gitignore", "/tmp\n/cache\n")
    for number in range(count):
        parent, name = _parent(number), folder_name(number)
        needs = "" if parent is None else f"      - ../{parent}/verdict\n"
        _text(
            root / "pkgs" / name / "dvc.yaml",
            f"stages:\n  check:\n    cmd: {COMMAND} && echo ok > verdict\n    deps:\n      - src\n{needs}"
            "    outs:\n      - verdict:\n          cache: false\n",
        )


def _nothing(root: Path, count: int) -> None:
    del root, count


def _write(path: Path, value: object) -> None:
    _text(path, json.dumps(value, indent=1) + "\n")


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


DECLARED: dict[str, Callable[[Path, int], None]] = {
    "artifactize": _artifactize,
    "turbo": _turbo,
    "doit": _doit,
    "snakemake": _snakemake,
    "dvc": _dvc,
    "floor": _nothing,
}
