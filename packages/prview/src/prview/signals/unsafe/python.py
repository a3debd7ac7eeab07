"""Unsafe constructs of Python, from its syntax tree."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from prview.domain.findings import Level
from prview.signals.unsafe.construct import (
    DESERIALIZE,
    EVAL,
    HTML,
    SHELL,
    SQL,
    TLS,
    WEAK_HASH,
    Construct,
    Danger,
)
from prview.signals.unsafe.python_names import dotted, imported_names

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEMPORARY = Danger("temporary-file-race", "names a file that somebody else can create first")
_CHMOD = Danger("world-writable", "lets every user of the machine write", constant=Level.WARNING)
_DEBUG = Danger("debug-server", "a debugger that runs code for whoever reaches it", constant=Level.WARNING)
_HOST_KEY = Danger("host-key-unchecked", "trusts any host", constant=Level.WARNING)

_BY_INPUT = {
    **dict.fromkeys(("eval", "exec", "builtins.eval", "builtins.exec"), EVAL),
    **dict.fromkeys(
        (
            "os.system",
            "os.popen",
            "subprocess.getoutput",
            "subprocess.getstatusoutput",
            "asyncio.create_subprocess_shell",
        ),
        SHELL,
    ),
    **dict.fromkeys(("django.utils.safestring.mark_safe", "markupsafe.Markup", "flask.Markup"), HTML),
}
"""Dangerous with input; less so with a constant."""

_ALWAYS = {
    **dict.fromkeys(
        (
            "pickle.load",
            "pickle.loads",
            "pickle.Unpickler",
            "_pickle.loads",
            "dill.load",
            "dill.loads",
            "cloudpickle.load",
            "cloudpickle.loads",
            "marshal.load",
            "marshal.loads",
            "shelve.open",
            "jsonpickle.decode",
            "joblib.load",
            "pandas.read_pickle",
            "yaml.unsafe_load",
            "yaml.unsafe_load_all",
        ),
        DESERIALIZE,
    ),
    "tempfile.mktemp": _TEMPORARY,
    "paramiko.AutoAddPolicy": _HOST_KEY,
    "paramiko.client.AutoAddPolicy": _HOST_KEY,
}
_TLS_NAMES = frozenset({"ssl.CERT_NONE", "ssl._create_unverified_context"})
_YAML_LOADS = frozenset({"yaml.load", "yaml.load_all"})
_SAFE_LOADERS = frozenset({"SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"})
_HASHES = frozenset({"hashlib.md5", "hashlib.sha1"})
_SUBPROCESS = re.compile(r"^subprocess\.(?:run|call|check_call|check_output|Popen)$")
_EXECUTES = frozenset({"execute", "executemany", "executescript", "raw", "text"})
_STATEMENT = re.compile(
    r"^\s*(?:select|insert|update|delete|drop|alter|create|replace|with)\b", re.IGNORECASE
)
_SECRET = re.compile(r"passw|secret|token|credential|\bpin\b", re.IGNORECASE)
_OTHERS_WRITE = 0o002


class PythonUnreadableError(Exception):
    """The text is not Python that this Python can read; the message ends a sentence about the file."""


def python_constructs(text: str) -> list[Construct]:
    """All unsafe constructs of a module. Raises PythonUnreadableError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes of a reviewed file are not about this run
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as exc:
        where = f"syntax error in line {exc.lineno}" if isinstance(exc, SyntaxError) else type(exc).__name__
        raise PythonUnreadableError(f"cannot be read as Python ({where})") from exc
    return _Module(tree, text).constructs()


class _Module:
    def __init__(self, tree: ast.Module, text: str) -> None:
        self._tree = tree
        self._lines = text.split("\n")
        self._names = imported_names(tree)

    def constructs(self) -> list[Construct]:
        found = [item for node in ast.walk(self._tree) for item in self._of(node)]
        return sorted(found, key=lambda item: (item.line, item.column, item.rule))

    def _of(self, node: ast.AST) -> Iterator[Construct]:
        if isinstance(node, ast.Call):
            for danger, level in self._dangers(node, dotted(node.func, self._names) or ""):
                yield self._construct(danger, level, node)
        elif (isinstance(node, ast.Attribute | ast.Name) and dotted(node, self._names) in _TLS_NAMES) or (
            isinstance(node, ast.Assign) and _turns_off_hostname(node)
        ):
            yield self._construct(TLS, Level.WARNING, node)

    def _dangers(self, call: ast.Call, name: str) -> Iterator[tuple[Danger, Level]]:
        if danger := _BY_INPUT.get(name):
            yield danger, danger.graded(constant=_is_constant(call)) or Level.NOTE
        if danger := _ALWAYS.get(name):
            yield danger, Level.WARNING
        if _SUBPROCESS.match(name) and _is_true(_keyword(call, "shell")):
            yield SHELL, SHELL.graded(constant=_is_constant(call)) or Level.NOTE
        if name in _YAML_LOADS and not _safe_loader(call):
            yield DESERIALIZE, Level.WARNING
        if _is_false(_keyword(call, "verify")):
            yield TLS, Level.WARNING
        if name in _HASHES and not _is_false(_keyword(call, "usedforsecurity")):
            yield WEAK_HASH, Level.WARNING if _SECRET.search(self._around(call)) else Level.NOTE
        yield from self._by_method(call, name)

    @staticmethod
    def _by_method(call: ast.Call, name: str) -> Iterator[tuple[Danger, Level]]:
        method = name.rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
        if method in _EXECUTES and call.args and _is_built_statement(call.args[0]):
            yield SQL, Level.WARNING
        if method == "run" and isinstance(call.func, ast.Attribute) and _is_true(_keyword(call, "debug")):
            yield _DEBUG, Level.WARNING
        if method == "Environment" and _is_false(_keyword(call, "autoescape")):
            yield HTML, Level.WARNING
        if method == "chmod" and any(_lets_others_write(value) for value in call.args):
            yield _CHMOD, Level.WARNING

    def _construct(self, danger: Danger, level: Level, node: ast.expr | ast.stmt) -> Construct:
        text = self._source(node)
        return Construct(danger.rule, level, node.lineno, node.col_offset + 1, danger.message, text)

    def _source(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node; columns of the tree count bytes."""
        lines = [line.encode() for line in self._lines[node.lineno - 1 : node.end_lineno]]
        if lines:
            lines[-1] = lines[-1][: node.end_col_offset]
            lines[0] = lines[0][node.col_offset :]
        return b"\n".join(lines).decode("utf-8", "replace")

    def _around(self, node: ast.expr) -> str:
        """The whole lines of a node."""
        return "\n".join(self._lines[node.lineno - 1 : node.end_lineno])


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _is_false(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _is_constant(call: ast.Call) -> bool:
    """Whether the first argument is written out, word for word."""
    first = call.args[0] if call.args else _keyword(call, "args")
    if isinstance(first, ast.List | ast.Tuple):
        return all(isinstance(item, ast.Constant) for item in first.elts)
    return isinstance(first, ast.Constant)


def _safe_loader(call: ast.Call) -> bool:
    loader = _keyword(call, "Loader") or (call.args[1] if len(call.args) > 1 else None)
    name = loader.attr if isinstance(loader, ast.Attribute) else getattr(loader, "id", None)
    return name in _SAFE_LOADERS


def _turns_off_hostname(node: ast.Assign) -> bool:
    return _is_false(node.value) and any(
        isinstance(target, ast.Attribute) and target.attr == "check_hostname" for target in node.targets
    )


def _is_built_statement(node: ast.expr) -> bool:
    """Whether an argument is SQL with values put into its text."""
    if isinstance(node, ast.JoinedStr):
        return _is_statement(node.values[0] if node.values else None) and any(
            isinstance(value, ast.FormattedValue) for value in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Add):
        first, *others = _operands(node)
        return _is_statement(first) and not all(isinstance(item, ast.Constant) for item in others)
    formatted = (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
    )
    return formatted and _is_statement(node.func.value)  # type: ignore[attr-defined]  # a call of an attribute


def _operands(node: ast.expr) -> list[ast.expr]:
    """What a chain of operators puts together, from the left."""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def _is_statement(node: ast.expr | None) -> bool:
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_STATEMENT.match(node.value))
    )


def _lets_others_write(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and bool(node.value & _OTHERS_WRITE)
