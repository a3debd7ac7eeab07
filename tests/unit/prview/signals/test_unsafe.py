"""Unsafe constructs: found by reading, new ones only, never in comments or strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.domain.findings import Level
from prview.signals.unsafe.analyzer import ARTIFACT, Unsafe, constructs
from support.signal_context import places, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

W, N = Level.WARNING, Level.NOTE


def _found(path: str, text: str) -> list[tuple[int, str, Level]]:
    return [(item.line, item.rule, item.level) for item in constructs(path, text)]


PYTHON = {
    "a shell": ("import subprocess\nsubprocess.run(x, shell=True)\n", (2, "shell-command", W)),
    "a shell under another name": (
        "import subprocess as sp\nsp.Popen(x, shell=True)\n",
        (2, "shell-command", W),
    ),
    "a shell, imported": ("from subprocess import run as r\nr(x, shell=True)\n", (2, "shell-command", W)),
    "a shell with fixed words": (
        "import subprocess\nsubprocess.run('ls', shell=True)\n",
        (2, "shell-command", N),
    ),
    "os.system": ("import os\nos.system(x)\n", (2, "shell-command", W)),
    "eval": ("eval(x)\n", (1, "eval", W)),
    "eval of a constant": ("eval('1')\n", (1, "eval", N)),
    "pickle": ("import pickle\npickle.loads(x)\n", (2, "unsafe-deserialization", W)),
    "yaml.load": ("import yaml\nyaml.load(x)\n", (2, "unsafe-deserialization", W)),
    "yaml.load, full": ("import yaml\nyaml.load(x, Loader=yaml.Loader)\n", (2, "unsafe-deserialization", W)),
    "verify=False": ("import httpx\nhttpx.get(u, verify=False)\n", (2, "tls-verification-off", W)),
    "CERT_NONE": ("import ssl\nc.verify_mode = ssl.CERT_NONE\n", (2, "tls-verification-off", W)),
    "an unverified context": (
        "import ssl\nssl._create_unverified_context()\n",
        (2, "tls-verification-off", W),
    ),
    "check_hostname": ("c.check_hostname = False\n", (1, "tls-verification-off", W)),
    "md5": ("import hashlib\nhashlib.md5(x)\n", (2, "weak-hash", N)),
    "md5 of a password": ("import hashlib\nhashlib.md5(password)\n", (2, "weak-hash", W)),
    "mktemp": ("import tempfile\ntempfile.mktemp()\n", (2, "temporary-file-race", W)),
    "SQL in an f-string": ("c.execute(f'select * from t where a = {a}')\n", (1, "sql-from-text", W)),
    "SQL by %": ("c.execute('delete from t where a = %s' % a)\n", (1, "sql-from-text", W)),
    "SQL by +": ("c.execute('select ' + a + ' from t')\n", (1, "sql-from-text", W)),
    "SQL by format": ("c.execute('select {}'.format(a))\n", (1, "sql-from-text", W)),
    "chmod 777": ("import os\nos.chmod(p, 0o777)\n", (2, "world-writable", W)),
    "a debug server": ("app.run(debug=True)\n", (1, "debug-server", W)),
    "mark_safe": ("from django.utils.safestring import mark_safe\nmark_safe(x)\n", (2, "raw-html", W)),
    "no autoescape": ("import jinja2\njinja2.Environment(autoescape=False)\n", (2, "raw-html", W)),
}


@pytest.mark.parametrize("name", PYTHON)
def test_python_is_read(name: str) -> None:
    text, expected = PYTHON[name]
    assert _found("a.py", text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "# eval(x), subprocess.run(x, shell=True)\n",
        "text = 'pickle.loads(x); verify=False'\n",
        '"""os.system(x)"""\n',
        "model.eval()\nloop.exec()\n",
        "import subprocess\nsubprocess.run(['ls', x])\nsubprocess.run(x, shell=False)\n",
        "import yaml\nyaml.load(x, Loader=yaml.SafeLoader)\nyaml.load(x, yaml.CSafeLoader)\nyaml.safe_load(x)\n",
        "import hashlib\nhashlib.md5(x, usedforsecurity=False)\nhashlib.sha256(x)\n",
        "c.execute('select a from t where a = %s', (a,))\nc.execute(f'{a}')\nc.execute('select ' + 'a')\n",
        "import os\nos.chmod(p, 0o755)\nos.chmod(p, 0o644)\nlog.debug('x', debug=True)\n",
        "import httpx\nhttpx.get(u, verify=True)\n",
    ],
)
def test_harmless_python_is_left_alone(text: str) -> None:
    assert _found("a.py", text) == []


SCRIPTS = {
    "eval": ("eval(x);", (1, "eval", W)),
    "new Function": ("new Function('a', body);", (1, "eval", W)),
    "a timer of text": ("setTimeout(`run(${x})`, 1);", (1, "eval", W)),
    "innerHTML": ("el.innerHTML = x;", (1, "raw-html", W)),
    "innerHTML, fixed": ("el.innerHTML = '<b>x</b>';", (1, "raw-html", N)),
    "innerHTML, grown": ("el.innerHTML += x;", (1, "raw-html", W)),
    "insertAdjacentHTML": ("el.insertAdjacentHTML('beforeend', x);", (1, "raw-html", W)),
    "document.write": ("document.write(x);", (1, "raw-html", W)),
    "exec, imported": ("import { exec } from 'node:child_process';\nexec(x);", (2, "shell-command", W)),
    "exec, renamed": ("import { exec as go } from 'child_process';\ngo(x);", (2, "shell-command", W)),
    "exec of the module": ("import * as cp from 'child_process';\ncp.execSync(x);", (2, "shell-command", W)),
    "exec, required": (
        "const { exec } = require('child_process');\nexec(`ls ${x}`);",
        (2, "shell-command", W),
    ),
    "exec of what was required": (
        "const cp = require('child_process');\ncp.exec(x);",
        (2, "shell-command", W),
    ),
    "exec of fixed words": ("const cp = require('child_process');\ncp.exec('ls');", (2, "shell-command", N)),
    "spawn with a shell": ("spawn(x, [], { shell: true });", (1, "shell-command", W)),
    "no certificates": ("const o = { rejectUnauthorized: false };", (1, "tls-verification-off", W)),
    "no certificates at all": (
        "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';",
        (1, "tls-verification-off", W),
    ),
    "md5": ("crypto.createHash('md5');", (1, "weak-hash", N)),
}


@pytest.mark.parametrize("path", ["a.js", "a.ts", "a.tsx"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_read(path: str, name: str) -> None:
    text, expected = SCRIPTS[name]
    assert _found(path, text) == [expected]


def test_react_html_is_seen_in_markup_and_in_properties() -> None:
    text = "const a = <p dangerouslySetInnerHTML={{ __html: x }} />;\nconst b = { dangerouslySetInnerHTML: h };\n"
    assert _found("a.tsx", text) == [(1, "raw-html", W), (2, "raw-html", W)]


@pytest.mark.parametrize(
    "text",
    [
        "// eval(x)\n/* el.innerHTML = x */",
        "const a = 'eval(x)'; const b = `el.innerHTML = ${1}`;",
        "/re/.exec(x); regex.exec(y);",
        "import { execute } from './child_process_mock';\nexecute(x);",
        "el.textContent = x; el.innerHTML = ''; const { innerHTML } = el;",
        "setTimeout(() => run(x), 1); spawn(x, ['a']); crypto.createHash('sha256');",
    ],
)
def test_harmless_scripts_are_left_alone(text: str) -> None:
    assert _found("a.ts", text) == []


def test_rust_is_read_and_its_tests_are_left_out() -> None:
    text = """\
unsafe fn f() {}
unsafe impl Send for A {}
fn g() { unsafe { h() } }
fn i() { x.unwrap(); y.expect("y"); p.expect(); }
fn j() { Command::new("sh").arg("-c").arg(x); Command::new("git").arg("-c"); }
fn k() { todo!(); b.danger_accept_invalid_certs(true); md5::compute(x); }
// unsafe { } x.unwrap()
const T: &str = "unsafe { x.unwrap() }";
#[cfg(test)]
mod tests {
    #[test]
    fn t() { x.unwrap(); panic!(); }
}
#[tokio::test]
async fn u() { x.unwrap(); }
"""
    assert _found("a.rs", text) == [
        (1, "unsafe-code", W),
        (2, "unsafe-code", W),
        (3, "unsafe-code", W),
        (4, "unwrap", N),
        (4, "unwrap", N),
        (5, "shell-command", W),
        (6, "panic", N),
        (6, "tls-verification-off", W),
        (6, "weak-hash", N),
    ]


def test_go_is_read_under_the_names_of_its_imports() -> None:
    text = """\
package a

import (
	"crypto/md5"
	"fmt"
	x "os/exec"
	"unsafe"
)

func f(db *sql.DB, in string) {
	x.Command("sh", "-c", in)
	x.CommandContext(ctx, "bash", "-c", "ls")
	x.Command("git", in)
	exec.Command("sh", "-c", in)
	c := &tls.Config{InsecureSkipVerify: true}
	md5.New()
	p := unsafe.Pointer(c)
	db.Query(fmt.Sprintf("select * from t where a = %s", in))
	db.ExecContext(ctx, "delete from t where a = " + in)
	db.Query("select a from t where a = ?", in)
	s := "exec.Command(sh)" // InsecureSkipVerify: true
}
"""
    assert _found("a.go", text) == [
        (11, "shell-command", W),
        (12, "shell-command", N),
        (15, "tls-verification-off", W),
        (16, "weak-hash", N),
        (17, "unsafe-code", W),
        (18, "sql-from-text", W),
        (19, "sql-from-text", W),
    ]


async def test_only_what_the_change_brings_is_said(tmp_path: Path) -> None:
    before = {"a.py": "import os\nos.system(x)\n", "old.js": "eval(a);\n"}
    after = {"a.py": "import os\n\n\nos.system(x)\nos.system(y)\n", "new.js": "eval(a);\neval(b);\n"}
    signal = await said(Unsafe(), tmp_path, before, after, renamed={"old.js": "new.js"})
    assert signal is not None
    assert places(signal) == [("a.py", 5, "shell-command"), ("new.js", 2, "eval")]
    assert signal.artifacts[0].path == ARTIFACT
    assert signal.data["new"] == {"eval": 1, "shell-command": 1}


async def test_a_call_that_gains_a_shell_on_another_line_is_new(tmp_path: Path) -> None:
    before = "import subprocess\nsubprocess.run(\n    x,\n)\n"
    after = "import subprocess\nsubprocess.run(\n    x,\n    shell=True,\n)\n"
    signal = await said(Unsafe(), tmp_path, {"a.py": before}, {"a.py": after})
    assert places(signal) == [("a.py", 2, "shell-command")]


async def test_tests_may_do_what_they_need(tmp_path: Path) -> None:
    signal = await said(Unsafe(), tmp_path, {}, {"tests/test_a.py": "eval(x)\n"})
    assert signal is not None
    assert [finding.level for finding in signal.findings] == [Level.NOTE]


async def test_a_file_that_cannot_be_read_is_named_and_not_passed_over(tmp_path: Path) -> None:
    signal = await said(Unsafe(), tmp_path, {}, {"a.py": "eval(x\n", "b.py": "eval(y)\n"})
    assert signal is not None
    assert places(signal) == [("b.py", 1, "eval")]
    assert len(signal.limits) == 1
    assert signal.limits[0].startswith("a.py cannot be read as Python (syntax error in line 1)")


async def test_a_change_without_such_constructs_is_silent(tmp_path: Path) -> None:
    assert (
        await said(Unsafe(), tmp_path, {"a.py": "eval(x)\n"}, {"a.py": "x = 1\n", "b.md": "eval(x)"}) is None
    )
