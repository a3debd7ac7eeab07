"""Planted defects: a reviewer's GREEN counts only when it says RED about a copy that is known to be wrong.

A control is an edit of one file of the Artifact. It is made in a disposable copy, which the same reviewer
reviews without being told. Controls cost reviews, so they are made only when the verdict is GREEN; a RED
stands by itself.
"""

from __future__ import annotations

import os
import shutil
import stat
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from anyio import CancelScope, to_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from artifactize.agents.contract import Review

_LEFT_OUT = shutil.ignore_patterns(".git", "node_modules")
_MAX_BYTES = 16 * 1024 * 1024


class ControlError(Exception):
    """A control that cannot be planted; the message names it and what to change in its declaration."""


@dataclass(frozen=True, slots=True)
class Control:
    """A defect to plant: in `file`, relative to what is copied, `find` becomes `replace_with`.

    `file` has `/` between its parts. `find` must occur exactly once, so that the edit still means
    what it meant when it was declared.
    """

    name: str
    file: str
    find: str
    replace_with: str


@dataclass(frozen=True, slots=True)
class CatchRate:
    """How many planted defects were caught, and the names of those that were not."""

    planted: int = 0
    caught: int = 0
    missed: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.caught} of {self.planted} planted defects caught"


@dataclass(frozen=True, slots=True)
class Controlled:
    """A review whose GREEN has been tested. `rate` is None when no control was made."""

    review: Review
    rate: CatchRate | None
    controls: tuple[Review, ...] = ()


async def controlled(
    review: Review,
    controls: Iterable[Control],
    *,
    source: Path,
    scratch: Path,
    review_copy: Callable[[Path, Control], Awaitable[Review]],
) -> Controlled:
    """Return what a review counts after its controls; a GREEN that missed one becomes ERROR AGENT_ERROR.

    `source` is copied into `scratch`, a private folder of ours, once for each control; `review_copy` reviews
    such a copy like the original. A control review that ends in ERROR ends the whole with its code.
    """
    wanted = tuple(controls)
    if review.verdict != "GREEN" or not wanted:
        return Controlled(review, None)
    made: list[Review] = []
    missed: list[str] = []
    for number, control in enumerate(wanted):
        try:
            seen = await _reviewed(control, source, scratch / f"control-{number}", review_copy)
        except ControlError as failure:
            return Controlled(_refused(review, "AGENT_ERROR", str(failure)), None, tuple(made))
        made.append(seen)
        if seen.verdict == "ERROR":
            words = f"the control {control.name} could not be reviewed: {seen.message}"
            return Controlled(_refused(review, seen.code or "AGENT_ERROR", words), None, tuple(made))
        if seen.verdict == "GREEN":
            missed.append(control.name)
    rate = CatchRate(len(wanted), len(wanted) - len(missed), tuple(missed))
    if missed:
        words = f"its GREEN does not count: {rate}; missed: {', '.join(missed)}"
        review = _refused(review, "AGENT_ERROR", words)
    return Controlled(review, rate, tuple(made))


def plant(control: Control, copy: Path) -> None:
    """Make a control's edit in a copy. Raises ControlError."""
    file = _inside(control, copy)
    data = file.read_bytes()
    wanted = control.find.encode()
    found = data.count(wanted) if wanted else 0
    if found != 1:
        times = "is not" if found == 0 else f"stands {found} times"
        raise ControlError(f"control {control.name}: its text {times} in {control.file}; update its `find`")
    planted = data.replace(wanted, control.replace_with.encode())
    if planted == data:
        raise ControlError(f"control {control.name} changes nothing; its `find` and `replace_with` are equal")
    file.write_bytes(planted)


async def _reviewed(
    control: Control, source: Path, copy: Path, review_copy: Callable[[Path, Control], Awaitable[Review]]
) -> Review:
    try:
        await to_thread.run_sync(_copy, source, copy)
        await to_thread.run_sync(plant, control, copy)
        return await review_copy(copy, control)
    finally:
        with CancelScope(shield=True):
            await to_thread.run_sync(lambda: shutil.rmtree(copy, ignore_errors=True))


def _copy(source: Path, copy: Path) -> None:
    def ignored(folder: str, names: list[str]) -> set[str]:
        special = {name for name in names if not _is_copied(Path(folder, name))}
        return special | _LEFT_OUT(folder, names)

    try:
        shutil.copytree(source, copy, symlinks=True, ignore=ignored)
    except (OSError, shutil.Error) as failure:
        raise ControlError(f"{source} cannot be copied for a control: {failure}") from failure


def _is_copied(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


def _inside(control: Control, copy: Path) -> Path:
    parts = PurePosixPath(control.file).parts
    file = copy.joinpath(*parts)
    known = bool(parts) and ".." not in parts and not PurePosixPath(control.file).is_absolute()
    if (
        not known
        or Path(os.path.realpath(file)) != Path(os.path.realpath(copy)).joinpath(*parts)
        or not file.is_file()
    ):
        raise ControlError(f"control {control.name}: there is no file {control.file} in what is reviewed")
    if file.stat().st_size > _MAX_BYTES:
        raise ControlError(f"control {control.name}: {control.file} is larger than {_MAX_BYTES} bytes")
    return file


def _refused(review: Review, code: str, message: str) -> Review:
    return replace(review, verdict="ERROR", code=code, message=message)
