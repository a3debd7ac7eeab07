"""Which changed files cannot show on a page by themselves."""

from __future__ import annotations

import re

_TEST_FOLDERS = frozenset({"__tests__", "__mocks__", "__snapshots__", "__fixtures__"})
_TEST_NAMES = re.compile(
    r"[^/]+\.(?:test|spec|stories|story|d)\.[cm]?[jt]sx?|[^/]+\.stories\.(?:mdx|svelte|vue)"
)
_FOLDERS = frozenset({"test", "tests", "e2e", "cypress", ".github", ".storybook"})
_NAMES = re.compile(
    r"(?:README|LICENSE|CHANGELOG|CONTRIBUTING|CODEOWNERS|Makefile|Dockerfile)[^/]*"
    r"|\.[^/]+|(?:package|package-lock|tsconfig|turbo|pnpm-lock|deno)\.(?:jsonc?|yaml)",
    re.IGNORECASE,
)
_EXTENSIONS = frozenset(
    [
        "md",
        "rst",
        "txt",
        "adoc",
        "py",
        "pyi",
        "go",
        "rs",
        "java",
        "kt",
        "rb",
        "php",
        "cs",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "ex",
        "exs",
        "sql",
        "proto",
        "sh",
        "bash",
        "ps1",
        "tf",
        "yml",
        "yaml",
        "toml",
        "ini",
        "cfg",
        "lock",
        "log",
        "csv",
        "patch",
    ],
)


def is_test(path: str) -> bool:
    """Whether `path` is a test, a story or a type declaration by its name; such a file is never a page."""
    *folders, name = path.split("/")
    return bool(_TEST_FOLDERS.intersection(folders)) or _TEST_NAMES.fullmatch(name) is not None


def is_non_ui(path: str) -> bool:
    """Whether `path` is a test, documentation, configuration or server code by its name."""
    *folders, name = path.split("/")
    if is_test(path) or _FOLDERS.intersection(folders) or folders[:1] in (["docs"], ["doc"]):
        return True
    return _NAMES.fullmatch(name) is not None or name.rpartition(".")[2].lower() in _EXTENSIONS
