from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# What the room may not load is named by what is loaded, not by what is installed: the check is
# the same whether or not Django is there to be imported.
IMPORT_ALL = """
import importlib, pkgutil, sys
import backend.science as room
names = [found.name for found in pkgutil.walk_packages(room.__path__, room.__name__ + ".")]
for name in names:
    importlib.import_module(name)
print(*names)
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def names_and_modules(code: str) -> tuple[set[str], set[str]]:
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    names, modules = run.stdout.splitlines()
    return set(names.split()), set(modules.split())


def test_every_module_of_the_room_is_imported_by_the_check() -> None:
    names, _ = names_and_modules(IMPORT_ALL)
    room = "backend.science"
    files = (ROOT / "backend" / "science").rglob("*.py")
    dotted = {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    assert names | {room} == {name.removesuffix(".__init__") for name in dotted}


@pytest.mark.parametrize("framework", ["django", "celery", "rest_framework"])
def test_the_room_loads_no_framework(framework: str) -> None:
    _, modules = names_and_modules(IMPORT_ALL)
    assert framework not in modules


def test_the_check_sees_a_module_that_is_loaded() -> None:
    _, modules = names_and_modules(IMPORT_ALL.replace("import importlib", "import wave, importlib"))
    assert "wave" in modules


def test_the_root_package_stays_empty() -> None:
    assert (ROOT / "backend" / "__init__.py").read_bytes() == b""
