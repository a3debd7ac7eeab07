"""The built-in tools: what each is told to be, takes and does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from artifactize.toolbox import listing, reading, searching, viewing
from artifactize.toolbox.contract import ToolSpec
from artifactize.toolbox.schemas import closed, flag, path, text, whole
from artifactize.toolbox.sections import section

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from artifactize.domain.declarations import Json
    from artifactize.toolbox.contract import ToolAnswer
    from artifactize.toolbox.scope import Scope


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One built-in tool; `call` gets the scope and arguments that its schema allows."""

    spec: ToolSpec
    call: Callable[[Scope, Mapping[str, Any]], ToolAnswer]


_FILE = path("The file: an Artifact's name, then the path inside of it, as in guide/intro.md.")
_FOLDER = path("A folder, or nothing for the outermost one.")
_AFTER = text("Go on behind this entry, as the answer before said.", most=4096)
_ENTRIES = whole(
    "At most this many entries.", least=1, most=listing.MAX_ENTRIES, default=listing.DEFAULT_ENTRIES
)


def _built_in(
    name: str, description: str, schema: dict[str, Json], call: Callable[..., ToolAnswer]
) -> BuiltIn:
    return BuiltIn(
        ToolSpec(name, description, schema), lambda scope, arguments: call(scope, **dict(arguments))
    )


def _grep(scope: Scope, **arguments: Any) -> ToolAnswer:  # noqa: ANN401 - checked against the schema
    return searching.grep(scope, searching.Search(**arguments))


READERS: tuple[BuiltIn, ...] = (
    _built_in(
        "read",
        "Shows lines of a text file, each behind its number. Long lines keep their two ends.",
        closed(
            ("path",),
            path=_FILE,
            start=whole("The first line to show, from 1.", least=1, most=2**53, default=1),
            lines=whole("How many lines.", least=1, most=reading.MAX_LINES, default=reading.DEFAULT_LINES),
        ),
        reading.read,
    ),
    _built_in(
        "list",
        "Lists what is directly in a folder. The outermost one holds the Artifacts this review covers.",
        closed((), path=_FOLDER, after=_AFTER, limit=_ENTRIES),
        listing.list_folder,
    ),
    _built_in(
        "glob",
        "Finds files by path: * and ? within a folder, ** across folders, [a-z] one of some.",
        closed(
            ("pattern",),
            pattern=text("As in guide/**/*.md.", most=1024, least=1),
            after=_AFTER,
            limit=_ENTRIES,
        ),
        listing.glob,
    ),
    _built_in(
        "grep",
        "Finds lines that hold a text, or that an RE2 expression matches when regex is true.",
        closed(
            ("pattern",),
            pattern=text("What to find.", most=1024, least=1),
            path=path("A file or folder to search; nothing searches everything."),
            glob=text("Only files whose path or name this matches.", most=1024),
            regex=flag("Take the pattern as an RE2 expression; ^ and $ are the ends of a line."),
            ignore_case=flag("Let upper and lower case be the same."),
            context=whole("Lines around each match.", least=0, most=searching.MAX_CONTEXT, default=0),
            skip=whole("Leave out this many matches at the start.", least=0, most=2**31, default=0),
            limit=whole(
                "At most this many matches.",
                least=1,
                most=searching.MAX_MATCHES,
                default=searching.DEFAULT_MATCHES,
            ),
        ),
        _grep,
    ),
    _built_in(
        "view_image",
        "Shows a PNG, JPEG, GIF or WebP.",
        closed(("path",), path=_FILE),
        viewing.view_image,
    ),
    _built_in(
        "section",
        "Shows the part of a Markdown file under a heading; without heading or line, its outline.",
        closed(
            ("path",),
            path=_FILE,
            heading=text("The words of the heading."),
            line=whole("The line of the heading, instead of its words.", least=0, most=2**31, default=0),
        ),
        section,
    ),
    _built_in(
        "open",
        "Says what a path is and shows its beginning: entries of a folder, lines of a text, an image's size.",
        closed((), path=path("A file or folder; nothing for the outermost folder.")),
        viewing.open_path,
    ),
)
"""Every built-in tool but `help`, which knows the toolbox that it is in."""

HELP = ToolSpec(
    "help",
    "Says what this review covers, which tools there are, and what one of them takes.",
    closed((), tool=text("The tool to explain.", most=64)),
)
