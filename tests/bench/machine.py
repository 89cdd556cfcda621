"""What a figure was measured on, and the most memory that a process had."""

from __future__ import annotations

import os
import platform
import resource
import sys
from pathlib import Path

from backend.science.threads import core_count

KIB = 1 if sys.platform == "darwin" else 1024  # the unit in which the system tells memory
STATUS, PROCESSORS = Path("/proc/self/status"), Path("/proc/cpuinfo")


def peak() -> int:
    """The most bytes that this process had in memory, files that it maps among them.

    Where it can be told, of this program alone: the other figure begins with what the process that
    started it had.
    """
    told = fields(STATUS)
    if "VmHWM" in told:
        return int(told["VmHWM"].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB


def machine() -> str:
    """Its processor, the cores that may be used, and its memory."""
    name = fields(PROCESSORS).get("model name") or platform.processor() or platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{core_count()} cores of {name}, {memory:.0f} GiB"


def fields(path: Path) -> dict[str, str]:
    """The 'name: value' lines of one of the system's own files; of equal names the last."""
    if not path.exists():
        return {}
    lines = (line.split(":", 1) for line in path.read_text().splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in lines}
