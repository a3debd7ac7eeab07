"""What pytest did not run, as facts: tests without an end, and tests of the base that run no longer.

An exit code of 0 says that nothing which ran has failed. Whether anything ran follows from here alone.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from prview.domain.findings import Finding, Judged, Level, Provenance

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from prview.checks.pytest_events import Session

RULE = "not-run"


def incomplete(session: Session) -> str | None:
    """Why a session is no evidence about its tests, as a sentence; None when every test came to an end."""
    why = f" ({session.reason})" if session.reason else ""
    if session.planned is None:
        return f"pytest ended before it had collected the tests{why}"
    total = len(session.planned)
    left = session.planned - session.ended.keys()
    if left:
        ran = "none" if len(left) == total else f"only {total - len(left)}"
        return f"pytest ran {ran} of {total} collected tests{why}; without an end: {min(left)}"
    if total and len(session.having("skipped")) == total:
        return f"pytest skipped all {total} collected tests: nothing was run"
    return None


def quiet(session: Session) -> frozenset[str]:
    """The tests that ended without saying anything about the code."""
    return session.having("skipped", "xfailed")


def no_longer_run(
    head: Session,
    before: Collection[str],
    *,
    ran_before: Collection[str],
    there: Collection[str],
) -> tuple[Judged, ...]:
    """Findings that name the tests of the base which the head does not run.

    `before` are the base's tests that are run there, `ran_before` those of the head's quiet tests that ran on
    the base, all under the head's file names; `there` are the head's files. Cases of one function are one
    finding, and cases whose values only changed are none: as many as before are left.
    """
    why = dict(_gone(head, before, there))
    for name in quiet(head) & set(ran_before):
        event = head.ended[name]
        what = "skipped" if event.outcome == "skipped" else "expected to fail"
        why[name] = f"{what}: {event.message}" if event.message else what
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, reason in why.items():
        groups[_function(name), reason].append(name)
    lines = {name: event.line for name, event in head.ended.items()}
    return tuple(
        _judged(names, function, reason, line=min(lines.get(name, 1) for name in names))
        for (function, reason), names in sorted(groups.items())
    )


def _gone(head: Session, before: Collection[str], there: Collection[str]) -> Iterable[tuple[str, str]]:
    """Tests that are not planned any more, with the reason."""
    planned = head.planned or frozenset()
    new = planned - set(before)
    moved = {_test(name) for name in new}
    left, old = _cases(planned), _cases(before)
    for name in sorted(set(before) - planned):
        function, file = _function(name), name.partition("::")[0]
        if name in head.left_out:
            yield name, "deselected"
        elif file not in there:
            if _test(name) not in moved:
                yield name, "its file is removed by this change"
        elif left.get(function, 0) < old[function] and _test(name) not in moved:
            yield name, "not collected"


def _cases(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for name in names:
        counts[_function(name)] += 1
    return counts


def _function(name: str) -> str:
    """The id without the values of a parametrized test."""
    file, separator, test = name.partition("::")
    return f"{file}{separator}{test.partition('[')[0]}"


def _test(name: str) -> str:
    return name.partition("::")[2]


def _judged(names: list[str], function: str, reason: str, *, line: int) -> Judged:
    file, _, test = function.partition("::")
    cases = f" ({len(names)} cases)" if len(names) > 1 else ""
    finding = Finding(
        check="pytest",
        rule=RULE,
        level=Level.WARNING,
        path=file,
        line=max(line, 1),
        message=f"test {test or file} of the base no longer runs{cases}: {reason}",
        anchor=f"{test}: {reason}",
        subject=test,
        removed=line <= 1,
    )
    return Judged(finding, Provenance.INTRODUCED, 0, on_added_line=False)


def under_new_names(names: Iterable[str], renames: Mapping[str, str]) -> dict[str, str]:
    """Ids by what they are called once their files are renamed."""
    found = {}
    for name in names:
        file, separator, test = name.partition("::")
        found[f"{renames.get(file, file)}{separator}{test}"] = name
    return found
