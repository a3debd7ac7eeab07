from __future__ import annotations

import subprocess
import sys

import pytest

LIGHT = [
    "oskit",
    "oskit.files",
    "oskit.locks",
    "oskit.locations",
    "oskit.terminal",
    "oskit.clock",
    "oskit.ids",
    "oskit.scratch",
]


@pytest.mark.parametrize("module", [*LIGHT, "oskit.process"])
def test_importing_it_imports_the_standard_library_only(module: str) -> None:
    """Every command line starts through these; the event loop, rich and platformdirs wait until they are needed."""
    script = (
        f"import sys; before = set(sys.modules); import {module}\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(new - sys.stdlib_module_names - {'oskit'}), 'asyncio' in sys.modules, 'subprocess' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] False False"


def test_every_public_name_of_process_is_there_and_listed() -> None:
    import oskit.process

    values = {name: getattr(oskit.process, name) for name in oskit.process.__all__}
    assert len(values) == len(oskit.process.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = oskit.process.nothing
