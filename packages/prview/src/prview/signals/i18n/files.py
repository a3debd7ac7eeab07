"""Which files hold translations, of which language, and which belong together (pure)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

_FOLDERS = frozenset(
    {
        *("locales", "locale", "i18n", "l10n", "lang", "langs", "language", "languages"),
        *("translations", "translation", "messages", "intl"),
    }
)
_SUFFIXES = frozenset({".json", ".yml", ".yaml", ".properties", ".po", ".arb", ".ftl", ".strings", ".xml"})
_LANGUAGES = frozenset(
    re.findall(
        r"\w+",
        "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy "
        "da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu "
        "hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb "
        "lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om "
        "or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw "
        "ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ",
    )
)
"""ISO 639-1."""

_LOCALE = re.compile(r"^(?P<language>[a-z]{2,3})(?:[-_](?:r?[A-Z]{2}|[A-Z][a-z]{3}|\d{3}|[a-z]{2}))?$")
_IN_NAME = re.compile(r"^(?P<before>.*[._-])?(?P<locale>[a-z]{2}(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}))?)$")
_ANDROID = re.compile(r"^values(?:-(?P<locale>[a-z]{2}(?:-r[A-Z]{2})?))?$")
DEFAULT = "(default)"


@dataclass(frozen=True)
class LocaleFile:
    """One file of translations. Files of a `group` should have the same keys."""

    path: str
    group: str
    locale: str

    @property
    def language(self) -> str:
        """The language without its region."""
        return re.split(r"[-_]", self.locale, maxsplit=1)[0]


def locale_file(path: str) -> LocaleFile | None:
    """What a path says about a file of translations; None for any other file."""
    pure = PurePosixPath(path)
    if pure.suffix not in _SUFFIXES:
        return None
    parts = list(pure.parts)
    if pure.suffix == ".xml":
        return _android(path, parts)
    for index, part in enumerate(parts[:-1]):
        bare = part.removesuffix(".lproj")
        inside = part.endswith(".lproj") or not _FOLDERS.isdisjoint(parts[:index])
        if inside and _is_locale(bare):
            return _located(path, parts, index, bare)
    if _FOLDERS.isdisjoint(parts[:-1]):
        return None
    match = _IN_NAME.match(pure.stem)
    if match and _is_locale(match["locale"]):
        group = "/".join([*parts[:-1], f"{match['before'] or ''}*{pure.suffix}"])
        return LocaleFile(path, group, match["locale"])
    return None


def _is_locale(text: str) -> bool:
    match = _LOCALE.match(text)
    return match is not None and match["language"] in _LANGUAGES


def _located(path: str, parts: list[str], index: int, locale: str) -> LocaleFile:
    return LocaleFile(path, "/".join([*parts[:index], "*", *parts[index + 1 :]]), locale)


def _android(path: str, parts: list[str]) -> LocaleFile | None:
    match = _ANDROID.match(parts[-2]) if len(parts) > 1 and parts[-1] == "strings.xml" else None
    return _located(path, parts, len(parts) - 2, match["locale"] or DEFAULT) if match else None
