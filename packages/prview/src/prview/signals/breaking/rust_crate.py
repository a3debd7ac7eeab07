"""Where Rust files stand in their crate, and whether a user of the crate can reach what they declare."""

from __future__ import annotations

import posixpath
import tomllib
from typing import TYPE_CHECKING

from prview.domain.source_paths import nearest
from prview.signals.breaking.grammar import GrammarError
from prview.signals.breaking.rust_files import RustFile, joined, read_file

if TYPE_CHECKING:
    from prview.signals.breaking.work import Side, Work

_MANIFEST = frozenset({"Cargo.toml"})
_PRIVATE = "Its module is private and nothing above re-exports it: only code of this crate is affected."
_BINARY = "The crate is a program: nobody can depend on it."


class Crates:
    """The crates of one tree, as far as touched files and the modules above them tell."""

    def __init__(self, work: Work, side: Side) -> None:
        self._work = work
        self._side = side
        self._files: dict[str, RustFile | None] = {}
        self._manifests: dict[str, dict[str, object]] = {}

    def root(self, path: str) -> str:
        """The folder of a file's crate; the repository's when there is no manifest."""
        return nearest(path, _MANIFEST, self._side.paths) or ""

    def name(self, root: str) -> str:
        """The name that users of the crate write."""
        package = self._manifest(root).get("package")
        named = package.get("name") if isinstance(package, dict) else None
        return str(named or posixpath.basename(root) or "crate").replace("-", "_")

    def _manifest(self, root: str) -> dict[str, object]:
        if root not in self._manifests:
            try:
                self._manifests[root] = tomllib.loads(
                    self._side.text(posixpath.join(root, "Cargo.toml")) or ""
                )
            except tomllib.TOMLDecodeError:
                self._manifests[root] = {}
        return self._manifests[root]

    def library(self, root: str) -> str | None:
        """The file that the library begins with."""
        lib = self._manifest(root).get("lib")
        path = lib.get("path") if isinstance(lib, dict) else None
        named = posixpath.join(root, str(path or "src/lib.rs"))
        return named if named in self._side.paths else None

    def module(self, path: str) -> str:
        """The module that a file is: `""` for the root, `a::b` for `src/a/b.rs` and `src/a/b/mod.rs`."""
        root = self.root(path)
        inner = path.removeprefix(f"{root}/" if root else "").removeprefix("src/")
        parts = inner.removesuffix(".rs").split("/")
        if parts[-1] == "mod" or (len(parts) == 1 and parts[0] in {"lib", "main"}):
            parts.pop()
        return "::".join(parts)

    def is_program(self, path: str) -> bool:
        """Whether a file belongs to a program or a build script, not to the library."""
        root = self.root(path)
        inner = path.removeprefix(f"{root}/" if root else "")
        return inner in {"build.rs", "src/main.rs"} or inner.startswith("src/bin/")

    def file(self, path: str) -> RustFile | None:
        """Read a file; None when it does not exist or cannot be read, which the limits then say."""
        if path not in self._files:
            self._files[path] = self._load(path)
        return self._files[path]

    def _load(self, path: str) -> RustFile | None:
        source = self._side.text(path)
        if source is None:
            return None
        try:
            return read_file(path, self.module(path), source)
        except (GrammarError, RecursionError) as exc:
            reason = str(exc) if isinstance(exc, GrammarError) else "is nested too deeply to be read"
            self._work.gave_up(self._side, path, reason)
            return None

    def module_file(self, root: str, module: str) -> str | None:
        """The file of a module of a crate."""
        if not module:
            return self.library(root)
        base = posixpath.join(root, "src", *module.split("::"))
        return next((path for path in (f"{base}.rs", f"{base}/mod.rs") if path in self._side.paths), None)

    def outside_reach(self, root: str, module: str, name: str) -> str | None:
        """Why a user of the crate cannot reach `name` of `module`, or None when it may be reached."""
        if self.library(root) is None:
            has_program = posixpath.join(root, "src/main.rs") in self._side.paths
            return _BINARY if has_program else None
        parts = module.split("::") if module else []
        for depth, part in enumerate(parts):
            parent = "::".join(parts[:depth])
            path = self.module_file(root, parent)
            above = self.file(path) if path else None
            if above is None:
                return None
            if above.modules.get(joined(parent, part), True):
                continue
            return None if self._passed_on(root, parts[: depth + 1], name) else _PRIVATE
        return None

    def _passed_on(self, root: str, parts: list[str], name: str) -> bool:
        """Whether a module above the private one says `pub use` for it."""
        for depth in range(len(parts)):
            path = self.module_file(root, "::".join(parts[:depth]))
            above = self.file(path) if path else None
            if above is None:
                continue
            if any(used.rpartition("::")[2] == name for used in above.uses.values()):
                return True
            inside = set(parts[depth:])
            if any(inside & set(glob.split("::")) for glob in above.globs):
                return True
        return False

    def has_use(self, root: str, module: str, name: str) -> bool:
        """Whether a module passes `name` on, by name or with a star that reaches it."""
        path = self.module_file(root, module)
        here = self.file(path) if path else None
        if here is None:
            return False
        if joined(module, name) in here.uses:
            return True
        return any(self._glob_has(root, module, glob, name) for glob in here.globs)

    def _glob_has(self, root: str, module: str, glob: str, name: str) -> bool:
        target = _absolute(glob, module)
        path = self.module_file(root, target) if target is not None else None
        there = self.file(path) if path else None
        if there is None:
            return target is None or "::" not in glob  # another crate, or an enum: it may have the name
        return joined(target or "", name) in there.api or joined(target or "", name) in there.uses


def _absolute(path: str, module: str) -> str | None:
    """A use path from the crate's root; None where it leads out of the crate."""
    parts = path.split("::")
    here = module.split("::") if module else []
    if parts[0] == "crate":
        return "::".join(parts[1:])
    while parts and parts[0] in {"self", "super"}:
        if parts.pop(0) == "super":
            here = here[:-1]
    return "::".join([*here, *parts])
