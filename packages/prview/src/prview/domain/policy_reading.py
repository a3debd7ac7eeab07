"""`.prview-policy.yml`: nothing in it may be without effect, so every name that is not known is refused."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from prview.domain.located import check_known, suggestion
from prview.domain.policy import Mode, Policy, Severity
from prview.domain.yaml_reading import read_yaml

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from prview.domain.located import Located

POLICY_FILE = ".prview-policy.yml"
POLICY_VERSION = 1
_KEYS = ("version", "mode", "default_severity", "checks", "rules")


def read_policy(text: str, *, path: str, source: str, checks: Collection[str]) -> Policy:
    """Return the policy that a file states; `checks` are all ids there are. Raises ConfigError."""
    document = read_yaml(text, path=path)
    values = document.table(_KEYS)
    _version(document, values)
    defaults = Policy()
    mode, default = values.get("mode"), values.get("default_severity")
    return Policy(
        mode=Mode(mode.word(Mode)) if mode else defaults.mode,
        default_severity=Severity(default.word(Severity)) if default else defaults.default_severity,
        checks=_checks(values.get("checks"), checks),
        rules=_rules(values.get("rules"), checks),
        source=source,
    )


def _version(document: Located, values: Mapping[str, Located]) -> None:
    version = values.get("version")
    if version is None:
        raise document.refuse("the key version is missing", hint=f"begin with `version: {POLICY_VERSION}`")
    if version.value != POLICY_VERSION or isinstance(version.value, bool):
        raise version.refuse(f"must be {POLICY_VERSION}, got {version.value!r}")


def _checks(section: Located | None, known: Collection[str]) -> Mapping[str, Severity]:
    items = section.table(known) if section else {}
    return MappingProxyType({name: Severity(item.word(Severity)) for name, item in items.items()})


def _rules(section: Located | None, known: Collection[str]) -> Mapping[str, Severity]:
    rules: dict[str, Severity] = {}
    for name, item in (section.table() if section else {}).items():
        check, slash, rule = name.partition("/")
        if not (slash and rule):
            near = suggestion(check, known) if check not in known else f"for all of it: {name}/*"
            raise item.refuse("a rule is written CHECK/RULE", hint=near)
        check_known(item, check, known, what="check")
        rules[name] = Severity(item.word(Severity))
    return MappingProxyType(rules)
