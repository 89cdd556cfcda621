"""Machine code that was made of other sources is never run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

BACKEND = Path(__file__).resolve().parents[2] / "backend"
CALLEE = (
    "from backend.science.compiled import compiled\n\n@compiled\ndef one(x):\n    return x + {}\n"
)
CALLER = """
from backend.science.compiled import compiled
from backend.science.callee import one

@compiled
def twice(x):
    return one(one(x))
"""


def test_a_change_in_what_a_kernel_calls_is_seen(tmp_path: Path) -> None:
    science = tmp_path / "backend" / "science"
    science.mkdir(parents=True)
    for name in ("__init__.py", "compiled.py"):
        shutil.copy(BACKEND / "science" / name, science)
    (science.parent / "__init__.py").touch()
    (science / "caller.py").write_text(CALLER)
    for step in (1, 10):
        (science / "callee.py").write_text(CALLEE.format(step))
        assert ran(tmp_path) == str(2 * step)
    kept = science.parent / "__pycache__" / "kernels"
    assert len(list(kept.iterdir())) == 2
    assert ran(tmp_path, "forget_old_code(); ") == "20"
    assert len(list(kept.iterdir())) == 1


def ran(folder: Path, first: str = "") -> str:
    program = (
        "from backend.science.compiled import forget_old_code\n"
        f"from backend.science.caller import twice\n{first}print(twice(0))"
    )
    environment = {name: it for name, it in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.strip()
