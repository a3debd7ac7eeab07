"""What Python tools printed about one small project, captured and shortened; `@TREE@` is where it lay.

Captured on 2026-11-30 from pyright 1.1.414, ty 0.0.108, bandit 1.9.4, pip-audit 2.10.1 (its advisories through
its own formatter, as no advisory service was in reach), mypy 2.4.1 and ruff 0.17.6.
"""

from __future__ import annotations

CORE = """import subprocess


def add(a: int, b: int) -> int:
    return nowhere


def run(cmd: str) -> None:
    reveal_type(cmd)
    subprocess.call(cmd, shell=True)
"""
"""src/pkg/core.py, about which all of them speak; src/pkg/bad.py is `def broken(:`."""

PYRIGHT = """{"version": "1.1.414", "time": "1796072170621", "generalDiagnostics": [
{"file": "@TREE@/src/pkg/bad.py", "severity": "error", "message": "\\"(\\" was not closed",
 "range": {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 11}}},
{"file": "@TREE@/src/pkg/core.py", "severity": "error", "message": "\\"nowhere\\" is not defined",
 "range": {"start": {"line": 4, "character": 11}, "end": {"line": 4, "character": 18}},
 "rule": "reportUndefinedVariable"},
{"file": "@TREE@/src/pkg/core.py", "severity": "information", "message": "Type of \\"cmd\\" is \\"str\\"",
 "range": {"start": {"line": 8, "character": 16}, "end": {"line": 8, "character": 19}}},
{"file": "@TREE@/tests/test_x.py", "severity": "error",
 "message": "Argument of type \\"Literal['1']\\" cannot be assigned to parameter \\"a\\"\\n\u00a0\u00a0\\"Literal['1']\\" is not assignable to \\"int\\"",
 "range": {"start": {"line": 1, "character": 11}, "end": {"line": 1, "character": 14}},
 "rule": "reportArgumentType"}],
"summary": {"filesAnalyzed": 3, "errorCount": 3, "warningCount": 0, "informationCount": 1, "timeInSec": 0.726}}
"""

PYRIGHT_NOTHING = """{"version": "1.1.414", "time": "1796071670940", "generalDiagnostics": [],
"summary": {"filesAnalyzed": 0, "errorCount": 0, "warningCount": 0, "informationCount": 0, "timeInSec": 0}}
"""

PYRIGHT_CLEAN = PYRIGHT_NOTHING.replace('"filesAnalyzed": 0', '"filesAnalyzed": 2')

TY = """[{"check_name": "invalid-syntax",
"description": "invalid-syntax: Expected a parameter or the end of the parameter list", "severity": "major",
"fingerprint": "f5441855b7a685fb", "location": {"path": "src/pkg/bad.py",
"positions": {"begin": {"line": 1, "column": 12}, "end": {"line": 1, "column": 13}}}},
{"check_name": "unresolved-reference",
"description": "unresolved-reference: Name `nowhere` used when not defined", "severity": "major",
"fingerprint": "d245f5cede8a6c47", "location": {"path": "src/pkg/core.py",
"positions": {"begin": {"line": 5, "column": 12}, "end": {"line": 5, "column": 19}}}},
{"check_name": "undefined-reveal",
"description": "undefined-reveal: `reveal_type` used without importing it", "severity": "minor",
"fingerprint": "bbf3d0161777225", "location": {"path": "src/pkg/core.py",
"positions": {"begin": {"line": 9, "column": 5}, "end": {"line": 9, "column": 16}}}},
{"check_name": "revealed-type", "description": "revealed-type: Revealed type: `str`", "severity": "info",
"fingerprint": "26657811f39a133f", "location": {"path": "src/pkg/core.py",
"positions": {"begin": {"line": 9, "column": 17}, "end": {"line": 9, "column": 20}}}}]
"""

TY_LOG = """2026-11-30 20:56:10.369264609 INFO Indexed 2 file(s) in 0.002s
2026-11-30 20:56:10.369421202 DEBUG Checking all files in project 'p'
2026-11-30 20:56:10.709943546 DEBUG Checking file '@TREE@/src/pkg/core.py'
2026-11-30 20:56:10.710822292 DEBUG Checking file '@TREE@/src/pkg/bad.py'
2026-11-30 20:56:10.562980557 INFO Checking file `@TREE@/src/pkg/core.py` took more than 100ms (188.146802ms)
"""

TY_NOTHING = "WARN No python files found under the given path(s)\n"

BANDIT = """{"errors": [{"filename": "./src/pkg/bad.py", "reason": "syntax error while parsing AST from file"}],
"generated_at": "2026-11-30T20:56:11Z",
"metrics": {"_totals": {"CONFIDENCE.HIGH": 2, "SEVERITY.HIGH": 1, "SEVERITY.LOW": 1, "loc": 7, "nosec": 0},
"./src/pkg/bad.py": {"loc": 1, "nosec": 0, "skipped_tests": 0},
"./src/pkg/core.py": {"CONFIDENCE.HIGH": 2, "SEVERITY.HIGH": 1, "SEVERITY.LOW": 1, "loc": 6, "nosec": 0}},
"results": [{"code": "1 import subprocess\\n2 \\n3 \\n", "col_offset": 0, "end_col_offset": 17,
"filename": "./src/pkg/core.py", "issue_confidence": "HIGH",
"issue_cwe": {"id": 78, "link": "https://cwe.mitre.org/data/definitions/78.html"}, "issue_severity": "LOW",
"issue_text": "Consider possible security implications associated with the subprocess module.",
"line_number": 1, "line_range": [1],
"more_info": "https://bandit.readthedocs.io/en/1.9.4/blacklists/blacklist_imports.html#b404-import-subprocess",
"test_id": "B404", "test_name": "blacklist"},
{"code": "9     reveal_type(cmd)\\n10     subprocess.call(cmd, shell=True)\\n", "col_offset": 4, "end_col_offset": 36,
"filename": "./src/pkg/core.py", "issue_confidence": "HIGH",
"issue_cwe": {"id": 78, "link": "https://cwe.mitre.org/data/definitions/78.html"}, "issue_severity": "HIGH",
"issue_text": "subprocess call with shell=True identified, security issue.", "line_number": 10,
"line_range": [10],
"more_info": "https://bandit.readthedocs.io/en/1.9.4/plugins/b602_subprocess_popen_with_shell_equals_true.html",
"test_id": "B602", "test_name": "subprocess_popen_with_shell_equals_true"}]}
"""

BANDIT_CLEAN = """{"errors": [], "generated_at": "2026-11-30T20:56:11Z", "metrics": {"_totals": {"loc": 0},
"./src/pkg/core.py": {"loc": 1, "nosec": 0, "skipped_tests": 0}}, "results": []}
"""

PIP_AUDIT = """{"dependencies": [{"name": "flask", "version": "0.5", "vulns": [{"id": "PYSEC-2019-179",
"fix_versions": ["1.0"], "aliases": ["CVE-2019-1010083"],
"description": "The Pallets Project Flask before 1.0 is affected by unexpected memory usage."}]},
{"name": "pip", "version": "24.0", "vulns": []},
{"name": "local", "skip_reason": "Dependency not found on PyPI and could not be audited: local (1)"}],
"fixes": []}
"""

PIP_AUDIT_NOTHING_KNOWN = """{"dependencies": [
{"name": "flask", "skip_reason": "Dependency not found on PyPI and could not be audited: flask (0.5)"}],
"fixes": []}
"""
"""Printed with exit code 0 and `No known vulnerabilities found` beside it."""

PIP_AUDIT_OFFLINE = """    raise ConnectionError(e, request=request)
requests.exceptions.ConnectionError: HTTPSConnectionPool(host='advisories.invalid', port=443): Max retries exceeded with url: /v1/query (Caused by NameResolutionError("Failed to resolve 'advisories.invalid' ([Errno -2] Name or service not known)"))
"""

MYPY = """{"file": "src/pkg/core.py", "line": 5, "column": 11, "end_line": 5, "end_column": 18, "message": "Name \\"nowhere\\" is not defined", "hint": null, "code": "name-defined", "severity": "error"}
{"file": "src/pkg/core.py", "line": 9, "column": 16, "end_line": 9, "end_column": 19, "message": "Revealed type is \\"str\\"", "hint": null, "code": "misc", "severity": "note"}
"""

MYPY_SYNTAX = """{"file": "src/pkg/bad.py", "line": 1, "column": 12, "end_line": 1, "end_column": 13, "message": "Expected a parameter or the end of the parameter list", "hint": null, "code": "syntax", "severity": "error"}
"""

MYPY_LOG = """LOG:  Mypy Version:           2.4.1
LOG:  Found source:           BuildSource(path='src/pkg/__init__.py', module='pkg', has_text=False, base_dir='@TREE@/src', followed=False)
LOG:  Found source:           BuildSource(path='src/pkg/core.py', module='pkg.core', has_text=False, base_dir='@TREE@/src', followed=False)
LOG:  Build finished in 1.674 seconds with 49 modules, and 12 errors
"""

RUFF_FORMAT = """[{"cell": null, "code": "unformatted", "end_location": {"column": 4, "row": 1},
"filename": "@TREE@/src/pkg/core.py", "fix": {"applicability": "safe", "edits": [], "message": null},
"location": {"column": 3, "row": 1}, "message": "File would be reformatted", "name": "unformatted",
"noqa_row": null, "severity": "error", "url": null},
{"cell": null, "code": "invalid-syntax", "end_location": {"column": 6, "row": 1},
"filename": "@TREE@/src/pkg/bad.py", "fix": null, "location": {"column": 5, "row": 1},
"message": "Expected an identifier", "name": "invalid-syntax", "noqa_row": null, "severity": "error", "url": null}]
"""
