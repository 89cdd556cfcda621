"""The just-in-time compiler of the numeric kernels, with its types and its cache."""

import os
import re
import shutil
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import ParamSpec, TypeVar

from numba import config, njit

Params = ParamSpec("Params")
Result = TypeVar("Result")


BACKEND_DIR = Path(__file__).resolve().parents[1]
KERNEL_PACKAGES = ("graphs", "runtime", "science")  # packages that contain kernels
USES_KERNELS = re.compile(rb"\bjit_(compile|vectorize)\b")
IMPORTED_MODULE = re.compile(r"^from backend\.([\w.]+) import", re.MULTILINE)


def kernel_sources() -> list[Path]:
    """The files that define kernels, and all that they import: constants are compiled in."""
    files = (file for package in KERNEL_PACKAGES for file in (BACKEND_DIR / package).rglob("*.py"))
    waiting = [file for file in files if USES_KERNELS.search(file.read_bytes())]
    sources: set[Path] = set()
    while waiting:
        file = waiting.pop()
        if file not in sources and file.exists():
            sources.add(file)
            imported = IMPORTED_MODULE.findall(file.read_text())
            waiting += [BACKEND_DIR / f"{name.replace('.', '/')}.py" for name in imported]
    return sorted(sources)


def source_cache_dir() -> Path:
    """The folder of machine code for the current sources.

    numba invalidates a kernel when its own file changes, but not when a kernel that it calls
    changes, so the folder name is a digest of all sources that kernels depend on.
    """
    data = b"".join(file.read_bytes() for file in kernel_sources())
    root = os.environ.get("NUMBA_CACHE_DIR") or BACKEND_DIR / "__pycache__"
    return Path(root) / "kernels" / blake2b(data, digest_size=8).hexdigest()


def remove_stale_cache() -> None:
    """Remove machine code compiled from other sources. Processes that run them recompile."""
    for folder in CACHE_DIR.parent.glob("*"):
        if folder != CACHE_DIR:
            shutil.rmtree(folder, ignore_errors=True)


CACHE_DIR = source_cache_dir()
config.CACHE_DIR = str(CACHE_DIR)  # type: ignore[attr-defined]  # numba makes its settings when loaded


def jit_compile(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """Compile to machine code, cached on disk, without the GIL.

    There are no bounds checks: callers must validate indices.
    """
    kernel: Callable[Params, Result] = njit(cache=True, nogil=True)(function)
    return kernel


def jit_vectorize(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """As `jit_compile`, for loops that divide: x / 0 is infinite or NaN, as in numpy.

    Python's ZeroDivisionError would be a branch in the loop, which prevents vectorization. The
    order of sums is preserved.
    """
    kernel: Callable[Params, Result] = njit(cache=True, nogil=True, error_model="numpy")(function)
    return kernel
