"""The check `secrets` looks at added lines, says where, and never repeats what it found."""

from __future__ import annotations

import pytest

from prview.domain.change import ChangedFile
from prview.domain.secrets import added_secrets
from support.secret_samples import PASSWORD, PRIVATE_KEY, SAMPLES

TOKEN = SAMPLES["github-token"]


def changed(path: str, *lines: str) -> ChangedFile:
    """A file whose patch has these lines, marks included."""
    old = sum(not line.startswith("+") for line in lines)
    new = sum(not line.startswith("-") for line in lines)
    patch = f"@@ -5,{old} +5,{new} @@\n" + "".join(f"{line}\n" for line in lines)
    return ChangedFile(path, "M", patch=patch.encode())


def test_only_added_lines_are_looked_at() -> None:
    file = changed("a.py", f' old = "{TOKEN}"', f'-gone = "{TOKEN}"', "+x = 1", f'+new = "{TOKEN}"')
    (finding,) = added_secrets(file)
    assert (finding.rule, finding.line, finding.column, finding.level) == ("github-token", 7, 8, "error")
    assert TOKEN not in finding.message + finding.anchor


def test_what_is_judged_by_its_name_says_so_and_is_a_warning() -> None:
    (finding,) = added_secrets(changed("settings.py", f'+DB_PASSWORD = "{PASSWORD}"'))
    assert (finding.rule, finding.level) == ("assigned-secret", "warning")
    assert "judged by its name" in finding.message
    assert PASSWORD not in finding.message + finding.anchor


def test_a_private_key_is_one_finding_and_its_mention_is_none() -> None:
    file = changed("key.pem", *(f"+{line}" for line in PRIVATE_KEY.split("\n")))
    (finding,) = added_secrets(file)
    assert (finding.rule, finding.line, finding.column) == ("private-key", 5, 1)
    mention = PRIVATE_KEY.split("\n")[0]
    assert list(added_secrets(changed("README.md", f"+Files with `{mention}` are refused.", "+Next."))) == []


@pytest.mark.parametrize(
    "path", ["tests/test_login.py", "src/login.spec.ts", "pkg/login_test.go", "a/fixtures/x.py"]
)
def test_passwords_of_tests_are_no_secrets_and_real_tokens_are(path: str) -> None:
    file = changed(path, '+password = "aB3$xY9!q"', f'+token = "{TOKEN}"')
    assert [finding.rule for finding in added_secrets(file)] == ["github-token"]


def test_lock_files_hold_names_and_digests_and_yet_may_leak_a_token() -> None:
    file = changed(
        "package-lock.json", f'+"js-tokens": "{PASSWORD}",', f'+"resolved": "https://x.invalid/?t={TOKEN}"'
    )
    assert [finding.rule for finding in added_secrets(file)] == ["github-token"]
