"""What a path says about the part a file plays: test, document, configuration, lock file."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath

_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "e2e", "testing", "testdata"})
_TEST_NAME = re.compile(
    r"^(?:test_.*\.pyi?|.*_test\.(?:py|go|rs|rb|exs|dart|cc|cpp|c)|.*_tests\.rs|conftest\.py|tests?\.(?:py|rs)"
    r"|.*[._-](?:test|spec|cy|e2e)\.[cm]?[jt]sx?|.*_spec\.rb|.*(?:Test|Tests|IT|Spec)\.(?:java|kt|cs|scala|swift|php))$"
)
_DOCUMENT_SUFFIXES = frozenset({".md", ".mdx", ".rst", ".txt", ".adoc", ".markdown"})
_CONFIG_SUFFIXES = frozenset(
    {".toml", ".yaml", ".yml", ".json", ".json5", ".jsonc", ".ini", ".cfg", ".conf", ".xml"}
)
_CONFIG_NAMES = frozenset(
    {
        ".dockerignore",
        ".env.example",
        ".gitattributes",
        ".gitmodules",
        "CODEOWNERS",
        "Containerfile",
        "Dockerfile",
        "Jenkinsfile",
        "Justfile",
        "MANIFEST.in",
        "Makefile",
        "Procfile",
        "justfile",
    }
)
LOCK_FILES = frozenset(
    {
        "Cargo.lock",
        "Gemfile.lock",
        "Pipfile.lock",
        "bun.lock",
        "bun.lockb",
        "composer.lock",
        "go.sum",
        "npm-shrinkwrap.json",
        "package-lock.json",
        "pdm.lock",
        "pnpm-lock.yaml",
        "poetry.lock",
        "uv.lock",
        "yarn.lock",
    }
)
"""Names of files that a package manager writes."""

_HISTORY_NAME = re.compile(
    r"^(?:CHANGE(?:S|LOG)|HISTORY|NEWS|RELEASES?|RELEASE[_-]NOTES)(?:\.\w+)?$", re.IGNORECASE
)
_HISTORY_FOLDERS = frozenset(
    {"changelog", "changelogs", "changes", "newsfragments", ".changeset", "changelog.d"}
)


@lru_cache(maxsize=16384)
def is_test(path: str) -> bool:
    """Whether a file is a test or belongs to tests (fixtures, helpers)."""
    pure = PurePosixPath(path)
    return not _TEST_FOLDERS.isdisjoint(pure.parts[:-1]) or _TEST_NAME.match(pure.name) is not None


@lru_cache(maxsize=16384)
def is_test_module(path: str) -> bool:
    """Whether a file is named as a test itself, wherever it lies."""
    return _TEST_NAME.match(PurePosixPath(path).name) is not None


@lru_cache(maxsize=16384)
def is_document(path: str) -> bool:
    """Whether a file is text for people."""
    return PurePosixPath(path).suffix.lower() in _DOCUMENT_SUFFIXES


@lru_cache(maxsize=16384)
def is_configuration(path: str) -> bool:
    """Whether a program reads the file to know what to do."""
    pure = PurePosixPath(path)
    return pure.suffix.lower() in _CONFIG_SUFFIXES or pure.name in _CONFIG_NAMES


@lru_cache(maxsize=16384)
def is_lock(path: str) -> bool:
    """Whether a package manager writes the file."""
    return PurePosixPath(path).name in LOCK_FILES


def tells_history(path: str) -> bool:
    """Whether a file is about what was (a changelog): names of old things belong there."""
    pure = PurePosixPath(path)
    return _HISTORY_NAME.match(pure.name) is not None or any(
        part.lower() in _HISTORY_FOLDERS for part in pure.parts[:-1]
    )
