"""Machine code compiled from other sources is never run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BACKEND = Path(__file__).resolve().parents[2] / "backend"
CALLEE = (
    "from backend.runtime.jit import jit_compile\n\n@jit_compile\ndef one(x):\n    return x + {}\n"
)
CALLER = """
from backend.runtime.jit import jit_compile
from backend.science.callee import one

@jit_compile
def twice(x):
    return one(one(x))
"""


def test_a_change_in_a_called_kernel_invalidates_the_cache(tmp_path: Path) -> None:
    backend = tmp_path / "backend"
    science, runtime = backend / "science", backend / "runtime"
    for package in (science, runtime):
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    (backend / "__init__.py").touch()
    shutil.copy(BACKEND / "runtime" / "jit.py", runtime)
    (science / "caller.py").write_text(CALLER)
    for step in (1, 10):
        (science / "callee.py").write_text(CALLEE.format(step))
        assert ran(tmp_path) == str(2 * step)
    output = science.parent / "__pycache__" / "kernels"
    assert len(list(output.iterdir())) == 2
    assert ran(tmp_path, "remove_stale_cache(); ") == "20"
    assert len(list(output.iterdir())) == 1
    (science / "without_kernels.py").write_text("NUMBER = 1\n")
    assert ran(tmp_path) == "20"
    assert len(list(output.iterdir())) == 1


def ran(folder: Path, first: str = "") -> str:
    program = (
        "from backend.runtime.jit import remove_stale_cache\n"
        f"from backend.science.caller import twice\n{first}print(twice(0))"
    )
    environment = {name: it for name, it in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    reported = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return reported.stdout.strip()
