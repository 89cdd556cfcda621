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
package = importlib.import_module("backend.science")
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


@pytest.fixture(scope="module")
def imported() -> tuple[set[str], set[str]]:
    """What one process that imports the package has: the package's modules, all packages."""
    return names_and_modules(IMPORT_ALL)


def test_the_check_imports_every_module_of_the_package(
    imported: tuple[set[str], set[str]],
) -> None:
    names, _ = imported
    memory = "backend.science"
    files = (ROOT / "backend" / "science").rglob("*.py")
    dotted = {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}
    assert names | {memory} == {name.removesuffix(".__init__") for name in dotted}


def test_the_package_loads_no_framework(imported: tuple[set[str], set[str]]) -> None:
    _, modules = imported
    assert modules & {"django", "celery", "rest_framework"} == set()


def test_the_check_detects_a_loaded_module() -> None:
    """In a smaller package, which takes no seconds to import."""
    code = IMPORT_ALL.replace("import importlib", "import wave, importlib")
    _, modules = names_and_modules(code.replace("backend.science", "backend.science.bm25"))
    assert "wave" in modules


def test_the_root_package_stays_empty() -> None:
    assert (ROOT / "backend" / "__init__.py").read_bytes() == b""
