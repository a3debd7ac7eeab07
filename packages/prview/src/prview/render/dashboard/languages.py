"""What tells comments, strings, numbers and words of a language apart; enough to colour a line of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

_C_STRING = r'"(?:[^"\\]|\\.)*"?'
_CHAR = r"'(?:[^'\\]|\\.)*'?"
_CLOSED = r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'"
"""For languages with words in them: an apostrophe alone begins nothing."""

_NUMBER = r"\b(?:0[xXbBoO][0-9a-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)[a-zA-Z]{0,3}\b"


@dataclass(frozen=True)
class Language:
    """`comment` and `string` are expressions for what ends on its line.

    `blocks` are pairs of marks around what may go on over lines, each with the class it is shown in
    (`m` comment, `s` string). Text is matched with `<`, `>` and `&` already written as entities.
    """

    words: str
    comment: str = r"//.*"
    string: str = rf"{_C_STRING}|{_CHAR}"
    blocks: tuple[tuple[str, str, str], ...] = (("/*", "*/", "m"),)

    @property
    def pattern(self) -> re.Pattern[str]:
        """One expression with the groups b (a block begins), m, s, n, k."""
        return _compiled(self)


@cache
def _compiled(language: Language) -> re.Pattern[str]:
    begins = "|".join(re.escape(begin) for begin, _, _ in language.blocks)
    parts = [
        *([f"(?P<b>{begins})"] if begins else ["(?P<b>(?!))"]),
        f"(?P<m>{language.comment or '(?!)'})",
        f"(?P<s>{language.string})",
        f"(?P<n>{_NUMBER})",
        rf"(?P<k>(?<![\w.$-])(?:{'|'.join(language.words.split()) or '(?!)'})(?![\w-]))",
    ]
    return re.compile("|".join(parts))


_PYTHON = Language(
    "and as assert async await break case class continue def del elif else except False finally for "
    "from global if import in is lambda match None nonlocal not or pass raise return self True try type "
    "while with yield",
    comment=r"#.*",
    string=rf"\b[rbfuRBFU]{{0,2}}(?:{_C_STRING}|{_CHAR})|{_C_STRING}|{_CHAR}",
    blocks=(('"""', '"""', "s"), ("'''", "'''", "s")),
)
_SCRIPT = Language(
    "abstract any as async await boolean break case catch class const continue debugger declare default "
    "delete do else enum export extends false finally for from function get if implements import in "
    "instanceof interface let namespace never new null number of private protected public readonly "
    "return set static string super switch this throw true try type typeof undefined unknown var void "
    "while yield",
    blocks=(("/*", "*/", "m"), ("`", "`", "s")),
)
_RUST = Language(
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop "
    "match mod move mut pub ref return self Self static struct super trait true type unsafe use where "
    "while",
    string=rf"{_C_STRING}|'(?:[^'\\]|\\.)'",
)
_GO = Language(
    "break case chan const continue default defer else fallthrough false for func go goto if import "
    "interface iota map nil package range return select struct switch true type var",
    blocks=(("/*", "*/", "m"), ("`", "`", "s")),
)
_CURLY = Language(
    "abstract auto bool boolean break case catch char class const continue default delete do double "
    "else enum extends extern final finally float for foreach fun func if implements import in "
    "instanceof int interface internal is let long namespace new nil null nullptr operator override "
    "package private protected public return short signed sizeof static struct super switch template "
    "this throw throws true false try typedef typename union unsigned using val var virtual void "
    "volatile when while yield #include #define #if #ifdef #ifndef #else #endif #pragma"
)
_SHELL = Language(
    "case do done elif else esac export fi for function if in local return set then unset until while",
    comment=r"(?:(?<=\s)|^)#.*",
    string=_CLOSED,
    blocks=(),
)
_RUBY = Language(
    "alias and begin break case class def do else elsif end ensure false for if in module next nil not "
    "or raise require rescue return self super then true undef unless until when while yield",
    comment=r"#.*",
    blocks=(),
)
_DATA = Language("true false null yes no on off", comment=r"(?:(?<=\s)|^)[#;].*", string=_CLOSED, blocks=())
_JSON = Language("true false null", comment=r"//.*", string=_CLOSED)
_SQL = Language(
    "add all alter and as asc begin between by case cast check column commit constraint create cross "
    "database default delete desc distinct drop else end exists false foreign from full grant group "
    "having if in index inner insert into is join key left like limit not null offset on or order outer "
    "primary references returning right rollback select set table then true union unique update using "
    "values view when where with ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CAST CHECK COLUMN "
    "COMMIT CONSTRAINT CREATE CROSS DATABASE DEFAULT DELETE DESC DISTINCT DROP ELSE END EXISTS FALSE "
    "FOREIGN FROM FULL GRANT GROUP HAVING IF IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT "
    "NULL OFFSET ON OR ORDER OUTER PRIMARY REFERENCES RETURNING RIGHT ROLLBACK SELECT SET TABLE THEN "
    "TRUE UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHERE WITH",
    comment=r"--.*",
)
_MARKUP = Language("", comment="", blocks=(("&lt;!--", "--&gt;", "m"),), string=r'(?<==)"[^"]*"?')
_STYLE = Language(
    "important inherit initial unset none auto from to and not only", comment="", string=_CLOSED
)

_BY_SUFFIX: dict[str, Language] = {
    **dict.fromkeys((".py", ".pyi"), _PYTHON),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), _SCRIPT),
    ".rs": _RUST,
    ".go": _GO,
    **dict.fromkeys((".java", ".kt", ".kts", ".scala", ".cs", ".swift", ".dart", ".php", ".proto"), _CURLY),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".m", ".zig"), _CURLY),
    **dict.fromkeys((".sh", ".bash", ".zsh"), _SHELL),
    **dict.fromkeys((".rb", ".ex", ".exs"), _RUBY),
    **dict.fromkeys((".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".env", ".properties"), _DATA),
    **dict.fromkeys((".json", ".jsonc", ".json5", ".ipynb"), _JSON),
    ".sql": _SQL,
    **dict.fromkeys((".html", ".htm", ".xml", ".svg", ".vue", ".svelte"), _MARKUP),
    **dict.fromkeys((".css", ".scss", ".less"), _STYLE),
}
_BY_NAME = {"Makefile": _SHELL, "Dockerfile": _SHELL, "Jenkinsfile": _CURLY, "Gemfile": _RUBY}


def language_of(path: str) -> Language | None:
    """The language of a file by its name, or None for text that is shown in one colour."""
    name = PurePosixPath(path)
    return _BY_SUFFIX.get(name.suffix.lower()) or _BY_NAME.get(name.name)
