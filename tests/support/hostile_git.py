"""A repository configuration that would change every answer or run a program, if anybody obeyed it."""

from pathlib import Path

from support.repos import GitRepo

SETTINGS = {
    "alias.diff": "!{run}",
    "alias.log": "!{run}",
    "alias.status": "!{run}",
    "color.branch": "always",
    "color.diff": "always",
    "color.status": "always",
    "color.ui": "always",
    "core.abbrev": "4",
    "core.editor": "{run}",
    "core.fsmonitor": "{run}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{run}",
    "core.quotePath": "false",
    "core.sshCommand": "{run}",
    "core.askPass": "{run}",
    "core.attributesFile": "{attributes}",
    "credential.helper": "!{run}",
    "diff.algorithm": "patience",
    "diff.colorMoved": "zebra",
    "diff.context": "0",
    "diff.dirstat": "lines",
    "diff.external": "{run}",
    "diff.ignoreSubmodules": "all",
    "diff.indentHeuristic": "false",
    "diff.interHunkContext": "50",
    "diff.mnemonicPrefix": "true",
    "diff.noprefix": "true",
    "diff.orderFile": "{order}",
    "diff.relative": "true",
    "diff.renameLimit": "1",
    "diff.renames": "copies",
    "diff.statGraphWidth": "1",
    "diff.submodule": "log",
    "diff.suppressBlankEmpty": "true",
    "diff.wordRegex": ".",
    "diff.evil.command": "{run}",
    "diff.evil.textconv": "{run}",
    "diff.evil.xfuncname": "^.*$",
    "filter.evil.clean": "{run}",
    "filter.evil.process": "{run}",
    "filter.evil.required": "true",
    "filter.evil.smudge": "{run}",
    "format.pretty": "oneline",
    "format.notes": "*",
    "gpg.program": "{run}",
    "i18n.logOutputEncoding": "UTF-16",
    "interactive.diffFilter": "{run}",
    "log.abbrevCommit": "true",
    "log.date": "relative",
    "log.decorate": "full",
    "log.diffMerges": "separate",
    "log.follow": "true",
    "log.mailmap": "true",
    "log.showRoot": "false",
    "log.showSignature": "true",
    "notes.displayRef": "*",
    "pager.diff": "{run}",
    "pager.log": "{run}",
    "status.branch": "true",
    "status.relativePaths": "true",
    "status.renames": "copies",
    "status.showStash": "true",
    "status.showUntrackedFiles": "no",
    "status.submoduleSummary": "true",
    "submodule.recurse": "true",
    "trace2.eventTarget": "{trace}",
}
"""What is set; `{run}` is a program that leaves a trace, the other names are files beside it."""


def poison(repo: GitRepo, folder: Path) -> Path:
    """Apply every setting, attribute and hook to `repo`; gives the file that exists once a program ran."""
    canary = folder / "a-program-ran"
    places = _places(folder, canary)
    for key, value in SETTINGS.items():
        repo.config(key, value.format(**places))
    information = repo.path / repo.ask("rev-parse", "--git-common-dir") / "info"
    information.mkdir(exist_ok=True)
    (information / "attributes").write_text("* diff=evil filter=evil\n*.bin -binary text\n*.txt -diff\n")
    return canary


def _places(folder: Path, canary: Path) -> dict[str, str]:
    folder.mkdir(parents=True)
    hooks = folder / "hooks"
    hooks.mkdir()
    program = _script(folder / "run", f"#!/bin/sh\necho ran >> '{canary}'\necho evil\n")
    for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout"):
        _script(hooks / name, program.read_text())
    (folder / "order").write_text("z*\n*\n")
    (folder / "attributes").write_text("* binary\n")
    return {
        "run": str(program),
        "hooks": str(hooks),
        "order": str(folder / "order"),
        "attributes": str(folder / "attributes"),
        "trace": str(folder / "a-trace-was-written"),
    }


def _script(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path
