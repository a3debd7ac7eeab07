"""Keys that some languages lack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from prview.signals.i18n.analyzer import ARTIFACT, Translations
from prview.signals.i18n.files import LocaleFile, locale_file
from prview.signals.i18n.keys import UnreadableError, keys
from support.signal_context import Tree, said

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("path", "group", "locale"),
    [
        ("web/locales/de.json", "web/locales/*.json", "de"),
        ("web/locales/pt-BR/common.json", "web/locales/*/common.json", "pt-BR"),
        ("config/locales/models.de.yml", "config/locales/models.*.yml", "de"),
        ("src/i18n/messages_de.properties", "src/i18n/messages_*.properties", "de"),
        ("locale/de/LC_MESSAGES/app.po", "locale/*/LC_MESSAGES/app.po", "de"),
        ("app/res/values-de/strings.xml", "app/res/*/strings.xml", "de"),
        ("app/res/values/strings.xml", "app/res/*/strings.xml", "(default)"),
        ("ios/de.lproj/Main.strings", "ios/*/Main.strings", "de"),
        ("lib/l10n/app_de.arb", "lib/l10n/app_*.arb", "de"),
    ],
)
def test_files_of_translations_are_known_by_their_places(path: str, group: str, locale: str) -> None:
    assert locale_file(path) == LocaleFile(path, group, locale)


@pytest.mark.parametrize(
    "path",
    [
        "package.json",
        "src/de.json",
        "locales/index.json",
        "locales/README.md",
        "lang/xx.json",
        "app/res/values/colors.xml",
    ],
)
def test_other_files_are_not(path: str) -> None:
    assert locale_file(path) is None


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "de.json",
            '{"a": {"b": "x", "c": {}}, "@a": {}, "n_one": "1", "n_other": "2"}',
            {"a.b", "a.c", "n"},
        ),
        (
            "de.yml",
            'de:\n  a:\n    "b": x # y\n    text: |\n      no: key\n    n:\n      one: 1\n      other: 2\n  # c: d\n  url: "http://x"\n',
            {"a.b", "a.text", "a.n", "url"},
        ),
        ("de.properties", "# x=1\na.b = 1\nc: 2\n", {"a.b", "c"}),
        (
            "de.po",
            '#~ msgid "old"\nmsgid ""\nmsgstr "head"\nmsgid "Hello"\nmsgid ""\n"long "\n"text"\n',
            {"Hello", "long text"},
        ),
        ("de.strings", '/* "no" = */\n"a b" = "x";\n', {"a b"}),
        ("de.ftl", "# no = 1\nhello = Hi\n    .title = x\n-brand = B\n", {"hello"}),
        ("strings.xml", '<resources><string name="a">x</string><plurals name="b"/></resources>', {"a", "b"}),
    ],
)
def test_every_format_has_keys(path: str, text: str, expected: set[str]) -> None:
    assert keys(path, text, "de") == expected


def test_a_file_that_is_not_of_its_format_cannot_be_read() -> None:
    with pytest.raises(UnreadableError, match="is not JSON"):
        keys("de.json", "{", "de")


def _web(**texts: str) -> Tree:
    return {f"locales/{locale.replace('_', '-')}.json": text for locale, text in texts.items()}


async def _missing(folder: Path, before: Tree, after: Tree) -> dict[str, str]:
    signal = await said(Translations(), folder, before, after)
    return {item.path: item.message for item in signal.findings} if signal else {}


async def test_a_key_that_is_added_to_one_language_is_missing_in_the_others(tmp_path: Path) -> None:
    before = _web(en='{"a": "A"}', de='{"a": "A"}', fr='{"a": "A"}')
    after = before | _web(en='{"a": "A", "b": {"c": "C"}}', fr='{"a": "A",\n "b": {"c": "C"}}')
    signal = await said(Translations(), tmp_path, before, after)
    assert signal is not None
    assert [(item.path, item.line, item.message) for item in signal.findings] == [
        ("locales/de.json", 1, "de lacks 1 key that other languages have: b.c")
    ]
    assert (signal.artifacts[0].path, "    b.c" in signal.artifacts[0].text) == (ARTIFACT, True)


async def test_a_key_that_one_language_loses_is_missing_there(tmp_path: Path) -> None:
    before = _web(en='{"a": 1, "b": 2}', de='{"a": 1, "b": 2}')
    assert list(await _missing(tmp_path, before, before | _web(de='{"a": 1}'))) == ["locales/de.json"]


async def test_a_new_language_is_held_against_the_others(tmp_path: Path) -> None:
    before = _web(en='{"a": 1, "b": 2}', de='{"a": 1, "b": 2}')
    assert list(await _missing(tmp_path, before, before | _web(fr='{"a": 1}'))) == ["locales/fr.json"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(_web(en='{"a": 1}', de="{}"), _web(en='{"a": 2}', de="{}"), id="was missing before"),
        pytest.param(_web(en='{"a": 1}', de='{"a": 1}'), _web(en="{}", de="{}"), id="removed everywhere"),
        pytest.param(_web(en="{}"), _web(en='{"a": 1}'), id="one language only"),
        pytest.param(
            _web(pt="{}", pt_BR="{}"), _web(pt='{"a": 1}', pt_BR="{}"), id="a variant leans on its language"
        ),
        pytest.param(
            _web(en='{"a": 1}', de="{}"), _web(en='{"a": 1}', de="{}") | {"x.py": ""}, id="not touched"
        ),
    ],
)
async def test_nothing_is_said_about(tmp_path: Path, before: Tree, after: Tree) -> None:
    assert await said(Translations(), tmp_path, before, after) is None


async def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    signal = await said(Translations(), tmp_path, _web(en="{}", de="{}"), _web(en='{"a": 1}', de="{"))
    assert signal is not None
    assert signal.limits[0].startswith("locales/de.json is not JSON")
