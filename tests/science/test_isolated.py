from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The check looks at loaded modules, not at installed ones, so that it is
# the same whether or not Django is installed.
IMPORT_ALL = """
import importlib, pkgutil, sys
import backend.science as package
names = [found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
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


def test_the_check_imports_every_module_of_the_package() -> None:
    names, _ = names_and_modules(IMPORT_ALL)
    memory = "backend.science"
    files = (ROOT / "backend" / "science").rglob("*.py")
    dotted = {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    assert names | {memory} == {name.removesuffix(".__init__") for name in dotted}


@pytest.mark.parametrize("framework", ["django", "celery", "rest_framework"])
def test_the_package_loads_no_framework(framework: str) -> None:
    _, modules = names_and_modules(IMPORT_ALL)
    assert framework not in modules


def test_the_check_detects_a_loaded_module() -> None:
    _, modules = names_and_modules(IMPORT_ALL.replace("import importlib", "import wave, importlib"))
    assert "wave" in modules


def test_the_root_package_stays_empty() -> None:
    assert (ROOT / "backend" / "__init__.py").read_bytes() == b""
