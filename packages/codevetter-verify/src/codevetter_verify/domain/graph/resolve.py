"""From the address in an import to a file of the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codevetter_verify.domain.graph.aliases import Aliases
from codevetter_verify.domain.graph.packages import Packages
from codevetter_verify.domain.graph.paths import complete, folder_of, join

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


class Resolver:
    """Resolves like the bundlers: relative, aliased, a package of the repository, a `#private` name."""

    def __init__(self, tree: Collection[str], configurations: Mapping[str, bytes]) -> None:
        self._tree = tree
        manifests = {path: text for path, text in configurations.items() if path.endswith("package.json")}
        self._packages = Packages(tree, manifests)
        self._aliases = Aliases(configurations, self._packages)
        self._global: dict[tuple[int, str], str | None] = {}
        self._named: dict[tuple[int, str], bool] = {}

    def resolve(self, importer: str, specifier: str) -> str | None:
        """The file that `specifier` means in `importer`; None for packages from elsewhere."""
        address = specifier.partition("?")[0]  # a bundler's ?raw, ?url
        folder = folder_of(importer)
        if address.startswith((".", "/")):
            paths = (join(folder, address),) if address[0] == "." else _from_roots(folder, address)
            found = next(
                (full for path in paths if path is not None and (full := complete(path, self._tree))), None
            )
        elif address.startswith("#"):
            found = self._aliased(folder, address) or self._packages.resolve_private(importer, address)
        else:
            found = self._aliased(folder, address)
        return None if found == importer else found

    def is_named(self, importer: str, specifier: str) -> bool:
        """Whether the last part of the address need not be the name of a file."""
        if specifier.startswith((".", "/")):
            return False
        aliases = self._aliases.of_folder(folder_of(importer))
        key = (id(aliases), specifier)
        if key not in self._named:
            exact = any("*" not in alias.pattern and alias.pattern == specifier for alias in aliases)
            self._named[key] = exact or specifier.startswith("#") or self._packages.names(specifier)
        return self._named[key]

    def _aliased(self, folder: str, address: str) -> str | None:
        """An address that means the same in every folder below one configuration."""
        aliases = self._aliases.of_folder(folder)
        key = (id(aliases), address)
        if key not in self._global:
            plain = address.removeprefix("~") if address[1:2] != "/" else address  # Sass's way to a package
            paths = (path for alias in aliases for path in alias.apply(plain))
            found = next((full for path in paths if (full := complete(path, self._tree))), None)
            self._global[key] = found or self._packages.resolve(plain)
        return self._global[key]


def _from_roots(folder: str, address: str) -> Iterator[str | None]:
    """`/src/main.ts` in the HTML of a project: from the nearest folder that has it."""
    while True:
        yield join(folder, address.lstrip("/"))
        if not folder:
            return
        folder = folder_of(folder)
