"""The temporary folder of a run is in none of its results."""

from __future__ import annotations

from prview.domain.relocated import relocated
from support.prview_review import finding, result

FOLDER = "/tmp/prview-a1b2c3"


def test_the_folder_is_named_the_same_in_every_run() -> None:
    judged = finding("a.py", 1, message=f"File {FOLDER}/head/a.py")
    said = f"$ cd {FOLDER}/x && go\n"
    moved = relocated(result("x", judged, log=said, reason=said, unseen=said, flaky=(said,)), FOLDER)
    assert FOLDER not in repr(moved)
    assert moved.log == "$ cd <scratch>/x && go\n"
    assert moved.judged[0].finding.message == "File <scratch>/head/a.py"


def test_what_does_not_name_it_is_left_alone() -> None:
    clean = result("x", finding("a.py", 1), log="fine")
    assert relocated(clean, FOLDER) == clean
    assert relocated(clean, FOLDER).judged[0] is clean.judged[0]
